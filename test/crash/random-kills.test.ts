/**
 * The server is killed again and again under load. SEED=… repeats a run's operations and the moments of its kills, counted in
 * answers; what the processes make of it in parallel is theirs. `npm run soak` does it for SOAK_MINUTES.
 */
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProduct } from '../support/product.js';
import { chooseSeed, makeRandom } from '../support/random.js';
import { type ReplicaSet, startReplicaSet } from '../support/replica-set.js';
import { HitLedger, startHitLoad } from './hit-load.js';
import { violationsOf } from './invariants.js';

const SOAK_MINUTES = Number(process.env.SOAK_MINUTES ?? 0);
const KILLS = 4; // without a soak
const ANSWERS_MAX = 150;
const CALLERS = 16;

describe('a server that is killed at random under load', () => {
  const seed = chooseSeed('random kills');
  let set: ReplicaSet;
  let client: MongoClient;
  beforeAll(async () => {
    set = await startReplicaSet();
    client = await MongoClient.connect(set.uri);
  });
  afterAll(async () => {
    await client.close();
    await set.stop();
  });

  it('loses nothing that it acknowledged, and counts nothing twice', {
    timeout: 120_000 + SOAK_MINUTES * 60_000,
  }, async () => {
    const random = makeRandom(seed);
    const db = client.db('random_kills');
    const ledger = new HitLedger();
    const end = Date.now() + SOAK_MINUTES * 60_000;
    for (let kill = 1; kill <= KILLS || Date.now() < end; kill += 1) {
      const product = await startProduct({ mongodbUri: set.uri, database: db.databaseName });
      const load = startHitLoad(product, ledger, random, { callers: CALLERS });
      await load.acknowledged(1 + random.below(ANSWERS_MAX));
      await product.kill();
      await load.stop();
      await ledger.check(db);
      expect(await violationsOf(db)).toEqual([]);
    }
  });
});
