import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReplicaSet, startReplicaSet } from '../../harness/replica-set.js';

describe('a replica set of three', () => {
  let set: ReplicaSet;
  beforeAll(async () => {
    set = await startReplicaSet({ members: 3 });
  });
  afterAll(() => set.stop());

  it('elects another primary when the first steps down, and keeps majority-committed writes', async () => {
    const client = await MongoClient.connect(set.uri, { writeConcern: { w: 'majority' } });
    await client.db('test').collection('kept').insertOne({ value: 1 });
    const before = await set.primary();
    await set.stepDown();
    expect((await set.primary()).host).not.toBe(before.host);
    expect(await client.db('test').collection('kept').countDocuments()).toBe(1);
    await client.close();
  });

  it('elects another primary when the first is killed, and lets it rejoin', async () => {
    const before = await set.primary();
    await before.kill();
    expect((await set.primary()).host).not.toBe(before.host);
    await before.start();
    expect(before.running).toBe(true);
  });
});

describe('a replica set of one with a small oplog', () => {
  let set: ReplicaSet;
  beforeAll(async () => {
    set = await startReplicaSet({ oplogMb: 1 });
  });
  afterAll(() => set.stop());

  it('drops its oldest oplog entries', async () => {
    const client = await MongoClient.connect(set.uri);
    const oplog = client.db('local').collection<{ ts: unknown }>('oplog.rs');
    const first = await oplog.findOne({}, { sort: { $natural: 1 } });
    const text = 'x'.repeat(100_000);
    const stillThere = async () => {
      const { insertedId } = await client.db('test').collection('filler').insertOne({ text });
      await client.db('test').collection('filler').deleteOne({ _id: insertedId });
      return (await oplog.findOne({}, { sort: { $natural: 1 } }))?.ts?.toString() === first?.ts?.toString();
    };
    const begin = Date.now();
    while (await stillThere()) if (Date.now() - begin > 20_000) break;
    expect(await stillThere()).toBe(false);
    await client.close();
  });

  it('keeps its data after a kill and a restart', async () => {
    const client = await MongoClient.connect(set.uri, { writeConcern: { w: 'majority' } });
    await client.db('test').collection('kept').insertOne({ value: 1 });
    const [member] = set.members as [ReplicaSet['members'][number]];
    await member.kill();
    await member.start();
    await set.primary();
    expect(await client.db('test').collection('kept').countDocuments()).toBe(1);
    await client.close();
  });
});
