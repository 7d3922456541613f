/** SEED=… repeats a run. `npm run soak` does the same for a long time. */
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { chooseSeed } from '../../harness/random.js';
import { type ReplicaSet, startReplicaSet } from '../../harness/replica-set.js';
import { rounds } from '../../harness/rounds.js';
import { killAtRandom } from './random-kills.js';

const KILLS = rounds({ quick: 2, full: 4 });

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

  it('loses nothing it acknowledged, and counts nothing twice', () =>
    killAtRandom(set.uri, client.db('random_kills'), seed, (kills) => kills < KILLS));
});
