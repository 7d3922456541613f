/** Table cells shared by the rows of carts and orders. */

import { formatCount, shortId } from '../../../kit/base/format.js';
import cells from '../../../kit/lists/cells.module.css';
import { unitsIn } from '../data/carts.js';

interface Line {
  readonly title: string;
  readonly quantity: number;
}

export const HeadCell = ({ id, lines }: { id: string; lines: readonly Line[] }) => (
  <th scope="row">
    <span className={`mono ${cells.who}`}>{shortId(id)}</span>
    <span className={cells.second}>{lines.map(({ title }) => title).join(', ') || 'empty'}</span>
  </th>
);

export const UnitsCell = ({ lines }: { lines: readonly Line[] }) => (
  <td>
    {formatCount(unitsIn(lines))}
    <span className={cells.narrow}> units</span>
  </td>
);

/** @param label what is opened, for screen readers */
export const OpenCell = ({ label, onOpen }: { label: string; onOpen: () => void }) => (
  <td>
    <div className={cells.actions}>
      <button type="button" className="button small" aria-label={label} onClick={onOpen}>
        Open
      </button>
    </div>
  </td>
);
