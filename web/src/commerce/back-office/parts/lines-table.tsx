/** The lines of a cart or an order. */
import type { ReactNode } from 'react';
import { formatCount } from '../../../kit/base/format.js';
import { formatMoney } from '../../../kit/base/money.js';
import cells from '../../../kit/lists/cells.module.css';
import { ACTIONS, Table } from '../../../kit/lists/table.js';
import type { CartLine } from '../data/carts.js';
import type { Order } from '../data/orders.js';

type Line = CartLine | Order['lines'][number];

interface LinesTableProps {
  readonly label: string;
  readonly lines: readonly Line[];
  /** Renders the quantity. Omitted: the number. */
  readonly quantity?: (line: Line) => ReactNode;
  /** A button at the end of the line. */
  readonly action?: (line: Line) => ReactNode;
}

export function LinesTable({ label, lines, quantity, action }: LinesTableProps) {
  const columns = ['Product', 'Price', 'Units', 'Total', ...(action ? [ACTIONS] : [])];
  return (
    <Table label={label} columns={columns}>
      <tbody>
        {lines.map((line) => (
          <tr key={`${line.sku} ${line.unitPrice.amount}`}>
            <th scope="row">
              <span className={cells.who}>{line.title}</span>
              <span className={`mono ${cells.second}`}>{line.sku}</span>
            </th>
            <td className={cells.moment}>
              {formatMoney(line.unitPrice)}
              <span className={cells.narrow}> each</span>
            </td>
            <td>{quantity ? quantity(line) : formatCount(line.quantity)}</td>
            <td className={cells.moment}>
              {formatMoney({ ...line.unitPrice, amount: line.unitPrice.amount * line.quantity })}
            </td>
            {action && (
              <td>
                <div className={cells.actions}>{action(line)}</div>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
