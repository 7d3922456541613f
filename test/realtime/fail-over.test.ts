import { type Db, MongoClient, Timestamp } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReplicaSet, startReplicaSet } from '../../harness/replica-set.js';
import { Hub } from '../../src/realtime/index.js';
import { formatClusterTime } from '../../src/shared/cluster-time.js';
import { TestClient } from './client.js';
import { counterFeed, counters, increment } from './counters.js';
import { Oracle } from './oracle.js';

const ring = { events: 10_000, bytes: 10_000_000 };

describe('a primary that steps down', () => {
  let set: ReplicaSet;
  let client: MongoClient;
  let db: Db;
  let hub: Hub;
  let oracle: Oracle;

  beforeAll(async () => {
    set = await startReplicaSet({ members: 3 });
    client = await MongoClient.connect(set.uri, { writeConcern: { w: 'majority' } });
    db = client.db('fail_over');
    await counters(db).insertOne({ _id: 'first', n: {} });
    oracle = new Oracle(client, db, counters.collectionName);
    hub = await Hub.create({ db, ring, catchUpsMax: 2 });
  });
  afterAll(async () => {
    await hub.close();
    await oracle.close();
    await client.close();
    await set.stop();
  });

  it('is only a pause for subscribers', { timeout: 90_000 }, async () => {
    const subscriber = new TestClient('kept', oracle);
    await subscriber.connect(hub);
    let written = '';
    let writing = true;
    const writer = (async () => {
      while (writing) written = await write(db, 'kept'); // retried by the driver when the primary steps down
    })();
    await subscriber.through(await write(db, 'kept'));
    await set.stepDown();
    await write(db, 'kept');
    writing = false;
    await writer;
    await subscriber.through(written);
    await subscriber.disconnect();
    expect(subscriber.resets).toEqual({ state: 0, list: 0 });
    expect(hub.health).toMatchObject({ resets: 0 });
    expect(hub.health.interruptions).toBeGreaterThan(0);
  });
});

describe('a lost history', () => {
  let set: ReplicaSet;
  let client: MongoClient;
  let db: Db;

  beforeAll(async () => {
    set = await startReplicaSet({ members: 1, oplogMb: 16, syncDelay: 1 });
    client = await MongoClient.connect(set.uri, { writeConcern: { w: 'majority' } });
    db = client.db('lost_history');
    await increment(db, 'old', 'x');
  });
  afterAll(async () => {
    await client.close();
    await set.stop();
  });

  it('sends a resuming client the state again, marked as a reset', { timeout: 90_000 }, async () => {
    const before = await Hub.create({ db, ring, catchUpsMax: 2 });
    const first = await before.follow(counterFeed, { id: 'old' });
    const { cursor } = (await first.next()).value;
    await before.close();
    await increment(db, 'old', 'x');
    await overflowOplog(client, cursor.slice(0, 16));

    const after = await Hub.create({ db, ring, catchUpsMax: 2 });
    const again = await after.follow(counterFeed, { id: 'old' }, { after: cursor });
    expect((await again.next()).value).toMatchObject({ kind: 'snapshot', reset: true, view: { x: 2 } });
    expect(after.health.resumed).toMatchObject({ lost: 1 });
    await after.close();
  });
});

async function write(db: Db, id: string): Promise<string> {
  const session = db.client.startSession();
  try {
    await counters(db).updateOne({ _id: id }, { $inc: { 'n.a': 1, 'n.b': 1 } }, { upsert: true, session });
    return formatClusterTime(session.operationTime ?? new Timestamp({ t: 0, i: 0 }));
  } finally {
    await session.endSession();
  }
}

/** Writes until the oplog no longer reaches back to a time. */
async function overflowOplog(client: MongoClient, time: string): Promise<void> {
  const filler = client.db('filler').collection<{ _id: number; text: string }>('filler');
  const oplog = client.db('local').collection<{ ts: Timestamp }>('oplog.rs');
  const text = 'x'.repeat(500_000);
  for (let round = 0; ; round += 1) {
    await filler.replaceOne({ _id: round % 10 }, { text: text + round }, { upsert: true });
    const oldest = await oplog.findOne({}, { sort: { $natural: 1 }, projection: { ts: 1 } });
    if (oldest && formatClusterTime(oldest.ts) > time) return;
  }
}
