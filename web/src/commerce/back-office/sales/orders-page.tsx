/** Orders, newest first, below the carts that are in checkout. */
import { useState } from 'react';
import type { CartsQuery, OrdersQuery } from '../../../../generated/graphql.js';
import { usePolling } from '../../../api/polling.js';
import { useData } from '../../../api/use-data.js';
import { formatMoment, shortId } from '../../../kit/base/format.js';
import { formatMoney } from '../../../kit/base/money.js';
import { Card } from '../../../kit/display/card.js';
import { Empty } from '../../../kit/display/notice.js';
import cells from '../../../kit/lists/cells.module.css';
import { PagedTable } from '../../../kit/lists/paged-table.js';
import { ACTIONS, Table } from '../../../kit/lists/table.js';
import { useRole } from '../../../shell/access.js';
import { CartsDocument, cartStates } from '../data/carts.js';
import { type Order, OrdersDocument, partyName, stateOf } from '../data/orders.js';
import { HeadCell, OpenCell, UnitsCell } from '../parts/purchase-cells.js';
import { StateBadge } from '../parts/state-badge.js';
import { OrderModal } from './order-modal.js';

const connectionOf = (data: OrdersQuery) => data.orders;

export function OrdersPage() {
  const administers = useRole('ADMIN');
  const [opened, setOpened] = useState<Order | null>(null);
  return (
    <>
      {administers && <CheckoutsCard />}
      <Card
        title={administers ? 'All orders' : 'Your orders'}
        aside={<span className="note">newest first, times in UTC</span>}
      >
        <PagedTable
          label="Orders"
          query={OrdersDocument}
          connectionOf={connectionOf}
          columns={['Order', 'Buyer', 'State', 'Units', 'Total', 'Placed', ACTIONS]}
          rows={(edges) => edges.map(({ node }) => <OrderRow key={node.id} order={node} onOpen={setOpened} />)}
          empty={
            <Empty icon="cart" title="No orders yet">
              To place one, fill a cart at the till and pay for it.
            </Empty>
          }
        />
        {opened && <OrderModal order={opened} onClose={() => setOpened(null)} />}
      </Card>
    </>
  );
}

const UNDER_WAY = { state: 'PENDING', first: 20 } as const;
const POLL_MS = 5_000;
const ofCarts = { additionalTypenames: ['CartConnection'] };
const pendingOf = (data: CartsQuery) => data.carts.edges.map(({ node }) => node);

/** Checkouts that have not become orders yet. Hidden while there are none. */
function CheckoutsCard() {
  const { data, again } = useData(CartsDocument, UNDER_WAY, ofCarts);
  usePolling(again, POLL_MS);
  const pending = data ? pendingOf(data) : [];
  if (pending.length === 0) return null;
  return (
    <Card title="In checkout" aside={<span className="note">a worker completes or rolls back stalled checkouts</span>}>
      <Table label="Pending checkouts" columns={['Cart', 'State', 'Total', 'Since']}>
        <tbody>
          {pending.map((cart) => (
            <tr key={cart.id}>
              <th scope="row">
                <span className={`mono ${cells.who}`}>{shortId(cart.id)}</span>
              </th>
              <td>
                <StateBadge words={cartStates[cart.state]} tone="busy" />
              </td>
              <td>{formatMoney(cart.total)}</td>
              <td className={cells.moment}>{formatMoment(Date.parse(cart.lastModified))}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Card>
  );
}

function OrderRow({ order, onOpen }: { order: Order; onOpen: (order: Order) => void }) {
  return (
    <tr>
      <HeadCell id={order.id} lines={order.lines} />
      <td>
        {partyName(order.buyer)}
        {order.enteredBy && order.enteredBy.id !== order.buyer?.id && (
          <span className={cells.second}>by {partyName(order.enteredBy)}</span>
        )}
      </td>
      <td>
        <StateBadge {...stateOf(order)} />
      </td>
      <UnitsCell lines={order.lines} />
      <td className={cells.moment}>{formatMoney(order.total)}</td>
      <td className={cells.moment}>{formatMoment(Date.parse(order.placedAt))}</td>
      <OpenCell label={`Open the order ${shortId(order.id)}`} onOpen={() => onOpen(order)} />
    </tr>
  );
}
