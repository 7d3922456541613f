/** Changes of a cart's lines that are made once for each key. A cart's keys are its own: whoever may use it has them. */
import type { Db } from 'mongodb';
import { briefOfCart, type CartDocument, type CartRefusal, cartNotFound, findCart, isCart } from './cart.js';
import { type OnceOnly, performOnce } from './idempotency.js';
import { CART_KEYS_MAX, countKey } from './key-count.js';

export type CartOutcome = CartDocument | CartRefusal;

/** @param once its scope is the cart's id @throws LimitError the cart has taken as many keys as it may */
export async function changeOnce(
  db: Db,
  once: OnceOnly,
  now: Date,
  work: (call: string) => Promise<CartOutcome>,
): Promise<CartOutcome> {
  // Nothing is kept for carts that are not there: their ids can be made up.
  if (!(await isCart(db, once.scope))) return cartNotFound();
  const beforeKept = (keptUntil: Date) => countKey(db, once.scope, CART_KEYS_MAX, keptUntil);
  return performOnce(db, { ...once, beforeKept }, now, work, briefOutcome(db));
}

/** Of a change that was made, a repeat is told the cart as it is now. */
const briefOutcome = (db: Db) => ({
  keep: (outcome: CartOutcome) => ('_id' in outcome ? briefOfCart(outcome) : outcome),
  recall: async (kept: unknown) => {
    const outcome = kept as CartOutcome | ReturnType<typeof briefOfCart>;
    return 'cart' in outcome ? ((await findCart(db, outcome.cart)) ?? cartNotFound()) : outcome;
  },
});
