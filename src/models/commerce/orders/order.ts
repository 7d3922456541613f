/**
 * Orders: the lines and their total in one document, so one delete removes an order.
 * Invariant: total = sum of price x qty of the lines, at every moment. Each change of a line changes the total in the same update.
 * Source pattern: orders (commerce, section 4), where the total increases by a constant.
 */
import type { ClientSession, Db } from 'mongodb';
import {
  commitConcernOf,
  defineCollection,
  findNewestFirst,
  inTransaction,
  isDuplicateKey,
} from '../../../database/index.js';
import { BusyError } from '../../../shared/errors.js';
import { failpoint } from '../../../shared/failpoint.js';
import { type Connection, type PageInput, requireFirst } from '../../../shared/page.js';
import { type Act, type AuditDocument, isRecorded, recordAct } from '../../people/audit.js';
import { findAccountIds, findAccountUsableBy } from '../money/account.js';
import { carts, UNDER_WAY } from './cart.js';

export interface OrderLine {
  sku: string;
  title: string;
  qty: number;
  /** Price per unit, in minor units. */
  price: number;
}

/** Units added to an order. */
export interface OrderRaised extends OrderLine {
  /** The cart that raised the order, as listed in `raises`. */
  cart: string;
  at: Date;
  taken_back_at?: Date;
}

/** A refund in progress (`order-refund.ts`). */
export interface OrderReturn {
  /** Identifies the refund: the key of its payment. */
  call: string;
  lines: OrderLine[];
  amount: number;
  /** The raise to refund. Absent when everything that is left of the order is refunded. */
  raise?: string;
  /** The raises that it refunds. */
  raises: string[];
  /** For the audit trail. */
  entry: AuditDocument;
  at: Date;
}

/** A raise in progress. */
export interface RaiseRoom {
  /** The cart that raises the order. */
  cart: string;
  sku: string;
  qty: number;
}

export interface OrderDocument {
  _id: string;
  /** The buyer. */
  owner: string | null;
  /** The user who entered it, for example a shop assistant. Absent in orders from before this was recorded. */
  entered_by?: string;
  /** The cart of the checkout. While it is PENDING, recovery of a crashed checkout may store the order again. */
  cart: string;
  /** The account that paid, and that is charged when a quantity is raised. */
  account: string;
  currency: string;
  lines: OrderLine[];
  total: number;
  placed_at: Date;
  /** Carts that raised quantities. Each counts once. */
  raises: string[];
  /** What each of them added. Absent in orders from before this was recorded, which can only be refunded as a whole. */
  raised?: OrderRaised[];
  /** A refund in progress. */
  returning?: OrderReturn;
  /** Completed refunds, each once. */
  refunds?: { call: string; amount: number; raise?: string; at: Date }[];
  /** Raises in progress. They count toward the limits (`order-raise-room.ts`). */
  raising?: RaiseRoom[];
}

export const orders = defineCollection<OrderDocument>('orders', [
  { key: { owner: 1, placed_at: -1, _id: -1 } }, // findOrdersOf: by buyer
  { key: { account: 1, placed_at: -1, _id: -1 } }, // findOrdersOf: by payer
  { key: { entered_by: 1, placed_at: -1, _id: -1 }, partialFilterExpression: { entered_by: { $exists: true } } }, // personal-data.ts
  { key: { placed_at: -1, _id: -1 } }, // findOrders
  { key: { raises: 1 }, partialFilterExpression: { 'raises.0': { $exists: true } } }, // isOfOrder
  { key: { 'returning.at': 1 }, partialFilterExpression: { 'returning.at': { $exists: true } } }, // recoverRefunds
]);

/** How many times quantities of an order can be raised, to keep its document small. */
export const RAISES_MAX = 500;

/** Stores an order, once. @returns the stored one */
export async function placeOrder(db: Db, order: OrderDocument): Promise<OrderDocument> {
  try {
    await orders(db).insertOne(order); // guard: `_id` is the checkout's
    return order;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return (await findOrder(db, order._id)) ?? order;
  }
}

/**
 * Raises the quantity of a line and the total with it. Adds the line if it does not exist.
 * @param cartId identifies the raise, which counts once
 * @returns null when there is no such order
 */
export async function raiseLine(
  db: Db,
  id: string,
  cartId: string,
  line: OrderLine,
  now: Date,
): Promise<OrderDocument | null> {
  const { sku, price, qty } = line;
  const change = {
    $inc: { total: qty * price },
    $push: { raises: cartId, raised: { ...line, cart: cartId, at: now } },
  };
  for (;;) {
    const raised =
      (await orders(db).findOneAndUpdate(
        { _id: id, raises: { $ne: cartId }, lines: { $elemMatch: { sku, price } } }, // guard: only once, and the line exists
        { ...change, $inc: { ...change.$inc, 'lines.$.qty': qty } },
        { returnDocument: 'after' },
      )) ?? (await pushLine(db, id, cartId, line, change));
    if (raised) return raised;
    const order = await findOrder(db, id);
    if (!order || order.raises.includes(cartId)) return order;
    // Neither matched: the line was added or removed in between.
  }
}

function pushLine(
  db: Db,
  id: string,
  cartId: string,
  line: OrderLine,
  change: { readonly $inc: { total: number }; readonly $push: { raises: string; raised: OrderRaised } },
): Promise<OrderDocument | null> {
  const { sku, price } = line;
  return orders(db).findOneAndUpdate(
    { _id: id, raises: { $ne: cartId }, lines: { $not: { $elemMatch: { sku, price } } } }, // guard: only once, and there is no such line
    { $inc: change.$inc, $push: { ...change.$push, lines: line } },
    { returnDocument: 'after' },
  );
}

/**
 * Deletes the record of an order. Stock, sales and money are not changed.
 * @param call identifies the call: a retry with the same id returns the same result
 * @returns whether there was such an order
 * @throws BusyError its checkout (which would store the order again), a raise or a refund of it is in progress
 */
export async function deleteOrder(db: Db, act: Act, { call, id }: { call: string; id: string }): Promise<boolean> {
  const { value: isDeleted } = await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
    const order = await orders(db).findOneAndDelete({ _id: id }, { session });
    if (!order) return isRecorded(db, session, call); // a process that died may have done it for this call
    await requireNoneUnderWay(db, session, order);
    if (order.returning) throw new BusyError('A refund of the order is still in progress');
    const detail = `${order.total} ${order.currency}`;
    await recordAct(db, session, act, { action: 'ORDER_DELETED', subject: id, detail, call });
    return true;
  });
  failpoint('order.deleted');
  return isDeleted;
}

/** No checkout or raise may be in progress, so that nothing paid for is lost. A later raise finds no order. @throws BusyError */
async function requireNoneUnderWay(
  db: Db,
  session: ClientSession,
  { cart, raises, raising = [] }: OrderDocument,
): Promise<void> {
  const ids = [cart, ...raises, ...raising.map((room) => room.cart)];
  const underWay = { _id: { $in: ids }, state: { $in: UNDER_WAY } };
  if (await carts(db).findOne(underWay, { session, projection: { _id: 1 } }))
    throw new BusyError('A checkout or a raise of the order is still in progress');
}

export function findOrder(db: Db, id: string): Promise<OrderDocument | null> {
  return orders(db).findOne({ _id: id });
}

/**
 * @param owner the user who asks; null for an administrator
 * @returns the order if this user bought it or may use the account that paid for it
 */
export async function findOrderVisibleTo(
  db: Db,
  owner: string | null,
  id: string | null,
): Promise<OrderDocument | null> {
  const order = await findOrder(db, id ?? '');
  if (!order || owner === null || order.owner === owner) return order;
  return (await findAccountUsableBy(db, owner, order.account)) && order;
}

/** Whether an order was placed or raised under this id. For payments from before they were marked. */
export async function isOfOrder(db: Db, call: string): Promise<boolean> {
  const raised = { raises: call, 'raises.0': { $exists: true } }; // matches the partial index
  return (
    (await findOrder(db, call)) !== null || (await orders(db).findOne(raised, { projection: { _id: 1 } })) !== null
  );
}

const FIRST_MAX = 100;

/** All orders, newest first. @throws LimitError `first` exceeds 100 @throws CursorError */
export async function findOrders(db: Db, { first, after }: PageInput): Promise<Connection<OrderDocument>> {
  requireFirst(first, FIRST_MAX);
  return findNewestFirst({ list: 'orders/', moment: 'placed_at', filter: {}, read: readFrom(db) }, { first, after });
}

/** Orders that a user bought or paid for, newest first. @throws LimitError `first` exceeds 100 @throws CursorError */
export async function findOrdersOf(
  db: Db,
  person: string,
  { first, after }: PageInput,
): Promise<Connection<OrderDocument>> {
  requireFirst(first, FIRST_MAX);
  const paidFrom = await findAccountIds(db, person);
  // Two lists, each on its own index, merged by date. A single `$or` query would be sorted in memory.
  const both = (filter: object, limit: number) =>
    Promise.all([
      readFrom(db)({ ...filter, owner: person }, limit),
      paidFrom.length === 0 ? [] : readFrom(db)({ ...filter, account: { $in: paidFrom } }, limit),
    ]);
  const read = async (filter: object, limit: number) => {
    const found = (await both(filter, limit)).flat();
    const byId = new Map(found.map((order) => [order._id, order])); // usually buyer and payer are the same user
    return [...byId.values()].sort(byNewest).slice(0, limit);
  };
  return findNewestFirst({ list: `orders/${person}`, moment: 'placed_at', filter: {}, read }, { first, after });
}

const readFrom = (db: Db) => (filter: object, limit: number) =>
  orders(db).find(filter).sort({ placed_at: -1, _id: -1 }).limit(limit).toArray();

function byNewest(left: OrderDocument, right: OrderDocument): number {
  const difference = right.placed_at.getTime() - left.placed_at.getTime();
  return difference === 0 ? (left._id < right._id ? 1 : -1) : difference;
}
