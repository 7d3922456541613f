import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { useDatabase } from '../../support/database.js';
import { addPerson, beginTestSession } from '../../support/people.js';
import { openRawSocket, openReadySocket } from '../../support/raw-socket.js';
import { startTestServer, type TestServer, useServer } from '../../support/server.js';

const database = useDatabase();
const LIMIT = 5;
const server = useServer(database, {
  MAX_OPERATIONS_PER_SOCKET: `${LIMIT}`,
  ALLOWED_ORIGINS: 'https://shop.example',
});
const hello = { id: '1', type: 'subscribe', payload: { query: '{ __typename }' } };
const chart = (id: string) => ({
  id,
  type: 'subscribe',
  payload: { query: 'subscription { hitChartChanged(site: "example.org", page: "/") { cursor } }' },
});

describe('opening a socket', () => {
  it.each([
    ['none', {}],
    ['the server’s own', { origin: () => server.url }],
    ['a configured one', { origin: () => 'https://shop.example' }],
  ])('is allowed for the origin: %s', async (_name, { origin }: { origin?: () => string }) => {
    const { socket } = await openRawSocket(server.url, origin ? { headers: { origin: origin() } } : {});
    expect(socket.readyState).toBe(socket.OPEN);
    socket.terminate();
  });

  it.each(['https://evil.example', 'null', 'http://localhost:1'])(
    'is rejected with 403 for the origin %s',
    async (origin) => {
      await expect(
        openRawSocket(server.url, { headers: { origin, cookie: `sextant_access=${server.token}` } }),
      ).rejects.toThrow('403');
    },
  );

  it('is rejected with 404 at another path', async () => {
    await expect(openRawSocket(`${server.url}/elsewhere`)).rejects.toThrow('404');
  });

  it('fails with another protocol', async () => {
    await expect(openRawSocket(server.url, { protocol: 'graphql-ws' })).rejects.toThrow('Server sent no subprotocol');
  });
});

describe('a socket whose client breaks the protocol', () => {
  it('is closed with 4408 without a connection_init', async () => {
    const { closed } = await openRawSocket(server.url);
    expect(await closed).toMatchObject({ code: 4408 });
  });
  it.each([
    ['subscribes before connection_init', 4401, [hello]],
    ['initializes twice', 4429, [{ type: 'connection_init' }, { type: 'connection_init' }]],
    ['sends an invalid message', 4400, ['{"type":"nonsense"}']],
    ['sends invalid JSON', 4400, ['{']],
    ['sends a message without a payload', 4400, [{ type: 'connection_init' }, { id: '1', type: 'subscribe' }]],
    ['sends a message that is too large', 1009, ['x'.repeat(300_000)]],
    ['sends bytes', 4400, [Buffer.from('{"type":"connection_init"}')]],
  ] as const)('is closed: it %s (%i)', async (_name, code, messages) => {
    const { socket, closed } = await openRawSocket(server.url);
    for (const message of messages)
      socket.send(typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message));
    expect(await closed).toMatchObject({ code });
  });
  it('is closed when an id is used twice', async () => {
    const raw = await openReadySocket(server.url, server.token);
    raw.send(chart('1'));
    raw.send(chart('1'));
    expect(await raw.closed).toMatchObject({ code: 4409 });
  });
  it('is closed after 100,000 one-byte fragments, and memory stays flat', async () => {
    const { socket, closed } = await openRawSocket(server.url);
    const before = process.memoryUsage().rss;
    for (let i = 0; i < 100_000 && socket.readyState === socket.OPEN; i += 1) {
      socket.send('x', { fin: false });
      if (i % 1000 === 0) await new Promise(setImmediate);
    }
    expect((await closed).code).toBeOneOf([1006, 1008, 1009]);
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  });
});

describe('operations on a socket', () => {
  it('are rejected individually beyond the limit, and the others continue', async () => {
    const raw = await openReadySocket(server.url, server.token);
    for (let i = 1; i <= LIMIT; i += 1) raw.send(chart(`held-${i}`));
    const first = await Promise.all(Array.from({ length: LIMIT }, () => raw.next()));
    expect(first.map(({ type }) => type)).toEqual(Array(LIMIT).fill('next'));
    for (let i = 0; i < 1000; i += 1) raw.send(chart(`beyond-${i}`));
    for (let i = 0; i < 1000; i += 1) {
      expect(await raw.next()).toMatchObject({
        id: `beyond-${i}`,
        type: 'error',
        payload: [{ extensions: { code: 'LIMIT_EXCEEDED', limit: LIMIT } }],
      });
    }
    raw.send({ id: 'held-1', type: 'complete' });
    raw.send(hello);
    expect(await raw.next()).toMatchObject({ id: '1', type: 'next' });
    raw.socket.terminate();
  });

  it('require the role of the field', async () => {
    const raw = await openReadySocket(server.url, null);
    raw.send(chart('1'));
    const { payload } = await raw.next();
    expect(JSON.stringify(payload)).toContain('UNAUTHENTICATED');
    raw.socket.terminate();
  });

  it('report when a mutation was written', async () => {
    const raw = await openReadySocket(server.url, server.token);
    const query = 'mutation { recordHit(hit: { site: "example.org", page: "/socket" }) { recorded } }';
    raw.send({ id: '1', type: 'subscribe', payload: { query } });
    expect(await raw.next()).toMatchObject({
      payload: {
        data: { recordHit: { recorded: 1 } },
        extensions: { writtenAt: expect.stringMatching(/^[0-9a-f]{16}$/) },
      },
    });
    raw.socket.terminate();
  });
});

describe('the token of a socket', () => {
  it('is rejected with 4403 when it is invalid', async () => {
    const raw = await openRawSocket(server.url);
    raw.send({ type: 'connection_init', payload: { authorization: `Bearer ${server.token}x` } });
    expect(await raw.closed).toMatchObject({ code: 4403 });
  });

  it('may be sent as a cookie', async () => {
    const raw = await openRawSocket(server.url, { headers: { cookie: `sextant_access=${server.token}` } });
    raw.send({ type: 'connection_init' });
    await raw.next();
    raw.send({ id: '1', type: 'subscribe', payload: { query: '{ viewer { email } }' } });
    expect(await raw.next()).toMatchObject({ payload: { data: { viewer: { email: 'admin@example.org' } } } });
    raw.socket.terminate();
  });

  it('closes the socket with 4403 when it expires, after a notice', async () => {
    const raw = await openRawSocket(server.url);
    const now = new Date(Date.now() - 898_000); // one to two seconds are left: tokens expire on whole seconds
    const ann = await addPerson(database.db, 'ann');
    const { token, expiresAt } = await beginTestSession(database.db, server.services.config, ann, now);
    raw.send({ type: 'connection_init', payload: { authorization: token } });
    expect(await raw.next()).toEqual({ type: 'connection_ack' });
    expect(await raw.next()).toEqual({ type: 'ping', payload: { tokenExpiresAt: expiresAt.toISOString() } });
    expect(await raw.closed).toMatchObject({ code: 4403 });
  });
});

describe('the number of sockets', () => {
  let small: TestServer;
  beforeAll(async () => {
    small = await startTestServer(database, { MAX_SOCKETS: '3', MAX_SOCKETS_PER_ADDRESS: '2' });
  });
  afterAll(() => small.close());

  it('is limited per address, and a closed socket makes room', async () => {
    const first = await openRawSocket(small.url);
    const second = await openRawSocket(small.url);
    await expect(openRawSocket(small.url)).rejects.toThrow('429');
    first.socket.close();
    await first.closed;
    const third = await vi.waitFor(() => openRawSocket(small.url));
    for (const { socket } of [second, third]) socket.terminate();
  });
});

describe('the memory of running subscriptions', () => {
  let small: TestServer;
  beforeAll(async () => {
    small = await startTestServer(database, { MAX_STATE_BYTES: '1000000' });
  });
  afterAll(() => small.close());

  const follow = (id: string, payload: object) => ({ ...chart(id), payload: { ...chart(id).payload, ...payload } });
  const text = (name: string, fields: number) =>
    `subscription ${name} { hitChartChanged(site: "example.org", page: "/") { ${'cursor '.repeat(fields)} } }`;

  it.each([
    ['messages', (n: number) => follow(`${n}`, { variables: { ignored: 'x'.repeat(200_000) } }), 3],
    ['ids', (n: number) => chart(`${n}${'x'.repeat(200_000)}`), 3],
    ['documents', (n: number) => follow(`${n}`, { query: text(`s${n}`, 180) }), 5],
  ])('is limited per account: %s', async (_what, message, most) => {
    const raw = await openReadySocket(small.url, small.token);
    const taken = new Set<unknown>();
    for (let n = 1; taken.size === n - 1; n += 1) {
      raw.send(message(n));
      let answer = await raw.next();
      while (taken.has(answer.id)) answer = await raw.next(); // of an earlier one
      if ('data' in Object(answer.payload)) taken.add(answer.id);
      else
        expect(answer.payload).toMatchObject({ errors: [{ extensions: { code: 'LIMIT_EXCEEDED', limit: 500_000 } }] });
    }
    expect(taken.size).toBe(most);
    raw.socket.close();
    await vi.waitFor(() => expect(small.services.hub.health.subscribers).toBe(0));
    expect(small.services.hub.health.stateBytes).toBeLessThan(200_000); // idle states linger for a while
  });
});

describe('a server that stops', () => {
  it('closes its sockets with 1001 after finishing running work', async () => {
    const stopping = await startTestServer(database);
    const raw = await openReadySocket(stopping.url, stopping.token);
    raw.send(chart('1'));
    await raw.next();
    await stopping.close();
    expect(await raw.closed).toMatchObject({ code: 1001 });
  });

  it('does not close them all at the same moment', async () => {
    const stopping = await startTestServer(database);
    const sockets = await Promise.all(Array.from({ length: 40 }, () => openReadySocket(stopping.url, stopping.token)));
    const ends = sockets.map(async (raw) => {
      const { code } = await raw.closed;
      return { code, at: performance.now() };
    });
    await stopping.close();
    const closed = await Promise.all(ends);
    expect(new Set(closed.map(({ code }) => code))).toEqual(new Set([1001]));
    const moments = closed.map(({ at }) => at);
    expect(Math.max(...moments) - Math.min(...moments)).toBeGreaterThan(200); // of 400 ms
  });

  it('terminates sockets that do not respond', async () => {
    const stopping = await startTestServer(database);
    const deaf = connect(stopping.port, '127.0.0.1');
    deaf.write(
      'GET /graphql HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n' +
        'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\nsec-websocket-protocol: graphql-transport-ws\r\n\r\n',
    );
    await new Promise((resolve) => deaf.once('data', resolve));
    await stopping.close();
    deaf.destroy();
  });
});
