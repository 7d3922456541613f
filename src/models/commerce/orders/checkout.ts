/**
 * Checkout, in steps that may each be repeated:
 *
 *   1 lock      the cart from ACTIVE to PENDING: its lines no longer change, and it does not expire
 *   2 pay       the provider charges once per checkout key
 *   3 order     the order is stored under the checkout's id, so only once
 *   4 sell      each line's hold becomes a sale, only once, because the hold is removed with it
 *   5 complete  the cart, last
 *
 * Declined: the cart is ACTIVE again, with its lines and its stock. A process that dies leaves a PENDING cart. Recovery then checks the
 * provider's record first, which decides whether steps 3 to 5 follow or the cart is unlocked (`recoverCheckouts`).
 * Source pattern: inventory (commerce, section 3), where a crash after the payment leaves the cart pending forever.
 */
import type { Db } from 'mongodb';
import { BusyError, SextantError } from '../../../shared/errors.js';
import { failpoint } from '../../../shared/failpoint.js';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import { type AuditDocument, recordIntended } from '../../people/audit.js';
import type { Charge, DeclineReason, PaymentOutcome, PaymentProvider } from '../money/payment.js';
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
  totalOf,
} from './cart.js';
import { findHold, productNotFound, sellHold } from './inventory.js';
import { findOrder, type OrderDocument, placeOrder, raiseLine } from './order.js';
import { settleEach } from './settle-each.js';

export type PaymentDeclined = Refusal<'PaymentDeclined', { reason: DeclineReason }>;

export type CheckoutRefusal =
  | PaymentDeclined
  | CartNotActive
  | CartNotFound
  | Refusal<'EmptyCart'>
  | Refusal<'ProductNotFound', { sku: string }>;

export interface CheckoutInput {
  /** Identifies the checkout: a retry with the same id continues it. */
  readonly call: string;
  readonly cartId: string;
  /** The paying account. The caller has checked that the user may use it. */
  readonly account: string;
  /** The user who will own the order. */
  readonly owner: string | null;
  /** The user who enters the order, if known. */
  readonly enteredBy?: string | undefined;
  /** The audit entry without the amount, if this is an administrator's action. */
  readonly entry?: AuditDocument | undefined;
}

/** A cart that is locked for a checkout. */
type PendingCart = CartDocument & { readonly checkout: Checkout };

/** @throws BusyError it is not known yet whether it was paid. Retry with the same call to find out */
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
  // The product was deleted. The same call may have paid for it before that.
  const outcome = await provider.settle(chargeOf(locked), now);
  const concluded = await conclude(db, locked, outcome, now);
  return outcome.state === 'PAID'
    ? concluded
    : productNotFound(lost, `${lost} is no longer sold. Remove it from the cart`);
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
      { _id: cartId, state: 'ACTIVE', 'items.0': { $exists: true } }, // guard: of several checkouts and expiry, only one gets it
      { $set: { state: 'PENDING', checkout, last_modified: now } },
      { returnDocument: 'after' },
    );
    if (locked) return { ...locked, checkout };
    const cart = await findCart(db, cartId);
    if (!cart) return cartNotFound();
    if (cart.checkout?.call === call) return { ...cart, checkout: cart.checkout }; // already started by this call
    if (cart.state !== 'ACTIVE') return cartNotActive(cart.state);
    if (cart.items.length === 0) return refuse('EmptyCart', 'The cart is empty');
    // Another checkout had the cart but was declined meanwhile, so it is available again.
  }
  throw new BusyError('Too many concurrent checkouts of this cart');
}

/** @returns the SKU of a line that is not completely held; null if all are, which is always the case while the products exist */
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
    { _id: cart._id, state: 'PENDING', 'checkout.call': cart.checkout.call }, // guard: this checkout's lock; a retry changes nothing
    {
      $set: { state: 'COMPLETE', last_modified: now, expires_at: endedCartExpiry(cart, now) },
      $unset: { 'checkout.entry': '' },
    },
  );
  if (order) return order;
  throw new SextantError(
    'CONFLICT',
    'The order was deleted while its quantity was being raised. The units were paid for',
  );
}

/** The detail of the audit entry: the amount and, for a raise, the units. */
function detailOf(cart: PendingCart): string {
  const { amount, currency } = totalOf(cart);
  const [line] = cart.items;
  return `${amount} ${currency}${cart.raises !== undefined && line ? ` ${line.qty} ${line.title}` : ''}`;
}

/** Compensation for a declined payment. */
async function unlock(db: Db, { _id, checkout }: PendingCart, now: Date): Promise<void> {
  await carts(db).updateOne(
    { _id, state: 'PENDING', 'checkout.call': checkout.call }, // guard: this checkout's lock, not that of a later one
    { $set: { state: 'ACTIVE', last_modified: now }, $unset: { checkout: '' } },
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

/** The order of a checkout that was already completed. */
async function orderOf(db: Db, { checkout, raises }: PendingCart): Promise<OrderDocument> {
  const order = await findOrder(db, raises ?? checkout.call);
  if (order) return order;
  throw new SextantError('NOT_FOUND', 'The order was deleted');
}

/**
 * @param since checkouts without progress since this time
 * @returns the number of checkouts settled
 * @throws AggregateError some failed, other than because the provider does not know the outcome yet
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
    const isDone = error instanceof SextantError && error.code === 'CONFLICT'; // its order was deleted; everything else is done
    if (!isDone) throw error;
  });
}
