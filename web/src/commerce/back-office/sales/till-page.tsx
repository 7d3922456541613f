/** A till: fill a cart, pay from an account, get an order. All data on it is live. */
import { useState } from 'react';
import { formatCount, shortId } from '../../../kit/base/format.js';
import { formatMoney } from '../../../kit/base/money.js';
import { useStore } from '../../../kit/base/store.js';
import { LINE_MAX, QuantityField } from '../../../kit/controls/quantity-field.js';
import { Card } from '../../../kit/display/card.js';
import { Columns } from '../../../kit/display/columns.js';
import { Icon } from '../../../kit/display/icon.js';
import { Empty, Notice } from '../../../kit/display/notice.js';
import { SkeletonRows } from '../../../kit/display/skeleton.js';
import { useRole } from '../../../shell/access.js';
import { type Cart, cartStates, changeLine, type PaidOrder, removeLine, useCart } from '../data/carts.js';
import { useStock } from '../data/stock.js';
import { ringUp, tillCart } from '../data/till.js';
import { LinesTable } from '../parts/lines-table.js';
import { TitleFinder } from '../parts/title-finder.js';
import styles from './till-page.module.css';
import { Receipt, TillPayment } from './till-payment.js';

export function TillPage() {
  const cartId = useStore(tillCart);
  const { state: cart, refused } = useCart(cartId);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [order, setOrder] = useState<PaidOrder | null>(null);
  const administers = useRole('ADMIN');
  const act = async (change: Promise<string | null>) => setRefusal(await change);
  const next = () => {
    setRefusal(null);
    setOrder(null);
    tillCart.set(null);
  };

  if (order) return <Receipt order={order} onNext={next} />;
  const ended = refused !== null || (cart !== null && cart.state !== 'ACTIVE' && cart.state !== 'PENDING');
  return (
    <Columns>
      <Card
        title={cartId === null ? 'New cart' : `Cart ${shortId(cartId)}`}
        aside={
          cartId !== null && (
            <button type="button" className="button" onClick={next}>
              Start new cart
            </button>
          )
        }
        bodyClass={styles.cart}
      >
        {ended ? (
          <Notice tone="warn">
            {cart
              ? `This cart has ended: ${cartStates[cart.state].meaning.toLowerCase()}.`
              : 'This cart no longer exists.'}{' '}
            Start a new one.
          </Notice>
        ) : (
          <TitleFinder
            label="Add a product"
            onProduct={(sku, title) => void act(ringUp(sku).then((why) => why && `${title}: ${why}`))}
          />
        )}
        {refusal && <Notice tone="bad">{refusal}</Notice>}
        {cartId !== null && !cart && !refused && <SkeletonRows rows={3} height="44px" />}
        {(cartId === null || cart?.lines.length === 0) && (
          <Empty icon="cart" title="The cart is empty">
            Type the start of a title above. Units that you add are reserved for this cart.
          </Empty>
        )}
        {cart && cart.lines.length > 0 && (
          <Lines cart={cart} fixed={cart.state !== 'ACTIVE'} onChange={(change) => void act(change)} />
        )}
      </Card>
      <TillPayment cart={ended ? null : cart} mayEndow={administers} onPaid={setOrder} onRefused={setRefusal} />
    </Columns>
  );
}

interface LinesProps {
  readonly cart: Cart;
  readonly fixed: boolean;
  readonly onChange: (change: Promise<string | null>) => void;
}

function Lines({ cart, fixed, onChange }: LinesProps) {
  const stock = useStock(cart.lines.map(({ sku }) => sku));
  return (
    <>
      <LinesTable
        label="Lines of the cart"
        lines={cart.lines}
        quantity={({ sku, title, quantity }) => {
          const left = stock?.get(sku)?.available;
          return (
            <span className={styles.quantity}>
              <QuantityField
                label={`Units of ${title}`}
                value={quantity}
                max={left === undefined ? LINE_MAX : quantity + left}
                disabled={fixed}
                onChange={(wanted) => onChange(changeLine(cart.id, sku, wanted))}
              />
              <span className="note">{left !== undefined && `${formatCount(left)} left`}</span>
            </span>
          );
        }}
        action={({ sku, title }) => (
          <button
            type="button"
            className="button quiet icon small"
            aria-label={`Remove ${title}`}
            title="Remove"
            disabled={fixed}
            onClick={() => onChange(removeLine(cart.id, sku))}
          >
            <Icon name="trash" />
          </button>
        )}
      />
      <p className={styles.total}>
        Total <strong>{formatMoney(cart.total)}</strong>
      </p>
    </>
  );
}
