/**
 * Orders: what was bought, in one document with its total. Deleting one is one delete.
 * Invariant: total = sum of price x qty of the lines, at every instant; each change of a line changes the total in the same update.
 * Source pattern: orders (commerce, section 4), where the total rises by a constant.
 */
import { type Db, MongoServerError } from 'mongodb';
import { commitConcernOf, defineCollection, findNewestFirst, inTransaction } from '../../database/index.js';
import { type Connection, type PageInput, requireFirst } from '../../shared/connection.js';
import { BusyError } from '../../shared/errors.js';
import { failpoint } from '../../shared/failpoint.js';
import { type Act, isRecorded, recordAct } from '../people/audit.js';
import { carts } from './cart.js';

export interface OrderLine {
  sku: string;
  title: string;
  qty: number;
  /** Minor units for one. */
  price: number;
}

export interface OrderDocument {
  _id: string;
  /** The person who ordered. */
  owner: string | null;
  /** The cart that it comes of: while that one is PENDING, a crashed checkout may still store the order again. */
  cart: string;
  /** The account that paid, and pays when a quantity is raised. */
  account: string;
  currency: string;
  lines: OrderLine[];
  total: number;
  placed_at: Date;
  /** Carts by which quantities were raised: each counts once. */
  raises: string[];
}

export const orders = defineCollection<OrderDocument>('orders', [
  { key: { owner: 1, placed_at: -1, _id: -1 } }, // findOrders of a person
  { key: { placed_at: -1, _id: -1 } }, // findOrders
]);

/** How often quantities of an order can be raised: its document stays small. */
export const RAISES_MAX = 500;

const MAJORITY = { writeConcern: { w: 'majority' } } as const;
const DUPLICATE_KEY = 11000;

/** Stores an order, once. @returns the stored one */
export async function placeOrder(db: Db, order: OrderDocument): Promise<OrderDocument> {
  try {
    await orders(db).insertOne(order, MAJORITY); // guard: `_id` is the checkout's
    return order;
  } catch (error) {
    if (!(error instanceof MongoServerError && error.code === DUPLICATE_KEY)) throw error;
    return (await findOrder(db, order._id)) ?? order;
  }
}

/**
 * Raises the quantity of a line and the total by as much; a line that is not there is put in.
 * @param cartId names the raise, which counts once
 * @returns null when there is no such order (any more)
 */
export async function raiseLine(db: Db, id: string, cartId: string, line: OrderLine): Promise<OrderDocument | null> {
  const { sku, price, qty } = line;
  const change = { $inc: { total: qty * price }, $push: { raises: cartId } };
  for (;;) {
    const raised =
      (await orders(db).findOneAndUpdate(
        { _id: id, raises: { $ne: cartId }, lines: { $elemMatch: { sku, price } } }, // guard: once, and the line is there
        { ...change, $inc: { ...change.$inc, 'lines.$.qty': qty } },
        { returnDocument: 'after', ...MAJORITY },
      )) ?? (await pushLine(db, id, cartId, line, change));
    if (raised) return raised;
    const order = await findOrder(db, id);
    if (!order || order.raises.includes(cartId)) return order;
    // Neither matched: the line came or went in between.
  }
}

function pushLine(
  db: Db,
  id: string,
  cartId: string,
  line: OrderLine,
  change: { readonly $inc: { total: number }; readonly $push: { raises: string } },
): Promise<OrderDocument | null> {
  const { sku, price } = line;
  return orders(db).findOneAndUpdate(
    { _id: id, raises: { $ne: cartId }, lines: { $not: { $elemMatch: { sku, price } } } }, // guard: once, and no such line
    { $inc: change.$inc, $push: { ...change.$push, lines: line } },
    { returnDocument: 'after', ...MAJORITY },
  );
}

/**
 * Erases the record. Stock, sales and money stay as they are.
 * @param call names the call: repeated with the same name, it tells the same
 * @returns whether there was one
 * @throws BusyError its checkout has not ended: it would store the order again
 */
export async function deleteOrder(db: Db, act: Act, { call, id }: { call: string; id: string }): Promise<boolean> {
  const { value: isDeleted } = await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
    const order = await orders(db).findOneAndDelete({ _id: id }, { session });
    if (!order) return isRecorded(db, session, call); // a process that died, perhaps, has done it for this call
    const paying = await carts(db).findOne({ _id: order.cart, state: 'PENDING' }, { session, projection: { _id: 1 } });
    if (paying) throw new BusyError('The checkout of the order has not ended yet');
    const detail = `${order.total} ${order.currency}`;
    await recordAct(db, session, act, { action: 'ORDER_DELETED', subject: id, detail, call });
    return true;
  });
  failpoint('order.deleted');
  return isDeleted;
}

export function findOrder(db: Db, id: string): Promise<OrderDocument | null> {
  return orders(db).findOne({ _id: id });
}

const FIRST_MAX = 100;

/** Newest first. @param owner whose; null for everybody's @throws LimitError `first` is over 100 @throws CursorError */
export async function findOrders(
  db: Db,
  owner: string | null,
  { first, after }: PageInput,
): Promise<Connection<OrderDocument>> {
  requireFirst(first, FIRST_MAX);
  return findNewestFirst(
    {
      list: `orders/${owner ?? ''}`,
      moment: 'placed_at',
      filter: owner === null ? {} : { owner },
      read: (filter, limit) => orders(db).find(filter).sort({ placed_at: -1, _id: -1 }).limit(limit).toArray(),
    },
    { first, after },
  );
}
