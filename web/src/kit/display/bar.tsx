/** A name with its count, drawn as a bar behind it. One bar of a list can be selected. */

import { formatCount } from '../base/format.js';
import styles from './bar.module.css';

interface BarProps {
  readonly name: string;
  readonly count: number;
  /** The largest count of the list: its bar is as wide as the row. */
  readonly most: number;
  readonly chosen: boolean;
  readonly onChoose: () => void;
  readonly title?: string;
}

export function Bar({ name, count, most, chosen, onChoose, title }: BarProps) {
  return (
    <button type="button" className={styles.row} aria-pressed={chosen} onClick={onChoose} title={title}>
      <span className={styles.bar} style={{ width: `${(100 * count) / most}%` }} />
      <span className={styles.name}>{name}</span>
      <span className={styles.count}>{formatCount(count)}</span>
    </button>
  );
}
