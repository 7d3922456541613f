/** The viewer's news: what people whom the viewer follows share, live, and the form to share something. */
import { Link } from '../../kit/controls/link.js';
import { Empty } from '../../kit/display/notice.js';
import { Composer } from '../composer/composer.js';
import { openNews } from '../data/open-posts.js';
import { Joined } from '../network/joined.js';
import { Posts } from '../posts/posts.js';
import { usePosts } from '../posts/use-posts.js';
import styles from './page.module.css';

export const NewsPage = () => <Joined>{() => <News />}</Joined>;

function News() {
  const posts = usePosts(openNews);
  return (
    <div className={styles.column}>
      <Composer onPosted={posts.put} />
      <Posts
        posts={posts}
        label="News"
        empty={
          <Empty
            icon="circles"
            title="No news yet"
            action={
              <Link className="button" href="/social/people">
                Find people
              </Link>
            }
          >
            Put people into circles to read here what they share, or write the first post yourself.
          </Empty>
        }
      />
    </div>
  );
}
