/**
 * Random concurrent operations of many customers, and processes that die after a random number of writes. Once the workers have run,
 * every invariant holds, and everything acknowledged is stored. A failed run prints its seed and a short counterexample.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import { products } from '../../../src/models/commerce/catalog/product.js';
import { accounts, openAccount } from '../../../src/models/commerce/money/account.js';
import { payByTransfer } from '../../../src/models/commerce/money/payment.js';
import { transfer } from '../../../src/models/commerce/money/transfer.js';
import { carts, startCart } from '../../../src/models/commerce/orders/cart.js';
import { addToCart, changeQuantity, removeFromCart } from '../../../src/models/commerce/orders/cart-line.js';
import { checkOut } from '../../../src/models/commerce/orders/checkout.js';
import { orders } from '../../../src/models/commerce/orders/order.js';
import { raiseOrderQuantity } from '../../../src/models/commerce/orders/order-raise.js';
import { SextantError } from '../../../src/shared/errors.js';
import { emptyShop, euros, expectNoViolations, minutesLater, now, openShop, type Shop, stockOfSku } from '../shop.js';
import { Died, dyingDatabase } from './interruptions.js';

let database: Db;
let shop: Shop;

const SKUS = ['A', 'B'] as const;
const CARTS = 3;
const BALANCE = 900;

const kinds = {
  add: 6,
  change: 2,
  remove: 1,
  'check out': 5,
  raise: 6,
  transfer: 2,
  expire: 1,
  repair: 1,
} as const;
type Kind = keyof typeof kinds;

const step = fc.record({
  kind: fc.constantFrom(...Object.entries(kinds).flatMap(([kind, weight]) => Array<Kind>(weight).fill(kind as Kind))),
  cart: fc.nat(CARTS - 1),
  sku: fc.constantFrom(...SKUS),
  quantity: fc.integer({ min: 1, max: 3 }),
  /** The number of writes after which the process dies; null if it survives. */
  dies: fc.option(fc.nat(14), { nil: null, freq: 3 }),
  /** Whether another process executes the same call concurrently, like a retry. */
  isRepeated: fc.boolean(),
});
const schedule = fc.record({
  /** Whether a customer has bought before the first batch: few schedules raise an order that one of their own batches has placed. */
  hasOrder: fc.boolean(),
  batches: fc.array(fc.array(step, { minLength: 1, maxLength: 5, size: 'max' }), {
    minLength: 2,
    maxLength: 7,
    size: 'max',
  }),
});
type Schedule = typeof schedule extends fc.Arbitrary<infer T> ? T : never;
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** By customer. */
const cartIds: string[] = [];

/** The maximum number of minutes the clock has run ahead: valid holds are marked as seen at that time. */
let aheadMinutes = 0;

/** How often the tested situations have occurred. */
const reached = { died: 0, bought: 0, raised: 0, refused: 0 };

/** The steps of a batch run concurrently. Each batch starts when the previous one has ended. */
async function play({ hasOrder, batches }: Schedule): Promise<void> {
  await emptyShop(database);
  shop = await openShop(database);
  aheadMinutes = 0;
  for (const sku of SKUS) await shop.stock(sku, 9, 40);
  for (let n = 0; n < CARTS; n += 1) await start(n);
  if (hasOrder) await buy();
  for (const batch of batches) await Promise.all(batch.map(perform));
  await expectAtRest();
}

async function start(n: number): Promise<void> {
  cartIds[n] = `cart-${n}`;
  await startCart(database, 'EUR', now, { id: `cart-${n}` });
  await openAccount(database, { id: `account-${n}`, owner: `${n}`, opening: euros(BALANCE) }, now);
}

async function buy(): Promise<void> {
  const purchase = { cart: 0, sku: 'A', quantity: 1, dies: null, isRepeated: false } as const;
  for (const kind of ['add', 'check out'] as const) await operate({ ...purchase, kind }, randomUUID(), database);
  expect(await orders(database).countDocuments()).toBe(1);
}

async function perform(one: Step): Promise<void> {
  await newCartAfterAnOrder(one.cart);
  const call = randomUUID();
  const db = one.dies === null ? database : dyingDatabase(database, one.dies);
  await Promise.all([attempt(one, call, db), one.isRepeated && attempt(one, call, database)]);
}

async function attempt(one: Step, call: string, db: Db): Promise<void> {
  try {
    const outcome = await operate(one, call, db);
    if (outcome && typeof outcome === 'object' && '__typename' in outcome) reached.refused += 1;
  } catch (error) {
    if (error instanceof Died) reached.died += 1;
    else if (!(error instanceof SextantError)) throw error;
  }
}

/** A customer who has bought continues with another cart, known to the tests by the same number. */
async function newCartAfterAnOrder(n: number): Promise<void> {
  const current = await carts(database).findOne({ _id: cartIds[n] ?? '' });
  if (current && (current.state === 'ACTIVE' || current.state === 'PENDING')) return;
  cartIds[n] = randomUUID();
  await startCart(database, 'EUR', now, { id: cartIds[n] });
}

function operate({ kind, cart, sku, quantity }: Step, call: string, db: Db): Promise<unknown> {
  const cartId = cartIds[cart] ?? '';
  switch (kind) {
    case 'add':
      return addToCart(db, { call, cartId, sku, quantity }, now);
    case 'change':
      return changeQuantity(db, { call, cartId, sku, quantity }, now);
    case 'remove':
      return removeFromCart(db, { call, cartId, sku }, now);
    case 'check out':
      return checkOut(db, payByTransfer(db), { call, cartId, account: `account-${cart}`, owner: `${cart}` }, now);
    case 'raise':
      return raiseAny(db, call, sku, quantity);
    case 'transfer':
      return transfer(
        db,
        call,
        { from: `account-${cart}`, to: `account-${(cart + 1) % CARTS}`, amount: euros(quantity * 100) },
        now,
      );
    case 'expire':
      aheadMinutes = Math.max(aheadMinutes, quantity * 11);
      return shop.recover(minutesLater(quantity * 11)); // the clock runs ahead; with 3, every cart is idle
    default:
      return shop.recover(minutesLater(2));
  }
}

async function raiseAny(db: Db, call: string, sku: string, by: number): Promise<unknown> {
  const order = await orders(database).findOne({});
  return order && raiseOrderQuantity(db, payByTransfer(db), { call, order, sku, by }, now);
}

/** Runs the workers as a live process does. Then nothing is in progress and all invariants hold. */
async function expectAtRest(): Promise<void> {
  await shop.recover(minutesLater(aheadMinutes + 6), true);
  await expectNoViolations(database);
  expect(await carts(database).countDocuments({ state: { $in: ['PENDING', 'EXPIRING'] } })).toBe(0);
  expect(await accounts(database).countDocuments({ pending: { $ne: [] } })).toBe(0);
  const placed = await orders(database).find().toArray();
  reached.bought += placed.length;
  reached.raised += placed.reduce((sum, { raises }) => sum + raises.length, 0);
  for (const sku of SKUS) {
    const ordered = placed.flatMap(({ lines }) => lines).filter((line) => line.sku === sku);
    const sold = ordered.reduce((sum, { qty }) => sum + qty, 0);
    expect((await stockOfSku(database, sku))?.[2]).toBe(sold); // nothing sold without an order, nothing ordered without a sale
  }
  const paid = placed.reduce((sum, { total }) => sum + total, 0);
  expect((await accounts(database).findOne({ _id: 'store' }))?.balance).toBe(paid); // each order was paid for once
  await shop.recover(minutesLater(100), true); // every cart has expired
  expect(await products(database).countDocuments({ carted: { $ne: [] } })).toBe(0);
  await expectNoViolations(database);
}

/** @returns the accumulated coverage @throws Error with the seed and the shortest failing schedule */
export async function playSchedules(db: Db, count: number): Promise<Readonly<Record<string, number>>> {
  database = db;
  await fc.assert(fc.asyncProperty(schedule, play), { numRuns: count });
  process.stderr.write(`schedules reached: ${JSON.stringify(reached)}\n`);
  return reached;
}
