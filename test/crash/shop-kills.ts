/**
 * Kills the server or the database of a shop repeatedly while customers buy, at moments chosen by a seed and counted in responses, so
 * that runs can be repeated.
 */
import { MongoClient } from 'mongodb';
import { expect } from 'vitest';
import { type Product, startProduct } from '../../harness/product.js';
import { makeRandom } from '../../harness/random.js';
import { type ReplicaSet, startReplicaSet } from '../../harness/replica-set.js';
import { ShopLedger, startCustomers } from '../commerce/shop-load.js';
import { restartDatabase } from './database-blows.js';
import { violationsOf } from './invariants.js';
import { letTimePass, letWorkersRun } from './workers.js';

const CUSTOMERS = 50;
const ANSWERS_MAX = 400;
const ANSWERS_AFTER = 100;

export interface Blow {
  /** What happens to a shop. */
  readonly name: string;
  /** Number of database members. */
  readonly members: 1 | 3;
  /** Otherwise the server must continue by itself. */
  readonly killsServer: boolean;
  strike(set: ReplicaSet, product: Product): Promise<void>;
}

export const blows: readonly Blow[] = [
  { name: 'whose server is killed', members: 1, killsServer: true, strike: (_set, product) => product.kill() },
  {
    name: 'whose database is killed and restarted',
    members: 1,
    killsServer: false,
    strike: restartDatabase,
  },
  {
    name: 'whose database has a primary that steps down',
    members: 3,
    killsServer: false,
    strike: (set) => set.stepDown(),
  },
];

/** @throws Error when it has ended */
async function endOf({ process: { ended }, output }: Product): Promise<never> {
  await ended;
  throw new Error(`The server did not survive:\n${output()}`);
}

/** @param shouldContinue asked before each blow, with the number of blows so far. A seed repeats everything except the processes' timing */
export async function strikeShop(
  { members, killsServer, strike }: Blow,
  seed: number,
  shouldContinue: (blows: number) => boolean,
): Promise<void> {
  const random = makeRandom(seed);
  const set = await startReplicaSet({ members });
  const client = await MongoClient.connect(set.uri, { writeConcern: { w: 'majority' } });
  const db = client.db('struck_shop');
  const place = { mongodbUri: set.uri, database: db.databaseName };
  let product = await startProduct(place);
  try {
    const ledger = await ShopLedger.open(db);
    for (let count = 0; shouldContinue(count); count += 1) {
      const customers = startCustomers(product, ledger, random, CUSTOMERS);
      await ledger.reach(1 + random.below(ANSWERS_MAX));
      await strike(set, product);
      if (killsServer) product = await startProduct(place);
      else await Promise.race([ledger.reach(ANSWERS_AFTER), endOf(product)]);
      await customers.leave();
      await letTimePass(db);
      await ledger.repeat(product); // customers continue half of the work, and workers the rest
      await letWorkersRun(db);
      await ledger.check(db);
      expect(await violationsOf(db)).toEqual([]);
    }
  } finally {
    await product.kill();
    await client.close();
    await set.stop();
  }
}
