/** How much of some work is done, as a bar. */
import styles from './progress-bar.module.css';

/** @param share null: unknown */
export function ProgressBar({ label, share }: { label: string; share: number | null }) {
  return (
    <div
      className={styles.progress}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={share === null ? undefined : Math.round(share * 100)}
      data-unknown={share === null}
    >
      <span style={{ transform: `scaleX(${share ?? 1})` }} />
    </div>
  );
}
