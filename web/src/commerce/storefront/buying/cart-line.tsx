/** A line of the cart, with price changes since it was added. */
import { useState } from 'react';
import { formatMoney } from '../../../kit/base/money.js';
import { Link } from '../../../kit/controls/link.js';
import { QuantityField } from '../../../kit/controls/quantity-field.js';
import { Icon } from '../../../kit/display/icon.js';
import { productAddress } from '../parts/addresses.js';
import { addToCart, type CartLine, changeQuantity, type LineRefusal, removeFromCart } from '../parts/cart.js';
import { Cover } from '../parts/cover.js';
import { tellRefusal } from '../parts/refusals.js';
import { makerOf } from '../parts/shelf.js';
import styles from './cart-line.module.css';

interface CartLineRowProps {
  readonly cartId: string;
  readonly line: CartLine;
  /** Units in stock. Null while unknown. */
  readonly available: number | null;
  /** The line cannot be changed now. */
  readonly fixed: boolean;
}

export function CartLineRow({ cartId, line, available, fixed }: CartLineRowProps) {
  const { sku, title, quantity, unitPrice, product } = line;
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<LineRefusal | null>(null);
  const run = async (change: () => Promise<LineRefusal | null>) => {
    if (busy) return;
    setBusy(true);
    setRefusal(await change());
    setBusy(false);
  };
  const takeTodaysPrice = async () => (await removeFromCart(cartId, sku)) ?? (await addToCart(sku, quantity));
  const cost = { ...unitPrice, amount: unitPrice.amount * quantity };

  return (
    <li className={styles.line} aria-busy={busy}>
      <div className={styles.picture}>
        <Cover small sku={sku} type={product?.type ?? ''} title={title} image={product?.image} />
      </div>
      <div className={styles.words}>
        <h2 className={styles.title}>{product ? <Link href={productAddress(sku)}>{title}</Link> : title}</h2>
        {product && makerOf(product) && <p className={styles.maker}>{makerOf(product)}</p>}
        <p className={styles.unit}>{formatMoney(unitPrice)} each</p>
      </div>
      <p className={styles.cost}>{formatMoney(cost)}</p>
      <div className={styles.change}>
        {product && (
          <QuantityField
            label={`Quantity of ${title}`}
            value={quantity}
            max={quantity + (available ?? 0)}
            disabled={fixed || busy}
            onChange={(wanted) => void run(() => changeQuantity(cartId, sku, wanted))}
          />
        )}
        <button
          type="button"
          className="button quiet"
          disabled={fixed || busy}
          aria-label={`Remove ${title}`}
          onClick={() => void run(() => removeFromCart(cartId, sku))}
        >
          <Icon name="trash" />
          Remove
        </button>
      </div>
      <div role="status" className={styles.news}>
        {!product && <p>This product is no longer sold. Remove it to pay for the rest.</p>}
        {product && product.price.amount > unitPrice.amount && (
          <p>
            The price is now {formatMoney(product.price)}. You pay {formatMoney(unitPrice)}, the price when you added
            it.
          </p>
        )}
        {product && product.price.amount < unitPrice.amount && (
          <p>
            The price has dropped to {formatMoney(product.price)}.{' '}
            <button type="button" className="link" disabled={fixed || busy} onClick={() => void run(takeTodaysPrice)}>
              Use the new price
            </button>
          </p>
        )}
        {refusal && <p>{tellRefusal(refusal, title)}</p>}
      </div>
    </li>
  );
}
