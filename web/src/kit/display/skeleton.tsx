/** Placeholders with the size of the data to come, so that the layout does not shift when it arrives. */
import styles from './skeleton.module.css';

export function Skeleton({ width = '100%', height = '1em' }: { width?: string; height?: string }) {
  return <span aria-hidden="true" className={styles.skeleton} style={{ width, height }} />;
}

/** Taller placeholders are fields or cards. */
const LINE_MAX = 30;

/** Placeholder lines of a list or a table, of varying length like text; or fields or cards in a column. */
export function SkeletonRows({ rows, height = '30px' }: { rows: number; height?: string }) {
  const isText = Number.parseInt(height, 10) <= LINE_MAX;
  return (
    <div className={styles.rows} role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never move
        <Skeleton key={row} height={height} width={isText ? `${100 - ((row * 37) % 40)}%` : '100%'} />
      ))}
    </div>
  );
}
