/** Responses on the wire: compressed for clients that accept it, unless they contain a secret. */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import Fastify from 'fastify';
import { getNamedType, isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { Metrics } from '../../../src/server/observe/metrics.js';
import { makeSchema } from '../../../src/server/operations/schema.js';
import { compressAnswers } from '../../../src/server/request/answer-compression.js';
import { encodingFor } from '../../../src/shared/accepted-encoding.js';
import { useDatabase } from '../../support/database.js';
import { SIGN_IN, useServer } from '../../support/server.js';

const database = useDatabase();
const server = useServer(database);

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** The raw response: `fetch` would decompress it. */
function receive(url: string, headers: Readonly<Record<string, string>>, body?: string): Promise<Received> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method: body === undefined ? 'GET' : 'POST', headers }, async (answer) => {
      const bytes = Buffer.concat(await answer.toArray());
      resolve({ headers: answer.headers, bytes });
    });
    sent.on('error', reject).end(body);
  });
}

const ask = (query: string, accepted?: string) =>
  receive(
    `${server.url}/graphql`,
    {
      'content-type': 'application/json',
      authorization: `Bearer ${server.token}`,
      ...(accepted !== undefined && { 'accept-encoding': accepted }),
    },
    JSON.stringify({ query }),
  );

const LONG = '{ __schema { types { name description } } }';
const unpack = { br: promisify(brotliDecompress), gzip: promisify(gunzip) };

describe('a long response', () => {
  it.each([
    ['br', 'gzip, deflate, br'],
    ['gzip', 'gzip, deflate, br;q=0'],
  ] as const)('is sent as %s to a client that accepts %s, unchanged', async (encoding, accepted) => {
    const plain = await ask(LONG);
    expect(plain.headers['content-encoding']).toBeUndefined();
    const { headers, bytes } = await ask(LONG, accepted);
    expect(headers).toMatchObject({ 'content-encoding': encoding, 'content-length': String(bytes.length) });
    expect(bytes.length).toBeLessThan(plain.bytes.length / 3);
    expect((await unpack[encoding](bytes)).equals(plain.bytes)).toBe(true);
    for (const each of [plain, { headers }]) expect(each.headers.vary).toBe('Accept-Encoding');
  });

  it('of the metrics endpoint is compressed, too', async () => {
    const { headers } = await receive(`${server.url}/metrics`, { 'accept-encoding': 'gzip' });
    expect(headers['content-encoding']).toBe('gzip');
  });
});

describe('a short response', () => {
  it('is sent as it is', async () => {
    const { headers } = await ask('{ __typename }', 'br');
    expect([headers['content-encoding'], headers.vary]).toEqual([undefined, undefined]);
  });
});

describe('a response with a secret', () => {
  const create = (field: string) =>
    `mutation { createApiKey(input: { name: "Key", scopes: [HITS_WRITE] }) { ${Array.from({ length: 28 }, (_, i) => `${'long'.repeat(10)}${i}: ${field}`).join(' ')} } }`;

  it('is never compressed, not even by proxies', async () => {
    const harmless = await ask(create('apiKey { name }'), 'br');
    expect(harmless.headers).toMatchObject({ 'content-encoding': 'br' });
    const { headers, bytes } = await ask(create('key'), 'br');
    expect(bytes.length).toBeGreaterThan(1024);
    expect(headers['content-encoding']).toBeUndefined();
    expect(headers['cache-control']).toBe('no-store, no-transform');
  });

  it('is not compressed when it starts a session only by a cookie', async () => {
    const filler = Array.from({ length: 28 }, (_, i) => `${'long'.repeat(10)}${i}: email`).join(' ');
    const { headers, bytes } = await ask(SIGN_IN.replace('accessToken refreshToken', `viewer { ${filler} }`), 'br');
    expect(bytes.length).toBeGreaterThan(1024);
    expect(headers['set-cookie']).toBeDefined();
    expect(headers['content-encoding']).toBeUndefined();
  });

  it('is marked in the schema: every field that sounds like a secret is marked, or listed here with a reason', () => {
    const harmless = new Set([
      'ShardAdvice.key', // fields of documents
      'KeywordBid.keyword', // words
      'ZoneAd.keywords',
      'Location.key', // names in the files of a world
      'Item.key',
      'Exit.toKey',
      'Exit.needsKey',
    ]);
    const found: string[] = [];
    const marked: string[] = [];
    for (const type of Object.values(makeSchema().getTypeMap())) {
      if (!isObjectType(type) || type.name.startsWith('__')) continue;
      for (const field of Object.values(type.getFields())) {
        const isMarked = field.astNode?.directives?.some(({ name }) => name.value === 'secret');
        if (isMarked) marked.push(`${type.name}.${field.name}`);
        else if (/token|secret|password|link|key/i.test(field.name) && getNamedType(field.type).name === 'String')
          found.push(`${type.name}.${field.name}`);
      }
    }
    expect(found.filter((name) => !harmless.has(name))).toEqual([]);
    expect(marked.sort()).toEqual([
      'Cart.id',
      'CreatedApiKey.key',
      'Invited.link',
      'Invited.token',
      'SignedIn.accessToken',
      'SignedIn.refreshToken',
    ]);
  });
});

describe('more concurrent long responses than threads', () => {
  it('are all sent, some of them uncompressed', async () => {
    const app = Fastify();
    const metrics = new Metrics();
    compressAnswers(app, metrics);
    const text = JSON.stringify(Array.from({ length: 20_000 }, (_, i) => (i * 7919) % 10_007));
    const COUNT = 30;
    let arrived = 0;
    let sendAll = (): void => undefined;
    const everybody = new Promise<void>((resolve) => {
      sendAll = resolve;
    });
    app.get('/', async (_request, reply) => {
      arrived += 1;
      if (arrived === COUNT) sendAll();
      await everybody;
      return reply.type('application/json').send(text);
    });
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    const all = await Promise.all(Array.from({ length: COUNT }, () => receive(url, { 'accept-encoding': 'br' })));
    await app.close();
    const packed = all.filter(({ headers }) => headers['content-encoding'] === 'br');
    expect(packed.length).toBe(8);
    for (const { headers, bytes } of all) {
      const shown = headers['content-encoding'] === 'br' ? await unpack.br(bytes) : bytes;
      expect(shown.toString()).toBe(text);
    }
  });
});

describe('the accepted encoding', () => {
  it.each([
    [undefined, null],
    ['', null],
    ['identity', null],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['deflate, gzip;q=1.0, *;q=0.5', 'gzip'],
    ['br;q=0.0, gzip;q=0', null],
    ['br ; q=0.5,gzip', 'br'],
  ])('%j: %s', (accepted, encoding) => {
    expect(encodingFor(accepted)).toBe(encoding);
  });
});
