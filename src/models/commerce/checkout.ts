/**
 * Checkout, in steps that each may be repeated:
 *
 *   1 lock      the cart from ACTIVE to PENDING: its lines no longer change, and it does not expire
 *   2 pay       the provider charges once for the checkout's key
 *   3 order     the order is stored under the checkout's id, so once
 *   4 sell      each line's hold becomes a sale, once, since the hold goes with it
 *   5 complete  the cart, last
 *
 * Declined: the cart is ACTIVE again, with its lines and its stock. A process that dies leaves a PENDING cart; the provider's record then
 * tells whether steps 3 to 5 follow, or the cart goes back (`recoverCheckouts`). It is asked before anything else is done.
 * Source pattern: inventory (commerce, section 3), where a crash after the payment leaves the cart pending for ever.
 */
import type { Db } from 'mongodb';
import { BusyError, SextantError } from '../../shared/errors.js';
import { failpoint } from '../../shared/failpoint.js';
import { type Refusal, refuse } from '../../shared/outcome.js';
import { type AuditDocument, recordIntended } from '../people/audit.js';
import {
  type CartDocument,
  type CartNotActive,
  type CartNotFound,
  type Checkout,
  cartNotActive,
  cartNotFound,
  carts,
  endedCartExpiry,
  findCart,
  MAJORITY,
  totalOf,
} from './cart.js';
import { findHold, productNotFound, sellHold } from './inventory.js';
import { findOrder, type OrderDocument, placeOrder, raiseLine } from './order.js';
import type { Charge, DeclineReason, PaymentOutcome, PaymentProvider } from './payment.js';
import { settleEach } from './settle-each.js';

export type PaymentDeclined = Refusal<'PaymentDeclined', { reason: DeclineReason }>;

export type CheckoutRefusal =
  | PaymentDeclined
  | CartNotActive
  | CartNotFound
  | Refusal<'EmptyCart'>
  | Refusal<'ProductNotFound', { sku: string }>;

export interface CheckoutInput {
  /** Names the checkout: repeated with the same name, it is carried on. */
  readonly call: string;
  readonly cartId: string;
  /** Who pays: the caller has made sure that whoever enters it may use it. */
  readonly account: string;
  /** The person who gets the order. */
  readonly owner: string | null;
  /** The person who enters it, where that is known. */
  readonly enteredBy?: string | undefined;
  /** Of an administrator's act: its entry for the audit trail, but for the sum. */
  readonly entry?: AuditDocument | undefined;
}

/** A cart that is locked for a checkout. */
type PendingCart = CartDocument & { readonly checkout: Checkout };

/** @throws BusyError it is not known (yet) whether it was paid: a repeat with the same call tells */
export async function checkOut(
  db: Db,
  provider: PaymentProvider,
  input: CheckoutInput,
  now: Date,
): Promise<OrderDocument | CheckoutRefusal> {
  const locked = await lock(db, input, now);
  if ('__typename' in locked) return locked;
  if (locked.state === 'COMPLETE') return orderOf(db, locked);
  failpoint('checkout.locked');
  const lost = await findLostLine(db, locked);
  if (lost === null) return conclude(db, locked, await provider.charge(chargeOf(locked), now), now);
  // Its product is gone. It may have been paid for before that, by the same call.
  const outcome = await provider.settle(chargeOf(locked), now);
  const concluded = await conclude(db, locked, outcome, now);
  return outcome.state === 'PAID'
    ? concluded
    : productNotFound(lost, `${lost} is no longer sold. Take it out of the cart`);
}

const LOCK_ATTEMPTS_MAX = 20;

async function lock(
  db: Db,
  { call, cartId, account, owner, enteredBy, entry }: CheckoutInput,
  now: Date,
): Promise<PendingCart | CheckoutRefusal> {
  const checkout: Checkout = {
    call,
    account,
    owner,
    ...(enteredBy !== undefined && { entered_by: enteredBy }),
    ...(entry && { entry }),
    at: now,
  };
  for (let attempt = 1; attempt <= LOCK_ATTEMPTS_MAX; attempt += 1) {
    const locked = await carts(db).findOneAndUpdate(
      { _id: cartId, state: 'ACTIVE', 'items.0': { $exists: true } }, // guard: of several checkouts, and of expiry, one gets it
      { $set: { state: 'PENDING', checkout, last_modified: now } },
      { returnDocument: 'after', ...MAJORITY },
    );
    if (locked) return { ...locked, checkout };
    const cart = await findCart(db, cartId);
    if (!cart) return cartNotFound();
    if (cart.checkout?.call === call) return { ...cart, checkout: cart.checkout }; // begun by this call before
    if (cart.state !== 'ACTIVE') return cartNotActive(cart.state);
    if (cart.items.length === 0) return refuse('EmptyCart', 'The cart is empty');
    // Another checkout had it, and was declined in between: it is free again.
  }
  throw new BusyError('Too many checkouts of this cart at once');
}

/** @returns the SKU of a line without stock; null when there is none, as it always is while the products exist */
async function findLostLine(db: Db, { _id: cartId, items }: CartDocument): Promise<string | null> {
  for (const { sku, qty } of items) {
    const hold = await findHold(db, sku, cartId);
    if (!hold || hold.qty < qty) return sku;
  }
  return null;
}

const chargeOf = (cart: PendingCart): Charge => ({
  key: cart.checkout.call,
  account: cart.checkout.account,
  amount: totalOf(cart),
});

/** The steps after the payment. */
async function conclude(
  db: Db,
  cart: PendingCart,
  outcome: PaymentOutcome,
  now: Date,
): Promise<OrderDocument | PaymentDeclined> {
  if (outcome.state === 'DECLINED') {
    failpoint('checkout.declined');
    await unlock(db, cart, now);
    return refuse('PaymentDeclined', outcome.message, { reason: outcome.reason });
  }
  failpoint('checkout.paid');
  if (cart.checkout.entry) {
    await recordIntended(db, { ...cart.checkout.entry, detail: detailOf(cart) });
    failpoint('checkout.recorded');
  }
  const order =
    cart.raises === undefined ? await placeOrder(db, toOrder(cart, now)) : await raise(db, cart, cart.raises, now);
  failpoint('checkout.ordered');
  for (const { sku, qty } of cart.items) {
    await sellHold(db, { sku, cartId: cart._id }, qty);
    failpoint('checkout.sold');
  }
  await carts(db).updateOne(
    { _id: cart._id, state: 'PENDING', 'checkout.call': cart.checkout.call }, // guard: this checkout's; a repeat changes nothing
    {
      $set: { state: 'COMPLETE', last_modified: now, expires_at: endedCartExpiry(cart, now) },
      $unset: { 'checkout.entry': '' },
    },
    MAJORITY,
  );
  if (order) return order;
  throw new SextantError('CONFLICT', 'The order was deleted while its quantity was raised; the units were paid for');
}

/** What the audit trail tells of it: the sum, and of a raise the units. */
function detailOf(cart: PendingCart): string {
  const { amount, currency } = totalOf(cart);
  const [line] = cart.items;
  return `${amount} ${currency}${cart.raises !== undefined && line ? ` ${line.qty} ${line.title}` : ''}`;
}

/** Compensation of a payment that was declined. */
async function unlock(db: Db, { _id, checkout }: PendingCart, now: Date): Promise<void> {
  await carts(db).updateOne(
    { _id, state: 'PENDING', 'checkout.call': checkout.call }, // guard: this checkout's lock, not a later one's
    { $set: { state: 'ACTIVE', last_modified: now }, $unset: { checkout: '' } },
    MAJORITY,
  );
}

const toOrder = (cart: PendingCart, now: Date): OrderDocument => ({
  _id: cart.checkout.call,
  owner: cart.checkout.owner,
  ...(cart.checkout.entered_by !== undefined && { entered_by: cart.checkout.entered_by }),
  cart: cart._id,
  account: cart.checkout.account,
  currency: cart.currency,
  lines: cart.items.map(({ sku, title, qty, price }) => ({ sku, title, qty, price })),
  total: totalOf(cart).amount,
  placed_at: now,
  raises: [],
});

/** A cart that raises an order has one line. */
async function raise(db: Db, cart: CartDocument, orderId: string, now: Date): Promise<OrderDocument | null> {
  const [line] = cart.items;
  if (!line) return findOrder(db, orderId);
  const { sku, title, qty, price } = line;
  return raiseLine(db, orderId, cart._id, { sku, title, qty, price }, now);
}

/** Of a checkout that was done before. */
async function orderOf(db: Db, { checkout, raises }: PendingCart): Promise<OrderDocument> {
  const order = await findOrder(db, raises ?? checkout.call);
  if (order) return order;
  throw new SextantError('NOT_FOUND', 'The order was deleted');
}

/**
 * @param since checkouts that have not got on since
 * @returns how many were brought to their ends
 * @throws AggregateError some failed, otherwise than by the provider's not being able to tell yet
 */
export function recoverCheckouts(db: Db, provider: PaymentProvider, since: Date, now: Date): Promise<number> {
  const left = carts(db).find({ state: 'PENDING', last_modified: { $lt: since } });
  return settleEach('Checkouts', left, async (cart) => {
    await recoverCheckout(db, provider, cart, now);
    failpoint('checkout.recovered');
  });
}

async function recoverCheckout(db: Db, provider: PaymentProvider, cart: CartDocument, now: Date): Promise<void> {
  if (!cart.checkout) return;
  const pending = { ...cart, checkout: cart.checkout };
  const outcome = await provider.settle(chargeOf(pending), now);
  await conclude(db, pending, outcome, now).catch((error: unknown) => {
    const isDone = error instanceof SextantError && error.code === 'CONFLICT'; // its order was deleted; all else is done
    if (!isDone) throw error;
  });
}
