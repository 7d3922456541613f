/** Expires idle carts and returns their stock. Every step may be repeated, by any number of processes. */
import type { Db } from 'mongodb';
import { failpoint } from '../../../shared/failpoint.js';
import { type CartDocument, carts, endedCartExpiry } from './cart.js';
import { findHold, lowerHold } from './inventory.js';

/** @param since carts last changed before this time expire @returns how many have expired */
export async function expireCarts(db: Db, since: Date, now: Date): Promise<number> {
  // Locked in bulk by the state: from here on no line changes and no checkout starts. Guard: still active and still idle.
  await carts(db).updateMany(
    { state: 'ACTIVE', last_modified: { $lt: since } },
    { $set: { state: 'EXPIRING', expiring_since: now } },
  );
  failpoint('cart.expiry.locked');
  let count = 0;
  // Includes those left unfinished by another process.
  for await (const cart of carts(db).find({ state: 'EXPIRING' })) {
    await returnStock(db, cart);
    const { matchedCount } = await carts(db).updateOne(
      { _id: cart._id, state: 'EXPIRING' }, // guard: written last, and only once
      { $set: { state: 'EXPIRED', expires_at: endedCartExpiry(cart, now) } },
    );
    failpoint('cart.expiry.done');
    count += matchedCount;
  }
  return count;
}

async function returnStock(db: Db, { _id: cartId, items }: CartDocument): Promise<void> {
  for (const { sku } of items) {
    const hold = await findHold(db, sku, cartId);
    // Only if the product still has this hold of the cart. A hold changed meanwhile belongs to a call that the cart refuses.
    if (hold) await lowerHold(db, { sku, cartId }, hold, null);
    failpoint('cart.expiry.returned');
  }
}
