import { Skeleton } from '../../kit/display/skeleton.js';
import { ComposerSkeleton } from '../composer/composer-skeleton.js';
import styles from '../network/profile-head.module.css';
import { PostSkeletons } from '../posts/post-skeletons.js';
import pages from './page.module.css';

/** A wall that is being loaded. */
export const WallSkeleton = () => (
  <div className={pages.column} role="status" aria-label="Loading">
    <div className={`card ${styles.head}`} aria-hidden="true">
      <span className={styles.round}>
        <Skeleton width="88px" height="88px" />
      </span>
      <div className={styles.main}>
        <Skeleton width="40%" height="22px" />
        <Skeleton width="70%" />
        <Skeleton width="60%" />
      </div>
    </div>
    <ComposerSkeleton />
    <PostSkeletons />
  </div>
);
