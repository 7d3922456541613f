/**
 * Changes of cart lines by customers. Each change is two guarded updates, of the product and of the cart, each with its compensation.
 * If a process dies between them, `inventory-repair.ts` or the next change of the line undoes its half.
 *
 *   raising   the product's hold, then the line.  If the cart refuses, the hold is reset.
 *   lowering  the line, then the product's hold.  No compensation: this process or the repair returns the rest to stock.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { isAnswered } from '../../../database/index.js';
import { BusyError, LimitError } from '../../../shared/errors.js';
import { failpoint } from '../../../shared/failpoint.js';
import {
  type CartDocument,
  type CartLine,
  type CartRefusal,
  cartNotActive,
  cartNotFound,
  carts,
  LINES_MAX,
  lineOf,
} from './cart.js';
import { giveUp, nameAttempt, readCart, refusalOf, refuseCall, stillWanted } from './cart-memory.js';
import { lowerHold, productNotFound, QUANTITY_MAX, raiseHold, requireQuantity, requireSku } from './inventory.js';
import { settleHold } from './inventory-repair.js';

export interface LineChange {
  /** Identifies the call: a retry with the same id has no further effect. */
  readonly call: string;
  readonly cartId: string;
  readonly sku: string;
  readonly quantity: number;
  /** The price to charge instead of the product's, for new lines. */
  readonly price?: number | undefined;
}

/** An attempt at a change: the cart and its line as read, and an id for this attempt. */
interface Attempt {
  readonly id: string;
  readonly cart: CartDocument;
  readonly line: CartLine | undefined;
}

/** Null: another call was changing the line. Read again. */
type Outcome = CartDocument | CartRefusal | null;

const ATTEMPTS_MAX = 12;
const SETTLE_AT = 9;
const SETTLE_AGE_MS = 1000; // a call without progress for this long is considered dead and is undone
const BACKOFF_MAX_MS = 100;

/** Adds units to a line, or a line to the cart. @throws InputError @throws LimitError @throws BusyError */
export async function addToCart(db: Db, change: LineChange, now: Date): Promise<CartDocument | CartRefusal> {
  requireQuantity('quantity', change.quantity);
  return attempt(db, change, now, (one) => raise(db, change, one, change.quantity, now));
}

/** Sets the quantity of a line. @throws InputError @throws BusyError */
export async function changeQuantity(db: Db, change: LineChange, now: Date): Promise<CartDocument | CartRefusal> {
  requireQuantity('quantity', change.quantity);
  return attempt(db, change, now, async (one) => {
    const { cart, line } = one;
    if (!line) return productNotFound(change.sku, `The cart does not contain ${change.sku}`);
    const more = change.quantity - line.qty;
    if (more === 0) return cart;
    return more > 0 ? raise(db, change, one, more, now) : lower(db, change, { ...one, line }, change.quantity, now);
  });
}

/** Removes a line. @throws BusyError */
export async function removeFromCart(
  db: Db,
  change: Omit<LineChange, 'quantity'>,
  now: Date,
): Promise<CartDocument | CartRefusal> {
  return attempt(db, change, now, async ({ line, ...one }) => {
    if (!line) return productNotFound(change.sku, `The cart does not contain ${change.sku}`);
    return lower(db, change, { ...one, line }, 0, now);
  });
}

/** Reads and retries until no other call is changing the line. */
async function attempt(
  db: Db,
  { call, cartId, sku }: Pick<LineChange, 'call' | 'cartId' | 'sku'>,
  now: Date,
  work: (one: Attempt) => Promise<Outcome>,
): Promise<CartDocument | CartRefusal> {
  requireSku('sku', sku);
  for (let number = 1; number <= ATTEMPTS_MAX; number += 1) {
    const cart = await readCart(db, cartId);
    if (!cart) return cartNotFound();
    const refused = refusalOf(cart, call);
    if (refused) return refused;
    // Already done. Checked after reading the cart: if a call is answered and forgotten later, this attempt's guard fails.
    if (cart.calls.includes(call) || (await isAnswered(db, call))) return cart;
    const id = nameAttempt(call, cart, number);
    if (cart.revoked.includes(id)) continue; // already given up
    const outcome =
      cart.state === 'ACTIVE' ? await work({ id, cart, line: lineOf(cart, sku) }) : cartNotActive(cart.state);
    if (outcome && (!('__typename' in outcome) || (await refuseCall(db, cart, call, outcome)))) return outcome;
    if (number === SETTLE_AT) {
      await settleHold(db, { sku, cartId }, now, SETTLE_AGE_MS);
      failpoint('cart.line-settled');
    }
    await pause(Math.random() * Math.min(BACKOFF_MAX_MS, 2 ** number));
  }
  throw new BusyError('Too many concurrent changes of this line');
}

async function raise(
  db: Db,
  change: LineChange,
  { id, cart, line }: Attempt,
  units: number,
  now: Date,
): Promise<Outcome> {
  const { sku, call } = change;
  const place = { sku, cartId: cart._id };
  const to = { call: id, qty: (line?.qty ?? 0) + units };
  if (to.qty > QUANTITY_MAX) throw new LimitError(`A line has at most ${QUANTITY_MAX} units`, QUANTITY_MAX);
  if (!line && cart.items.length >= LINES_MAX) throw new LimitError(`A cart has at most ${LINES_MAX} lines`, LINES_MAX);

  const held = await raiseHold(db, place, line ?? null, to, now);
  if ('conflict' in held) return null;
  if ('__typename' in held) return held;
  failpoint('cart.held');
  const price = change.price ?? held.pricing.retail;
  const raised = line
    ? await changeLine(db, cart, line, { ...to, by: call }, now)
    : await pushLine(db, cart, { ...to, sku, price, title: held.title }, call, now);
  if (raised) return raised;
  // Compensation: the cart is no longer active, or the line has changed. The attempt that took the hold releases it.
  const isGivenUp = await giveUp(db, cart, id, call);
  failpoint('cart.given-up');
  if (isGivenUp)
    await lowerHold(db, place, to, line ?? null); // if it no longer exists, the repair has released it
  else await settleHold(db, place, now); // the hold belongs to the line, even if the line was changed since
  failpoint('cart.hold-returned');
  return null; // read again: the cart holds the reason
}

async function lower(
  db: Db,
  { call, sku }: Pick<LineChange, 'call' | 'sku'>,
  { id, cart, line }: Attempt & { readonly line: CartLine },
  quantity: number,
  now: Date,
): Promise<Outcome> {
  const to = quantity === 0 ? null : { call: id, qty: quantity };
  const lowered = to
    ? await changeLine(db, cart, line, { ...to, by: call }, now)
    : await pullLine(db, cart, line, { call: id, by: call }, now);
  if (!lowered) return null;
  failpoint('cart.lowered');
  const place = { sku, cartId: cart._id };
  // Not as expected: a raise is in progress that the cart will refuse. It releases its part, and the repair releases the rest.
  if (!(await lowerHold(db, place, line, to))) await settleHold(db, place, now);
  return lowered;
}

function pushLine(db: Db, cart: CartDocument, line: CartLine, by: string, now: Date): Promise<CartDocument | null> {
  return carts(db).findOneAndUpdate(
    // Additional guard: no line for this product, and room for one.
    {
      ...stillWanted(cart, line.call, by),
      'items.sku': { $ne: line.sku },
      [`items.${LINES_MAX - 1}`]: { $exists: false },
    },
    { $push: { items: line, calls: by }, $set: { last_modified: now } },
    { returnDocument: 'after' },
  );
}

/** Additional guard: the line is the one that was read. */
const lineAsRead = ({ sku, call, qty }: CartLine) => ({ items: { $elemMatch: { sku, call, qty } } });

function changeLine(
  db: Db,
  cart: CartDocument,
  line: CartLine,
  to: { readonly call: string; readonly qty: number; readonly by: string },
  now: Date,
): Promise<CartDocument | null> {
  return carts(db).findOneAndUpdate(
    { ...stillWanted(cart, to.call, to.by), ...lineAsRead(line) },
    {
      $set: { 'items.$.qty': to.qty, 'items.$.call': to.call, last_modified: now },
      $push: { calls: to.by },
    },
    { returnDocument: 'after' },
  );
}

function pullLine(
  db: Db,
  cart: CartDocument,
  line: CartLine,
  { call, by }: { readonly call: string; readonly by: string },
  now: Date,
): Promise<CartDocument | null> {
  return carts(db).findOneAndUpdate(
    { ...stillWanted(cart, call, by), ...lineAsRead(line) },
    { $pull: { items: { sku: line.sku } }, $push: { calls: by }, $set: { last_modified: now } },
    { returnDocument: 'after' },
  );
}
