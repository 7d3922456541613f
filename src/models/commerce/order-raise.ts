/**
 * Raising a quantity of an order takes stock and charges the difference at the order's price. It is a checkout of a cart of its own, with
 * one line, whose last step raises the order's line instead of placing an order: so it has the checkout's guards, its compensation and
 * its recovery.
 */
import type { Db } from 'mongodb';
import { LimitError } from '../../shared/errors.js';
import { failpoint } from '../../shared/failpoint.js';
import { type Refusal, refuse } from '../../shared/outcome.js';
import { type Act, intendAct } from '../people/audit.js';
import { type CartRefusal, discardCart, startCart } from './cart.js';
import { addToCart, removeFromCart } from './cart-line.js';
import { type CheckoutRefusal, checkOut } from './checkout.js';
import { requireQuantity, requireSku } from './inventory.js';
import type { OrderDocument } from './order.js';
import { giveRaiseRoomBack, type RaiseRoom, takeRaiseRoom } from './order-raise-room.js';
import type { PaymentProvider } from './payment.js';

export interface OrderRaise {
  /** Names the call: repeated with the same name, it is carried on. */
  readonly call: string;
  readonly order: OrderDocument;
  readonly sku: string;
  /** Units to add. */
  readonly by: number;
  /** The person who asks for it: the caller has made sure that the order's account may be charged by this person. */
  readonly enteredBy?: string;
  /** On behalf of whoever pays: the audit trail tells it. */
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
  const cartId = call; // so that a repeat finds it
  await startCart(db, order.currency, now, { id: cartId, raises: order._id });
  failpoint('order.raise.begun');
  if (!(await takeRoom(db, order._id, { cart: cartId, sku, qty: by }, now)))
    return refuse('OrderNotFound', 'There is no such order');
  failpoint('order.raise.room-taken');
  const added = await addToCart(db, { call, cartId, sku, quantity: by, price: line?.price }, now);
  // Guard: it is refused with its cart. One that has its line is a repeat's of this call, who goes on; so does this one.
  if ('__typename' in added && (await discardCart(db, cartId, now))) {
    await giveRaiseRoomBack(db, order._id, cartId);
    return added;
  }
  failpoint('order.raise.held');
  const { account, owner } = order;
  const entry = act ? intendAct(act, { action: 'ORDER_RAISED', subject: order._id, call }) : undefined;
  const raised = await checkOut(db, provider, { call, cartId, account, owner, enteredBy, entry }, now);
  if (!('__typename' in raised)) return raised;
  // Compensation: room and stock go back, and the cart goes, at once and not only when it expires.
  await giveRaiseRoomBack(db, order._id, cartId);
  failpoint('order.raise.declined');
  await removeFromCart(db, { call: `${call}/undo`, cartId, sku }, now);
  failpoint('order.raise.emptied');
  await discardCart(db, cartId, now);
  return raised;
}

/** A raise for which there is no room leaves no cart. */
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
