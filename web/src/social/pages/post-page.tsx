/** One post with its discussion, live: where a link to a post leads. */
import { useCallback, useState } from 'react';
import type { PostChangedSubscription } from '../../../generated/graphql.js';
import { useLive } from '../../api/use-live.js';
import { navigate, useLocation } from '../../kit/base/location.js';
import { Link } from '../../kit/controls/link.js';
import { Empty, Notice } from '../../kit/display/notice.js';
import { PostChangedDocument } from '../data/documents.js';
import type { Post } from '../data/post-list.js';
import { PostCard } from '../posts/post-card.js';
import { PostSkeletons } from '../posts/posts.js';
import styles from './page.module.css';

type Event = PostChangedSubscription['postChanged'];

const latest = (_state: Event | null, event: Event): Event => event;
const goToNews = () => navigate('/social');

export function PostPage() {
  const id = useLocation().query.get('id');
  const { state, refused } = useLive(PostChangedDocument, id === null ? null : { id }, latest);
  const [own, setOwn] = useState<Post | null>(null);
  const [isOpen, setOpen] = useState(true);
  const open = useCallback((opened: string | null) => setOpen(opened !== null), []);
  const isGone = id === null || (state && !state.post);
  // The live state follows the viewer's own change.
  const post = state?.post && own?.id === state.post.id && isLater(own, state.post) ? own : state?.post;
  return (
    <div className={styles.column}>
      {refused && <Notice tone="bad">{refused}</Notice>}
      {isGone && (
        <Empty
          icon="comment"
          title="There is no such post"
          action={
            <Link className="button" href="/social">
              Go to the news
            </Link>
          }
        >
          It was deleted, or its author has not shared it with you.
        </Empty>
      )}
      {!isGone && !post && !refused && <PostSkeletons />}
      {post && <PostCard post={post} isOpen={isOpen} onOpen={open} onChange={setOwn} onRemove={goToNews} />}
    </div>
  );
}

const isLater = (own: Post, live: Post): boolean => (own.editedAt ?? '') > (live.editedAt ?? '');
