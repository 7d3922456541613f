/** Two columns, stacked on a narrow page. */
import type { CSSProperties, ReactNode } from 'react';
import styles from './columns.module.css';

interface ColumnsProps {
  /** The width of the first column, in pixels or as a multiple of the second one's (`fr`). */
  readonly first?: string;
  readonly children: ReactNode;
}

export const Columns = ({ first = '1.6fr', children }: ColumnsProps) => (
  <div className={styles.columns} style={{ '--first': first } as CSSProperties}>
    {children}
  </div>
);
