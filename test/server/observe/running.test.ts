/** The server from an operator's view: its limits, its pages, its shutdown. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import Fastify from 'fastify';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import type { TestSettings } from '../../../harness/exceptions.js';
import { addressOf, trustHops } from '../../../src/server/identity/caller.js';
import { Identities } from '../../../src/server/identity/identities.js';
import { watchPulse } from '../../../src/server/transports/socket-pulse.js';
import { openHttpConnection } from '../../security/connections/http-connection.js';
import { useDatabase } from '../../support/database.js';
import { openRawSocket, openReadySocket } from '../../support/raw-socket.js';
import { type Answer, startTestServer, type TestServer, testConfig } from '../../support/server.js';

const database = useDatabase();
const HIT = 'mutation { recordHit(hit: { site: "example.org", page: "/end" }) { recorded } }';

let server: TestServer | undefined;
async function start(settings: TestSettings = {}): Promise<TestServer> {
  server = await startTestServer(database, settings);
  return server;
}
afterEach(async () => {
  await server?.close();
  server = undefined;
});

describe('an address that exceeds its rate limit', () => {
  it('is told to retry later, in GraphQL format', async () => {
    const { url } = await start({ MAX_REQUESTS_PER_MINUTE: '10' });
    const ask = () =>
      fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"query":"{__typename}"}',
      });
    for (let i = 0; i < 10; i += 1) await ask();
    const response = await ask();
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(((await response.json()) as Answer).errors?.[0]?.extensions).toEqual({
      code: 'SERVER_BUSY',
      retryAfterMs: Number(response.headers.get('retry-after')) * 1000,
    });
  });

  it('is told so before the viewer is identified', async () => {
    const { url } = await start({ MAX_REQUESTS_PER_MINUTE: '10' });
    const ask = () => fetch(`${url}/graphql?query={__typename}`, { headers: { authorization: 'Bearer forged' } });
    for (let i = 0; i < 10; i += 1) await ask();
    const find = vi.spyOn(Identities.prototype, 'find');
    expect((await ask()).status).toBe(429);
    expect(find).not.toHaveBeenCalled();
    find.mockRestore();
  });

  it('may not open sockets either, and opened sockets count', async () => {
    const { url } = await start({ MAX_REQUESTS_PER_MINUTE: '10' }); // one was used to sign in
    for (let i = 0; i < 9; i += 1) (await openRawSocket(url)).socket.terminate();
    await expect(openRawSocket(url)).rejects.toThrow('429');
    expect((await fetch(`${url}/hit.js`)).status).toBe(429);
  });
});

describe('a request that Node.js itself rejects', () => {
  const answerTo = async (request: string) => {
    const { port } = server ?? (await start());
    const socket = connect(port, '127.0.0.1');
    socket.write(request);
    return text(socket);
  };
  it('has headers of 20 kB: 431', async () => {
    expect(await answerTo(`GET / HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`)).toMatch(/^HTTP\/1.1 431 /);
  });
  it('has 10,000 headers: 431', async () => {
    expect(await answerTo(`GET / HTTP/1.1\r\nhost: x\r\n${'x: y\r\n'.repeat(10_000)}\r\n`)).toMatch(/^HTTP\/1.1 431 /);
  });
  it('has an invalid host: 400', async () => {
    const body = '{"query":"{__typename}"}';
    const request = `POST /graphql HTTP/1.1\r\nhost: [\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    const answer = await answerTo(request);
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toContain('BAD_REQUEST');
  });
});

describe('the address of a caller', () => {
  const asked = (url: string) => fetch(`${url}/hit.js`, { headers: { 'x-forwarded-for': '203.0.113.9' } });
  it('is not taken from a header, unless there is a trusted proxy', async () => {
    const { url } = await start({ MAX_REQUESTS_PER_MINUTE: '10' });
    for (let i = 0; i < 11; i += 1) await fetch(`${url}/hit.js`, { headers: { 'x-forwarded-for': `203.0.113.${i}` } });
    expect((await asked(url)).status).toBe(429);
    await server?.close();
    const behind = await start({ MAX_REQUESTS_PER_MINUTE: '10', TRUST_PROXY: 'true' });
    for (let i = 0; i < 11; i += 1) await asked(behind.url);
    expect((await asked(behind.url)).status).toBe(429);
    expect((await fetch(`${behind.url}/hit.js`)).status).toBe(200);
  });
});

describe('the address of a caller behind proxies', () => {
  const request = (forwarded: string | undefined) =>
    ({
      headers: { 'x-forwarded-for': forwarded },
      socket: { remoteAddress: '10.0.0.1' },
    }) as unknown as IncomingMessage;

  it.each([
    ['0', 'forged, 203.0.113.9', '10.0.0.1'],
    ['1', 'forged, 203.0.113.9', '203.0.113.9'],
    ['true', 'forged, 203.0.113.9', '203.0.113.9'],
    ['2', 'forged, 203.0.113.9 , 10.0.0.2', '203.0.113.9'],
    ['2', '203.0.113.9', '203.0.113.9'],
    ['1', undefined, '10.0.0.1'],
  ] as const)('is taken from the entry of the outermost trusted proxy: %s of %j', async (hops, forwarded, address) => {
    const config = testConfig({ TRUST_PROXY: hops });
    expect(addressOf(request(forwarded), config)).toBe(address);
    const app = Fastify({ trustProxy: trustHops(config) });
    app.get('/', async ({ ip }) => ip);
    const { body } = await app.inject({
      url: '/',
      remoteAddress: '10.0.0.1',
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    });
    expect(body).toBe(address);
  });

  it('is the same for HTTP and sockets, whatever entries the client has forged', async () => {
    const { url } = await start({ MAX_REQUESTS_PER_MINUTE: '10', TRUST_PROXY: '1' });
    const headers = (i: number) => ({ 'x-forwarded-for': `198.51.100.${i}, 203.0.113.9` });
    for (let i = 0; i < 10; i += 1) await fetch(`${url}/hit.js`, { headers: headers(i) });
    expect((await fetch(`${url}/hit.js`, { headers: headers(11) })).status).toBe(429);
    await expect(openRawSocket(url, { headers: headers(12) })).rejects.toThrow('429');
  });
});

describe('disabled introspection', () => {
  it('is rejected over HTTP and over a socket', async () => {
    const { request, url, token } = await start({ INTROSPECTION: 'false' });
    const query = '{ __type(name: "Query") { name } }';
    expect((await request(query)).errors?.[0]?.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
    const raw = await openReadySocket(url, token);
    raw.send({ id: '1', type: 'subscribe', payload: { query } });
    expect(await raw.next()).toMatchObject({
      type: 'error',
      payload: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }],
    });
    raw.socket.terminate();
  });
});

describe('metrics on a separate port', () => {
  it('are not on the public one', async () => {
    const probe = new WebSocketServer({ port: 0 });
    await once(probe, 'listening');
    const { port: free } = probe.address() as { port: number };
    probe.close();
    const { url } = await start({ METRICS_PORT: `${free}` });
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
    expect(await (await fetch(`http://127.0.0.1:${free}/metrics`)).text()).toContain('sextant_sockets');
  });
});

describe('a server that is shutting down', () => {
  it('answers accepted operations, over HTTP and over sockets, and is no longer ready', async () => {
    const stopping = await start();
    const raw = await openReadySocket(stopping.url, stopping.token);
    raw.send({ id: '1', type: 'subscribe', payload: { query: HIT } });
    const overHttp = stopping.request(HIT);
    await vi.waitFor(() => expect(stopping.services.hits.health.hits).toBe(2), { interval: 1 });
    const closed = stopping.close();
    server = undefined;
    expect(await raw.next()).toMatchObject({ type: 'next', payload: { data: { recordHit: { recorded: 1 } } } });
    expect(await overHttp).toMatchObject({ data: { recordHit: { recorded: 1 } } });
    await closed;
    expect(await raw.closed).toMatchObject({ code: 1001 });
    await expect(fetch(`${stopping.url}/healthz`)).rejects.toThrow();
  });
});

describe('a server that is shutting down while a connection is in use', () => {
  it('answers further requests on it in GraphQL format, and then closes it', async () => {
    const stopping = await start();
    const line = openHttpConnection(stopping.port);
    const send = (query: string) => {
      const body = JSON.stringify({ query });
      line.socket.write(
        `POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nauthorization: Bearer ${stopping.token}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      );
    };
    await database.client.withSession(async (session) => {
      session.startTransaction(); // ends with the session
      await database.db.collection('users').updateOne({}, { $set: { held: true } }, { session });
      send('mutation { changeName(name: "Last") { name } }');
      await vi.waitFor(async () =>
        expect(await (await fetch(`${stopping.url}/metrics`)).text()).toContain('operations_running 1'),
      );
      void stopping.close();
      server = undefined;
      await expect(fetch(`${stopping.url}/healthz`)).rejects.toThrow(); // it no longer listens
    });
    await vi.waitFor(() => expect(line.received()).toContain('"changeName"'));
    send(HIT);
    const { text: all } = await line.ended;
    const [, last = ''] = all.split(/(?=HTTP\/1.1 )/);
    expect(last).toMatch(/^HTTP\/1.1 200 .*\r\nconnection: close\r\n.*"data":\{"recordHit":\{"recorded":1\}\}/is);
  });
});

describe('a server that is shutting down while a request never ends', () => {
  it('aborts the request, and is closed well within its time limit', async () => {
    const SHUTDOWN_MS = 2000;
    const stopping = await start({ SHUTDOWN_MS: `${SHUTDOWN_MS}` });
    const slow = openHttpConnection(stopping.port);
    slow.socket.write(
      'POST /graphql HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{',
    );
    await vi.waitFor(() => expect(slow.received()).toContain('100 Continue'));
    const began = performance.now();
    await stopping.close();
    server = undefined;
    expect(performance.now() - began).toBeLessThan(SHUTDOWN_MS * 0.9);
    await slow.ended;
  });
});

describe('a socket whose client has vanished', () => {
  it('is terminated after several unanswered pings; one that answers is kept', async () => {
    const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(sockets, 'listening');
    const { port } = sockets.address() as { port: number };
    const stop = watchPulse(sockets.clients, 20);
    const lively = await openRawSocket(`http://127.0.0.1:${port}`);
    const dead = await openRawSocket(`http://127.0.0.1:${port}`);
    dead.socket.pause(); // reads nothing, answers nothing
    await vi.waitFor(() => expect(sockets.clients.size).toBe(1));
    expect(lively.socket.readyState).toBe(lively.socket.OPEN);
    stop();
    for (const { socket } of [lively, dead]) socket.terminate();
    sockets.close();
  });
});
