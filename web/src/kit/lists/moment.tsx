/** A table cell with a moment, in UTC. */
import { formatMoment } from '../base/format.js';
import cells from './cells.module.css';

interface MomentProps {
  /** Absent: not yet. */
  readonly at: string | null | undefined;
  /** What happened then, shown on narrow pages, where columns have no headings. */
  readonly label: string;
}

export function Moment({ at, label }: MomentProps) {
  return (
    <td className={cells.moment}>
      <span className={cells.narrow}>{at ? label : `not ${label}`} </span>
      {at ? <time dateTime={at}>{formatMoment(Date.parse(at))}</time> : <span className={cells.wide}>—</span>}
    </td>
  );
}
