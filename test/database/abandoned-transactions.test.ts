import { once } from 'node:events';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Guarded, spawnGuarded } from '../../harness/process.js';
import { endAbandonedTransactions } from '../../src/database/connection/abandoned-transactions.js';
import { useDatabase } from '../support/database.js';

const APP = 'sextant-abandoned-test';

/** Writes to a document in a transaction, reports it, and waits forever. */
const WRITER = `
  import { MongoClient } from 'mongodb';
  const [uri, database] = process.argv.slice(1);
  const client = await MongoClient.connect(uri, { appName: '${APP}' });
  const session = client.startSession();
  session.startTransaction();
  await client.db(database).collection('pages').updateOne({ _id: 1 }, { $inc: { hits: 1 } }, { session });
  console.log('written');
  setInterval(() => undefined, 1000);
`;

describe('a transaction that a process left open', () => {
  const test = useDatabase();
  let client: MongoClient;
  let writer: Guarded;

  beforeAll(async () => {
    client = await MongoClient.connect(inject('mongodbUri'), { appName: APP });
    await test.db.collection<{ _id: number; hits: number }>('pages').insertOne({ _id: 1, hits: 0 });
    const args = ['--input-type=module', '--eval', WRITER, test.uri, test.db.databaseName];
    writer = await spawnGuarded(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    if (writer.child.stdout) await once(writer.child.stdout, 'data');
  });
  afterAll(async () => {
    await writer.end();
    await client.close();
  });

  it('is left alone while its process lives', async () => {
    const pause = new Promise((resolve) => setTimeout(resolve, 300)); // longer than a live transaction ever waits
    await pause;
    expect(await endAbandonedTransactions(client)).toBe(0);
  });

  it('is aborted when its process has died, and its documents can be written again', async () => {
    await writer.end();
    await expect.poll(() => endAbandonedTransactions(client)).toBe(1);
    const pages = test.db.collection<{ _id: number; hits: number }>('pages');
    await pages.updateOne({ _id: 1 }, { $inc: { hits: 10 } }, { maxTimeMS: 1000 });
    expect(await pages.findOne()).toEqual({ _id: 1, hits: 10 });
  });
});
