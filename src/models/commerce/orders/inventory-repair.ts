/**
 * Releases holds that no cart line needs, left by a process that died between the product and the cart. The cart's state, the hold and
 * the line decide:
 *
 *   ACTIVE, both equal         no call is changing the line: the hold is marked as seen
 *   ACTIVE, the hold is more   the line is kept; the rest returns to stock
 *   ACTIVE, the hold is less   the hold is kept (a product was restored from a backup, for example); the line is reduced to it
 *   PENDING                    left alone: it is being paid for. The checkout sells what the lines say and returns the rest
 *   any other state, no cart   all of it returns to stock: a COMPLETE cart has sold its lines before it became complete
 *
 * Before anything is returned, the cart revokes the call that took the hold, so that a call that is merely slow cannot add a line without
 * stock.
 */
import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { failpoint } from '../../../shared/failpoint.js';
import { type Hold, products } from '../catalog/product.js';
import { type CartDocument, type CartLine, carts, findCart, lineOf } from './cart.js';
import { findHold, lowerHold } from './inventory.js';

export interface HoldPlace {
  readonly sku: string;
  readonly cartId: string;
}

/**
 * Makes a cart's hold and its line agree. May run concurrently and be repeated.
 * @param olderThanMs only if the hold is at least this old
 */
export async function settleHold(db: Db, place: HoldPlace, now: Date, olderThanMs = 0): Promise<void> {
  const hold = await findHold(db, place.sku, place.cartId);
  if (hold && now.getTime() - hold.timestamp.getTime() < olderThanMs) return;
  const cart = await findCart(db, place.cartId);
  if (cart?.state === 'PENDING') return;
  const line = cart && lineOf(cart, place.sku);
  if (cart?.state !== 'ACTIVE') {
    if (hold) await lowerHold(db, place, hold, null);
  } else if (line && hold) await settleLine(db, place, line, hold);
  else if (line) await dropLine(db, place.cartId, line);
  else if (hold && (await revoke(db, place, hold))) await lowerHold(db, place, hold, null);
}

async function settleLine(db: Db, place: HoldPlace, line: CartLine, hold: Hold): Promise<void> {
  if (agree(hold, line)) return;
  const settled = { call: randomUUID(), qty: Math.min(hold.qty, line.qty) };
  // Guard: the line is the one that was read. Any call still changing it started from its old `call` and is refused from here on.
  const { matchedCount } = await carts(db).updateOne(
    { _id: place.cartId, state: 'ACTIVE', items: { $elemMatch: { sku: line.sku, call: line.call, qty: line.qty } } },
    {
      $set: { 'items.$.call': settled.call, 'items.$.qty': settled.qty },
      $push: { revoked: hold.call },
    },
  );
  failpoint('hold.line-settled');
  if (matchedCount === 1) await lowerHold(db, place, hold, settled);
}

/** The product does not know the line, because it was deleted and recreated. */
async function dropLine(db: Db, cartId: string, { sku, call, qty }: CartLine): Promise<void> {
  await carts(db).updateOne(
    { _id: cartId, state: 'ACTIVE', items: { $elemMatch: { sku, call, qty } } }, // guard: the line that was read
    { $pull: { items: { sku } } },
  );
}

/** @returns whether the call that took the hold can no longer add its line */
async function revoke(db: Db, { sku, cartId }: HoldPlace, hold: Hold): Promise<boolean> {
  const { matchedCount } = await carts(db).updateOne(
    { _id: cartId, state: 'ACTIVE', 'items.sku': { $ne: sku } }, // guard: it has not done so meanwhile
    { $push: { revoked: hold.call } },
  );
  failpoint('hold.revoked');
  return matchedCount === 1;
}

export const agree = (hold: Hold, line: CartLine): boolean => hold.call === line.call && hold.qty === line.qty;

/** Checks all holds that have not been checked since a given time. @returns the number of products checked */
export async function repairHolds(db: Db, since: Date, now: Date): Promise<number> {
  const old = products(db).find(
    { 'carted.timestamp': { $lt: since } },
    {
      projection: { carted: { $filter: { input: '$carted', as: 'hold', cond: { $lt: ['$$hold.timestamp', since] } } } },
    },
  );
  let count = 0;
  for await (const { _id, carted } of old) {
    await repairHoldsOf(db, _id, carted, now);
    count += 1;
  }
  return count;
}

async function repairHoldsOf(db: Db, sku: string, holds: readonly Hold[], now: Date): Promise<void> {
  const ids = holds.map(({ cart_id }) => cart_id);
  const found = await carts(db)
    .find({ _id: { $in: ids } })
    .toArray();
  const cartById = new Map(found.map((cart) => [cart._id, cart]));
  const isSound = (hold: Hold) => isNeeded(hold, cartById.get(hold.cart_id), sku);
  for (const hold of holds.filter((each) => !isSound(each))) {
    await settleHold(db, { sku, cartId: hold.cart_id }, now);
    failpoint('hold.settled');
  }
  const seen = holds.filter(isSound).map(({ call }) => call);
  if (seen.length === 0) return;
  await products(db).updateOne(
    { _id: sku },
    { $set: { 'carted.$[seen].timestamp': now } },
    { arrayFilters: [{ 'seen.call': { $in: seen } }] }, // guard: excludes holds changed meanwhile
  );
  failpoint('hold.seen');
}

function isNeeded(hold: Hold, cart: CartDocument | undefined, sku: string): boolean {
  if (cart?.state === 'PENDING') return true;
  const line = cart && lineOf(cart, sku);
  return cart?.state === 'ACTIVE' && line !== undefined && agree(hold, line);
}
