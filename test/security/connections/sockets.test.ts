/** Sockets of malicious clients. */
import type { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { useDatabase } from '../../support/database.js';
import { openRawSocket, openReadySocket } from '../../support/raw-socket.js';
import { startTestServer, type TestServer, useServer } from '../../support/server.js';
import { changesOf } from '../operations/unchanged.js';
import { openHttpConnection } from './http-connection.js';

const database = useDatabase();
const MESSAGES_PER_SECOND = 50;
const server = useServer(database, {
  MAX_MESSAGES_PER_SECOND: `${MESSAGES_PER_SECOND}`,
  ALLOWED_ORIGINS: 'https://shop.example',
});
const hello = (id: string) => ({ id, type: 'subscribe', payload: { query: '{ __typename }' } });
const MEGABYTE = 1_000_000;

describe('a page of another origin', () => {
  const cookie = () => `sextant_access=${server.token}`;
  it.each(['https://evil.example', 'null', 'https://shop.example.evil.example', 'http://shop.example', 'file://'])(
    'cannot open a socket with the cookies of its visitor: %s (403)',
    async (origin) => {
      const changes = await changesOf(database.db, () =>
        expect(openRawSocket(server.url, { headers: { origin, cookie: cookie() } })).rejects.toThrow('403'),
      );
      expect(changes).toEqual([]);
    },
  );

  it('cannot pretend to use the server’s own host', async () => {
    const headers = { origin: 'https://evil.example', cookie: cookie(), 'x-forwarded-host': 'evil.example' };
    await expect(openRawSocket(server.url, { headers })).rejects.toThrow('403');
  });
});

describe('a flooded socket', () => {
  it('is read no faster than its rate limit, and everything is answered', async () => {
    const raw = await openReadySocket(server.url, server.token);
    const began = performance.now();
    const count = MESSAGES_PER_SECOND * 4;
    const padding = '#'.repeat(10_000); // data of one read is handled together: six messages
    for (let i = 0; i < count; i += 1)
      raw.send({ ...hello(`m-${i}`), payload: { query: `{ __typename } ${padding}` } });
    let answered = 0;
    while (answered < count) if ((await raw.next()).type === 'next') answered += 1;
    expect(performance.now() - began).toBeGreaterThan(2000);
    raw.socket.terminate();
  });

  it('that sends pings and reads no pongs is no longer read, and memory stays flat', async () => {
    const { socket } = openHttpConnection(server.port);
    socket.write(
      'GET /graphql HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n' +
        'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\nsec-websocket-protocol: graphql-transport-ws\r\n\r\n',
    );
    await new Promise((resolve) => socket.once('data', resolve));
    socket.pause(); // nobody reads
    const ping = Buffer.alloc(6 + 125);
    ping.set([0x89, 0x80 | 125, 0, 0, 0, 0]); // masked with zeros
    const flood = Buffer.concat(Array.from({ length: 1000 }, () => ping));
    const before = process.memoryUsage().rss;
    let sent = 0;
    let room = true;
    while (room && sent < 200 * MEGABYTE) {
      const drained = socket.write(flood) || (await Promise.race([once(socket), later(300)]));
      room = drained !== false;
      sent += flood.length;
    }
    expect(sent).toBeLessThan(50 * MEGABYTE); // the buffers of both ends
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * MEGABYTE);
    socket.destroy();
  });

  it('with a million one-byte fragments is closed, and memory stays flat', async () => {
    const { socket, closed } = await openRawSocket(server.url);
    const before = process.memoryUsage().rss;
    for (let i = 0; i < 1_000_000 && socket.readyState === socket.OPEN; i += 1) {
      socket.send('x', { fin: false });
      if (i % 1000 === 0) await new Promise(setImmediate);
    }
    expect((await closed).code).toBeOneOf([1006, 1008, 1009]);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * MEGABYTE);
  });

  it('with a message of 60 MB is closed with 1009 before it is in memory', async () => {
    const { socket, closed } = await openRawSocket(server.url);
    socket.send('x'.repeat(60 * MEGABYTE));
    expect((await closed).code).toBeOneOf([1006, 1009]); // 1006: the client was still writing when it was closed
  });

  it('is not offered compression', async () => {
    const { socket } = await openRawSocket(server.url);
    expect(socket.extensions).toBe('');
    socket.terminate();
  });
});

const later = (ms: number) => new Promise<false>((resolve) => setTimeout(() => resolve(false), ms));
const once = (socket: ReturnType<typeof connect>) =>
  new Promise<true>((resolve) => socket.once('drain', () => resolve(true)));

describe('messages that are not operations', () => {
  it.each<[string, number, readonly (string | object)[]]>([
    ['an operation before connection_init', 4401, [hello('1')]],
    ['a key that changes all objects', 4400, ['{"type":"connection_init","__proto__":{"type":"ping"},"payload":7}']],
    ['a payload that is a list', 4400, [{ type: 'connection_init' }, { id: '1', type: 'subscribe', payload: [] }]],
    ['an operation without a text', 4400, [{ type: 'connection_init' }, { id: '1', type: 'subscribe', payload: {} }]],
    ['an id that is an object', 4400, [{ type: 'connection_init' }, { ...hello('1'), id: { $gt: '' } }]],
    ['a type of every object', 4400, [{ type: 'constructor' }]],
    ['JSON that is very deep', 4400, ['['.repeat(50_000) + ']'.repeat(50_000)]],
  ])('close the socket: %s (%i)', async (_name, code, messages) => {
    const { socket, closed } = await openRawSocket(server.url);
    for (const message of messages) socket.send(typeof message === 'string' ? message : JSON.stringify(message));
    expect(await closed).toMatchObject({ code });
    expect(await server.request('{ __typename }')).toEqual({ data: { __typename: 'Query' } });
  });

  it('with a prototype’s name as an id are answered like any other', async () => {
    const raw = await openReadySocket(server.url, null);
    for (const id of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      raw.send(hello(id));
      const answer = await Promise.race([raw.next(), raw.closed]);
      // graphql-ws uses ids as keys of an object, so it may consider one of these in use.
      if ('code' in answer) expect(answer.code).toBe(4409);
      else expect(answer).toMatchObject({ type: 'next', payload: { data: { __typename: 'Query' } } });
      if ('code' in answer) break;
      await raw.next();
    }
    expect(await server.request('{ __typename }')).toEqual({ data: { __typename: 'Query' } });
    raw.socket.terminate();
  });
});

describe('event streams of one address', () => {
  let small: TestServer;
  beforeAll(async () => {
    small = await startTestServer(database, { MAX_SOCKETS_PER_ADDRESS: '2' });
  });
  afterAll(() => small.close());

  it('are limited like sockets, and one that has ended makes room', async () => {
    const query = 'subscription { hitChartChanged(site: "example.org", page: "/") { cursor } }';
    const open = () => {
      const ended = new AbortController();
      const answer = fetch(`${small.url}/graphql/stream?${new URLSearchParams({ query })}`, {
        headers: { authorization: `Bearer ${small.token}`, accept: 'text/event-stream' },
        signal: ended.signal,
      });
      return { answer, end: () => ended.abort() };
    };
    const first = open();
    const second = open();
    expect([(await first.answer).status, (await second.answer).status]).toEqual([200, 200]);
    const third = await open().answer;
    expect([third.status, third.headers.get('retry-after')]).toEqual([429, '1']);
    expect(await third.json()).toMatchObject({ errors: [{ extensions: { code: 'SERVER_BUSY', retryAfterMs: 1000 } }] });
    first.end();
    await vi.waitFor(async () => {
      const again = open();
      expect((await again.answer).status).toBe(200);
      again.end();
    });
    second.end();
  });
});
