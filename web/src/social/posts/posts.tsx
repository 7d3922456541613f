/** A live list of posts: new ones of others wait behind a button, so that nothing moves while somebody reads. */
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useConnectionTurn } from '../../api/connection.js';
import { formatCount } from '../../kit/base/format.js';
import { useStore } from '../../kit/base/store.js';
import { Failure } from '../../kit/display/notice.js';
import type { OpenPosts } from '../data/open-posts.js';
import { PostCard } from './post-card.js';
import { PostSkeletons } from './post-skeletons.js';
import styles from './posts.module.css';

/** How far below the window the next page is read. */
const NEAR = '0px 0px 600px 0px';

interface PostsProps {
  readonly posts: OpenPosts;
  readonly empty: ReactNode;
  readonly label: string;
  readonly wall?: string;
}

export function Posts({ posts, empty, label, wall }: PostsProps) {
  const { list, isLoading, failure } = useStore(posts.state);
  const [opened, open] = useState<string | null>(null);
  // What could not be read is read when the server is back.
  useConnectionTurn(
    useCallback(
      (isAway: boolean) => {
        if (!isAway && posts.state.get().failure !== null) void posts.more();
      },
      [posts],
    ),
  );
  const showWaiting = () => {
    posts.showWaiting();
    scrollToTop();
  };
  return (
    <section className={`${styles.posts} ${styles.list}`} aria-label={label}>
      <div role="status" className={styles.news}>
        {list && list.waiting.length > 0 && (
          <button type="button" className="button primary" onClick={showWaiting}>
            {list.waiting.length === 1 ? '1 new post' : `${formatCount(list.waiting.length)} new posts`}
          </button>
        )}
      </div>
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
      {list && list.shown.length === 0 && list.waiting.length === 0 && <div className="card">{empty}</div>}
      {failure !== null && <Failure again={() => void posts.more()}>{failure}</Failure>}
      {list && !list.isWhole && (
        <More isLoading={isLoading} hasFailed={failure !== null} onMore={() => void posts.more()} />
      )}
      {list?.isWhole && list.shown.length > 0 && <p className={`note ${styles.end}`}>That is everything.</p>}
    </section>
  );
}

function scrollToTop() {
  const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  window.scrollTo({ top: 0, behavior: isStill ? 'auto' : 'smooth' });
}

/** Reads on when it comes near the window, unless that has failed. */
function More({ isLoading, hasFailed, onMore }: { isLoading: boolean; hasFailed: boolean; onMore: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  const more = useRef(onMore);
  more.current = onMore;
  useEffect(() => {
    if (isLoading || hasFailed || !button.current) return;
    const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting && more.current(), {
      rootMargin: NEAR,
    });
    watch.observe(button.current);
    return () => watch.disconnect();
  }, [isLoading, hasFailed]);
  return (
    <button type="button" ref={button} className={`button ${styles.more}`} disabled={isLoading} onClick={onMore}>
      {isLoading ? 'Loading…' : 'Show more'}
    </button>
  );
}
