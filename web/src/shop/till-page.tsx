/** A till: fill a cart, pay from an account, get an order. All data on it is live. */
import { useState } from 'react';
import { useRole } from '../access.js';
import { Card } from '../parts/card.js';
import { Columns } from '../parts/columns.js';
import { formatCount } from '../parts/format.js';
import { Icon } from '../parts/icon.js';
import { formatMoney } from '../parts/money.js';
import { Empty, Notice } from '../parts/notice.js';
import { LINE_MAX, QuantityField } from '../parts/quantity-field.js';
import { SkeletonRows } from '../parts/skeleton.js';
import { useStore } from '../parts/store.js';
import { type Cart, cartStates, changeLine, type PaidOrder, removeLine, shortId, useCart } from './carts.js';
import { LinesTable } from './lines-table.js';
import { useStock } from './stock.js';
import { ringUp, tillCart } from './till.js';
import styles from './till-page.module.css';
import { Receipt, TillPayment } from './till-payment.js';
import { TitleFinder } from './title-finder.js';

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
