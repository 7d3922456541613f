/** Requests that are not operations, or that a page of another origin could send. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { useDatabase } from '../../support/database.js';
import { type Answer, useServer } from '../../support/server.js';
import { nested } from '../operations/hostile-operations.js';
import { changesOf } from '../operations/unchanged.js';

const database = useDatabase();
const server = useServer(database);

interface HttpRow {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly status: number;
  readonly code: string;
}

const json = { 'content-type': 'application/json' };
const encoded = encodeURIComponent('{ __typename }');
const unknownHash = 'a'.repeat(64);
const persisted = (query: string | undefined, sha256Hash: unknown, version: unknown = 1) =>
  JSON.stringify({ query, extensions: { persistedQuery: { version, sha256Hash } } });

const httpRows: Record<string, HttpRow> = {
  'a batch': {
    headers: json,
    body: '[{"query":"{__typename}"},{"query":"{__typename}"}]',
    status: 400,
    code: 'BAD_REQUEST',
  },
  'a mutation by GET': {
    method: 'GET',
    path: `/graphql?query=${encodeURIComponent('mutation { signOut { signedOut } }')}`,
    headers: { 'apollo-require-preflight': '1' },
    status: 405,
    code: 'BAD_REQUEST',
  },
  'GET without a header that forces a preflight': {
    method: 'GET',
    path: `/graphql?query=${encoded}`,
    status: 400,
    code: 'BAD_REQUEST',
  },
  'GET with an odd content type': {
    method: 'GET',
    path: `/graphql?query=${encoded}`,
    headers: { 'content-type': 'message/rfc822' },
    status: 415,
    code: 'BAD_REQUEST',
  },
  'GET with two queries': {
    method: 'GET',
    path: `/graphql?query=${encoded}&query=${encoded}`,
    headers: { 'apollo-require-preflight': '1' },
    status: 400,
    code: 'BAD_REQUEST',
  },
  PUT: { method: 'PUT', headers: json, body: '{"query":"{__typename}"}', status: 405, code: 'BAD_REQUEST' },
  'a form': {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'query=x',
    status: 415,
    code: 'BAD_REQUEST',
  },
  'plain text': {
    headers: { 'content-type': 'text/plain' },
    body: '{"query":"{__typename}"}',
    status: 415,
    code: 'BAD_REQUEST',
  },
  'no content type': { headers: {}, body: new Uint8Array([123, 125]), status: 415, code: 'BAD_REQUEST' },
  'broken JSON': { headers: json, body: '{"query":', status: 400, code: 'BAD_REQUEST' },
  'no body': { headers: json, body: '', status: 400, code: 'BAD_REQUEST' },
  null: { headers: json, body: 'null', status: 400, code: 'BAD_REQUEST' },
  'an empty object': { headers: json, body: '{}', status: 400, code: 'BAD_REQUEST' },
  'a query that is a number': { headers: json, body: '{"query":1}', status: 400, code: 'BAD_REQUEST' },
  'variables that are a list': {
    headers: json,
    body: '{"query":"{__typename}","variables":[]}',
    status: 400,
    code: 'BAD_REQUEST',
  },
  'a `__proto__` key': {
    headers: json,
    body: '{"query":"{__typename}","variables":{"__proto__":{"a":1}}}',
    status: 400,
    code: 'BAD_REQUEST',
  },
  'bytes that are not UTF-8': {
    headers: json,
    body: new Uint8Array([...Buffer.from('{"query":"{__typename} #'), 0xff, ...Buffer.from('"}')]),
    status: 400,
    code: 'BAD_REQUEST',
  },
  'JSON 100,000 deep': {
    headers: json,
    body: `{"query":"{__typename}","variables":{"a":${nested(100_000, '[', ']')}}}`,
    status: 400,
    code: 'LIMIT_EXCEEDED',
  },
  'a body of 2 MB': {
    headers: json,
    body: `{"query":"${' '.repeat(2_000_000)}"}`,
    status: 413,
    code: 'LIMIT_EXCEEDED',
  },
  'a charset that is not UTF-8': {
    headers: { 'content-type': 'application/json; charset=utf-16' },
    body: Buffer.from('{"query":"{__typename}"}', 'utf16le') as Uint8Array<ArrayBuffer>,
    status: 400,
    code: 'BAD_REQUEST',
  },
  'an unknown persisted query': {
    headers: json,
    body: persisted(undefined, unknownHash),
    status: 200,
    code: 'PERSISTED_QUERY_NOT_FOUND',
  },
  'a persisted query with a wrong hash': {
    headers: json,
    body: persisted('{__typename}', unknownHash),
    status: 400,
    code: 'BAD_REQUEST',
  },
  'a persisted query with a hash that is an object': {
    headers: json,
    body: persisted('{__typename}', { $ne: '' }),
    status: 400,
    code: 'BAD_REQUEST',
  },
  'a persisted query of another version': {
    headers: json,
    body: persisted(undefined, unknownHash, 2),
    status: 400,
    code: 'BAD_REQUEST',
  },
  'huge variables': {
    headers: json,
    body: `{"query":"query($id: ID!) { node(id: $id) { id } }","variables":{"id":"${'x'.repeat(1_100_000)}"}}`,
    status: 413,
    code: 'LIMIT_EXCEEDED',
  },
  'a `constructor` key with a prototype': {
    headers: json,
    body: '{"query":"{__typename}","variables":{"constructor":{"prototype":{"a":1}}}}',
    status: 400,
    code: 'BAD_REQUEST',
  },
  'a multipart request without a header that forces a preflight': {
    headers: { 'content-type': 'multipart/form-data; boundary=B' },
    body: '--B--',
    status: 400,
    code: 'BAD_REQUEST',
  },
  'a mutation as a form that a page of another origin sends': {
    headers: { origin: 'https://evil.example', 'content-type': 'text/plain' },
    body: '{"query":"mutation { signOut { signedOut } }"}',
    status: 415,
    code: 'BAD_REQUEST',
  },
  'a mutation by GET on an event stream': {
    method: 'GET',
    path: `/graphql/stream?query=${encodeURIComponent('mutation { signOut { signedOut } }')}`,
    headers: { accept: 'text/event-stream' },
    status: 405,
    code: 'BAD_REQUEST',
  },
  'a link to an event stream': {
    method: 'GET',
    path: `/graphql/stream?query=${encoded}`,
    headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', cookie: 'sextant_access=x' },
    status: 400,
    code: 'BAD_REQUEST',
  },
  'an image from an event stream': {
    method: 'GET',
    path: `/graphql/stream?query=${encoded}`,
    headers: { accept: 'image/avif,*/*' },
    status: 400,
    code: 'BAD_REQUEST',
  },
  'a subscription': {
    headers: json,
    body: '{"query":"subscription { hitChartChanged(site: \\"a\\", page: \\"/\\") { cursor } }"}',
    status: 400,
    code: 'BAD_REQUEST',
  },
  'a malformed path': { method: 'GET', path: '/%', status: 400, code: 'BAD_REQUEST' },
  'a path that is not UTF-8': { method: 'GET', path: '/graphql/%ff', status: 400, code: 'BAD_REQUEST' },
  'a malformed path, from a browser': {
    method: 'GET',
    path: '/shop/%E0%A4%A',
    headers: { accept: 'text/html' },
    status: 400,
    code: 'BAD_REQUEST',
  },
  'an operation to a malformed path': {
    path: '/graphql%',
    headers: json,
    body: '{"query":"{__typename}"}',
    status: 400,
    code: 'BAD_REQUEST',
  },
  'an unknown path': { method: 'GET', path: '/graphql/no', status: 404, code: 'NOT_FOUND' },
  'an unsupported media type': {
    headers: { ...json, accept: 'image/png' },
    body: '{"query":"{__typename}"}',
    status: 406,
    code: 'BAD_REQUEST',
  },
};

describe('a malformed request', () => {
  it.each(Object.entries(httpRows))('gets errors in GraphQL format: %s', async (_name, row) => {
    const { method = 'POST', path = '/graphql', headers = {}, body, status, code } = row;
    const changes = await changesOf(database.db, async () => {
      const response = await fetch(server.url + path, { method, headers, ...(body !== undefined && { body }) });
      const answer = (await response.json()) as Answer;
      expect({ status: response.status, code: answer.errors?.[0]?.extensions.code }).toEqual({ status, code });
      expect(response.headers.get('content-type')).toMatch(/^application\/(graphql-response\+)?json/);
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('content-security-policy')).toContain("default-src 'self'");
      expect(JSON.stringify(answer)).not.toMatch(/call stack|node_modules|stacktrace/);
    });
    expect(changes).toEqual([]);
  });

  it.each(['application/json\t;', ' application/json', 'application/json; charset=utf-8', 'Application/JSON'])(
    'treats the content type %j as JSON, with all checks, or rejects it',
    async (contentType) => {
      const good = await fetch(`${server.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': contentType },
        body: '{"query":"{__typename}"}',
      });
      const bad = await fetch(`${server.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': contentType },
        body: '{"query":"{__typename}","variables":{"__proto__":{}}}',
      });
      expect([good.status, bad.status]).toEqual(good.status === 200 ? [200, 400] : [415, 415]);
    },
  );
});

describe('a page of another origin', () => {
  const evil = { origin: 'https://evil.example', cookie: 'sextant_access=x' };
  it('may neither read a response nor pass a preflight', async () => {
    for (const path of ['/graphql', '/graphql/stream', '/metrics', '/']) {
      const preflight = await fetch(server.url + path, {
        method: 'OPTIONS',
        headers: { ...evil, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
      });
      expect([...preflight.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
      const read = await fetch(server.url + path, { headers: evil });
      expect([...read.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });

  it('may not frame a page, nor run a script in it', async () => {
    const { headers } = await fetch(`${server.url}/`, { headers: { accept: 'text/html' } });
    const policy = headers.get('content-security-policy')?.split(';') ?? [];
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'self'",
        "script-src 'self'",
        "object-src 'none'",
        "frame-ancestors 'none'",
      ]),
    );
    expect(policy.filter((rule) => /unsafe-eval|script-src.*unsafe|\*/.test(rule))).toEqual([]);
    expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-powered-by')).toBeNull();
  });
});

describe('a persisted query sent by hash only', () => {
  const query = 'query($n: Int!) { events(filter: { site: "a" }, first: $n) { edges { node { id } } } }';
  const ask = (body: object) =>
    fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { ...json, authorization: `Bearer ${server.token}` },
      body: JSON.stringify(body),
    }).then((response) => response.json() as Promise<Answer>);
  const extensions = { persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(query).digest('hex') } };

  it('is limited by its variables like any other operation', async () => {
    const answer = { data: { events: { edges: [] } } };
    expect(await ask({ query, extensions, variables: { n: 1 } })).toEqual(answer);
    expect(await ask({ extensions, variables: { n: 2 } })).toEqual(answer);
    const { data, errors } = await ask({ extensions, variables: { n: 100_000 } });
    expect(data).toBeUndefined();
    expect(errors).toMatchObject([
      { message: expect.stringContaining('at most 500'), extensions: { code: 'LIMIT_EXCEEDED' } },
    ]);
  });
});
