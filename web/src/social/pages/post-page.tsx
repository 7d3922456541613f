/** One post with its discussion, live: where a link to a post leads. */
import { useCallback, useState } from 'react';
import type { PostChangedSubscription } from '../../../generated/graphql.js';
import { viewerStore } from '../../api/session.js';
import { useLive } from '../../api/use-live.js';
import { navigate, useLocation } from '../../kit/base/location.js';
import { useStore } from '../../kit/base/store.js';
import { useTitle } from '../../kit/base/title.js';
import { Link } from '../../kit/controls/link.js';
import { Empty } from '../../kit/display/notice.js';
import { idIn } from '../../shell/section.js';
import { signInAddress } from '../../shell/visitor-frame.js';
import { PostChangedDocument } from '../data/documents.js';
import type { Post } from '../data/post-list.js';
import { addressOf } from '../parts/links.js';
import { PostCard } from '../posts/post-card.js';
import { PostSkeletons } from '../posts/post-skeletons.js';
import styles from './page.module.css';

type Event = PostChangedSubscription['postChanged'];

const latest = (_state: Event | null, event: Event): Event => event;
const goToNews = () => navigate('/social');

export function PostPage() {
  const { path } = useLocation();
  const id = idIn('/social/post/:id', path) ?? '';
  return <PostView key={id} id={id} />;
}

function PostView({ id }: { id: string }) {
  const { state, refused } = useLive(PostChangedDocument, { id }, latest);
  const isVisitor = useStore(viewerStore) === null;
  const [own, setOwn] = useState<Post | null>(null);
  const [isOpen, setOpen] = useState(true);
  const open = useCallback((opened: string | null) => setOpen(opened !== null), []);
  // The live state follows the viewer's own change.
  const post = state?.post && own && isLater(own, state.post) ? own : state?.post;
  useTitle(post ? `Post by ${post.author.name || 'a deleted account'}` : 'Post');
  return (
    <div className={styles.column}>
      {(refused !== null || state) && !post && (
        <div className="card">
          <Empty
            icon="comment"
            title={refused ?? 'There is no such post'}
            action={
              <Link className="button" href={isVisitor ? signInAddress(addressOf(id)) : '/social'}>
                {isVisitor ? 'Sign in' : 'Go to the news'}
              </Link>
            }
          >
            {isVisitor
              ? 'It was deleted, or it is not public: sign in to see whether its author has shared it with you.'
              : 'It was deleted, or its author has not shared it with you.'}
          </Empty>
        </div>
      )}
      {!state && refused === null && <PostSkeletons count={1} />}
      {post && <PostCard post={post} isOpen={isOpen} onOpen={open} onChange={setOwn} onRemove={goToNews} />}
    </div>
  );
}

const isLater = (own: Post, live: Post): boolean => (own.editedAt ?? '') > (live.editedAt ?? '');
