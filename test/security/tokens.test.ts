/** Tokens that this server did not issue, or not for this purpose, on every transport. */
import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.js';
import { openRawSocket } from '../support/raw-socket.js';
import { type Answer, SIGN_IN, useServer } from '../support/server.js';
import { changesOf } from './operations/unchanged.js';

const database = useDatabase();
const server = useServer(database);
const HIT = 'mutation { recordHit(hit: { site: "example.org", page: "/" }) { recorded } }';

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const part = (index: number) => server.token.split('.')[index] ?? '';
const claims = (): Record<string, unknown> => JSON.parse(Buffer.from(part(1), 'base64url').toString());
const signed = (changed: object, { secret = server.services.config.TOKEN_SECRET ?? '', alg = 'HS256' } = {}) =>
  new SignJWT({ ...claims(), ...changed }).setProtectedHeader({ alg }).sign(new TextEncoder().encode(secret));
const none = (alg: string) => `${encode({ alg })}.${part(1)}.`;

const tokens: Record<string, () => string | Promise<string>> = {
  'without a signature (alg: none)': () => none('none'),
  'without a signature (alg: NoNe)': () => none('NoNe'),
  'with its signature cut off': () => `${part(0)}.${part(1)}.`,
  'with other claims under its signature': () => `${part(0)}.${encode({ ...claims(), sub: 'somebody' })}.${part(2)}`,
  'signed with another secret': () => signed({}, { secret: 'another secret of 32 characters!' }),
  'signed with another algorithm': () => signed({}, { alg: 'HS384' }),
  'that has expired': () => signed({ exp: Math.floor(Date.now() / 1000) - 1 }),
  'without an expiry': () => signed({ exp: undefined }),
  'for another audience': () => signed({ aud: 'other' }),
  'of another issuer': () => signed({ iss: 'https://evil.example' }),
  'with its key in its own header': () =>
    `${encode({ alg: 'HS256', jwk: { kty: 'oct', k: 'AAAA' } })}.${part(1)}.${part(2)}`,
  'with its key on the web': () =>
    `${encode({ alg: 'RS256', jku: 'https://evil.example/keys' })}.${part(1)}.${part(2)}`,
  'with a path as its key': () => `${encode({ alg: 'HS256', kid: '../../dev/null' })}.${part(1)}.${part(2)}`,
  'that is very long': () => `${part(0)}.${'x'.repeat(8000)}.${part(2)}`,
  'that is a MongoDB operator': () => '{"$gt":""}',
};

describe('a token', () => {
  const expectNoHit = async (work: () => Promise<unknown>) =>
    expect(await changesOf(database.db, work)).not.toContain('hits.daily');

  it('of the tests is valid', async () => {
    expect(await server.request('{ viewer { email } }', {}, await signed({}))).toEqual({
      data: { viewer: { email: 'admin@example.org' } },
    });
  });

  it.each(Object.entries(tokens))('%s is rejected over HTTP and event streams', async (_name, make) => {
    const token = await make();
    const send = (path: string, headers: Readonly<Record<string, string>>) =>
      fetch(server.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ query: HIT }),
      });
    await expectNoHit(async () => {
      for (const headers of [{ authorization: `Bearer ${token}` }, { cookie: `sextant_access=${token}` }]) {
        const { data, errors } = (await (await send('/graphql', headers)).json()) as Answer;
        expect(data ?? null).toBeNull();
        expect(errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
        expect(await (await send('/graphql/stream', headers)).text()).toContain('"code":"UNAUTHENTICATED"');
      }
    });
  });

  it.each(Object.entries(tokens))('%s closes a socket with 4403', async (_name, make) => {
    const raw = await openRawSocket(server.url);
    raw.send({ type: 'connection_init', payload: { authorization: `Bearer ${await make()}` } });
    expect(await raw.closed).toMatchObject({ code: 4403 });
  });
});

describe('a refresh token', () => {
  const REFRESH = `mutation($token: String) { refresh(refreshToken: $token) {
    __typename ... on SignedIn { accessToken refreshToken } } }`;
  interface Refreshed {
    refresh: { __typename: string; refreshToken: string };
  }
  const refresh = async (token: string) =>
    (await server.request<Refreshed>(REFRESH, { token }, null)).data?.refresh as Refreshed['refresh'];

  it('that was used and superseded ends its whole session', async () => {
    const signIn = await server.request<{ signIn: { refreshToken: string } }>(SIGN_IN, {}, null);
    const first = signIn.data?.signIn.refreshToken ?? '';
    const { refreshToken: second } = await refresh(first);
    const { refreshToken: third } = await refresh(second);
    for (const token of [first, third, second])
      expect(await refresh(token)).toEqual({ __typename: 'RefreshTokenRejected' });
  });

  it.each(['', 'x', '{"$gt":""}', '__proto__', 'a.b.c', 'x'.repeat(10_000)])(
    'that was never issued is rejected, and nothing changes: %j',
    async (token) => {
      const changes = await changesOf(database.db, async () => {
        const { data, errors } = await server.request<Refreshed>(REFRESH, { token }, null);
        if (errors) expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT');
        else expect(data?.refresh.__typename).toBe('RefreshTokenRejected');
      });
      expect(changes).toEqual([]);
    },
  );
});
