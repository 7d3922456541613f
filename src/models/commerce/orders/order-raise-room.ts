/**
 * Reserves room for a raise of an order's quantity before stock and money are taken, so that none of several concurrent raises is paid
 * for unless it fits. A reservation counts until the raise itself is recorded in `raises`, or until its cart can no longer complete.
 * So the reservation of a dead process is released by the next call that would be refused because of it.
 */
import type { Db, Document } from 'mongodb';
import { LimitError } from '../../../shared/errors.js';
import { failpoint } from '../../../shared/failpoint.js';
import { carts, LINES_MAX, UNDER_WAY } from './cart.js';
import { QUANTITY_MAX } from './inventory.js';
import { type OrderDocument, orders, RAISES_MAX, type RaiseRoom } from './order.js';

/**
 * Idempotent for the same cart.
 * @returns false when there is no such order
 * @throws LimitError the line or the order would become too large, including all raises in progress
 */
export async function takeRaiseRoom(db: Db, orderId: string, room: RaiseRoom): Promise<boolean> {
  for (;;) {
    const { matchedCount } = await orders(db).updateOne(
      // Guard: the order, the raises in progress and this one together stay within the limits.
      { _id: orderId, raises: { $ne: room.cart }, 'raising.cart': { $ne: room.cart }, $expr: fits(room) },
      [{ $set: { raising: { $concatArrays: [stillRaising, [{ $literal: room }]] } } }],
    );
    if (matchedCount === 1) return true;
    const order = await orders(db).findOne({ _id: orderId });
    if (!order) return false;
    const raising = order.raising ?? [];
    if (order.raises.includes(room.cart) || raising.some(({ cart }) => cart === room.cart)) return true;
    if (!(await dropLeft(db, orderId, raising))) throw limitOf(order, room);
  }
}

/** Releases the room of a raise that failed. Idempotent. */
export async function giveRaiseRoomBack(db: Db, orderId: string, cart: string): Promise<void> {
  failpoint('order.raise.refused');
  await orders(db).updateOne({ _id: orderId }, { $pull: { raising: { cart } } });
}

/** Raises not yet counted in their line. Older orders have none. */
const stillRaising: Document = {
  $filter: {
    input: { $ifNull: ['$raising', []] },
    as: 'one',
    cond: { $not: [{ $in: ['$$one.cart', '$raises'] }] },
  },
};

const unitsIn = (list: Document | string, sku: string): Document => ({
  $sum: {
    $map: {
      input: { $filter: { input: list, as: 'one', cond: { $eq: ['$$one.sku', { $literal: sku }] } } },
      as: 'one',
      in: '$$one.qty',
    },
  },
});

function fits({ sku, qty }: RaiseRoom): Document {
  const newSkus = {
    $setDifference: [
      { $setUnion: [{ $map: { input: stillRaising, as: 'one', in: '$$one.sku' } }, [{ $literal: sku }]] },
      '$lines.sku',
    ],
  };
  return {
    $and: [
      { $lte: [{ $add: [unitsIn('$lines', sku), unitsIn(stillRaising, sku), qty] }, QUANTITY_MAX] },
      { $lte: [{ $add: [{ $size: '$lines' }, { $size: newSkus }] }, LINES_MAX] },
      { $lt: [{ $add: [{ $size: '$raises' }, { $size: stillRaising }] }, RAISES_MAX] },
    ],
  };
}

/**
 * @returns whether there were any whose cart can no longer complete. They are gone afterwards, whichever call dropped them, so each
 *   try of the caller has fewer of them to drop
 */
async function dropLeft(db: Db, orderId: string, raising: readonly RaiseRoom[]): Promise<boolean> {
  const ids = raising.map(({ cart }) => cart);
  const alive = await carts(db)
    .find({ _id: { $in: ids }, state: { $in: UNDER_WAY } }, { projection: { _id: 1 } })
    .toArray();
  const living = new Set(alive.map(({ _id }) => _id));
  const left = ids.filter((id) => !living.has(id));
  if (left.length === 0) return false;
  await orders(db).updateOne(
    { _id: orderId },
    { $pull: { raising: { cart: { $in: left } } } }, // a cart that has ended never becomes active again
  );
  failpoint('order.raise.room-freed');
  return true;
}

function limitOf({ lines, raises, raising = [] }: OrderDocument, { sku, qty }: RaiseRoom): LimitError {
  const under = raising.filter(({ cart }) => !raises.includes(cart));
  const units = [...lines, ...under].reduce((sum, one) => (one.sku === sku ? sum + one.qty : sum), qty);
  if (units > QUANTITY_MAX) return new LimitError(`A line has at most ${QUANTITY_MAX} units`, QUANTITY_MAX);
  return raises.length + under.length >= RAISES_MAX
    ? new LimitError(`An order can be raised at most ${RAISES_MAX} times`, RAISES_MAX)
    : new LimitError(`An order has at most ${LINES_MAX} lines`, LINES_MAX);
}
