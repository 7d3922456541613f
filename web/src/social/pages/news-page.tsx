/** The viewer's news: what people whom the viewer follows share, live, and the form to share something. */
import { useCallback } from 'react';
import { navigate, useLocation } from '../../kit/base/location.js';
import { Link } from '../../kit/controls/link.js';
import { Empty } from '../../kit/display/notice.js';
import { Composer } from '../composer/composer.js';
import { ComposerSkeleton } from '../composer/composer-skeleton.js';
import { useCircles } from '../data/network.js';
import { openNews } from '../data/open-posts.js';
import type { Profile } from '../network/find.js';
import { Joined } from '../network/joined.js';
import { OwnCard, OwnCardSkeleton } from '../network/own-card.js';
import { PostSkeletons } from '../posts/post-skeletons.js';
import { Posts } from '../posts/posts.js';
import { usePosts } from '../posts/use-posts.js';
import styles from './page.module.css';

export const NewsPage = () => (
  <Joined waiting={<NewsSkeleton />}>{(own, again) => <News own={own} again={again} />}</Joined>
);

const NewsSkeleton = () => (
  <div className={styles.withSide}>
    <div className={styles.column}>
      <ComposerSkeleton />
      <PostSkeletons />
    </div>
    <OwnCardSkeleton />
  </div>
);

/** @param again reads the own profile again */
function News({ own, again }: { own: Profile; again: () => void }) {
  const circles = useCircles();
  const posts = usePosts(() =>
    openNews(() => {
      again();
      circles.again();
    }),
  );
  const about = useLocation().query.get('about');
  // The draft keeps it from now on: reloading, or going back here, must not share it again.
  const forgetAbout = useCallback(() => navigate('/social', { replace: true }), []);
  return (
    <div className={styles.withSide}>
      <div className={styles.column}>
        <Composer own={own} about={about} onAboutTaken={forgetAbout} onPosted={posts.put} />
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
      <OwnCard own={own} circles={circles.data?.circles ?? null} />
    </div>
  );
}
