/** The database dies or fails over under load: nothing acknowledged is lost, and the server continues by itself. */
import { MongoClient } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { startProduct } from '../../harness/product.js';
import { chooseSeed, makeRandom } from '../../harness/random.js';
import { type ReplicaSet, type ReplicaSetOptions, startReplicaSet } from '../../harness/replica-set.js';
import { rounds } from '../../harness/rounds.js';
import { HitLedger, startHitLoad } from '../analytics/hits/hit-load.js';
import { killPrimary, restartDatabase } from './database-blows.js';
import { violationsOf } from './invariants.js';

const CALLERS = 16;
const ANSWERS = 60;
const ROUNDS = rounds({ quick: 1, full: 2 });

interface Failure {
  readonly name: string;
  readonly options: ReplicaSetOptions;
  readonly strike: (set: ReplicaSet) => Promise<void>;
}

const failures: readonly Failure[] = [
  { name: 'is killed and restarted', options: { members: 1 }, strike: restartDatabase },
  { name: 'has a primary that steps down', options: { members: 3 }, strike: (set) => set.stepDown() },
  { name: 'has a primary that is killed', options: { members: 3 }, strike: killPrimary },
];

describe.each(failures)('a database that $name', ({ name, options, strike }) => {
  const seed = chooseSeed(name);
  it('keeps every acknowledged hit, and the server continues to record', async () => {
    const set = await startReplicaSet(options);
    const client = await MongoClient.connect(set.uri, { readPreference: 'primary' });
    const db = client.db('database_failures');
    const product = await startProduct({ mongodbUri: set.uri, database: db.databaseName });
    try {
      const ledger = new HitLedger();
      const load = startHitLoad(product, ledger, makeRandom(seed), { callers: CALLERS, survives: true });
      for (let round = 1; round <= ROUNDS; round += 1) {
        await load.acknowledged(ledger.calls + ANSWERS);
        await strike(set);
      }
      await load.acknowledged(ledger.calls + ANSWERS);
      await load.stop();
      await ledger.check(db);
      expect(await violationsOf(db)).toEqual([]);
    } finally {
      await product.kill();
      await client.close();
      await set.stop();
    }
  });
});
