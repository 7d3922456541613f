/** Carts that nobody has changed for long give their stock back. Every step may be repeated, by any number of processes. */
import type { Db } from 'mongodb';
import { failpoint } from '../../shared/failpoint.js';
import { type CartDocument, carts, endedCartExpiry, MAJORITY } from './cart.js';
import { findHold, lowerHold } from './inventory.js';

/** @param since carts that were last changed before @returns how many have expired */
export async function expireCarts(db: Db, since: Date, now: Date): Promise<number> {
  // Locked in bulk, by the state: from here on no line changes and no checkout begins. Guard: still active, and still idle.
  await carts(db).updateMany(
    { state: 'ACTIVE', last_modified: { $lt: since } },
    { $set: { state: 'EXPIRING', expiring_since: now } },
    MAJORITY,
  );
  failpoint('cart.expiry.locked');
  let count = 0;
  // Also those that another process has left half-way.
  for await (const cart of carts(db).find({ state: 'EXPIRING' })) {
    await returnStock(db, cart);
    const { matchedCount } = await carts(db).updateOne(
      { _id: cart._id, state: 'EXPIRING' }, // guard: written last, and once
      { $set: { state: 'EXPIRED', expires_at: endedCartExpiry(cart, now) } },
      MAJORITY,
    );
    failpoint('cart.expiry.done');
    count += matchedCount;
  }
  return count;
}

async function returnStock(db: Db, { _id: cartId, items }: CartDocument): Promise<void> {
  for (const { sku } of items) {
    const hold = await findHold(db, sku, cartId);
    // Only if the product still has this cart's hold. A hold that has changed meanwhile is of a call that the cart refuses.
    if (hold) await lowerHold(db, { sku, cartId }, hold, null);
    failpoint('cart.expiry.returned');
  }
}
