/** A database with open connections that no longer accepts data: it is frozen, or its network is. */
import { MongoClient, UUID } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, startProduct } from '../../harness/product.js';
import { insertEachInto, writeConcernOf } from '../../src/database/index.js';
import { insertEach } from '../../src/database/writes/bulk-insert.js';
import { useDatabase } from '../support/database.js';
import { type LossyProxy, startLossyProxy } from '../support/lossy-proxy.js';

describe('while the database accepts no data', () => {
  const database = useDatabase();
  const documents = Array.from({ length: 20 }, () => ({ text: 'x'.repeat(1024 * 1024) })); // more than a socket buffers
  let proxy: LossyProxy;
  beforeEach(async () => {
    const [host = '', port] = new URL(database.uri).host.split(':');
    proxy = await startLossyProxy({ host, port: Number(port) });
  });
  afterEach(() => proxy.close());

  it('unacknowledged writes still end', async () => {
    const client = await MongoClient.connect(proxy.uri);
    const db = client.db(database.db.databaseName);
    const target = { database: db, collectionName: 'some', uuid: new UUID() };
    try {
      await Promise.all([db.command({ ping: 1 }), db.command({ ping: 1 })]); // opens their connections
      proxy.stall();
      const sent = [
        insertEachInto(db, target, documents, writeConcernOf.FIRE_AND_FORGET),
        insertEach(db.collection('others'), documents, 'FIRE_AND_FORGET'),
      ];
      await Promise.all(sent.map((one) => expect(one).rejects.toThrow('Timed out at socket write')));
    } finally {
      await client.close();
    }
  });

  it('recording hits and rolling up fail in bounded time, with a clear status', async () => {
    const product = await startProduct({ mongodbUri: proxy.uri, database: database.db.databaseName });
    try {
      const authorization = `Bearer ${await product.token()}`;
      const ask = (query: string) =>
        fetch(`${product.url}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization },
          body: JSON.stringify({ query }),
        });
      const record = () => ask('mutation { recordHit(hit: { site: "example.org", page: "/" }) { recorded } }');
      expect(await (await record()).json()).toMatchObject({ data: { recordHit: { recorded: 1 } } });
      proxy.freeze();
      const begun = performance.now();
      const answers = await Promise.all([record(), record(), ask('mutation { rollUp { level } }')]);
      expect(performance.now() - begun).toBeLessThan(40_000);
      const later = performance.now();
      answers.push(await record()); // later calls fail without waiting
      expect(performance.now() - later).toBeLessThan(20_000);
      for (const answer of answers) {
        expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
        expect(((await answer.json()) as Answer<unknown>).errors?.[0]?.extensions).toMatchObject({
          code: 'DATABASE_UNAVAILABLE',
          retryAfterMs: 2000,
        });
      }
    } finally {
      await product.kill();
    }
  });

  it('the server reports that it is not ready', async () => {
    const product = await startProduct({ mongodbUri: proxy.uri, database: database.db.databaseName });
    try {
      const ready = () => fetch(`${product.url}/readyz`);
      expect((await ready()).status).toBe(200);
      proxy.freeze(); // a new connection gets no reply either
      const answer = await ready();
      expect(answer.status).toBe(503);
      expect(await answer.json()).toEqual({ status: 'not ready', reason: 'The database does not respond' });
    } finally {
      await product.kill();
    }
  });
});
