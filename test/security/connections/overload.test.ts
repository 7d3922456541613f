/** Behavior under overload, and that a burst is not an overload. */
import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { dailyHits } from '../../../src/models/analytics/hits/hit.js';
import { registerSite } from '../../../src/models/analytics/sites/site.js';
import { type BurstRequest, countAnswers, sendBurst } from '../../support/burst.js';
import { useDatabase } from '../../support/database.js';
import { testAct } from '../../support/people.js';
import { openReadySocket } from '../../support/raw-socket.js';
import { type Answer, startTestServer, useServer } from '../../support/server.js';
import { changesOf } from '../operations/unchanged.js';
import { openHttpConnection } from './http-connection.js';

const database = useDatabase();
const HIT = 'mutation { recordHit(hit: { site: "example.org", page: "/" }) { recorded } }';

describe('a server with default settings', () => {
  const server = useServer(database);
  const COUNT = 1000;
  /** Generous: `npm run bench -- overload` measures it. */
  const SOON_MS = 20_000;
  const origin = 'https://example.org';

  beforeAll(() => registerSite(database.db, testAct(), { host: 'example.org', allowedOrigins: [origin] }));

  const hitsStored = async () => {
    const days = await dailyHits(database.db).find().toArray();
    return days.flatMap(({ hourly = {} }) => Object.values(hourly)).reduce((sum, count) => sum + count, 0);
  };
  const operations = (query: string): BurstRequest[] =>
    Array.from({ length: COUNT }, () => ({
      path: '/graphql',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${server.token}` },
      body: JSON.stringify({ query }),
    }));

  /** @returns how often each response arrived, ignoring `writtenAt` */
  const sendAll = async (requests: readonly BurstRequest[]) => {
    const answers = await sendBurst(server.port, requests);
    expect(Math.max(...answers.map(({ afterMs }) => afterMs))).toBeLessThan(SOON_MS);
    const withoutTime = (body: string) => body.replace(/,"extensions":\{"writtenAt":"\w+"\}/, '');
    return countAnswers(answers.map((answer) => ({ ...answer, body: withoutTime(answer.body) })));
  };

  it('records a thousand concurrent hits, in a cold process and again when it is warm', async () => {
    for (const time of [1, 2]) {
      expect(await sendAll(operations(HIT))).toEqual({ '200 {"data":{"recordHit":{"recorded":1}}}': COUNT });
      expect(await hitsStored()).toBe(time * COUNT);
    }
  });

  it('answers a thousand concurrent queries', async () => {
    const answers = await sendAll(operations('{ sites { host } }'));
    expect(answers).toEqual({ '200 {"data":{"sites":[{"host":"example.org"}]}}': COUNT });
  });

  it('accepts a thousand concurrent hits from the beacon', async () => {
    const before = await hitsStored();
    const body = JSON.stringify({ site: 'example.org', page: '/beacon' });
    const hit = { path: '/hit', headers: { origin, 'content-type': 'text/plain' }, body };
    expect(await sendAll(Array.from({ length: COUNT }, () => hit))).toEqual({ '204 ': COUNT });
    expect(await hitsStored()).toBe(before + COUNT);
  });

  it.each([
    ['hits', HIT, { recordHit: { recorded: 1 } }, COUNT],
    ['small queries', '{ sites { host } }', { sites: [{ host: 'example.org' }] }, 0],
  ] as const)('answers a thousand concurrent %s on ten sockets', async (_what, query, data, recorded) => {
    const before = await hitsStored();
    const sockets = await Promise.all(Array.from({ length: 10 }, () => openReadySocket(server.url, server.token)));
    const answers = await Promise.all(
      sockets.map(async (raw) => {
        for (let id = 0; id < COUNT / 10; id += 1) raw.send({ id: String(id), type: 'subscribe', payload: { query } });
        const messages: { type?: unknown; payload?: unknown }[] = [];
        while (messages.filter(({ type }) => type !== 'next').length < COUNT / 10) messages.push(await raw.next());
        return messages.filter(({ type }) => type !== 'complete').map(({ payload }) => payload);
      }),
    );
    expect(answers.flat()).toMatchObject(Array.from({ length: COUNT }, () => ({ data })));
    expect(await hitsStored()).toBe(before + recorded);
    for (const { socket } of sockets) socket.terminate();
  });

  it('has rejected nothing, and reports that nothing runs or waits', async () => {
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    for (const line of ['rejected_total 0', 'running 0', 'waiting 0', 'waiting_bytes 0'])
      expect(metrics).toContain(`\nsextant_operations_${line}\n`);
  });
});

describe('a server at its limit', () => {
  it('rejects immediately over every transport, says when to retry, and stays alive', async () => {
    const server = await startTestServer(database, { MAX_OPERATIONS: '1' });
    onTestFinished(() => server.close());
    const raw = await openReadySocket(server.url, server.token);
    const other = await openReadySocket(server.url, server.token);
    const ask = (path: string) =>
      fetch(server.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${server.token}` },
        body: JSON.stringify({ query: HIT }),
      });
    /** Sends while an operation holds the only slot: it waits for a transaction of the test. */
    const during = async <T>(send: () => Promise<T>): Promise<T> => {
      const name = randomBytes(8).toString('hex'); // a new one each time: a write without a change would not wait
      const result = await database.client.withSession(async (session) => {
        session.startTransaction(); // ends with the session
        await database.db.collection('users').updateOne({}, { $set: { held: true } }, { session });
        raw.send({
          id: '1',
          type: 'subscribe',
          payload: { query: `mutation { changeName(name: "${name}") { name } }` },
        });
        await expect.poll(async () => (await fetch(`${server.url}/metrics`)).text()).toContain('operations_running 1');
        return send();
      });
      expect(await raw.next()).toMatchObject({ type: 'next', payload: { data: { changeName: { name } } } });
      expect(await raw.next()).toMatchObject({ type: 'complete' });
      return result;
    };
    const busy = { code: 'SERVER_BUSY', retryAfterMs: expect.any(Number) };
    const changes = await changesOf(database.db, async () => {
      for (const path of ['/graphql', '/graphql/stream']) {
        const response = await during(() => ask(path));
        expect(response.status).toBe(503);
        expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
        expect(response.headers.get('x-content-type-options')).toBe('nosniff');
        const { errors } = (await response.json()) as Answer;
        expect(errors).toMatchObject([{ message: 'The server is overloaded', extensions: busy }]);
        const retryAfterMs = Number(errors?.[0]?.extensions.retryAfterMs);
        expect(retryAfterMs).toBeGreaterThanOrEqual(500);
        expect(response.headers.get('retry-after')).toBe(String(Math.ceil(retryAfterMs / 1000)));
      }
      const late = openHttpConnection(server.port);
      const body = JSON.stringify({ query: HIT });
      late.socket.write(
        `POST /graphql HTTP/1.1\r\nhost: x\r\nconnection: close\r\nexpect: 100-continue\r\nauthorization: Bearer ${server.token}\r\n` +
          `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
      );
      await vi.waitFor(() => expect(late.received()).toContain('100 Continue')); // there was room for it
      const { text } = await during(() => {
        late.socket.write(body);
        return late.ended;
      });
      expect(text).toMatch(/HTTP\/1.1 503 .*\r\nretry-after: \d+\r\n.*"code":"SERVER_BUSY"/s);
      const message = await during(async () => {
        other.send({ id: 'x', type: 'subscribe', payload: { query: HIT } });
        return other.next();
      });
      expect(message).toMatchObject({ id: 'x', type: 'error', payload: [{ extensions: busy }] });
      for (const path of ['/healthz', '/readyz', '/metrics', '/hit.js'])
        expect((await during(() => fetch(server.url + path))).status).toBe(200);
      const page = 'https://example.org';
      const hit = await during(() =>
        fetch(`${server.url}/hit`, { method: 'POST', headers: { origin: page }, body: '{}' }),
      );
      // The script on that page must see that its hit was rejected.
      expect([hit.status, hit.headers.get('access-control-allow-origin')]).toEqual([503, page]);
    });
    expect(changes).toEqual(['users']); // by the operation that held the slot
    for (const { socket } of [raw, other]) socket.terminate();
  });
});
