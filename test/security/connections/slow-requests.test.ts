/** Deliberately slow clients, and malicious headers. */
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endSlowRequests } from '../../../src/server/request/slow-request.js';
import { useDatabase } from '../../support/database.js';
import { useServer } from '../../support/server.js';
import { type HttpConnection, openHttpConnection } from './http-connection.js';

const database = useDatabase();
const HEADERS_TIMEOUT_MS = 1000;
const server = useServer(database, { HEADERS_TIMEOUT_MS: `${HEADERS_TIMEOUT_MS}` });

/** Writes a byte at intervals until the other side closes the connection. */
function drip({ socket, ended }: HttpConnection, everyMs: number, text = 'x'): void {
  let at = 0;
  const timer = setInterval(() => {
    socket.write(text[at % text.length] ?? 'x');
    at += 1;
  }, everyMs);
  void ended.then(() => clearInterval(timer));
}

describe('a slow loris', () => {
  const CONNECTIONS = 200;
  it.each([
    ['sends headers a byte at a time', 'POST /graphql HTTP/1.1\r\nhost: x\r\nx-slow: '],
    ['sends nothing at all', ''],
  ])('%s: its connections are closed, and others are answered meanwhile', async (_name, head) => {
    const connections = Array.from({ length: CONNECTIONS }, () => openHttpConnection(server.port));
    for (const connection of connections) {
      if (head === '') continue;
      connection.socket.write(head);
      drip(connection, 100);
    }
    expect(await server.request('{ __typename }')).toEqual({ data: { __typename: 'Query' } });
    const ends = await Promise.all(connections.map(({ ended }) => ended));
    for (const { text, afterMs } of ends) {
      expect(text).toMatch(head === '' ? /^(HTTP\/1.1 408 .*)?$/s : /^HTTP\/1.1 408 /);
      expect(afterMs).toBeLessThan(HEADERS_TIMEOUT_MS + 10_000); // and does not stay open indefinitely
    }
  });
});

describe('a body that arrives too slowly', () => {
  const app: FastifyInstance = Fastify();
  let port: number;
  const CHECK_MS = 100;
  beforeAll(async () => {
    endSlowRequests(app, { operations: 1000, files: 20_000 }, CHECK_MS); // 100 and 2,000 bytes between checks
    app.addContentTypeParser('multipart/form-data', (_request, payload, done) => {
      payload.resume().on('end', () => done(null, { text: '' }));
    });
    app.post('/', async (request) => ({ length: (request.body as { text: string }).text.length }));
    await app.listen({ port: 0, host: '127.0.0.1' });
    port = (app.server.address() as { port: number }).port;
  });
  afterAll(() => app.close());

  const head = (length: number) =>
    `POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\nconnection: close\r\n\r\n`;

  it('is aborted with 408', async () => {
    const connection = openHttpConnection(port);
    connection.socket.write(`${head(10_000)}{"text":"`);
    drip(connection, 10);
    const { text } = await connection.ended;
    expect(text).toMatch(/^HTTP\/1.1 408 /);
  });

  it('is aborted even if its length is unknown', async () => {
    const connection = openHttpConnection(port);
    connection.socket.write(
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n',
    );
    drip(connection, 10, '1\r\nx\r\n');
    expect((await connection.ended).text).toMatch(/^HTTP\/1.1 408 /);
  });

  it('is aborted sooner when it has files, which hold a slot: 10,000 bytes per second are too few', async () => {
    const connection = openHttpConnection(port);
    connection.socket.write(head(1_000_000).replace('application/json', 'multipart/form-data; boundary=B'));
    const timer = setInterval(() => connection.socket.write('x'.repeat(100)), 10);
    expect((await connection.ended).text).toMatch(/^HTTP\/1.1 408 /);
    clearInterval(timer);
  });

  it('is accepted when it arrives fast enough, however long it takes', async () => {
    const connection = openHttpConnection(port);
    const body = JSON.stringify({ text: 'x'.repeat(30_000) });
    connection.socket.write(head(body.length));
    for (let at = 0; at < body.length; at += 1000) {
      connection.socket.write(body.slice(at, at + 1000));
      await new Promise((resolve) => setTimeout(resolve, CHECK_MS / 5));
    }
    expect((await connection.ended).text).toMatch(/^HTTP\/1.1 200 [\s\S]*\{"length":30000\}/);
  });
});

describe('headers', () => {
  const answerTo = async (request: string) => {
    const { socket, ended } = openHttpConnection(server.port);
    socket.write(request);
    return (await ended).text;
  };
  const BODY = '{"query":"{ __typename }"}';
  const post = (headers: string, body = BODY) =>
    `POST /graphql HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n${headers}\r\n${body}`;
  const length = `content-length: ${BODY.length}\r\n`;

  it.each([
    ['20 kB in one', 431, `GET / HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['10,000 of them', 431, `GET / HTTP/1.1\r\nhost: x\r\n${'x: y\r\n'.repeat(10_000)}\r\n`],
    ['a path of 20 kB', 431, `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`],
    ['none, after an invalid request line', 400, 'nonsense\r\n\r\n'],
    ['two lengths that differ', 400, post(`${length}content-length: 5\r\n`)],
    ['a length and chunks', 400, post(`${length}transfer-encoding: chunked\r\n`, '0\r\n\r\n')],
    ['a length below zero', 400, post('content-length: -1\r\n')],
    ['a name with a space in it', 400, post(`${length}x y: z\r\n`)],
    ['a line break inside a value', 400, post(`${length}x: a\nb: c\r\n`.replace('\n', '\r'))],
  ])('are rejected: %s (%i)', async (_name, status, request) => {
    const answer = await answerTo(request);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*\r\nx-content-type-options: nosniff\r\n`, 's'));
    const code = status === 431 ? 'LIMIT_EXCEEDED' : 'BAD_REQUEST';
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ errors: [{ extensions: { code } }] });
  });

  it.each([
    ['a forwarded host', 'x-forwarded-host: evil.example\r\nx-forwarded-proto: https\r\n'],
    ['a forwarded address', 'x-forwarded-for: 127.0.0.1, 10.0.0.1\r\nforwarded: for=10.0.0.1\r\n'],
    ['another method by a header', 'x-http-method-override: DELETE\r\n'],
    ['another path by a header', 'x-original-url: /metrics\r\nx-rewrite-url: /metrics\r\n'],
  ])('make no difference: %s', async (_name, headers) => {
    const answer = await answerTo(post(length + headers));
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
    expect(answer).toContain('{"data":{"__typename":"Query"}}');
    expect(answer).not.toContain('evil.example');
  });
});
