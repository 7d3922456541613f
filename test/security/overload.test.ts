/** What happens when there is more to do than can be done. */
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
const isFull = (gate: OverloadGate): boolean => {
  try {
    gate.requireRoom();
    return false;
  } catch {
    return true;
  }
};
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('the gate', () => {
  it('refuses beyond its bound, and takes again when something ends', async () => {
    const gate = new OverloadGate(2, DELAY_MAX_MS);
    const release = hold(gate, 2);
    expect(() => gate.requireRoom()).toThrow('The server has too much to do');
    expect(gate.health).toEqual({ running: 2, limit: 2, refused: 1 });
    await release();
    expect(isFull(gate)).toBe(false);
    expect(gate.health.running).toBe(0);
  });

  it('begins nothing beyond its bound, though it was let in when there was room', async () => {
    const gate = new OverloadGate(1, DELAY_MAX_MS);
    gate.requireRoom();
    const release = hold(gate, 1);
    const work = vi.fn(async () => undefined);
    await expect(gate.run(work)).rejects.toMatchObject({ code: 'SERVER_BUSY', retryAfterMs: 1000 });
    expect(work).not.toHaveBeenCalled();
    expect(gate.health).toEqual({ running: 1, limit: 1, refused: 1 });
    await release();
  });

  it('makes room also when what ran has failed', async () => {
    const gate = new OverloadGate(1, DELAY_MAX_MS);
    await expect(gate.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(gate.health.running).toBe(0);
  });

  it('lets fewer run when callbacks wait too long, down to a floor', async () => {
    const gate = new OverloadGate(1000, DELAY_MAX_MS);
    const release = hold(gate, 1);
    const first = gate.health.limit;
    for (let i = 0; i < 60; i += 1) {
      block(30);
      await pause(1);
    }
    expect(gate.health.limit).toBeLessThan(first);
    expect(gate.health.limit).toBe(2);
    await release();
  });

  it('lets more run when all places are taken and nothing waits, up to its bound', async () => {
    const gate = new OverloadGate(1000, 60_000);
    const before = gate.health.limit;
    const releases = [hold(gate, before)];
    while (gate.health.limit < before + 5) {
      while (!isFull(gate)) releases.push(hold(gate, 1));
      await pause(10);
    }
    for (const release of releases) await release();
  });
});

describe('a server that cannot take more', () => {
  it('refuses by every carrier at once, says when to come back, and is alive', async () => {
    const server = await startTestServer(database, { MAX_OPERATIONS: '1' });
    onTestFinished(() => server.close());
    const raw = await openReadySocket(server.url, server.token);
    const other = await openReadySocket(server.url, server.token);
    const password = 'mutation { signIn(email: "nobody@example.org", password: "x") { __typename } }'; // some 30 ms of work
    const hit = 'mutation { recordHit(hit: { site: "example.org", page: "/" }) { recorded } }';
    const ask = (path: string) =>
      fetch(server.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${server.token}` },
        body: JSON.stringify({ query: hit }),
      });
    /** Sends while another operation runs. */
    const during = async <T>(send: () => Promise<T>): Promise<T> => {
      raw.send({ id: '1', type: 'subscribe', payload: { query: password } });
      raw.send({ type: 'ping' });
      expect(await raw.next()).toMatchObject({ type: 'pong' });
      const result = await send();
      expect(await raw.next()).toMatchObject({ type: 'next', payload: { data: { signIn: {} } } });
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
    expect(changes).toEqual(['auth.throttles']); // of the sign-ins
    for (const { socket } of [raw, other]) socket.terminate();
  });
});
