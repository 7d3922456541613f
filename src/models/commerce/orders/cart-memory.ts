/**
 * What a cart remembers of the calls that change it, so that each call takes effect once, or not at all if it was refused, no matter
 * which process continues it:
 *
 *   calls     calls that were done
 *   refused   calls that were refused, with their refusals
 *   revoked   attempts that were given up and must not change the cart any more
 *
 * All three lists are short. Before a call is forgotten, its answer is stored under its key (`settleCalls`). `forgotten` counts such
 * calls, so that a change started earlier is refused and an attempt started later gets another id.
 */
import type { Db } from 'mongodb';
import { isKeyed, settleCalls } from '../../../database/index.js';
import { failpoint } from '../../../shared/failpoint.js';
import { briefOfCart, type CartDocument, type CartRefusal, carts } from './cart.js';

/** A change that finds this many entries in a list first forgets the older ones. At ENTRIES_MAX, no call is accepted until that is done. */
export const ENTRIES_KEPT = 20;
export const ENTRIES_MAX = 40;

/** Reads a cart that has room for a call. A retry of a forgotten call, perhaps a day later, gets its stored answer. */
export async function readCart(db: Db, _id: string): Promise<CartDocument | null> {
  for (;;) {
    const cart = await carts(db).findOne({ _id });
    if (!cart || !isFull(cart)) return cart;
    const [done, refused] = [olderOf(cart.calls), olderOf(cart.refused ?? [])];
    const answers = [
      ...done.map((call) => ({ call, kept: briefOfCart(cart) })),
      ...refused.map(({ call, refusal }) => ({ call, kept: refusal })),
    ];
    await settleCalls(db, answers);
    failpoint('cart.calls-settled');
    await carts(db).updateOne(
      { _id, forgotten: forgottenOf(cart) }, // guard: of several concurrent calls, one succeeds
      {
        $pull: { calls: { $in: done }, refused: { call: { $in: refused.map(({ call }) => call) } } },
        $set: { revoked: [] }, // the count refuses what they started
        $inc: { forgotten: 1 },
      },
    );
    failpoint('cart.calls-forgotten');
  }
}

const isFull = ({ calls, refused = [], revoked }: CartDocument): boolean =>
  [calls, refused, revoked].some(({ length }) => length >= ENTRIES_KEPT);

const olderOf = <T>(list: readonly T[]): T[] => list.slice(0, Math.max(0, list.length - ENTRIES_KEPT / 2));

const forgottenOf = ({ forgotten }: CartDocument) => forgotten ?? { $exists: false };

/** The id that hold and line carry. Any process that continues the call makes the same attempts. */
export const nameAttempt = (call: string, { forgotten = 0 }: CartDocument, number: number): string =>
  forgotten === 0 ? `${call}/${number}` : `${call}/${forgotten}/${number}`;

/** Guard of every change: the cart is active, the call is neither done nor refused, and this attempt has not been given up. */
export const stillWanted = (cart: CartDocument, attempt: string, call: string) => ({
  ...undecided(cart, call),
  state: 'ACTIVE' as const,
  [`calls.${ENTRIES_MAX - 1}`]: { $exists: false },
  revoked: { $ne: attempt },
});

const undecided = (cart: CartDocument, call: string) => ({
  _id: cart._id,
  calls: { $ne: call },
  'refused.call': { $ne: call },
  forgotten: forgottenOf(cart), // a call forgotten since may have been this one
});

/** @returns false when another process has continued this call, so that its hold has its line */
export async function giveUp(db: Db, { _id }: CartDocument, attempt: string, call: string): Promise<boolean> {
  const { matchedCount } = await carts(db).updateOne(
    { _id, calls: { $ne: call } }, // guard: the call has produced no line and never will
    { $push: { revoked: attempt } },
  );
  return matchedCount === 1;
}

/**
 * Ensures that a refused call is not done by another process that continues it and finds, for example, enough stock.
 * @returns false when the cart has changed since: read again
 */
export async function refuseCall(db: Db, cart: CartDocument, call: string, refusal: CartRefusal): Promise<boolean> {
  if (!isKeyed(call)) return true; // no other process can continue it
  const { matchedCount } = await carts(db).updateOne(
    { ...undecided(cart, call), [`refused.${ENTRIES_MAX - 1}`]: { $exists: false } }, // guard: not done, and the first refusal wins
    { $push: { refused: { call, refusal } } },
  );
  failpoint('cart.refused');
  return matchedCount === 1;
}

export const refusalOf = ({ refused = [] }: CartDocument, call: string): CartRefusal | undefined =>
  refused.find((one) => one.call === call)?.refusal;
