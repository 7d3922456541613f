/** Kills the server repeatedly under load, at moments chosen by a seed and counted in responses, so that runs can be repeated. */
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import { startProduct } from '../../harness/product.js';
import { makeRandom } from '../../harness/random.js';
import { HitLedger, startHitLoad } from '../analytics/hits/hit-load.js';
import { violationsOf } from './invariants.js';

const ANSWERS_MAX = 150;
const CALLERS = 16;

/** @param shouldContinue asked before each kill, with the number of kills so far. A seed repeats everything except the processes' timing */
export async function killAtRandom(
  mongodbUri: string,
  db: Db,
  seed: number,
  shouldContinue: (kills: number) => boolean,
): Promise<void> {
  const random = makeRandom(seed);
  const ledger = new HitLedger();
  for (let kills = 0; shouldContinue(kills); kills += 1) {
    const product = await startProduct({ mongodbUri, database: db.databaseName });
    const load = startHitLoad(product, ledger, random, { callers: CALLERS });
    await load.acknowledged(1 + random.below(ANSWERS_MAX));
    await product.kill();
    await load.stop();
    await ledger.check(db);
    expect(await violationsOf(db)).toEqual([]);
  }
}
