import { Skeleton } from '../../kit/display/skeleton.js';
import styles from './composer.module.css';

/** The closed form, until it is known whose it is. */
export const ComposerSkeleton = () => (
  <div className={`card ${styles.composer}`} aria-hidden="true">
    <div className={styles.top}>
      <span className={styles.round}>
        <Skeleton width="40px" height="40px" />
      </span>
      <Skeleton width="30%" height="40px" />
    </div>
    <Skeleton width="60%" height="32px" />
  </div>
);
