/** Kills the server again and again while customers buy, at moments that a seed chooses: counted in answers, so that they can be repeated. */
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import { startProduct } from '../support/product.js';
import { makeRandom } from '../support/random.js';
import { violationsOf } from './invariants.js';
import { letTimePass, letWorkersRun } from './scenarios/shop.js';
import { ShopLedger, sendCustomers } from './shop-load.js';

const CUSTOMERS = 50;
const ANSWERS_MAX = 400;
const LOOK_MS = 2;

/** @param goesOn asked before each kill, with how many there were. What the processes do at once is theirs: a seed repeats the rest */
export async function killShopAtRandom(
  mongodbUri: string,
  db: Db,
  seed: number,
  goesOn: (kills: number) => boolean,
): Promise<void> {
  const random = makeRandom(seed);
  const place = { mongodbUri, database: db.databaseName };
  let product = await startProduct(place);
  try {
    const ledger = await ShopLedger.open(db);
    for (let kills = 0; goesOn(kills); kills += 1) {
      const end = ledger.answers + 1 + random.below(ANSWERS_MAX);
      const load = sendCustomers(product, ledger, random, CUSTOMERS);
      while (ledger.answers < end) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      await product.kill();
      await load;
      await letTimePass(db);
      product = await startProduct(place);
      await ledger.repeat(product); // half of the work is carried on by the customers, the rest by the workers
      await letWorkersRun(db);
      await ledger.check(db);
      expect(await violationsOf(db)).toEqual([]);
    }
  } finally {
    await product.kill();
  }
}
