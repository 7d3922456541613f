/**
 * An order: who bought, paid and entered it, later additions and refunds, and its actions. Actions that move money ask
 * for confirmation.
 */
import { useState } from 'react';
import { useData } from '../../../api/use-data.js';
import { formatMoment, shortId } from '../../../kit/base/format.js';
import { formatMoney } from '../../../kit/base/money.js';
import { Confirmation } from '../../../kit/controls/confirmation.js';
import { Modal } from '../../../kit/controls/modal.js';
import { Notice } from '../../../kit/display/notice.js';
import { useRole } from '../../../shell/access.js';
import { unitsIn } from '../data/carts.js';
import {
  deleteOrder,
  type Order,
  OrderDetailDocument,
  type OrderRaise,
  partiesOf,
  partyName,
  raiseOrder,
  refundOrder,
  stateOf,
} from '../data/orders.js';
import { LinesTable } from '../parts/lines-table.js';
import { StateBadge } from '../parts/state-badge.js';
import styles from './order-modal.module.css';

type Line = Order['lines'][number];

/** The action to confirm. */
type Question =
  | { readonly of: 'one more'; readonly line: Line }
  | { readonly of: 'take back'; readonly raise: OrderRaise }
  | { readonly of: 'refund' }
  | { readonly of: 'delete' };

const ofOrders = { additionalTypenames: ['Order'] };

export function OrderModal({ order: opened, onClose }: { order: Order; onClose: () => void }) {
  const administers = useRole('ADMIN');
  const detail = useData(OrderDetailDocument, { id: opened.id }, ofOrders).data?.order;
  const order = detail ?? opened;
  const [question, setQuestion] = useState<Question | null>(null);
  const done = () => setQuestion(null);
  if (question) return <Ask order={order} question={question} onClose={done} onDeleted={onClose} />;
  return (
    <Modal title={`Order ${shortId(order.id)}`} open onOpenChange={onClose} wide>
      <p>
        <StateBadge {...stateOf(order)} />{' '}
        <span className="note">
          {order.lines.length > 0 ? formatMoney(order.total) : 'Placed'} on {formatMoment(Date.parse(order.placedAt))}{' '}
          UTC. {partiesOf(order)}.
        </span>
      </p>
      <LinesTable
        label="Lines of the order"
        lines={order.lines}
        action={(line) => (
          <button
            type="button"
            className="button small"
            aria-label={`One more of ${line.title}`}
            title="Takes one unit from stock and charges it at the order’s price, after confirmation"
            onClick={() => setQuestion({ of: 'one more', line: line as Line })}
          >
            One more…
          </button>
        )}
      />
      {detail && detail.refunds.length > 0 && (
        <Notice tone="plain" icon="check">
          Refunded:{' '}
          {detail.refunds
            .map(({ amount, at }) => `${formatMoney(amount)} on ${formatMoment(Date.parse(at))} UTC`)
            .join(', ')}
          .
        </Notice>
      )}
      {detail && detail.raises.length > 0 && (
        <ul className={styles.raises} aria-label="Added later">
          {detail.raises.map((raise) => (
            <li key={raise.id}>
              <span>
                {raise.quantity} × {raise.title} for {formatMoney(sumOf(raise))}, added on{' '}
                {formatMoment(Date.parse(raise.at))} UTC
              </span>
              {raise.takenBackAt && <span className="note">refunded</span>}
              {administers && !raise.takenBackAt && (
                <button
                  type="button"
                  className="button small"
                  onClick={() => setQuestion({ of: 'take back', raise })}
                  aria-label={`Refund ${raise.quantity} of ${raise.title}`}
                >
                  Refund…
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {administers && (
        <div className={styles.acts}>
          {order.lines.length > 0 && (
            <button type="button" className="button" onClick={() => setQuestion({ of: 'refund' })}>
              Refund order…
            </button>
          )}
          <button type="button" className="button danger" onClick={() => setQuestion({ of: 'delete' })}>
            Delete record…
          </button>
        </div>
      )}
    </Modal>
  );
}

const sumOf = ({ quantity, unitPrice }: Pick<OrderRaise, 'quantity' | 'unitPrice'>) => ({
  ...unitPrice,
  amount: quantity * unitPrice.amount,
});

interface AskProps {
  readonly order: Order;
  readonly question: Question;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

function Ask({ order, question, onClose, onDeleted }: AskProps) {
  const payer = partyName(order.payer);
  const shared = { no: 'Cancel', onClose } as const;
  switch (question.of) {
    case 'one more': {
      const { sku, title, unitPrice } = question.line;
      const price = formatMoney(unitPrice);
      return (
        <Confirmation
          {...shared}
          title={`Charge ${payer} ${price}?`}
          consequence={`One more of ${title} is taken from stock for the order ${shortId(order.id)}, and ${price} is charged to the account of ${payer}. Administrators can refund it.`}
          yes={`Charge ${price}`}
          harmless
          act={() => raiseOrder(order.id, sku, 1)}
        />
      );
    }
    case 'take back': {
      const { id, title, quantity } = question.raise;
      const sum = formatMoney(sumOf(question.raise));
      return (
        <Confirmation
          {...shared}
          title={`Refund ${sum} to ${payer}?`}
          consequence={`${quantity} × ${title} returns to stock, and the store pays ${sum} to the account of ${payer}. This can be done only once and cannot be undone.`}
          yes={`Refund ${sum}`}
          act={() => refundOrder(order.id, id)}
        />
      );
    }
    case 'refund': {
      const sum = formatMoney(order.total);
      return (
        <Confirmation
          {...shared}
          title={`Refund ${sum} to ${payer}?`}
          consequence={`The whole order is refunded: ${unitsIn(order.lines) === 1 ? 'one unit returns' : `${unitsIn(order.lines)} units return`} to stock, and the store pays ${sum} to the account of ${payer}. This cannot be undone.`}
          yes={`Refund ${sum}`}
          act={() => refundOrder(order.id, null)}
        />
      );
    }
    case 'delete':
      return (
        <Confirmation
          {...shared}
          title="Delete the record of this order?"
          consequence={`Only the record is deleted: stock, sales and the ${formatMoney(order.total)} that ${payer} paid stay as they are. To return the money, refund the order first. This cannot be undone.`}
          no="Cancel"
          yes="Delete record"
          act={async () => {
            const refused = await deleteOrder(order.id);
            if (refused === null) onDeleted();
            return refused;
          }}
        />
      );
  }
}
