import { Skeleton } from '../../../kit/display/skeleton.js';
import styles from './product-page.module.css';

/** A placeholder with the layout of the product page. */
export const ProductWaiting = () => (
  <div className={styles.page} role="status" aria-label="Loading">
    <div className={styles.way}>
      <Skeleton width="220px" height="14px" />
    </div>
    <div className={styles.picture}>
      <div className={styles.blank}>
        <Skeleton height="100%" />
      </div>
    </div>
    <div className={styles.words}>
      <Skeleton width="70px" height="14px" />
      <Skeleton width="88%" height="44px" />
      <Skeleton width="140px" height="34px" />
      <Skeleton width="180px" height="48px" />
      <Skeleton width="100%" height="120px" />
    </div>
  </div>
);
