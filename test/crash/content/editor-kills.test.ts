/** SEED=… repeats a run. */
import { MongoClient } from 'mongodb';
import { expect, it } from 'vitest';
import { startProduct } from '../../../harness/product.js';
import { chooseSeed, makeRandom } from '../../../harness/random.js';
import { startReplicaSet } from '../../../harness/replica-set.js';
import { rounds } from '../../../harness/rounds.js';
import { violationsOf } from '../invariants.js';
import { letTimePass } from '../workers.js';
import { EditorLedger } from './editors.js';

const EDITORS = 100;
const NODES = 10;
const KILLS = rounds({ quick: 2, full: 3 });
const ANSWERS_MAX = 120;

it('makes every edit, move and deletion by 100 editors of 10 nodes a version or a refusal while the server is killed', {
  timeout: 300_000,
}, async () => {
  const seed = chooseSeed('editors and kills');
  const random = makeRandom(seed);
  const set = await startReplicaSet();
  const client = await MongoClient.connect(set.uri, { writeConcern: { w: 'majority' } });
  const db = client.db('killed_editors');
  const place = { mongodbUri: set.uri, database: db.databaseName };
  let product = await startProduct(place);
  try {
    const ledger = await EditorLedger.open(product, NODES);
    for (let kills = 0; kills <= KILLS; kills += 1) {
      const editors = ledger.start(product, random.below(2 ** 31), EDITORS);
      await ledger.reach(1 + random.below(ANSWERS_MAX));
      if (kills < KILLS) await product.kill();
      await editors.leave();
      if (kills === KILLS) break;
      await letTimePass(db);
      product = await startProduct(place);
    }
    const { stored, moved, deleted, refused } = await ledger.check(db);
    process.stderr.write(
      `${stored} writes were stored, ${moved} moves and ${deleted} deletions among them, ${refused} were refused\n`,
    );
    expect(stored).toBeGreaterThan(NODES);
    expect(await violationsOf(db)).toEqual([]);
  } finally {
    await product.kill();
    await client.close();
    await set.stop();
  }
});
