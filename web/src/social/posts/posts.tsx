/** A live list of posts: new ones of others wait behind a button, so that nothing moves while somebody reads. */
import { type ReactNode, useState } from 'react';
import { formatCount } from '../../kit/base/format.js';
import { useStore } from '../../kit/base/store.js';
import { Failure } from '../../kit/display/notice.js';
import { Skeleton } from '../../kit/display/skeleton.js';
import type { OpenPosts } from '../data/open-posts.js';
import { PostCard } from './post-card.js';
import styles from './posts.module.css';

interface PostsProps {
  readonly posts: OpenPosts;
  readonly empty: ReactNode;
  readonly label: string;
  readonly wall?: string;
}

export function Posts({ posts, empty, label, wall }: PostsProps) {
  const { list, isLoading, failure } = useStore(posts.state);
  const [opened, open] = useState<string | null>(null);
  return (
    <section className={`${styles.posts} ${styles.list}`} aria-label={label}>
      <div role="status" className={styles.news}>
        {list && list.waiting.length > 0 && (
          <button type="button" className="button primary" onClick={posts.showWaiting}>
            {list.waiting.length === 1 ? '1 new post' : `${formatCount(list.waiting.length)} new posts`}
          </button>
        )}
      </div>
      {failure !== null && <Failure again={() => void posts.more()}>{failure}</Failure>}
      {!list && failure === null && <PostSkeletons />}
      {list?.shown.map((post) => (
        <PostCard
          key={post.id}
          post={post}
          wall={wall ?? null}
          isOpen={opened === post.id}
          onOpen={open}
          onChange={posts.put}
          onRemove={posts.drop}
        />
      ))}
      {list && list.shown.length === 0 && list.waiting.length === 0 && empty}
      {list && !list.isWhole && (
        <button
          type="button"
          className={`button ${styles.more}`}
          disabled={isLoading}
          onClick={() => void posts.more()}
        >
          {isLoading ? 'Loading…' : 'Show more'}
        </button>
      )}
    </section>
  );
}

export const PostSkeletons = () => (
  <div className={styles.posts} role="status" aria-label="Loading">
    {[3, 2, 3].map((lines, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they are alike and never move
      <div key={at} className={`card ${styles.skeleton}`}>
        <Skeleton width="40%" height="40px" />
        {Array.from({ length: lines }, (_, line) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they are alike and never move
          <Skeleton key={line} width={line === lines - 1 ? '60%' : '100%'} height="16px" />
        ))}
      </div>
    ))}
  </div>
);
