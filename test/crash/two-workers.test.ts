/** A process dies in the middle of an import, and two fresh ones find it at the same moment. */
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Product, startProduct } from '../../harness/product.js';
import { type ReplicaSet, startReplicaSet } from '../../harness/replica-set.js';
import { expectCountedOnce, makeAccessLog } from '../analytics/log-import/access-log.js';
import { reach, upload } from '../analytics/log-import/import-client.js';
import { violationsOf } from './invariants.js';

describe('two concurrent recovery workers', () => {
  const log = makeAccessLog(3, 8000);
  let set: ReplicaSet;
  let client: MongoClient;
  const products: Product[] = [];
  beforeAll(async () => {
    set = await startReplicaSet();
    client = await MongoClient.connect(set.uri);
  });
  afterAll(async () => {
    await Promise.all(products.map((product) => product.kill()));
    await client.close();
    await set.stop();
  });

  it.each([
    ['import', 'FINISHED', [log], 'log.batch.committed:2'],
    ['undoing', 'UNDONE', [], 'log.undo.committed:2'],
  ])('resume an %s once', async (work, state, logs, failpoint) => {
    const db = client.db(`two_workers_${work}`);
    const place = { mongodbUri: set.uri, database: db.databaseName };
    const victim = await startProduct({ ...place, environment: { SEXTANT_FAILPOINT: failpoint } });
    const id = await upload(victim, log);
    if (state === 'UNDONE') {
      await reach(victim, id, 'FINISHED');
      await victim.request('mutation ($id: ID!) { undoLogImport(id: $id) { __typename } }', { id }).catch(() => null);
    }
    await victim.process.ended;
    const both = await Promise.all([startProduct(place), startProduct(place)]);
    products.push(...both);
    await Promise.all(both.map((product) => reach(product, id, state)));
    await expectCountedOnce(db, logs);
    expect(await violationsOf(db)).toEqual([]);
  });
});
