import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { IDENTITY_FORM } from '../../../src/database/index.js';
import { useDatabase } from '../../support/database.js';
import { type Answer, SIGN_IN, useServer } from '../../support/server.js';

const database = useDatabase();
const server = useServer(database, { ALLOWED_ORIGINS: 'https://shop.example' });
const json = { 'content-type': 'application/json' };

const post = (body: object, headers: Readonly<Record<string, string>> = {}, at = server.url) =>
  fetch(`${at}/graphql`, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) });
const cookiesOf = (response: Response): Record<string, string> =>
  Object.fromEntries(
    response.headers.getSetCookie().map((line) => line.split(';', 1)[0]?.split('=') as [string, string]),
  );
const cookieHeader = (cookies: Readonly<Record<string, string>>) =>
  Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');

describe('a newly started server', () => {
  it('answers a visitor', async () => {
    expect(await server.request('{ __typename viewer { id } }', {}, null)).toEqual({
      data: { __typename: 'Query', viewer: null },
    });
  });
  it('identifies the administrator by the access token', async () => {
    expect(await server.request('{ viewer { email name roles } }')).toEqual({
      data: { viewer: { email: 'admin@example.org', name: 'Administrator', roles: ['ADMIN'] } },
    });
  });
  it('finds the viewer by the global id, and shows it to no one else', async () => {
    const { data } = await server.request<{ viewer: { id: string } }>('{ viewer { id } }');
    const query = 'query($id: ID!) { node(id: $id) { __typename id ... on User { email } } }';
    const id = data?.viewer.id ?? '';
    expect(await server.request(query, { id })).toEqual({
      data: { node: { __typename: 'User', id, email: 'admin@example.org' } },
    });
    expect(await server.request(query, { id }, null)).toEqual({ data: { node: null } });
    for (const other of ['', 'no', `${id}=`, btoa('User:'), btoa('__proto__:x'), id.slice(0, -2)])
      expect(await server.request(query, { id: other })).toEqual({ data: { node: null } });
  });
});

describe('the API from a browser', () => {
  it('signs in with cookies that scripts cannot read, refreshes with them and drops them', async () => {
    const signedIn = await post({ query: SIGN_IN });
    const lines = signedIn.headers.getSetCookie();
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(line).toMatch(/; HttpOnly; SameSite=(Lax|Strict)/);
    const cookies = cookiesOf(signedIn);

    const viewer = await post({ query: '{ viewer { email } }' }, { cookie: cookieHeader(cookies) });
    expect(await viewer.json()).toEqual({ data: { viewer: { email: 'admin@example.org' } } });

    const refresh = 'mutation { refresh { __typename ... on SignedIn { refreshToken } } }';
    const renewed = await post({ query: refresh }, { cookie: cookieHeader(cookies) });
    const next = cookiesOf(renewed);
    expect(await renewed.json()).toMatchObject({
      data: { refresh: { __typename: 'SignedIn', refreshToken: next.sextant_refresh } },
    });
    expect(next.sextant_refresh).not.toBe(cookies.sextant_refresh);

    const signedOut = await post({ query: 'mutation { signOut { signedOut } }' }, { cookie: cookieHeader(next) });
    expect(await signedOut.json()).toMatchObject({ data: { signOut: { signedOut: true } } });
    expect(cookiesOf(signedOut)).toEqual({ sextant_access: '', sextant_refresh: '' });
    const rejected = await post({ query: refresh }, { cookie: cookieHeader(next) });
    expect(await rejected.json()).toEqual({ data: { refresh: { __typename: 'RefreshTokenRejected' } } });
  });

  it('exposes responses to configured origins only', async () => {
    const body = { query: '{ __typename }' };
    const allowed = await post(body, { origin: 'https://shop.example' });
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://shop.example');
    const foreign = await post(body, { origin: 'https://evil.example' });
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
    const preflight = (origin: string) => fetch(`${server.url}/graphql`, { method: 'OPTIONS', headers: { origin } });
    expect((await preflight('https://shop.example')).status).toBe(204);
    expect((await preflight('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull();
  });

  it('forbids scripts of other origins in its pages', async () => {
    const { headers } = await fetch(`${server.url}/`);
    expect(headers.get('content-security-policy')).toContain("script-src 'self';");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('a field that requires a role', () => {
  it.each([
    ['a visitor', null],
    ['a token signed by someone else', `${'e30'}.e30.e30`],
    [
      'a token without a signature',
      `${btoa('{"alg":"none"}')}.${btoa('{"sub":"x","roles":["ADMIN"],"sid":"s","exp":9999999999}')}.`,
    ],
  ])('is denied to %s, and nothing happens', async (_name, token) => {
    const hit = 'mutation { recordHit(hit: { site: "example.org", page: "/" }) { recorded } }';
    const { data, errors } = await server.request(hit, {}, token);
    expect(data).toBeNull();
    expect(errors).toMatchObject([{ path: ['recordHit'], extensions: { code: 'UNAUTHENTICATED' } }]);
    expect(await database.db.collection('hits.daily').countDocuments()).toBe(0);
  });
});

describe('a mutation', () => {
  it('reports the cluster time of its write as 16 hexadecimal digits', async () => {
    const record = () =>
      server.request('mutation { recordHit(hit: { site: "example.org", page: "/a" }) { recorded } }');
    const [first, second] = [await record(), await record()];
    expect(first.extensions?.writtenAt).toMatch(/^[0-9a-f]{16}$/);
    expect(String(second.extensions?.writtenAt) > String(first.extensions?.writtenAt)).toBe(true);
  });
});

describe('a persisted query', () => {
  const query = '{ __typename viewer { name } }';
  const sha256Hash = createHash('sha256').update(query).digest('hex');
  const extensions = { persistedQuery: { version: 1, sha256Hash } };

  it('is found by its hash after it was sent with its text, by POST and by GET', async () => {
    const unknown = (await (await post({ extensions })).json()) as Answer;
    expect(unknown.errors?.[0]?.extensions.code).toBe('PERSISTED_QUERY_NOT_FOUND');
    const expected = { data: { __typename: 'Query', viewer: null } };
    expect(await (await post({ query, extensions })).json()).toEqual(expected);
    expect(await (await post({ extensions })).json()).toEqual(expected);
    const search = new URLSearchParams({ extensions: JSON.stringify(extensions) });
    const response = await fetch(`${server.url}/graphql?${search}`, { headers: { 'apollo-require-preflight': '1' } });
    expect(await response.json()).toEqual(expected);
  });
});

describe('an internal error', () => {
  it('is masked, with the id of its log entry', async () => {
    const users = database.db.collection('users');
    await users.updateOne({}, { $set: { created_at: 'a text where a date belongs' } });
    const answer = await server.request('{ viewer { email createdAt } }');
    await users.updateOne({}, { $set: { created_at: new Date() } });
    expect(answer).toEqual({
      data: { viewer: null },
      errors: [
        {
          message: 'Internal server error',
          path: ['viewer', 'createdAt'],
          locations: [{ line: 1, column: 18 }],
          extensions: { code: 'INTERNAL_SERVER_ERROR', errorId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
        },
      ],
    });
  });
});

describe('monitoring', () => {
  it('reports liveness, readiness and metrics', async () => {
    expect(await (await fetch(`${server.url}/healthz`)).json()).toEqual({
      status: 'ok',
      database: expect.stringMatching(IDENTITY_FORM),
    });
    expect(await (await fetch(`${server.url}/readyz`)).json()).toEqual({ status: 'ready' });
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toMatch(/^sextant_graphql_operations_total\{transport="http",outcome="ok"\} \d+$/m);
    expect(metrics).toMatch(
      /^sextant_http_request_duration_seconds_count\{method="GET",route="\/healthz",status="200"\} 1$/m,
    );
    expect(metrics).toMatch(/^sextant_sockets 0$/m);
  });
});

describe('the pages of the dashboard', () => {
  it('answer a browser at any path but the API’s, and nothing else', async () => {
    const open = (path: string, init: RequestInit = {}) =>
      fetch(server.url + path, { headers: { accept: 'text/html' }, ...init }).then(({ status }) => status);
    expect(await open('/')).toBe(200);
    expect(await open('/', { method: 'HEAD' })).toBe(200);
    expect(await open('/traffic/example.org')).toBe(200);
    expect(await open('/graphql/none')).toBe(404);
    expect(await open('/none.js', { headers: { accept: '*/*' } })).toBe(404);
    expect(await open('/', { method: 'POST' })).toBe(404);
  });
});
