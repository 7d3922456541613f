/** Customers who buy without a pause, and a ledger of what they were told: what the database must hold after any crash. */
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import type { OrderDocument } from '../../src/models/commerce/order.js';
import { idOfType, toGlobalId } from '../../src/shared/global-id.js';
import { openShop, type Shop, stockOfSku } from '../commerce/shop.js';
import type { Product } from '../support/product.js';
import type { Random } from '../support/random.js';
import { answerOrNull } from './scenario.js';

const SKUS = ['A', 'B', 'C'] as const; // few, so that the customers meet
const PRICE = 7;

/** A checkout that was sent: the customer repeats it until it is answered. */
interface Purchase {
  readonly cart: string;
  readonly key: string;
}

export class ShopLedger {
  /** Orders that were acknowledged. */
  readonly #orders = new Map<string, number>();
  #unanswered: Purchase[] = [];
  #answers = 0;

  private constructor(
    readonly shop: Shop,
    /** That of all customers. */
    readonly account: string,
  ) {}

  static async open(db: Db): Promise<ShopLedger> {
    const shop = await openShop(db);
    for (const sku of SKUS) await shop.stock(sku, 1_000_000, PRICE);
    return new ShopLedger(shop, (await shop.open(1_000_000_000))._id);
  }

  get answers(): number {
    return this.#answers;
  }

  answered(): void {
    this.#answers += 1;
  }

  ordered(id: string, total: number): void {
    this.#orders.set(id, total);
  }

  unanswered(purchase: Purchase): void {
    this.#unanswered.push(purchase);
  }

  /** Repeats what was not answered. */
  async repeat(product: Product): Promise<void> {
    for (const purchase of this.#unanswered.splice(0)) await checkOut(product, this, purchase);
  }

  /** Every acknowledged order is there, each was paid for and sold once, and nothing else was. */
  async check(db: Db): Promise<void> {
    const orders = await db.collection<OrderDocument>('orders').find().toArray();
    const totals = new Map(orders.map(({ _id, total }) => [_id, total]));
    for (const [id, total] of this.#orders) expect(totals.get(id), id).toBe(total);
    const store = await this.shop.balance({ _id: 'store' });
    expect(store).toBe(orders.reduce((sum, { total }) => sum + total, 0));
    for (const sku of SKUS) {
      const lines = orders.flatMap((order) => order.lines).filter((line) => line.sku === sku);
      const [, , sold] = (await stockOfSku(db, sku)) ?? [];
      expect(sold, sku).toBe(lines.reduce((sum, { qty }) => sum + qty, 0));
    }
  }
}

type Answered = { readonly answer: { readonly id?: string; readonly total?: { readonly amount: number } } };

/** @returns null when the process died */
async function mutate(product: Product, mutation: string) {
  return answerOrNull(product.request<Answered>(`mutation { answer: ${mutation} }`));
}

/** @returns false when the process died */
async function checkOut(product: Product, ledger: ShopLedger, purchase: Purchase): Promise<boolean> {
  const { cart, key } = purchase;
  const account = toGlobalId('Account', ledger.account);
  const answer = await mutate(
    product,
    `checkOut(cartId: "${cart}", payment: { account: "${account}" }, idempotencyKey: "${key}") { ... on Order { id total { amount } } }`,
  );
  if (!answer?.data) ledger.unanswered(purchase);
  else if (answer.data.answer.id)
    ledger.ordered(idOfType('Order', answer.data.answer.id) ?? '', answer.data.answer.total?.amount ?? 0);
  return answer !== null;
}

/** Buys until the process dies. */
async function customer(product: Product, ledger: ShopLedger, random: Random): Promise<void> {
  for (;;) {
    const started = await mutate(product, 'startCart { id }');
    if (started === null) return;
    const cart = started.data?.answer.id;
    if (!cart) continue;
    const line = () => `cartId: "${cart}", sku: "${random.pick(SKUS)}"`;
    const changes = [
      `addToCart(${line()}, quantity: ${1 + random.below(3)}) { __typename }`,
      `addToCart(${line()}, quantity: ${1 + random.below(3)}, idempotencyKey: "add") { __typename }`,
      `changeQuantity(${line()}, quantity: ${1 + random.below(5)}) { __typename }`,
      `removeFromCart(${line()}) { __typename }`,
    ];
    for (const change of changes) {
      if (random.below(4) === 0) continue;
      if ((await mutate(product, change)) === null) return;
      ledger.answered();
    }
    if (random.below(5) === 0) continue; // leaves the cart
    if (!(await checkOut(product, ledger, { cart, key: `pay ${random.below(1_000_000)}` }))) return;
    ledger.answered();
  }
}

/** @returns when all have found that the process died */
export async function sendCustomers(
  product: Product,
  ledger: ShopLedger,
  random: Random,
  customers: number,
): Promise<void> {
  await Promise.all(Array.from({ length: customers }, () => customer(product, ledger, random)));
}
