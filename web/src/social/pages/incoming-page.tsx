/** What others wrote on the viewer's wall, including people whom the viewer does not follow. */
import { Empty } from '../../kit/display/notice.js';
import { openIncoming } from '../data/open-posts.js';
import { Joined } from '../network/joined.js';
import { PostSkeletons } from '../posts/post-skeletons.js';
import { Posts } from '../posts/posts.js';
import { usePosts } from '../posts/use-posts.js';
import styles from './page.module.css';

export const IncomingPage = () => <Joined waiting={<PostSkeletons />}>{({ id }) => <Incoming own={id} />}</Joined>;

function Incoming({ own }: { own: string }) {
  const posts = usePosts(openIncoming);
  return (
    <div className={styles.column}>
      <p>
        What others wrote on your wall. You see posts of people whom you do not follow only here, but everybody whom
        they are shared with sees them on your wall, also after you have blocked their author, until you delete them:
        choose “Delete” in the menu of a post.
      </p>
      <Posts
        posts={posts}
        label="Incoming"
        wall={own}
        empty={
          <Empty icon="comment" title="Nobody has written on your wall yet">
            What others write there appears here at once.
          </Empty>
        }
      />
    </div>
  );
}
