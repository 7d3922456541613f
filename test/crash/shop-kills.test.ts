/** SEED=… repeats a run. `npm run soak` does the same for a long time. */
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { chooseSeed } from '../support/random.js';
import { type ReplicaSet, startReplicaSet } from '../support/replica-set.js';
import { killShopAtRandom } from './shop-kills.js';

const KILLS = 3;

describe('a shop that is killed at random while 50 customers buy', () => {
  const seed = chooseSeed('shop kills');
  let set: ReplicaSet;
  let client: MongoClient;
  beforeAll(async () => {
    set = await startReplicaSet();
    client = await MongoClient.connect(set.uri, { writeConcern: { w: 'majority' } });
  });
  afterAll(async () => {
    await client.close();
    await set.stop();
  });

  it('loses no unit, no cent and no order, and charges nobody twice', { timeout: 180_000 }, () =>
    killShopAtRandom(set.uri, client.db('shop_kills'), seed, (kills) => kills < KILLS),
  );
});
