/**
 * What a cart remembers of the calls that change it, so that each happens once, or not at all when it was refused, whoever carries it on:
 *
 *   calls     those that were done
 *   refused   those that were refused, with what they were told
 *   revoked   attempts that were given up, and must not change it any more
 *
 * All three are short. What is forgotten is answered first, under its key (`settleCalls`); and `forgotten` counts it, so that a change
 * which was begun before is refused, and an attempt that was begun after it has another name.
 */
import type { Db } from 'mongodb';
import { failpoint } from '../../shared/failpoint.js';
import { briefOfCart, type CartDocument, type CartRefusal, carts, MAJORITY } from './cart.js';
import { isKeyed, settleCalls } from './idempotency.js';

/** A change that finds as many entries in a list forgets the older ones first; at ENTRIES_MAX none is taken before that. */
export const ENTRIES_KEPT = 20;
export const ENTRIES_MAX = 40;

/** Reads a cart that has room for a call. Whoever repeats a call that was forgotten, a day later perhaps, is told its answer. */
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
      { _id, forgotten: forgottenOf(cart) }, // guard: of several, one does it
      {
        $pull: { calls: { $in: done }, refused: { call: { $in: refused.map(({ call }) => call) } } },
        $set: { revoked: [] }, // what they began is refused by the count
        $inc: { forgotten: 1 },
      },
      MAJORITY,
    );
    failpoint('cart.calls-forgotten');
  }
}

const isFull = ({ calls, refused = [], revoked }: CartDocument): boolean =>
  [calls, refused, revoked].some(({ length }) => length >= ENTRIES_KEPT);

const olderOf = <T>(list: readonly T[]): T[] => list.slice(0, Math.max(0, list.length - ENTRIES_KEPT / 2));

const forgottenOf = ({ forgotten }: CartDocument) => forgotten ?? { $exists: false };

/** Hold and line carry it; whoever carries the call on makes the same attempts. */
export const nameAttempt = (call: string, { forgotten = 0 }: CartDocument, number: number): string =>
  forgotten === 0 ? `${call}/${number}` : `${call}/${forgotten}/${number}`;

/** Guard of every change: still active, the call has neither been done nor refused, and nobody has given up on this attempt. */
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
  forgotten: forgottenOf(cart), // what was forgotten since may have been this very call
});

/** @returns false when another process has carried this very call on, so that its hold has had its line */
export async function giveUp(db: Db, { _id }: CartDocument, attempt: string, call: string): Promise<boolean> {
  const { matchedCount } = await carts(db).updateOne(
    { _id, calls: { $ne: call } }, // guard: no line came of it, and none will
    { $push: { revoked: attempt } },
    MAJORITY,
  );
  return matchedCount === 1;
}

/**
 * Sees to it that a call which is refused is not done by another one who carries it on: for that one, what was short may be there.
 * @returns false when the cart says otherwise by now: read again
 */
export async function refuseCall(db: Db, cart: CartDocument, call: string, refusal: CartRefusal): Promise<boolean> {
  if (!isKeyed(call)) return true; // nobody else has it
  const { matchedCount } = await carts(db).updateOne(
    { ...undecided(cart, call), [`refused.${ENTRIES_MAX - 1}`]: { $exists: false } }, // guard: not done, and the first refusal stands
    { $push: { refused: { call, refusal } } },
    MAJORITY,
  );
  failpoint('cart.refused');
  return matchedCount === 1;
}

export const refusalOf = ({ refused = [] }: CartDocument, call: string): CartRefusal | undefined =>
  refused.find((one) => one.call === call)?.refusal;
