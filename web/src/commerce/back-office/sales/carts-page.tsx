/** The carts of all customers by state. Visible carts are live. */
import { useState } from 'react';
import type { CartState, CartsQuery } from '../../../../generated/graphql.js';
import { useClock } from '../../../kit/base/clock.js';
import { formatAgo, formatMoment, shortId } from '../../../kit/base/format.js';
import { navigate } from '../../../kit/base/location.js';
import { formatMoney } from '../../../kit/base/money.js';
import { Modal } from '../../../kit/controls/modal.js';
import { Segmented } from '../../../kit/controls/segmented.js';
import { Card } from '../../../kit/display/card.js';
import { Empty } from '../../../kit/display/notice.js';
import cells from '../../../kit/lists/cells.module.css';
import { PagedTable } from '../../../kit/lists/paged-table.js';
import { ACTIONS } from '../../../kit/lists/table.js';
import { type Cart, CartsDocument, cartStates, useCart } from '../data/carts.js';
import { tillCart } from '../data/till.js';
import { LinesTable } from '../parts/lines-table.js';
import { HeadCell, OpenCell, UnitsCell } from '../parts/purchase-cells.js';
import { StateBadge, type Tone } from '../parts/state-badge.js';

const states: readonly CartState[] = ['ACTIVE', 'PENDING', 'COMPLETE', 'EXPIRED'];
const connectionOf = (data: CartsQuery) => data.carts;

const cartTones: Readonly<Record<CartState, Tone>> = {
  ACTIVE: 'open',
  PENDING: 'busy',
  COMPLETE: 'done',
  EXPIRING: 'over',
  EXPIRED: 'over',
};

export function CartsPage() {
  const [state, setState] = useState<CartState>('ACTIVE');
  const [opened, setOpened] = useState<Cart | null>(null);
  return (
    <Card
      title="Carts"
      aside={
        <Segmented
          label="State"
          value={state}
          onChange={setState}
          options={states.map((value) => ({
            value,
            label: cartStates[value].name,
            name: `${cartStates[value].name}: ${cartStates[value].meaning}`,
          }))}
        />
      }
    >
      <PagedTable
        key={state}
        label="Carts"
        query={CartsDocument}
        variables={{ state }}
        connectionOf={connectionOf}
        columns={['Cart', 'State', 'Units', 'Total', 'Last changed', ACTIONS]}
        rows={(edges) => edges.map(({ node }) => <CartRow key={node.id} cart={node} onOpen={setOpened} />)}
        empty={
          <Empty icon="cart" title={`No cart is ${cartStates[state].name.toLowerCase()}`}>
            {hasEnded({ state })
              ? 'Carts that have ended are kept for 30 days.'
              : 'Carts of customers and of the till appear here.'}
          </Empty>
        }
      />
      {opened && <CartModal cart={opened} onClose={() => setOpened(null)} />}
    </Card>
  );
}

interface CartRowProps {
  readonly cart: Cart;
  readonly onOpen: (cart: Cart) => void;
}

/** An ended cart is not followed, since it never changes. */
const hasEnded = ({ state }: Pick<Cart, 'state'>) => state === 'COMPLETE' || state === 'EXPIRED';

function CartRow({ cart: listed, onOpen }: CartRowProps) {
  const cart = useCart(hasEnded(listed) ? null : listed.id).state ?? listed;
  const changed = Date.parse(cart.lastModified);
  const ago = useClock(1000, (now) => formatAgo(changed, now));
  return (
    <tr>
      <HeadCell id={cart.id} lines={cart.lines} />
      <td>
        <StateBadge words={cartStates[cart.state]} tone={cartTones[cart.state]} />
      </td>
      <UnitsCell lines={cart.lines} />
      <td className={cells.moment}>{formatMoney(cart.total)}</td>
      <td className={cells.moment} title={`${formatMoment(changed)} UTC`}>
        {ago}
      </td>
      <OpenCell label={`Open the cart ${shortId(cart.id)}`} onOpen={() => onOpen(cart)} />
    </tr>
  );
}

function CartModal({ cart: opened, onClose }: { cart: Cart; onClose: () => void }) {
  const cart = useCart(opened.id).state ?? opened;
  return (
    <Modal title={`Cart ${shortId(cart.id)}`} open onOpenChange={onClose} wide>
      <p>
        <StateBadge words={cartStates[cart.state]} tone={cartTones[cart.state]} />{' '}
        <span className="note">{cartStates[cart.state].meaning}</span>
      </p>
      {cart.lines.length === 0 ? (
        <Empty icon="cart" title="The cart is empty" />
      ) : (
        <LinesTable label="Lines of the cart" lines={cart.lines} />
      )}
      {cart.state === 'ACTIVE' && (
        <button
          type="button"
          className="button"
          onClick={() => {
            tillCart.set(cart.id);
            navigate('/commerce/till');
          }}
        >
          Open at the till
        </button>
      )}
    </Modal>
  );
}
