import { Skeleton } from '../../kit/display/skeleton.js';
import styles from './posts.module.css';

/** Posts that are being loaded. @param count 1 to 3 */
export const PostSkeletons = ({ count = 3 }: { count?: number }) => (
  <div className={styles.posts} role="status" aria-label="Loading">
    {[3, 2, 3].slice(0, count).map((lines, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they are alike and never move
      <div key={at} className={`card ${styles.skeleton}`}>
        <div className={styles.by}>
          <span className={styles.face}>
            <Skeleton width="40px" height="40px" />
          </span>
          <Skeleton width="40%" height="16px" />
        </div>
        {Array.from({ length: lines }, (_, line) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they are alike and never move
          <Skeleton key={line} width={line === lines - 1 ? '60%' : '100%'} height="16px" />
        ))}
      </div>
    ))}
  </div>
);
