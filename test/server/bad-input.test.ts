/** Operations that must not be executed: the same refusal over HTTP and over a socket, whose other operations live on. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.js';
import { openReadySocket, type RawSocket } from '../support/raw-socket.js';
import { type Answer, useServer } from '../support/server.js';

const database = useDatabase();
const server = useServer(database);

const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);
interface Row {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly operationName?: string;
  readonly code: string;
  readonly message?: RegExp;
}

const rows: Record<string, Row> = {
  'no operation': { query: 'fragment f on Query { viewer { id } }', code: 'GRAPHQL_VALIDATION_FAILED' },
  'text that is no GraphQL': { query: '{ viewer', code: 'GRAPHQL_PARSE_FAILED' },
  'a character that no token begins with': { query: '{ viewer § }', code: 'GRAPHQL_PARSE_FAILED' },
  'an operation name that the text does not have': {
    query: 'query A { __typename }',
    operationName: 'B',
    code: 'BAD_REQUEST',
  },
  'several operations and no name': { query: 'query A { __typename } query B { __typename }', code: 'BAD_REQUEST' },
  '100 aliases of signIn': {
    query: `mutation { ${Array.from({ length: 100 }, (_, i) => `a${i}: signIn(email: "a@b.c", password: "x") { __typename }`).join(' ')} }`,
    code: 'LIMIT_EXCEEDED',
    message: /aliases/,
  },
  'a field 10,000 times': { query: `{ ${'__typename '.repeat(10_000)} }`, code: 'LIMIT_EXCEEDED', message: /tokens/ },
  '100 x 50 inline fragments': {
    query: `{ ${`... on Query { ${'... on Query { __typename } '.repeat(50)} } `.repeat(100)} }`,
    code: 'LIMIT_EXCEEDED',
    message: /tokens/,
  },
  'selections 5,000 deep': { query: nested(5000, '{ viewer ', '}'), code: 'LIMIT_EXCEEDED' },
  'selections 300 deep': { query: nested(300, '{ viewer ', '}'), code: 'LIMIT_EXCEEDED', message: /deep/ },
  'selections 20 deep': {
    query: `{ viewer ${nested(20, '{ viewer ', '}')} }`,
    code: 'LIMIT_EXCEEDED',
    message: /fields deep/,
  },
  'a list literal 20,000 deep': {
    query: `{ node(id: ${nested(20_000, '[', ']')}) { id } }`,
    code: 'LIMIT_EXCEEDED',
  },
  '5,000 unknown directives': { query: `{ __typename ${'@no '.repeat(5000)} }`, code: 'LIMIT_EXCEEDED' },
  '60 unknown directives': {
    query: `{ __typename ${'@no '.repeat(60)} }`,
    code: 'LIMIT_EXCEEDED',
    message: /directives/,
  },
  'a costly operation': {
    query:
      '{ logImports(site: "a", first: 100) { edges { node { rejects(first: 500) { edges { node { line } } } } } } }',
    code: 'LIMIT_EXCEEDED',
    message: /cost is \d+; at most 10000/,
  },
  'a list argument beyond its bound': {
    query: 'query { events(filter: {site: "a"}, first: 100000) { edges { node { id } } } }',
    code: 'LIMIT_EXCEEDED',
    message: /events\(first:\) is 100000; at most 500/,
  },
  'a list argument beyond its bound, by a variable': {
    query: 'query($n: Int!) { events(filter: {site: "a"}, first: $n) { edges { node { id } } } }',
    variables: { n: 100_000 },
    code: 'LIMIT_EXCEEDED',
    message: /at most 500/,
  },
  'a list argument beyond its bound, by the default of a variable': {
    query: 'query($n: Int! = 501) { events(filter: {site: "a"}, first: $n) { edges { node { id } } } }',
    code: 'LIMIT_EXCEEDED',
    message: /is 501; at most 500/,
  },
  'a fragment named __schema': {
    query: `query { ...__schema } fragment __schema on Query { viewer ${nested(20, '{ viewer ', '}')} }`,
    code: 'LIMIT_EXCEEDED',
  },
  'depth by fragments that are used again': {
    query: `{ ...a } fragment a on Query { viewer { id ...b } } fragment b on User { id ${nested(11, '{ id ', '}')} }`,
    code: 'LIMIT_EXCEEDED',
    message: /13 fields deep/,
  },
  'a fragment that contains itself': {
    query: '{ viewer { ...a } } fragment a on User { id ...b } fragment b on User { ...a }',
    code: 'GRAPHQL_VALIDATION_FAILED',
  },
  'fragments that double 22 times': {
    query: `{ viewer { ...f0 } } ${Array.from({ length: 22 }, (_, i) => `fragment f${i} on User { ...f${i + 1} ...f${i + 1} }`).join(' ')} fragment f22 on User { id }`,
    code: 'LIMIT_EXCEEDED',
    message: /fragments put in/,
  },
  'circular introspection': {
    query: '{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }',
    code: 'GRAPHQL_VALIDATION_FAILED',
  },
  'a variable of the wrong type': {
    query: 'query($id: ID!) { node(id: $id) { id } }',
    variables: { id: { $gt: '' } },
    code: 'BAD_USER_INPUT',
    message: /Variable "\$id"/,
  },
  'a variable that is missing': { query: 'query($id: ID!) { node(id: $id) { id } }', code: 'BAD_USER_INPUT' },
  'half of a surrogate pair': {
    query: 'query($id: ID!) { node(id: $id) { id } }',
    variables: { id: '\ud800' },
    code: 'BAD_USER_INPUT',
    message: /variables\.id must be well-formed/,
  },
  'variables 1,000 deep': {
    query: 'query($id: ID!) { node(id: $id) { id } }',
    variables: { id: JSON.parse(nested(1000, '[', ']')) },
    code: 'LIMIT_EXCEEDED',
    message: /variables/,
  },
  'an e-mail address of 300 characters': {
    query: 'mutation($e: EmailAddress!) { signIn(email: $e, password: "x") { __typename } }',
    variables: { e: `${'a'.repeat(300)}@example.org` },
    code: 'BAD_USER_INPUT',
    message: /EmailAddress must be/,
  },
};

const ANSWER_BYTES_MAX = 2000;
const ANSWER_MS_MAX = 500; // generous: a busy machine; without the limits some of these take seconds

describe('an operation that must not be executed', () => {
  const sibling = { id: 'sibling', type: 'subscribe', payload: { query: '{ __typename }' } };
  let raw: RawSocket;
  beforeAll(async () => {
    raw = await openReadySocket(server.url, server.token);
  });
  afterAll(() => raw.socket.terminate());

  it.each(Object.entries(rows))('is refused over HTTP: %s', async (_name, { code, message, ...parameters }) => {
    const began = performance.now();
    const response = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${server.token}` },
      body: JSON.stringify(parameters),
    });
    const text = await response.text();
    expect(performance.now() - began).toBeLessThan(ANSWER_MS_MAX);
    expect(text.length).toBeLessThan(ANSWER_BYTES_MAX);
    const { data, errors } = JSON.parse(text) as Answer;
    expect(errors?.[0]?.extensions.code).toBe(code);
    expect(response.status).toBe(400);
    expect(data).toBeUndefined();
    if (message) expect(errors?.[0]?.message).toMatch(message);
  });

  it.each(Object.entries(rows))('is refused over a socket: %s', async (_name, { code, message, ...payload }) => {
    raw.send({ id: 'refused', type: 'subscribe', payload });
    const answer = await raw.next();
    expect(answer).toMatchObject({ id: 'refused' });
    const errors = (answer.type === 'error' ? answer.payload : (answer.payload as Answer).errors) as Answer['errors'];
    expect(errors?.[0]?.extensions.code).toBe(code);
    if (message) expect(errors?.[0]?.message).toMatch(message);
    if (answer.type === 'next') expect(await raw.next()).toEqual({ id: 'refused', type: 'complete' });
    raw.send(sibling);
    expect(await raw.next()).toMatchObject({ id: 'sibling', type: 'next', payload: { data: { __typename: 'Query' } } });
    expect(await raw.next()).toMatchObject({ id: 'sibling', type: 'complete' });
  });
});

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
  'a persisted query that is not known': {
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
  'a path that is not there': { method: 'GET', path: '/graphql/no', status: 404, code: 'NOT_FOUND' },
  'a media type that is not offered': {
    headers: { ...json, accept: 'image/png' },
    body: '{"query":"{__typename}"}',
    status: 406,
    code: 'BAD_REQUEST',
  },
};

describe('a request that cannot be read', () => {
  it.each(Object.entries(httpRows))('gets errors in the shape of GraphQL: %s', async (_name, row) => {
    const { method = 'POST', path = '/graphql', headers = {}, body, status, code } = row;
    const response = await fetch(server.url + path, { method, headers, ...(body !== undefined && { body }) });
    const answer = (await response.json()) as Answer;
    expect({ status: response.status, code: answer.errors?.[0]?.extensions.code }).toEqual({ status, code });
    expect(response.headers.get('content-type')).toMatch(/^application\/(graphql-response\+)?json/);
    expect(JSON.stringify(answer)).not.toMatch(/call stack|node_modules|stacktrace/);
  });

  it.each(['application/json\t;', ' application/json', 'application/json; charset=utf-8', 'Application/JSON'])(
    'treats the content type %j as JSON, with all checks, or refuses it',
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
