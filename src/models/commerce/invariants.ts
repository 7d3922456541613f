/**
 * The invariants of stock, carts, orders and money after the workers have run. The sums within a product, the total of an order and the
 * sum of all money hold at every moment.
 */
import type { ClientSession, Db, Document } from 'mongodb';
import { inSnapshotBatches, type Visited, visitOnly } from '../../database/collections/snapshot-batches.js';
import { type Hold, type ProductDocument, products } from './catalog/product.js';
import { isCounted } from './catalog/product-form.js';
import { accounts } from './money/account.js';
import { readNote, transactions } from './money/transfer.js';
import { type CartDocument, type CartLine, type CartState, carts, lineOf } from './orders/cart.js';
import { orders } from './orders/order.js';

export interface CommerceViolation {
  readonly invariant:
    | 'stock-is-conserved'
    | 'stock-is-not-negative'
    | 'hold-has-its-line'
    | 'line-has-its-hold'
    | 'order-total-is-sum-of-lines'
    | 'balance-is-not-negative'
    | 'money-is-conserved'
    | 'transfer-is-reversed-once'
    | 'checkout-ends'
    | 'refund-ends'
    | 'cart-expiry-ends'
    | 'transfer-ends';
  readonly subject: string;
  readonly expected: number;
  readonly found: number;
}

/** Reads all products, carts, orders and accounts. */
export async function* findCommerceViolations(db: Db, visited: Visited = visitOnly): AsyncGenerator<CommerceViolation> {
  for await (const { documents, session } of inSnapshotBatches(db, products(db), { projection: STOCK, visited })) {
    const present = documents.filter(isCounted); // older forms are not counted yet
    for (const product of present) yield* wrongSums(product);
    yield* wrongHolds(db, present, session);
  }
  for await (const { documents, session } of inSnapshotBatches(db, carts(db), { visited })) {
    yield* wrongLines(db, documents.filter(isLive), session);
  }
  for await (const { documents } of inSnapshotBatches(db, orders(db), { visited })) {
    for (const { _id, lines, total: found } of documents) {
      const expected = lines.reduce((sum, { qty, price }) => sum + qty * price, 0);
      yield* difference({ invariant: 'order-total-is-sum-of-lines', subject: _id, expected, found });
    }
  }
  yield* wrongMoney(db);
  yield* wrongReversals(db);
  yield* stuckWork(db);
}

/** Ten times the workers' default delay: they look every 30 seconds for work without progress for 30 seconds. */
const STUCK_AFTER_S = 600;

/** Work that should have ended: carts being paid for or expiring, refunds, and transfers. By the server's clock. */
async function* stuckWork(db: Db): AsyncGenerator<CommerceViolation> {
  // A cart that started to expire before `expiring_since` was recorded counts from its last change.
  const stuckCarts = {
    state: { $in: ['PENDING', 'EXPIRING'] as CartState[] },
    ...isStuckSince({ $ifNull: ['$expiring_since', '$last_modified'] }),
  };
  for await (const { _id, state, seconds } of carts(db).aggregate<Stuck>([
    { $match: stuckCarts },
    { $project: STUCK_PROJECTION },
  ])) {
    const invariant = state === 'PENDING' ? 'checkout-ends' : 'cart-expiry-ends';
    yield { invariant, subject: `cart ${_id}, seconds without progress`, expected: STUCK_AFTER_S, found: seconds };
  }
  for await (const { _id, seconds } of transactions(db).aggregate<Stuck>([
    { $match: { state: { $in: ['NEW', 'COMMIT', 'ROLLBACK'] }, ...isStuckSince('$last_modified') } },
    { $project: STUCK_PROJECTION },
  ]))
    yield {
      invariant: 'transfer-ends',
      subject: `${_id}, seconds without progress`,
      expected: STUCK_AFTER_S,
      found: seconds,
    };
  for await (const { _id, seconds: found } of orders(db).aggregate<Stuck>([
    { $match: { 'returning.at': { $exists: true }, ...isStuckSince('$returning.at') } },
    { $project: { seconds: secondsSince('$returning.at') } },
  ]))
    yield {
      invariant: 'refund-ends',
      subject: `order ${_id}, seconds without progress`,
      expected: STUCK_AFTER_S,
      found,
    };
}

interface Stuck {
  readonly _id: string;
  readonly state: string;
  readonly seconds: number;
}

const secondsSince = (moment: Document | string): Document => ({
  $floor: { $divide: [{ $subtract: ['$$NOW', moment] }, 1000] },
});
const isStuckSince = (moment: Document | string) => ({ $expr: { $gt: [secondsSince(moment), STUCK_AFTER_S] } });
const STUCK_PROJECTION = { state: 1, seconds: secondsSince({ $ifNull: ['$expiring_since', '$last_modified'] }) };

const STOCK = { qty: 1, carted: 1, sold: 1, stocked: 1, version: 1 };

const isLive = ({ state }: CartDocument): boolean => state === 'ACTIVE' || state === 'PENDING';

function* wrongSums({ _id: subject, qty, carted, sold, stocked }: ProductDocument): Generator<CommerceViolation> {
  const held = carted.reduce((sum, hold) => sum + hold.qty, 0);
  const found = qty + held + sold;
  yield* difference({ invariant: 'stock-is-conserved', subject, expected: stocked, found });
  for (const [part, units] of Object.entries({ qty, sold, stocked }))
    if (units < 0)
      yield { invariant: 'stock-is-not-negative', subject: `${subject} ${part}`, expected: 0, found: units };
}

/** Every hold matches a line of a live cart. */
async function* wrongHolds(
  db: Db,
  documents: readonly ProductDocument[],
  session: ClientSession,
): AsyncGenerator<CommerceViolation> {
  const ids = [...new Set(documents.flatMap(({ carted }) => carted.map(({ cart_id }) => cart_id)))];
  if (ids.length === 0) return;
  const found = await carts(db)
    .find({ _id: { $in: ids } }, { session })
    .toArray();
  const cartById = new Map(found.filter(isLive).map((cart) => [cart._id, cart]));
  for (const { _id: sku, carted } of documents) {
    for (const hold of carted) {
      const cart = cartById.get(hold.cart_id);
      const subject = `${sku} in the cart ${hold.cart_id}`;
      yield* compare('hold-has-its-line', subject, { expected: cart && lineOf(cart, sku), found: hold });
    }
  }
}

/** Every line of a live cart is held, unless its product was deleted. */
async function* wrongLines(
  db: Db,
  live: readonly CartDocument[],
  session: ClientSession,
): AsyncGenerator<CommerceViolation> {
  const skus = [...new Set(live.flatMap(({ items }) => items.map(({ sku }) => sku)))];
  if (skus.length === 0) return;
  const found = await products(db)
    .find({ _id: { $in: skus } }, { session, projection: { carted: 1 } })
    .toArray();
  const holdsBySku = new Map(found.map(({ _id, carted }) => [_id, carted]));
  for (const { _id: cartId, items } of live) {
    for (const line of items) {
      const holds = holdsBySku.get(line.sku);
      const hold = holds?.find(({ cart_id }) => cart_id === cartId);
      const subject = `${line.sku} in the cart ${cartId}`;
      if (holds) yield* compare('line-has-its-hold', subject, { expected: line, found: hold });
    }
  }
}

/** Compares quantities. Equal quantities of different calls are reported as a difference of all units. */
function* compare(
  invariant: CommerceViolation['invariant'],
  subject: string,
  { expected, found }: { readonly expected: CartLine | Hold | undefined; readonly found: CartLine | Hold | undefined },
): Generator<CommerceViolation> {
  if (expected?.call === found?.call && expected?.qty === found?.qty) return;
  const sameUnits = expected?.qty === found?.qty;
  yield { invariant, subject, expected: sameUnits ? 0 : (expected?.qty ?? 0), found: found?.qty ?? 0 };
}

/** All balances plus money in transit equal the sum of all opening balances. Read at one cluster time. */
async function* wrongMoney(db: Db): AsyncGenerator<CommerceViolation> {
  const session = db.client.startSession({ snapshot: true });
  try {
    const sums = { opened: 0, balances: 0 };
    const notes: { readonly account: string; readonly id: string; readonly run: number }[] = [];
    for await (const account of accounts(db).find({ _id: { $gt: '' } }, { session })) {
      sums.opened += account.opened_with;
      sums.balances += account.balance;
      notes.push(...account.pending.map((note) => ({ account: account._id, ...readNote(note) })));
      if (account.balance < 0)
        yield { invariant: 'balance-is-not-negative', subject: account._id, expected: 0, found: account.balance };
    }
    const found = sums.balances + (await moneyOnItsWay(db, notes, session));
    yield* difference({ invariant: 'money-is-conserved', subject: 'accounts', expected: sums.opened, found });
  } finally {
    await session.endSession();
  }
}

/** An uncommitted debit can be returned, so it counts by the source's note. A committed one counts by the destination's note. */
async function moneyOnItsWay(
  db: Db,
  notes: readonly { readonly account: string; readonly id: string; readonly run: number }[],
  session: ClientSession,
): Promise<number> {
  const ids = [...new Set(notes.map(({ id }) => id))];
  if (ids.length === 0) return 0;
  const found = await transactions(db)
    .find({ _id: { $in: ids } }, { session })
    .toArray();
  const byId = new Map(found.map((transfer) => [transfer._id, transfer]));
  return notes.reduce((sum, { account, id, run }) => {
    const transfer = byId.get(id);
    const isCommitted = transfer?.state === 'COMMIT' && transfer.run === run;
    const counts = transfer && account === (isCommitted ? transfer.to : transfer.from);
    return counts ? sum + transfer.amount : sum;
  }, 0);
}

/** A reversed transfer has exactly one reversal: the one that it names, of the same amount. */
async function* wrongReversals(db: Db): AsyncGenerator<CommerceViolation> {
  const moved = { reverses: { $exists: true }, state: { $in: ['COMMIT' as const, 'RETIRED' as const] } };
  for await (const { _id, reverses = '', amount: found } of transactions(db).find(moved).sort({ reverses: 1 })) {
    const given = await transactions(db).findOne({ _id: reverses });
    const expected = given?.reversed_by === _id ? given.amount : 0;
    yield* difference({ invariant: 'transfer-is-reversed-once', subject: reverses, expected, found });
  }
}

function* difference(violation: CommerceViolation): Generator<CommerceViolation> {
  if (violation.expected !== violation.found) yield violation;
}
