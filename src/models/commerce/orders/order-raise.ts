/**
 * Raising a quantity of an order takes stock and charges the difference at the order's price. It is a checkout of a separate cart with
 * one line, whose last step raises the order's line instead of placing an order. So it has the guards, the compensation and the recovery
 * of a checkout.
 */
import type { Db } from 'mongodb';
import { LimitError } from '../../../shared/errors.js';
import { failpoint } from '../../../shared/failpoint.js';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import { type Act, intendAct } from '../../people/audit.js';
import type { PaymentProvider } from '../money/payment.js';
import { type CartRefusal, discardCart, startCart } from './cart.js';
import { addToCart, removeFromCart } from './cart-line.js';
import { type CheckoutRefusal, checkOut } from './checkout.js';
import { requireQuantity, requireSku } from './inventory.js';
import type { OrderDocument, RaiseRoom } from './order.js';
import { giveRaiseRoomBack, takeRaiseRoom } from './order-raise-room.js';

export interface OrderRaise {
  /** Identifies the call: a retry with the same id continues it. */
  readonly call: string;
  readonly order: OrderDocument;
  readonly sku: string;
  /** Units to add. */
  readonly by: number;
  /** The user who requests it. The caller has checked that this user may charge the order's account. */
  readonly enteredBy?: string;
  /** For the audit trail, when acting on behalf of the payer. */
  readonly act?: Act | null;
}

/** @throws InputError @throws LimitError the line or the order would become too large @throws BusyError */
export async function raiseOrderQuantity(
  db: Db,
  provider: PaymentProvider,
  { call, order, sku, by, enteredBy, act }: OrderRaise,
  now: Date,
): Promise<OrderDocument | Refusal<'OrderNotFound'> | CartRefusal | CheckoutRefusal> {
  requireQuantity('by', by);
  requireSku('sku', sku);
  if (order.raises.includes(call)) return order;
  const line = order.lines.find((each) => each.sku === sku);
  const cartId = call; // so that a retry finds it
  await startCart(db, order.currency, now, { id: cartId, raises: order._id });
  failpoint('order.raise.begun');
  if (!(await takeRoom(db, order._id, { cart: cartId, sku, qty: by }, now)))
    return refuse('OrderNotFound', 'There is no such order');
  failpoint('order.raise.room-taken');
  const added = await addToCart(db, { call, cartId, sku, quantity: by, price: line?.price }, now);
  // Guard: the refusal discards the cart. If the cart has its line, a retry of this call added it and continues, and so does this one.
  if ('__typename' in added && (await discardCart(db, cartId, now))) {
    await giveRaiseRoomBack(db, order._id, cartId);
    return added;
  }
  failpoint('order.raise.held');
  const { account, owner } = order;
  const entry = act ? intendAct(act, { action: 'ORDER_RAISED', subject: order._id, call }) : undefined;
  const raised = await checkOut(db, provider, { call, cartId, account, owner, enteredBy, entry }, now);
  if (!('__typename' in raised)) return raised;
  // Compensation: release room and stock, and discard the cart now instead of when it expires.
  await giveRaiseRoomBack(db, order._id, cartId);
  failpoint('order.raise.declined');
  await removeFromCart(db, { call: `${call}/undo`, cartId, sku }, now);
  failpoint('order.raise.emptied');
  await discardCart(db, cartId, now);
  return raised;
}

/** If there is no room for the raise, no cart is left behind. */
async function takeRoom(db: Db, orderId: string, room: RaiseRoom, now: Date): Promise<boolean> {
  try {
    const isTaken = await takeRaiseRoom(db, orderId, room);
    if (!isTaken) await discardCart(db, room.cart, now);
    return isTaken;
  } catch (error) {
    if (error instanceof LimitError) await discardCart(db, room.cart, now);
    throw error;
  }
}
