import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { type Guarded, spawnGuarded } from '../../harness/process.js';
import { endAbandonedTransactions } from '../../src/database/connection/abandoned-transactions.js';
import { idempotency, performOnce } from '../../src/database/writes/idempotency.js';
import { BusyError } from '../../src/shared/errors.js';
import { useDatabase } from '../support/database.js';

const APP = 'sextant-abandoned-test';

/** Writes to all documents of a collection in a transaction, reports it, and waits forever. */
const WRITER = `
  import { MongoClient } from 'mongodb';
  const [uri, database, collection] = process.argv.slice(1);
  const client = await MongoClient.connect(uri, { appName: '${APP}' });
  const session = client.startSession();
  session.startTransaction();
  await client.db(database).collection(collection).updateMany({}, { $inc: { hits: 1 } }, { session });
  console.log('written');
  setInterval(() => undefined, 1000);
`;

describe('a transaction that a process left open', () => {
  const test = useDatabase();
  const pages = () => test.db.collection<{ _id: number; hits: number }>('pages');
  let client: MongoClient;
  let writer: Guarded | undefined;

  async function write(collection: string): Promise<void> {
    const args = ['--input-type=module', '--eval', WRITER, test.uri, test.db.databaseName, collection];
    writer = await spawnGuarded(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    if (writer.child.stdout) await once(writer.child.stdout, 'data');
  }

  beforeAll(async () => {
    client = await MongoClient.connect(inject('mongodbUri'), { appName: APP });
  });
  beforeEach(async () => {
    await pages().deleteMany({});
    await pages().insertOne({ _id: 1, hits: 0 });
  });
  afterEach(async () => {
    await writer?.end();
    await endAbandonedTransactions(client);
  });
  afterAll(() => client.close());

  it('is left alone while its process lives', async () => {
    await write('pages');
    await pause(300); // longer than a live transaction ever waits
    expect(await endAbandonedTransactions(client)).toBe(0);
  });

  it('is left alone while it goes on, however long it has waited in total', async () => {
    const session = client.startSession();
    session.startTransaction();
    const own = client.db(test.db.databaseName).collection<{ _id: number }>('pages');
    for (let at = 0; at < 15; at += 1) {
      await own.updateOne({ _id: 1 }, { $inc: { hits: 1 } }, { session });
      await pause(900);
    }
    const looked = endAbandonedTransactions(client);
    await pause(900);
    await own.updateOne({ _id: 1 }, { $inc: { hits: 1 } }, { session });
    expect(await looked).toBe(0);
    await session.commitTransaction();
    await session.endSession();
    expect(await pages().findOne()).toEqual({ _id: 1, hits: 16 });
  });

  it('is left alone while it goes on, although the connection of its last statement is closed', async () => {
    const lives = await MongoClient.connect(inject('mongodbUri'), { appName: APP, maxIdleTimeMS: 50 });
    const session = lives.startSession();
    session.startTransaction();
    const own = lives.db(test.db.databaseName).collection<{ _id: number }>('pages');
    let ended = 0;
    for (let at = 0; at < 10; at += 1) {
      await own.updateOne({ _id: 1 }, { $inc: { hits: 1 } }, { session });
      const looked = endAbandonedTransactions(client);
      await pause(200);
      await own.updateOne({ _id: 1 }, { $inc: { hits: 1 } }, { session });
      ended += await looked;
    }
    expect(ended).toBe(0);
    await session.commitTransaction();
    await session.endSession();
    await lives.close();
    expect(await pages().findOne()).toEqual({ _id: 1, hits: 20 });
  });

  it('is aborted when its process has stood still for ten seconds', async () => {
    await write('pages');
    const begun = performance.now();
    await expect.poll(() => endAbandonedTransactions(client), { interval: 500 }).toBe(1);
    expect(performance.now() - begun).toBeGreaterThan(5000);
  });

  it('is aborted when its process has died, and its documents can be written again', async () => {
    await write('pages');
    await writer?.end();
    await expect.poll(() => endAbandonedTransactions(client)).toBe(1);
    await pages().updateOne({ _id: 1 }, { $inc: { hits: 10 } }, { maxTimeMS: 1000 });
    expect(await pages().findOne()).toEqual({ _id: 1, hits: 10 });
  });

  it('does not keep a retry from the record of its key', async () => {
    const db = client.db(test.db.databaseName);
    const call = (work: () => Promise<string>) =>
      performOnce(db, { scope: 'ann', operation: 'add', key: 'key', input: 1, keepMs: 60_000 }, new Date(), work);
    await expect(call(() => Promise.reject(new BusyError('It died')))).rejects.toThrow('It died');
    await write(idempotency.collectionName);
    await writer?.end();
    expect(await call(async () => 'done')).toBe('done'); // otherwise it would wait for a minute
  });
});
