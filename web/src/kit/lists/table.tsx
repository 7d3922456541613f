import type { ReactNode } from 'react';
import styles from './table.module.css';

/** The column of buttons; its heading is visually hidden. */
export const ACTIONS = 'Actions';

interface TableProps {
  readonly label: string;
  readonly columns: readonly string[];
  readonly busy?: boolean;
  readonly hidden?: boolean;
  /** `tbody`. The first cell of a row is its heading. */
  readonly children: ReactNode;
}

/** A table whose rows become blocks on a narrow page. */
export function Table({ label, columns, busy = false, hidden = false, children }: TableProps) {
  return (
    <table className={styles.table} aria-label={label} aria-busy={busy} hidden={hidden}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column === ACTIONS ? <span className="hidden">{column}</span> : column}
            </th>
          ))}
        </tr>
      </thead>
      {children}
    </table>
  );
}
