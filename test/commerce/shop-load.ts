/** Customers who buy continuously, and a ledger of acknowledgments: what the database must hold after any crash. */
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import type { Answer, Product } from '../../harness/product.js';
import type { Random } from '../../harness/random.js';
import type { CartDocument } from '../../src/models/commerce/orders/cart.js';
import type { OrderDocument } from '../../src/models/commerce/orders/order.js';
import { idOfType, toGlobalId } from '../../src/shared/global-id.js';
import { answerOrNull } from '../crash/scenario.js';
import { openShop, type Shop, stockOfSku } from './shop.js';

const SKUS = ['A', 'B', 'C'] as const; // few, so that the customers compete
const PRICE = 7;
const LOOK_MS = 2;

/** The lines of a cart: quantities by SKU. */
type Lines = Readonly<Record<string, number>>;

/** A checkout that was sent: the customer retries it until it is answered. */
interface Purchase {
  readonly cart: string;
  readonly key: string;
}

export class ShopLedger {
  /** Orders that were acknowledged. */
  readonly #orders = new Map<string, number>();
  /** Carts as last acknowledged, without those with a later unanswered call. */
  readonly #carts = new Map<string, Lines>();
  #unanswered: Purchase[] = [];
  #answers = 0;

  private constructor(
    readonly shop: Shop,
    /** The account of all customers. */
    readonly account: string,
  ) {}

  static async open(db: Db): Promise<ShopLedger> {
    const shop = await openShop(db);
    for (const sku of SKUS) await shop.stock(sku, 1_000_000, PRICE);
    return new ShopLedger(shop, (await shop.open(1_000_000_000))._id);
  }

  /** Waits until this many more calls are answered. */
  async reach(answers: number): Promise<void> {
    const end = this.#answers + answers;
    while (this.#answers < end) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }

  answered(): void {
    this.#answers += 1;
  }

  /** @param lines null: unknown, or the cart is being paid for */
  filled(cart: string, lines: Lines | null): void {
    if (lines) this.#carts.set(cart, lines);
    else this.#carts.delete(cart);
  }

  ordered(id: string, total: number): void {
    this.#orders.set(id, total);
  }

  unanswered(purchase: Purchase): void {
    this.#unanswered.push(purchase);
  }

  /** Retries the unanswered checkouts. */
  async repeat(product: Product): Promise<void> {
    for (const purchase of this.#unanswered.splice(0)) await checkOut(product, this, purchase);
  }

  /** Every acknowledged order and line is stored, each order was paid for and sold once, and nothing else was. */
  async check(db: Db): Promise<void> {
    await this.#checkCarts(db);
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

  async #checkCarts(db: Db): Promise<void> {
    const stored = await db.collection<CartDocument>('carts').find({ state: 'ACTIVE' }).toArray();
    const lines = new Map(stored.map(({ _id, items }) => [_id, items.map(({ sku, qty }) => [sku, qty])]));
    for (const [cart, acknowledged] of this.#carts)
      expect(Object.fromEntries(lines.get(idOfType('Cart', cart) ?? '') ?? [['the cart', 0]]), cart).toEqual(
        acknowledged,
      );
  }
}

/** The results of mutations that customers read. */
interface Outcome {
  readonly id?: string;
  readonly total?: { readonly amount: number };
  readonly lines?: readonly { readonly sku: string; readonly quantity: number }[];
}

/** Null: the process died. */
type Reply = Answer<{ readonly answer: Outcome }> | null;

async function mutate(product: Product, mutation: string): Promise<Reply> {
  const reply: Reply = await answerOrNull(product.request(`mutation { answer: ${mutation} }`));
  if (reply?.errors) expect(WITHOUT_DATABASE).toContain(reply.errors[0]?.extensions?.code);
  return reply;
}

/** Errors while the database is unreachable; then it is unknown what was done. */
const WITHOUT_DATABASE: readonly unknown[] = ['SERVER_BUSY', 'DATABASE_UNAVAILABLE'];

async function checkOut(product: Product, ledger: ShopLedger, purchase: Purchase): Promise<Reply> {
  const { cart, key } = purchase;
  const account = toGlobalId('Account', ledger.account);
  ledger.filled(cart, null);
  const reply = await mutate(
    product,
    `checkOut(cartId: "${cart}", payment: { account: "${account}" }, idempotencyKey: "${key}") { ... on Order { id total { amount } } }`,
  );
  const order = reply?.data?.answer;
  if (!order) ledger.unanswered(purchase);
  else if (order.id) ledger.ordered(idOfType('Order', order.id) ?? '', order.total?.amount ?? 0);
  return reply;
}

/** @returns null when the process died */
async function change(product: Product, ledger: ShopLedger, cart: string, mutation: string): Promise<Reply> {
  const reply = await mutate(product, `${mutation} { __typename ... on Cart { lines { sku quantity } } }`);
  const lines = reply?.data?.answer.lines;
  if (!reply?.data) ledger.filled(cart, null);
  else if (lines) ledger.filled(cart, Object.fromEntries(lines.map(({ sku, quantity }) => [sku, quantity])));
  return reply;
}

/** A visit to the shop. @returns null when the process died */
async function visit(product: Product, ledger: ShopLedger, random: Random): Promise<Reply> {
  const started = await mutate(product, 'startCart { id }');
  const cart = started?.data?.answer.id;
  if (!cart) return started;
  const line = () => `cartId: "${cart}", sku: "${random.pick(SKUS)}"`;
  const changes = [
    `addToCart(${line()}, quantity: ${1 + random.below(3)})`,
    `addToCart(${line()}, quantity: ${1 + random.below(3)}, idempotencyKey: "add")`,
    `changeQuantity(${line()}, quantity: ${1 + random.below(5)})`,
    `removeFromCart(${line()})`,
  ];
  for (const mutation of changes) {
    if (random.below(4) === 0) continue;
    const reply = await change(product, ledger, cart, mutation);
    if (reply?.data) ledger.answered();
    else return reply;
  }
  if (random.below(5) === 0) return started; // abandons the cart
  const paid = await checkOut(product, ledger, { cart, key: `pay ${random.below(1_000_000)}` });
  if (paid?.data) ledger.answered();
  return paid;
}

export interface Customers {
  /** Starts no new visits. Resolves when the last customer has left. */
  leave(): Promise<void>;
}

/** They visit repeatedly, until they are told to leave or the process dies. */
export function startCustomers(product: Product, ledger: ShopLedger, random: Random, count: number): Customers {
  let isOpen = true;
  const customer = async () => {
    while (isOpen) if ((await visit(product, ledger, random)) === null) return;
  };
  const all = Promise.all(Array.from({ length: count }, customer));
  all.catch(() => undefined); // reported when they leave
  return {
    async leave() {
      isOpen = false;
      await all;
    },
  };
}
