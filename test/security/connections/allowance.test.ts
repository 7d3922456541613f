import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Allowance } from '../../../src/server/limits/allowance.js';
import { addressBlock } from '../../../src/shared/address-block.js';
import { useDatabase } from '../../support/database.js';
import { openReadySocket } from '../../support/raw-socket.js';
import { type Answer, startTestServer, type TestServer } from '../../support/server.js';

const database = useDatabase();
/** Costs most of 1,000 points, so that the next one must wait for 40 seconds, but takes hardly any time. */
const COSTLY = `{ ${Array.from({ length: 4 }, (_, i) => `a${i}: products(first: 200) { edges { cursor } }`).join(' ')} }`;

describe('an allowance', () => {
  const MINUTE = 60_000;
  it('can be spent in a burst, and refills steadily', () => {
    const allowance = new Allowance(60);
    for (let i = 0; i < 6; i += 1) {
      expect(allowance.wait('a', 10, 0)).toBe(0);
      allowance.spend('a', 10, 0);
    }
    expect(allowance.wait('a', 1, 0)).toBe(1000);
    expect(allowance.wait('a', 10, 0)).toBe(10_000);
    expect(allowance.wait('a', 10, 9000)).toBe(1000);
    expect(allowance.wait('a', 10, 10_000)).toBe(0);
    expect(allowance.wait('b', 60, 0)).toBe(0);
  });

  it('is fully spent by a cost that exceeds it', () => {
    const allowance = new Allowance(60);
    expect(allowance.wait('a', 1000, 0)).toBe(0);
    allowance.spend('a', 1000, 0);
    expect(allowance.wait('a', 1, 0)).toBe(1000);
    expect(allowance.wait('a', 1000, 0)).toBe(MINUTE);
  });

  it('never grants more than twice its size in a minute, and grants after the announced wait', () => {
    const step = fc.record({ points: fc.integer({ min: 1, max: 40 }), afterMs: fc.integer({ min: 0, max: 3000 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const allowance = new Allowance(60);
        const spent: { at: number; points: number }[] = [];
        let now = 1;
        for (const { points, afterMs } of steps) {
          now += afterMs;
          const wait = allowance.wait('a', points, now);
          if (wait > 0) {
            expect(allowance.wait('a', points, now + Math.ceil(wait))).toBe(0);
            continue;
          }
          allowance.spend('a', points, now);
          spent.push({ at: now, points });
          const lately = spent.filter(({ at }) => at > now - MINUTE).reduce((sum, one) => sum + one.points, 0);
          expect(lately).toBeLessThanOrEqual(120);
        }
      }),
    );
  });

  it('uses bounded memory for very many keys', () => {
    const allowance = new Allowance(60);
    for (let i = 0; i < 50_000; i += 1) allowance.spend(`key-${i}`, 60, 0);
    expect(allowance.count).toBe(20_000);
    expect(allowance.wait('key-49999', 1, 0)).toBe(1000);
    expect(allowance.wait('key-0', 1, 0)).toBe(0); // dropped
  });
});

describe('a clock that steps', () => {
  let server: TestServer;
  const step = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
  const ask = (path: string) =>
    fetch(server.url + path, { headers: { 'apollo-require-preflight': 'true' } }).then(({ status }) => status);
  beforeAll(async () => {
    server = await startTestServer(database, { MAX_REQUESTS_PER_MINUTE: '20', MAX_BEACON_REQUESTS_PER_MINUTE: '20' });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  afterAll(() => server.close());

  it('ten minutes back rejects no one', async () => {
    expect(await ask('/hit.js')).toBe(200);
    step(-600_000);
    expect(await ask('/hit.js')).toBe(200);
    expect(await ask('/graphql?query=%7B__typename%7D')).toBe(200);
    expect(await ask('/readyz')).toBe(200);
  });

  it('three hours forward gives no one a second allowance', async () => {
    for (let i = 0; i < 50; i += 1) await ask('/hit.js');
    step(3 * 3_600_000);
    expect(await ask('/hit.js')).toBe(429);
  });
});

describe('health checks', () => {
  it('are never rate limited', async () => {
    const server = await startTestServer(database, { MAX_REQUESTS_PER_MINUTE: '10' });
    const asked = await Promise.all(
      Array.from({ length: 60 }, (_, i) => fetch(server.url + (i % 2 ? '/readyz' : '/healthz'))),
    );
    expect(asked.map(({ status }) => status)).toEqual(Array.from({ length: 60 }, () => 200));
    await server.close();
  });
});

describe('an address', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:0:0:ffff::1', '2001:db8:0:0::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['x'.repeat(10_000), 'x'.repeat(64)],
  ])('counts by its block: %s', (address, block) => {
    expect(addressBlock(address)).toBe(block);
  });
});

describe('a caller that exceeds its rate limit', () => {
  let server: TestServer;
  const post = (path: string, query: string, token: string | null) =>
    fetch(server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify({ query }),
    });
  const busy = { code: 'SERVER_BUSY', retryAfterMs: expect.any(Number) };

  describe('from one address', () => {
    beforeAll(async () => {
      server = await startTestServer(database, { MAX_ADDRESS_COST_PER_MINUTE: '1000' });
      expect((await post('/graphql', COSTLY, null)).status).toBe(200);
    });
    afterAll(() => server.close());

    it('is told to retry later over HTTP: 429 with Retry-After', async () => {
      const response = await post('/graphql', COSTLY, null);
      expect(response.status).toBe(429);
      const { data, errors } = (await response.json()) as Answer;
      expect(data).toBeUndefined();
      expect(errors).toMatchObject([{ extensions: busy }]);
      const wait = Number(errors?.[0]?.extensions.retryAfterMs);
      expect(wait).toBeGreaterThan(0);
      expect(response.headers.get('retry-after')).toBe(String(Math.ceil(wait / 1000)));
    });
    it('is told so over an event stream', async () => {
      const text = await (await post('/graphql/stream', COSTLY, null)).text();
      expect(text).toContain('"code":"SERVER_BUSY"');
    });
    it('is told so on a socket, which stays open', async () => {
      const raw = await openReadySocket(server.url, null);
      raw.send({ id: '1', type: 'subscribe', payload: { query: COSTLY } });
      expect(await raw.next()).toMatchObject({ id: '1', type: 'error', payload: [{ extensions: busy }] });
      raw.send({ type: 'ping' });
      expect(await raw.next()).toMatchObject({ type: 'pong' });
      raw.socket.terminate();
    });
    it('is told so whichever user is signed in there', async () => {
      expect((await post('/graphql', COSTLY, server.token)).status).toBe(429);
    });
    it('may still send cheap operations', async () => {
      expect((await post('/graphql', '{ __typename }', null)).status).toBe(200);
    });
  });

  describe('and has signed in', () => {
    beforeAll(async () => {
      server = await startTestServer(database, { MAX_USER_COST_PER_MINUTE: '1000' });
      expect((await post('/graphql', COSTLY, server.token)).status).toBe(200);
    });
    afterAll(() => server.close());

    it('is told to retry later, over HTTP and on a socket', async () => {
      expect((await post('/graphql', COSTLY, server.token)).status).toBe(429);
      const raw = await openReadySocket(server.url, server.token);
      raw.send({ id: '1', type: 'subscribe', payload: { query: COSTLY } });
      expect(await raw.next()).toMatchObject({ type: 'error', payload: [{ extensions: busy }] });
      raw.socket.terminate();
    });
    it('does not affect others at the same address', async () => {
      expect((await post('/graphql', COSTLY, null)).status).toBe(200);
    });
  });

  describe('by the public beacon', () => {
    const origin = 'https://none.example'; // requests within the limit get 403: there is no such site
    const script = () =>
      fetch(`${server.url}/hit`, {
        method: 'POST',
        headers: { origin, 'content-type': 'text/plain' },
        body: JSON.stringify({ site: 'none.example', page: '/' }),
      });
    const image = () => fetch(`${server.url}/hit.gif?site=none.example`, { headers: { referer: `${origin}/` } });
    beforeAll(async () => {
      server = await startTestServer(database, { MAX_BEACON_REQUESTS_PER_MINUTE: '10' });
    });
    afterAll(() => server.close());

    it('is rejected, for script and image together, and may use the API', async () => {
      const responses: Response[] = [];
      for (let i = 0; i < 10; i += 1) responses.push(await script(), await image());
      const taken = responses.filter(({ status }) => status === 403);
      expect(taken.length).toBeGreaterThanOrEqual(10);
      expect(taken.length).toBeLessThan(15); // one is refilled every six seconds
      const rejected = responses.filter(({ status }) => status === 429);
      expect(taken.length + rejected.length).toBe(20);
      expect(new Set(rejected.map(({ url }) => new URL(url).pathname))).toEqual(new Set(['/hit', '/hit.gif']));
      expect(rejected[0]?.headers.get('retry-after')).toBe('6');
      expect((await post('/graphql', '{ __typename }', null)).status).toBe(200);
    });
  });
});
