/** Queued operations of sockets and event streams: their memory counts, disconnected clients are skipped, and shutdown is reported. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { useDatabase } from '../../support/database.js';
import { openReadySocket, type RawSocket } from '../../support/raw-socket.js';
import { startTestServer, type TestServer } from '../../support/server.js';

const database = useDatabase();
const HELD = 100; // more than run concurrently
const FILLER_BYTES = 100_000;
const HIT = 'mutation { recordHit(hit: { site: "example.org", page: "/" }) { recorded } }';
/** Three of these cost more than may run concurrently on a socket. */
const CHART = `{ hitChart(site: "example.org", page: "/", unit: MINUTE,
  range: { from: "2026-01-01T00:00:00Z", to: "2026-02-04T00:00:00Z" }) { total } }`;

async function start(): Promise<TestServer> {
  const server = await startTestServer(database, { MAX_WAIT_MS: '60000' }); // nothing starts during the test
  onTestFinished(() => server.close());
  return server;
}

async function open({ url, token }: TestServer): Promise<RawSocket> {
  const raw = await openReadySocket(url, token);
  onTestFinished(() => raw.socket.terminate());
  return raw;
}

/** Runs while this many operations hold all slots: they wait for a transaction of the test. */
function whileFull<T>(server: TestServer, work: () => Promise<T>): Promise<T> {
  return database.client.withSession(async (session) => {
    session.startTransaction(); // ends with the session
    await database.db.collection('users').updateOne({}, { $set: { held: true } }, { session });
    const holder = await open(server);
    const name = randomBytes(8).toString('hex');
    const query = `mutation { changeName(name: "${name}") { name } }`;
    for (let id = 0; id < HELD; id += 1) holder.send({ id: String(id), type: 'subscribe', payload: { query } });
    await vi.waitFor(async () => expect(await metric(server, 'operations_waiting')).toBeGreaterThan(0), 10_000);
    return work();
  });
}

async function metric({ url }: TestServer, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^sextant_${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

/** The given number of next results by operation id, each followed by its completion. */
async function answers(raw: RawSocket, count: number): Promise<Record<string, unknown>> {
  const payloads: Record<string, unknown> = {};
  for (let ended = 0; ended < count; ) {
    const { id, type, payload } = await raw.next();
    if (type === 'next') payloads[String(id)] = payload;
    if (type === 'complete') ended += 1;
  }
  return payloads;
}

const withFiller = (query: string, letter: string) => ({ query, variables: { filler: letter.repeat(FILLER_BYTES) } });

describe('operations that wait for their turn', () => {
  it('count with their variables, on sockets and event streams', async () => {
    const server = await start();
    const raw = await open(server);
    const leaving = new AbortController();
    await whileFull(server, async () => {
      const grownTo = (bytes: number) =>
        vi.waitFor(async () => expect(await metric(server, 'operations_waiting_bytes')).toBeGreaterThan(bytes), 10_000);
      for (const id of ['a', 'b']) raw.send({ id, type: 'subscribe', payload: withFiller(HIT, id) });
      await grownTo(2 * FILLER_BYTES);
      const stream = fetch(`${server.url}/graphql/stream`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${server.token}` },
        body: JSON.stringify(withFiller(HIT, 'c')),
        signal: leaving.signal,
      });
      await grownTo(3 * FILLER_BYTES);
      leaving.abort();
      await stream.then((response) => response.text()).catch(() => undefined);
    });
  });

  it('are not started for a socket or an event stream that has since closed', async () => {
    const server = await start();
    const raw = await open(server);
    const staying = await open(server);
    const before = server.services.hits.health.hits;
    const leaving = new AbortController();
    await whileFull(server, async () => {
      const waiting = await metric(server, 'operations_waiting');
      raw.send({ id: '1', type: 'subscribe', payload: { query: HIT } });
      const response = await fetch(`${server.url}/graphql/stream`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${server.token}` },
        body: JSON.stringify({ query: HIT }),
        signal: leaving.signal,
      });
      expect(response.status).toBe(200);
      staying.send({ id: '1', type: 'subscribe', payload: { query: HIT } });
      await vi.waitFor(async () => expect(await metric(server, 'operations_waiting')).toBe(waiting + 3), 10_000);
      raw.socket.terminate();
      leaving.abort();
      await vi.waitFor(async () => expect(await metric(server, 'sockets')).toBe(2), 10_000);
    });
    expect(await staying.next()).toMatchObject({ type: 'next', payload: { data: { recordHit: { recorded: 1 } } } });
    expect(server.services.hits.health.hits).toBe(before + 1);
  });
});

describe('operations that wait for room on their socket', () => {
  it('count as unread data of their client', async () => {
    const server = await start();
    const raw = await open(server);
    await whileFull(server, async () => {
      for (const id of ['a', 'b', 'c', 'd']) raw.send({ id, type: 'subscribe', payload: withFiller(CHART, id) });
      await vi.waitFor(
        async () => expect(await metric(server, 'unsent_bytes')).toBeGreaterThan(2 * FILLER_BYTES),
        10_000,
      );
    });
    const total = { data: { hitChart: { total: 0 } } };
    expect(await answers(raw, 4)).toMatchObject({ a: total, b: total, c: total, d: total });
    await vi.waitFor(async () => expect(await metric(server, 'unsent_bytes')).toBe(0), 10_000);
  });

  it('each get an error when the server shuts down', async () => {
    const server = await start();
    const raw = await open(server);
    let closed: Promise<void> | undefined;
    await whileFull(server, async () => {
      for (const id of ['a', 'b', 'c', 'd', 'e']) raw.send({ id, type: 'subscribe', payload: { query: CHART } });
      raw.send({ type: 'ping' });
      expect(await raw.next()).toMatchObject({ type: 'pong' }); // all of them have arrived
      closed = server.close();
      const busy = { errors: [{ extensions: { code: 'SERVER_BUSY' } }] };
      expect(await answers(raw, 3)).toMatchObject({ c: busy, d: busy, e: busy });
    });
    const total = { data: { hitChart: { total: 0 } } };
    expect(await answers(raw, 2)).toMatchObject({ a: total, b: total });
    await closed;
    expect(await raw.closed).toMatchObject({ code: 1001 });
  });
});
