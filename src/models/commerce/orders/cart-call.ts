/** Changes of a cart's lines, made once per idempotency key. Keys are scoped to the cart and shared by everyone who may use it. */
import type { Db } from 'mongodb';
import { type OnceOnly, performOnce } from '../../../database/index.js';
import { CART_KEYS_MAX, countKey } from '../../people/keyed-calls/key-count.js';
import { briefOfCart, type CartDocument, type CartRefusal, cartNotFound, findCart, isCart } from './cart.js';

export type CartOutcome = CartDocument | CartRefusal;

/** @param once its scope is the cart's id @throws LimitError the cart has reached its maximum number of keys */
export async function changeOnce(
  db: Db,
  once: OnceOnly,
  now: Date,
  work: (call: string) => Promise<CartOutcome>,
): Promise<CartOutcome> {
  // Nothing is stored for carts that do not exist, because their ids may be made up.
  if (!(await isCart(db, once.scope))) return cartNotFound();
  const beforeKept = (keptUntil: Date) => countKey(db, once.scope, CART_KEYS_MAX, keptUntil);
  return performOnce(db, { ...once, beforeKept }, now, work, briefOutcome(db));
}

/** A retry of a completed change returns the current cart. */
const briefOutcome = (db: Db) => ({
  keep: (outcome: CartOutcome) => ('_id' in outcome ? briefOfCart(outcome) : outcome),
  recall: async (kept: unknown) => {
    const outcome = kept as CartOutcome | ReturnType<typeof briefOfCart>;
    return 'cart' in outcome ? ((await findCart(db, outcome.cart)) ?? cartNotFound()) : outcome;
  },
});
