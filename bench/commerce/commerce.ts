/**
 * Adding to a cart while many customers want the same product: our workflow, the same commands with the raw driver, the
 * same in a multi-document transaction, and the bare guarded update of the product. In this process, with the same
 * durability and indexes.
 */
import { randomUUID } from 'node:crypto';
import type { Db, MongoClient } from 'mongodb';
import { buildIndexes } from '../../src/database/index.js';
import { products } from '../../src/models/commerce/catalog/product.js';
import { type CartDocument, carts, startCart } from '../../src/models/commerce/orders/cart.js';
import { addToCart } from '../../src/models/commerce/orders/cart-line.js';
import type { Benchmark, Surroundings, Verdict } from '../support/benchmark.js';
import { Contest, type Figures, inOwnDatabase, measureCallers } from '../support/contest.js';
import { roundsOf } from '../support/report.js';
import { thing } from './thing.js';

const CLIENTS = 64;
const ROUND_MS = 2000;
const WARM_MS = 300;
const STOCK = 1_000_000_000;
const MAJORITY = { writeConcern: { w: 'majority' } } as const;

const ways = ['ours', 'raw: the same commands', 'raw: one transaction', 'bare guarded update'] as const;
type Way = (typeof ways)[number];

/** How the clients compete. */
const crowds = {
  'one product': { skus: 1, holds: 0 },
  'one product that 900 other carts hold': { skus: 1, holds: 900 },
  'a product each': { skus: CLIENTS, holds: 0 },
} as const;
type Crowd = keyof typeof crowds;
const crowdNames = Object.keys(crowds) as Crowd[];

export const commerce: Benchmark = {
  name: 'commerce',
  title: 'Adding to carts: guarded updates against multi-document transactions',
  run: (surroundings) =>
    inOwnDatabase(surroundings, async (client, db) => {
      await buildIndexes(db);
      return compare(client, db, surroundings);
    }),
};

interface AddFigures extends Figures {
  /**
   * How often another client changed the document first: the database retried an update itself, or aborted a
   * transaction.
   */
  readonly conflicts: number;
}

type AddContest = Contest<Exclude<keyof AddFigures, 'cpu'>>;

async function compare(client: MongoClient, db: Db, { rounds, scale, log }: Surroundings) {
  const contest: AddContest = new Contest({
    perSecond: 'adds/s',
    p50: 'p50 ms',
    p99: 'p99 ms',
    attempts: 'attempts per add',
    conflicts: 'conflicts per add',
  });
  for (let round = 0; round <= rounds; round += 1) {
    for (const crowd of crowdNames) {
      for (const way of ways) {
        const clients = await furnish(db, crowd);
        const figures = await measure(client, db, way, clients, round === 0 ? WARM_MS : ROUND_MS * scale);
        if (round > 0) contest.add([crowd, way], figures);
      }
    }
    log(round === 0 ? 'warm-up done' : `round ${round} done`);
  }
  const lines = crowdNames.flatMap((crowd) =>
    ways.map((way) => ({ cell: [crowd, way], base: [crowd, 'raw: the same commands'] })),
  );
  return {
    verdicts: verdictsOf(contest),
    tables: [contest.table([`${CLIENTS} clients on`, 'method'], lines, { of: 'perSecond', heading: '÷ raw commands' })],
    notes: [
      `${CLIENTS} clients, each with its own cart, add one unit after another to its line. ${roundsOf(rounds)} of ${(ROUND_MS * scale) / 1000} s, interleaved. "Ours" is the model's function: it reads the cart, takes the stock with a guarded update of the product, and raises the line with a guarded update of the cart. "The same commands" are these three, without the handling of an update that does not match.`,
      'The transaction combines the two updates with the driver’s `withTransaction`, which retries it when it conflicts on the product. It needs no repair after a crash; its cost is in the attempts. The bare update takes the stock without recording who has it, so nothing can be returned after a crash.',
      'Conflicts: updates that the database retried itself, invisibly to the client (`metrics.operation.writeConflicts`), and aborted attempts.',
    ],
  };
}

function verdictsOf(contest: AddContest): Verdict[] {
  return [
    {
      row: `add-to-cart on one product, ${CLIENTS} clients`,
      against: 'the same commands with the raw driver',
      measured: contest.ratio('perSecond', ['one product', 'ours'], ['one product', 'raw: the same commands']),
      bound: 'at least',
      goal: 0.5,
      unit: ' times',
    },
  ];
}

interface Client {
  readonly cart: CartDocument;
  readonly sku: string;
}

/** New products, and a cart for each client with one unit in its line. */
async function furnish(db: Db, crowd: Crowd): Promise<Client[]> {
  await Promise.all([products(db).deleteMany({}), carts(db).deleteMany({})]);
  const { skus, holds } = crowds[crowd];
  const now = new Date();
  const carted = Array.from({ length: holds }, (_, n) => ({
    call: `${n}`,
    cart_id: randomUUID(),
    qty: 1,
    timestamp: now,
  }));
  await products(db).insertMany(Array.from({ length: skus }, (_, n) => thing(`sku-${n}`, STOCK, carted)));
  return Promise.all(
    Array.from({ length: CLIENTS }, async (_, n) => {
      const sku = `sku-${n % skus}`;
      const { _id: cartId } = await startCart(db, 'EUR', now);
      const cart = await addToCart(db, { call: randomUUID(), cartId, sku, quantity: 1 }, now);
      if (!('items' in cart)) throw new Error(cart.message);
      return { cart, sku };
    }),
  );
}

/** Adds one unit. @returns the number of attempts */
type Add = (client: Client) => Promise<number>;

function adding(client: MongoClient, db: Db, way: Way): Add {
  const ofCart = ({ cart, sku }: Client) => ({ _id: cart._id, state: 'ACTIVE' as const, 'items.sku': sku });
  const ofProduct = ({ cart, sku }: Client) => ({
    _id: sku,
    qty: { $gte: 1 },
    carted: { $elemMatch: { cart_id: cart._id } },
  });
  const takeUnit = () => ({ $inc: { qty: -1, 'carted.$.qty': 1 }, $set: { 'carted.$.timestamp': new Date() } });
  const addUnit = () => ({ $inc: { 'items.$.qty': 1 }, $set: { last_modified: new Date() } });
  const returned = { returnDocument: 'after', ...MAJORITY } as const;
  const take = { ...returned, projection: { title: 1, pricing: 1 } } as const;
  switch (way) {
    case 'ours':
      return async ({ cart, sku }) => {
        await addToCart(db, { call: randomUUID(), cartId: cart._id, sku, quantity: 1 }, new Date());
        return 1;
      };
    case 'raw: the same commands':
      return async (one) => {
        await carts(db).findOne({ _id: one.cart._id });
        await products(db).findOneAndUpdate(ofProduct(one), takeUnit(), take);
        await carts(db).findOneAndUpdate(ofCart(one), addUnit(), returned);
        return 1;
      };
    case 'raw: one transaction':
      return async (one) => {
        let attempts = 0;
        await client.withSession((session) =>
          session.withTransaction(async () => {
            attempts += 1;
            await products(db).updateOne(ofProduct(one), takeUnit(), { session });
            await carts(db).updateOne(ofCart(one), addUnit(), { session });
          }, MAJORITY),
        );
        return attempts;
      };
    case 'bare guarded update':
      return async ({ sku }) => {
        await products(db).updateOne({ _id: sku, qty: { $gte: 1 } }, { $inc: { qty: -1 } }, MAJORITY);
        return 1;
      };
  }
}

/** Each client sends its next addition when the previous one is durable. */
async function measure(
  client: MongoClient,
  db: Db,
  way: Way,
  clients: readonly Client[],
  ms: number,
): Promise<AddFigures> {
  const add = adding(client, db, way);
  const before = await writeConflicts(db);
  let adds = 0;
  const figures = await measureCallers(clients.length, ms, (caller) => {
    adds += 1;
    return add(clients[caller] as Client);
  });
  return { ...figures, conflicts: ((await writeConflicts(db)) - before) / adds + figures.attempts - 1 };
}

async function writeConflicts(db: Db): Promise<number> {
  const { metrics } = await db.admin().serverStatus();
  return Number(metrics.operation.writeConflicts);
}
