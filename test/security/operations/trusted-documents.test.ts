/** A server that accepts only trusted documents, those of the dashboard. */
import { hash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, print } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runSextant } from '../../../harness/command.js';
import { loadTrustedDocuments, type Manifest, makeManifest } from '../../../src/server/operations/trusted-documents.js';
import { useDatabase } from '../../support/database.js';
import { openReadySocket, type RawSocket } from '../../support/raw-socket.js';
import { type Answer, SIGN_IN, startTestServer, type TestServer } from '../../support/server.js';
import { changesOf } from './unchanged.js';

const database = useDatabase();
const OWN = 'query Own($id: ID!) { node(id: $id) { id } viewer { email } }';
const CHART = 'subscription Live { hitChartChanged(site: "example.org", page: "/") { __typename cursor } }';
const FOREIGN = 'mutation { recordHit(hit: { site: "example.org", page: "/" }) { recorded } }';

let folder: string;
let dashboard: Manifest;
let server: TestServer;
let socket: RawSocket;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sextant-trusted-'));
  const { output } = await runSextant(['collect-documents', 'web/src']);
  dashboard = JSON.parse(output);
  const path = join(folder, 'trusted.json');
  const own = { ...makeManifest([OWN, CHART]), [hash('sha256', SIGN_IN)]: SIGN_IN };
  await writeFile(path, JSON.stringify({ ...dashboard, ...own }));
  server = await startTestServer(database, { TRUSTED_DOCUMENTS: path });
  socket = await openReadySocket(server.url, server.token);
});
afterAll(async () => {
  socket.socket.terminate();
  await server.close();
  await rm(folder, { recursive: true });
});

const extensionsFor = (text: string) => ({ persistedQuery: { version: 1, sha256Hash: hash('sha256', text) } });
const variables = { id: 'none' };
const answered = { data: { node: null, viewer: { email: 'admin@example.org' } } };

/** The same request over each transport, and its response. */
const transports: Readonly<Record<string, (payload: object) => Promise<Answer>>> = {
  HTTP: async (payload) => (await post('/graphql', payload)).json() as Promise<Answer>,
  'an event stream': async (payload) => {
    const text = await (await post('/graphql/stream', payload)).text();
    return JSON.parse(/event: next\ndata: (.*)\n/.exec(text)?.[1] ?? '{}');
  },
  'a socket': async (payload) => {
    socket.send({ id: '1', type: 'subscribe', payload: { query: '', ...payload } });
    const { type, payload: answer } = await socket.next();
    if (type === 'next') await socket.next(); // complete
    return type === 'error' ? { errors: answer as never } : (answer as Answer);
  },
};
const post = (path: string, payload: object, token: string | null = server.token) =>
  fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(payload),
  });

describe.each(Object.entries(transports))('over %s', (_transport, send) => {
  it('answers a known operation by its text', async () => {
    expect(await send({ query: OWN, variables })).toEqual(answered);
  });
  it('answers it whatever its white space, and with the `__typename` that caching clients add', async () => {
    const query = '# by a client\nquery Own($id:ID!){node(id:$id){id,__typename}viewer{email __typename}}';
    expect(await send({ query, variables })).toEqual({
      data: { node: null, viewer: { email: 'admin@example.org', __typename: 'User' } },
    });
  });
  it('answers it by its id only', async () => {
    const text = print(parse(OWN));
    expect(await send({ extensions: extensionsFor(text), variables })).toEqual(answered);
  });
  it.each<[string, object, string]>([
    ['another one', { query: FOREIGN }, 'FORBIDDEN'],
    ['introspection', { query: '{ __schema { types { name } } }' }, 'FORBIDDEN'],
    ['a known one with an additional field', { query: OWN.replace('email', 'email roles'), variables }, 'FORBIDDEN'],
    ['a known one with another alias', { query: OWN.replace('viewer', 'me: viewer'), variables }, 'FORBIDDEN'],
    [
      'a known one together with another',
      { query: `${OWN} query B { viewer { id } }`, operationName: 'B' },
      'FORBIDDEN',
    ],
    ['another one with its hash', { query: FOREIGN, extensions: extensionsFor(FOREIGN) }, 'FORBIDDEN'],
    ['an unknown hash', { extensions: extensionsFor(FOREIGN) }, 'PERSISTED_QUERY_NOT_FOUND'],
    [
      'a prototype’s name as a hash',
      { extensions: { persistedQuery: { version: 1, sha256Hash: '__proto__' } } },
      'PERSISTED_QUERY_NOT_FOUND',
    ],
  ])('rejects %s, and nothing changes', async (_name, payload, code) => {
    const changes = await changesOf(database.db, async () => {
      const { data, errors } = await send(payload);
      expect(data).toBeUndefined();
      expect(errors?.[0]?.extensions.code).toBe(code);
    });
    expect(changes).toEqual([]);
  });
});

describe('the dashboard', () => {
  it('has all its operations in the manifest that the command writes', async () => {
    const names = Object.values(dashboard).map((text) => /^\w+ (\w+)/.exec(text)?.[1]);
    expect(names).toEqual(
      expect.arrayContaining(['Viewer', 'SignIn', 'Refresh', 'SignOut', 'Sites', 'HitChartChanged']),
    );
    for (const [id, text] of Object.entries(dashboard)) expect(hash('sha256', text)).toBe(id);
  });
  it('is answered for every one of them', async () => {
    for (const query of Object.values(dashboard)) {
      const { errors = [] } = (await (await post('/graphql', { query }, null)).json()) as Answer;
      // Their variables are missing, and subscriptions are not allowed over HTTP; but none is rejected as unknown.
      expect(errors.map(({ extensions }) => extensions.code)).not.toContain('FORBIDDEN');
    }
  });
  it('has no GraphiQL, and does not offer it', async () => {
    const open = (path: string) => fetch(server.url + path, { headers: { accept: 'text/html' } });
    expect(await (await open('/')).text()).toContain('<html data-graphiql="off" ');
    expect(await (await open('/graphiql')).text()).toContain('<html data-graphiql="off" ');
  });
});

describe('subscriptions by id', () => {
  it('each get the result of their own id, though they were sent without a text', async () => {
    const raw = await openReadySocket(server.url, server.token);
    const [chart] = Object.keys(makeManifest([CHART]));
    const [pages] = Object.entries(dashboard).find(([, text]) => text.startsWith('subscription TopPagesChanged')) ?? [];
    const follow = (id: string, sha256Hash: unknown, variables: object = {}) =>
      raw.send({
        id,
        type: 'subscribe',
        payload: { query: '', variables, extensions: { persistedQuery: { version: 1, sha256Hash } } },
      });
    follow('a', chart);
    expect(await raw.next()).toMatchObject({
      id: 'a',
      payload: { data: { hitChartChanged: { __typename: 'HitChartSnapshot' } } },
    });
    follow('b', pages, { site: 'example.org', last: 'PT1H', first: 10 });
    expect(await raw.next()).toMatchObject({ id: 'b', payload: { data: { topPagesChanged: { pages: [] } } } });
    raw.socket.terminate();
  });
});

describe('a manifest', () => {
  it('has each operation with the fragments that it uses', () => {
    const manifest = makeManifest([
      'query A { viewer { ...f } }',
      'fragment f on User { ...g } fragment g on User { id }',
      'query B { viewer { id } }',
    ]);
    expect(
      Object.values(manifest).map((text) => [...text.matchAll(/(?:query|fragment) (\w+)/g)].map(([, name]) => name)),
    ).toEqual([['A', 'f', 'g'], ['B']]);
  });
  it.each([
    ['a fragment is missing', ['query A { viewer { ...f } }'], 'There is no fragment f'],
    ['an operation has no name', ['{ viewer { id } }'], 'An operation has no name'],
    [
      'two have the same name',
      ['query A { viewer { id } }', 'query A { viewer { name } }'],
      'Two definitions are named A',
    ],
  ])('is not created when %s', (_name, sources, message) => {
    expect(() => makeManifest(sources)).toThrow(message);
  });
  it.each([
    ['is missing', null],
    ['is not JSON', '{'],
    ['is a list', '[]'],
    ['has a text under another hash', JSON.stringify({ abc: OWN })],
    ['has a text that is not GraphQL', JSON.stringify({ [hash('sha256', '{')]: '{' })],
  ])('that %s aborts the start, and the message names the setting', async (name, content) => {
    const path = join(folder, `${hash('sha256', name)}.json`);
    if (content !== null) await writeFile(path, content);
    await expect(loadTrustedDocuments(path)).rejects.toThrow(
      /^TRUSTED_DOCUMENTS: .* is not a manifest of operations: /,
    );
  });
});
