/** Shared by the shop scenarios. The shop is set up directly; what is tested goes through the API. */
import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import type { Answer, Product, ProductClient } from '../../harness/product.js';
import { type CartDocument, startCart } from '../../src/models/commerce/orders/cart.js';
import { inOrderOfRuns } from '../../src/models/domain.js';
import { recover } from '../../src/models/recovery.js';
import { toGlobalId } from '../../src/shared/global-id.js';
import { answerOrNull } from '../crash/scenario.js';
import { openAllDomains } from '../support/domains.js';
import { openShop, stockOfSku } from './shop.js';

export const STOCK = 100;
export const PRICE = 10;
const CALL_MS = 500;
const LOOK_MS = 20;
export const KEY = 'the key of the call';

export interface Furnished {
  readonly cart: string;
  readonly account: string;
}

/** A product A, a cart with two of it, and an account. */
export async function furnish(db: Db, balance = 1000): Promise<Furnished> {
  const shop = await openShop(db);
  await shop.stock('A', STOCK, PRICE);
  const cart = await startCart(db, 'EUR', new Date());
  await shop.add(cart, { sku: 'A', quantity: 2 }, new Date());
  return { cart: cart._id, account: (await shop.open(balance))._id };
}

/** Its id in the API. */
export const cartId = (cart: string) => toGlobalId('Cart', cart);
export const accountId = (account: string) => toGlobalId('Account', account);

/** @returns null when the process died */
export function mutate(product: ProductClient, mutation: string): Promise<Answer<{ answer: Outcome }> | null> {
  return answerOrNull(product.request<{ answer: Outcome }>(`mutation { answer: ${mutation} }`));
}

export interface Outcome {
  readonly __typename: string;
  readonly id?: string;
}

/** The mutation's result, which is required. */
export async function outcomeOf(product: ProductClient, mutation: string): Promise<Outcome> {
  const answer = await mutate(product, mutation);
  expect(answer?.errors).toBeUndefined();
  if (!answer?.data) throw new Error('The process died');
  return answer.data.answer;
}

export const addToCart = (cart: string, sku = 'A', quantity = 3) =>
  `addToCart(cartId: "${cartId(cart)}", sku: "${sku}", quantity: ${quantity}, idempotencyKey: "${KEY}") { __typename ... on Cart { id } }`;
export const changeQuantity = (cart: string, quantity: number) =>
  `changeQuantity(cartId: "${cartId(cart)}", sku: "A", quantity: ${quantity}) { __typename }`;
export const checkOut = ({ cart, account }: Furnished) =>
  `checkOut(cartId: "${cartId(cart)}", payment: { account: "${accountId(account)}" }, idempotencyKey: "${KEY}") { __typename ... on Order { id } }`;

/** @returns the order of a customer who has bought the cart */
export async function bought(db: Db, product: ProductClient, balance?: number): Promise<string> {
  return (await outcomeOf(product, checkOut(await furnish(db, balance)))).id ?? '';
}

/** The `act` of a scenario: prepares data, and sends a mutation during which the process dies. */
export const unanswered =
  <Seen>(prepare: (db: Db, product: ProductClient) => Promise<Seen>, mutation: (seen: Seen) => string) =>
  async (product: ProductClient, db: Db): Promise<Seen> => {
    const seen = await prepare(db, product);
    expect(await mutate(product, mutation(seen))).toBeNull();
    return seen;
  };

/** Lets the time pass after which others continue the work of a dead process. */
export async function letTimePass(db: Db): Promise<void> {
  await db.collection('idempotency').updateMany({}, { $set: { locked_until: new Date(0) } });
}

/** The work of the workers once enough time has passed. */
export async function letWorkersRun(db: Db): Promise<void> {
  const workers = inOrderOfRuns(await openAllDomains(db)).filter(({ isDaily }) => !isDaily);
  for (const worker of [...workers, ...workers]) // a second run changes nothing
    while ((await recover(db, worker, { now: new Date(), all: true })) === null)
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS)); // a server's own job is running
}

/** Makes the running server's scheduler start its jobs repeatedly, until the process has died. */
export async function callJobs(db: Db, { process: { ended } }: Product): Promise<void> {
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  while (!hasEnded) {
    await db.collection('jobs').updateMany({}, { $set: { next_run_at: new Date(0) } });
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, CALL_MS))]);
  }
}

/** Free, held, sold, ever stocked. */
export async function expectStock(db: Db, free: number, held: number, sold: number): Promise<void> {
  expect(await stockOfSku(db, 'A')).toEqual([free, held, sold, STOCK]);
}

/** Each order was paid for and sold once, and nothing else was. */
export async function expectOnce(db: Db, orders: number, units: number): Promise<void> {
  expect(await db.collection('orders').countDocuments()).toBe(orders);
  expect(await db.collection<{ _id: string }>('accounts').findOne({ _id: 'store' })).toMatchObject({
    balance: units * PRICE,
  });
  const [, , sold] = (await stockOfSku(db, 'A')) ?? [];
  expect(sold).toBe(units);
}

/** A cart with no lines and a random id, as `startCart` creates it. */
export const emptyCart = (db: Db): Promise<CartDocument> => startCart(db, 'EUR', new Date(), { id: randomUUID() });
