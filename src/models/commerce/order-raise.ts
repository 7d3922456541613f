/**
 * Raising a quantity of an order takes stock and charges the difference at the order's price. It is a checkout of a cart of its own, with
 * one line, whose last step raises the order's line instead of placing an order: so it has the checkout's guards, its compensation and
 * its recovery.
 */
import type { Db } from 'mongodb';
import { LimitError } from '../../shared/errors.js';
import { failpoint } from '../../shared/failpoint.js';
import { LINES_MAX, startCart } from './cart.js';
import { addToCart, type CartRefusal, removeFromCart } from './cart-line.js';
import { type CheckoutRefusal, checkOut } from './checkout.js';
import { QUANTITY_MAX, requireQuantity } from './inventory.js';
import { type OrderDocument, RAISES_MAX } from './order.js';
import type { PaymentProvider } from './payment.js';

export interface OrderRaise {
  /** Names the call: repeated with the same name, it is carried on. */
  readonly call: string;
  readonly order: OrderDocument;
  readonly sku: string;
  /** Units to add. */
  readonly by: number;
}

/** @throws InputError @throws LimitError the line or the order would become too large @throws BusyError */
export async function raiseOrderQuantity(
  db: Db,
  provider: PaymentProvider,
  { call, order, sku, by }: OrderRaise,
  now: Date,
): Promise<OrderDocument | CartRefusal | CheckoutRefusal> {
  requireQuantity('by', by);
  if (order.raises.includes(call)) return order;
  const line = order.lines.find((each) => each.sku === sku);
  if ((line?.qty ?? 0) + by > QUANTITY_MAX)
    throw new LimitError(`A line has at most ${QUANTITY_MAX} units`, QUANTITY_MAX);
  if (!line && order.lines.length >= LINES_MAX)
    throw new LimitError(`An order has at most ${LINES_MAX} lines`, LINES_MAX);
  if (order.raises.length >= RAISES_MAX)
    throw new LimitError(`An order is raised at most ${RAISES_MAX} times`, RAISES_MAX);

  const cartId = call; // so that a repeat finds it
  await startCart(db, order.currency, now, { id: cartId, raises: order._id });
  failpoint('order.raise.begun');
  const added = await addToCart(db, { call, cartId, sku, quantity: by, price: line?.price }, now);
  if ('__typename' in added && added.__typename !== 'CartNotActive') return added; // a repeat may find it further on
  failpoint('order.raise.held');
  const { account, owner } = order;
  const raised = await checkOut(db, provider, { call, cartId, account, owner }, now);
  if (!('__typename' in raised)) return raised;
  // Compensation: the stock goes back at once, not only when the cart expires.
  failpoint('order.raise.declined');
  await removeFromCart(db, { call: `${call}/undo`, cartId, sku }, now);
  return raised;
}
