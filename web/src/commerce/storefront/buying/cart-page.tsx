/** The cart and its state. */
import { useState } from 'react';
import { formatMoney } from '../../../kit/base/money.js';
import { useStore } from '../../../kit/base/store.js';
import { useTitle } from '../../../kit/base/title.js';
import { Link } from '../../../kit/controls/link.js';
import { Empty, Notice } from '../../../kit/display/notice.js';
import { SkeletonRows } from '../../../kit/display/skeleton.js';
import { allAddress, checkoutAddress } from '../parts/addresses.js';
import { type Cart, cartStore, hasExpired, linesOf, refill, unitsIn } from '../parts/cart.js';
import { isFailed } from '../parts/commands.js';
import { useStock } from '../parts/shelf.js';
import { CartLineRow } from './cart-line.js';
import styles from './cart-page.module.css';

export function CartPage() {
  useTitle('Cart');
  const { id, cart } = useStore(cartStore);
  const [missing, setMissing] = useState<readonly string[]>([]);
  return (
    <section className={styles.page} aria-labelledby="cart-title">
      <h1 id="cart-title">Your cart</h1>
      {missing.length > 0 && <Notice tone="warn">Some items are no longer available: {missing.join(', ')}.</Notice>}
      <Content id={id} cart={cart} onMissing={setMissing} />
    </section>
  );
}

interface ContentProps {
  readonly id: string | null;
  readonly cart: Cart | null;
  readonly onMissing: (titles: readonly string[]) => void;
}

function Content({ id, cart, onMissing }: ContentProps) {
  if (id !== null && cart === null) return <SkeletonRows rows={4} height="88px" />;
  if (cart === null || linesOf(cart).length === 0) {
    return (
      <Empty icon="cart" title="Your cart is empty" action={<Link href={allAddress}>Browse products</Link>}>
        Items in your cart are reserved for you.
      </Empty>
    );
  }
  if (hasExpired(cart)) return <Expired cart={cart} onMissing={onMissing} />;
  return <Lines cart={cart} />;
}

function Lines({ cart }: { cart: Cart }) {
  const stock = useStock(cart.lines.map(({ sku }) => sku));
  const paying = cart.state === 'PENDING';
  const units = unitsIn(cart);
  const gone = cart.lines.some(({ product }) => product === null);
  return (
    <div className={styles.columns}>
      <ul className={styles.lines} aria-label="In your cart">
        {cart.lines.map((line) => (
          <CartLineRow
            key={line.sku}
            cartId={cart.id}
            line={line}
            available={stock?.get(line.sku)?.available ?? null}
            fixed={paying}
          />
        ))}
      </ul>
      <aside className={`panel ${styles.sum}`} aria-label="Total">
        <dl>
          <dt>Total, {units === 1 ? 'one unit' : `${units} units`}</dt>
          <dd>{formatMoney(cart.total)}</dd>
        </dl>
        {paying && <Notice tone="plain">This cart is in checkout.</Notice>}
        {gone && <Notice tone="warn">Remove items that are no longer sold to pay for the rest.</Notice>}
        {gone ? (
          <button type="button" className="button primary large" disabled>
            Go to checkout
          </button>
        ) : (
          <Link href={checkoutAddress} className="button primary large">
            Go to checkout
          </Link>
        )}
        <p className="note">
          Everything here is reserved for you, at the price when you added it. If the cart is not changed for a long
          time, it expires.
        </p>
      </aside>
    </div>
  );
}

function Expired({ cart, onMissing }: { cart: Cart; onMissing: (titles: readonly string[]) => void }) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const putBack = async () => {
    setBusy(true);
    const outcome = await refill(cart);
    setBusy(false);
    if (isFailed(outcome)) setFailure(outcome.message);
    else onMissing(outcome);
  };
  return (
    <div className={styles.expired}>
      <Notice
        tone="warn"
        action={
          <button type="button" className="button primary" disabled={busy} onClick={() => void putBack()}>
            {busy ? 'Restoring…' : 'Restore all items'}
          </button>
        }
      >
        This cart has expired because it was not changed for a long time. Its items are probably still available, at
        today’s prices.
      </Notice>
      {failure && <Notice tone="bad">{failure}</Notice>}
      <ul className={styles.former} aria-label="Items of the expired cart">
        {cart.lines.map(({ sku, title, quantity }) => (
          <li key={sku}>
            {quantity} × {title}
          </li>
        ))}
      </ul>
    </div>
  );
}
