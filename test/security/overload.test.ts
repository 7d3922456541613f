/** What happens when there is more to do than can be done. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { OverloadGate } from '../../src/server/overload-gate.js';
import { useDatabase } from '../support/database.js';
import { openReadySocket } from '../support/raw-socket.js';
import { type Answer, startTestServer } from '../support/server.js';
import { openHttpConnection } from './http-connection.js';
import { changesOf } from './unchanged.js';

const database = useDatabase();
const DELAY_MAX_MS = 10;

function hold(gate: OverloadGate, count: number): () => Promise<void> {
  const releases: (() => void)[] = [];
  const works = Array.from({ length: count }, () =>
    gate.run(() => new Promise<void>((resolve) => releases.push(resolve))),
  );
  return async () => {
    for (const release of releases) release();
    await Promise.all(works);
  };
}
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/** @returns a refusal, after which the gate is known to be overloaded */
const overload = (gate: OverloadGate) => expect(gate.run(async () => undefined)).rejects.toMatchObject(BUSY);
const BUSY = { code: 'SERVER_BUSY', message: 'The server has too much to do', retryAfterMs: 1000 };

describe('the gate', () => {
  it('lets those wait who find all places taken, and takes them in their order', async () => {
    const gate = new OverloadGate(2, DELAY_MAX_MS);
    const release = hold(gate, 2);
    const begun: number[] = [];
    const waiting = [1, 2, 3].map((number) => gate.run(async () => void begun.push(number)));
    expect(gate.health).toEqual({ running: 2, waiting: 3, limit: 2, refused: 0 });
    expect(begun).toEqual([]);
    await release();
    await Promise.all(waiting);
    expect(begun).toEqual([1, 2, 3]);
    expect(gate.health).toMatchObject({ running: 0, waiting: 0, refused: 0 });
  });

  it('refuses them when no place was free for too long, and whoever comes then at once, until there is a break', async () => {
    const gate = new OverloadGate(1, DELAY_MAX_MS);
    const release = hold(gate, 1);
    const work = vi.fn(async () => undefined);
    const waiting = Array.from({ length: 100 }, () => expect(gate.run(work)).rejects.toMatchObject(BUSY));
    await Promise.all(waiting);
    expect(gate.hasRoom()).toBe(false);
    expect(() => gate.requireRoom()).toThrow('The server has too much to do');
    await expect(gate.run(work)).rejects.toMatchObject(BUSY);
    expect(work).not.toHaveBeenCalled();
    expect(gate.health).toEqual({ running: 1, waiting: 0, limit: 1, refused: 103 });
    await release();
    const mayWait = async () => {
      const again = hold(gate, 1);
      const has = gate.hasRoom();
      await again();
      return has;
    };
    await expect.poll(mayWait).toBe(true);
  });

  it('lets a handful wait for as long as it takes', async () => {
    const gate = new OverloadGate(1, DELAY_MAX_MS);
    const release = hold(gate, 1);
    const waiting = Array.from({ length: 15 }, () => gate.run(async () => 'done'));
    await pause(200);
    expect(gate.health).toEqual({ running: 1, waiting: 15, limit: 1, refused: 0 });
    await release();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['done']));
  });

  it('lets a thousand wait and no more', async () => {
    const gate = new OverloadGate(1, 60_000);
    const release = hold(gate, 1);
    const waiting = Array.from({ length: 1000 }, () => gate.run(async () => undefined));
    expect(gate.hasRoom()).toBe(false);
    await release();
    await Promise.all(waiting);
  });

  it('makes room also when what ran has failed', async () => {
    const gate = new OverloadGate(1, DELAY_MAX_MS);
    await expect(gate.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(gate.health.running).toBe(0);
  });

  it('lets fewer run when callbacks wait too long, down to a floor', async () => {
    const gate = new OverloadGate(1000, DELAY_MAX_MS);
    const release = hold(gate, 10);
    for (let i = 0; i < 10; i += 1) {
      block(30);
      await pause(1);
    }
    expect(gate.health.limit).toBeLessThanOrEqual(5);
    await release();
    const few = hold(gate, 1);
    block(30);
    gate.hasRoom(); // asked before the timer has its turn
    expect(gate.health.limit).toBe(1);
    await few();
  });

  it('lets more run when all places are taken and nothing waits for the processor, up to its bound', async () => {
    const gate = new OverloadGate(1000, 60_000);
    const before = gate.health.limit;
    const release = hold(gate, before);
    await overload(gate).catch(() => undefined);
    const more = hold(gate, 1);
    await expect.poll(() => gate.health.limit).toBeGreaterThan(before);
    await more();
    await release();
  });
});

describe('a server that cannot take more', () => {
  it('refuses by every carrier at once, says when to come back, and is alive', async () => {
    const server = await startTestServer(database, { MAX_OPERATIONS: '1' });
    onTestFinished(() => server.close());
    const raw = await openReadySocket(server.url, server.token);
    const other = await openReadySocket(server.url, server.token);
    const hit = 'mutation { recordHit(hit: { site: "example.org", page: "/" }) { recorded } }';
    const ask = (path: string, query = hit) =>
      fetch(server.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${server.token}` },
        body: JSON.stringify({ query }),
      });
    const ofTheCrowd = () => ask('/graphql', '{ __typename }');
    /** Sends while an operation has held the only place for some time: it waits for a transaction of the test's. */
    const during = async <T>(send: () => Promise<T>): Promise<T> => {
      const name = randomBytes(8).toString('hex'); // another one each time: what changes nothing waits for nobody
      const result = await database.client.withSession(async (session) => {
        session.startTransaction(); // ends with the session
        await database.db.collection('users').updateOne({}, { $set: { held: true } }, { session });
        raw.send({
          id: '1',
          type: 'subscribe',
          payload: { query: `mutation { changeName(name: "${name}") { name } }` },
        });
        await expect.poll(async () => (await fetch(`${server.url}/metrics`)).text()).toContain('operations_running 1');
        const crowd = setInterval(
          () =>
            void ofTheCrowd().then(
              (response) => response.text(),
              () => undefined,
            ),
          3,
        );
        onTestFinished(() => clearInterval(crowd));
        await expect.poll(async () => (await ofTheCrowd()).status).toBe(503); // after it has waited
        const answer = await send();
        clearInterval(crowd);
        return answer;
      });
      expect(await raw.next()).toMatchObject({ type: 'next', payload: { data: { changeName: { name } } } });
      expect(await raw.next()).toMatchObject({ type: 'complete' });
      return result;
    };
    await ask('/graphql'); // the collections are there, and the code is warm
    const busy = { code: 'SERVER_BUSY', retryAfterMs: 1000 };
    const changes = await changesOf(database.db, async () => {
      for (const path of ['/graphql', '/graphql/stream']) {
        const response = await during(() => ask(path));
        expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
        expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
        expect(response.headers.get('x-content-type-options')).toBe('nosniff');
        expect(((await response.json()) as Answer).errors).toMatchObject([{ extensions: busy }]);
      }
      const late = openHttpConnection(server.port);
      const body = JSON.stringify({ query: hit });
      late.socket.write(
        `POST /graphql HTTP/1.1\r\nhost: x\r\nconnection: close\r\nexpect: 100-continue\r\nauthorization: Bearer ${server.token}\r\n` +
          `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
      );
      await vi.waitFor(() => expect(late.received()).toContain('100 Continue')); // there was room for it
      const { text } = await during(() => {
        late.socket.write(body);
        return late.ended;
      });
      expect(text).toMatch(/HTTP\/1.1 503 .*\r\nretry-after: 1\r\n.*"code":"SERVER_BUSY"/s);
      const message = await during(async () => {
        other.send({ id: 'x', type: 'subscribe', payload: { query: hit } });
        return other.next();
      });
      expect(message).toMatchObject({ id: 'x', type: 'error', payload: [{ extensions: busy }] });
      for (const path of ['/healthz', '/readyz', '/metrics', '/hit.js'])
        expect((await during(() => fetch(server.url + path))).status).toBe(200);
      const hitByBeacon = await during(() => fetch(`${server.url}/hit`, { method: 'POST', body: '{}' }));
      expect(hitByBeacon.status).toBe(503);
    });
    expect(changes).toEqual(['users']); // by what held the place
    for (const { socket } of [raw, other]) socket.terminate();
  });
});
