import { Skeleton } from '../../kit/display/skeleton.js';
import styles from './person-list.module.css';

/** Rows of people that are being loaded. */
export const PersonSkeletons = ({ count }: { count: number }) => (
  <div role="status" aria-label="Loading">
    {Array.from({ length: count }, (_, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they are alike and never move
      <div key={at} className={styles.skeleton}>
        <span className={styles.face}>
          <Skeleton width="40px" height="40px" />
        </span>
        <span className={styles.name}>
          <Skeleton width={`${60 - ((at * 13) % 25)}%`} height="16px" />
        </span>
      </div>
    ))}
  </div>
);
