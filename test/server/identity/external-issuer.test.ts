import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config/config.js';
import { toGlobalId } from '../../../src/shared/global-id.js';
import { useDatabase } from '../../support/database.js';
import { startTestServer, type TestServer } from '../../support/server.js';

const ISSUER = 'https://id.example.org/realms/main';
const AUDIENCE = 'https://stats.example.org';
const database = useDatabase();
let issuer: Server;
let server: TestServer;
const keys: Record<string, CryptoKey> = {};
let published: { keys: object[] };
let fetched = 0;

beforeAll(async () => {
  const rsa = await generateKeyPair('RS256');
  const curve = await generateKeyPair('ES256');
  const foreign = await generateKeyPair('RS256');
  Object.assign(keys, { RS256: rsa.privateKey, ES256: curve.privateKey, foreign: foreign.privateKey });
  published = {
    keys: [
      { ...(await exportJWK(rsa.publicKey)), kid: 'RS256', use: 'sig' },
      { ...(await exportJWK(curve.publicKey)), kid: 'ES256', use: 'sig' },
    ],
  };
  issuer = createServer((_request, response) => {
    fetched += 1;
    response.setHeader('content-type', 'application/json').end(JSON.stringify(published));
  });
  await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve));
  server = await startTestServer(database, {
    ISSUER_URL: ISSUER,
    ISSUER_JWKS_URL: `http://127.0.0.1:${(issuer.address() as AddressInfo).port}/jwks`,
    ISSUER_AUDIENCE: AUDIENCE,
    ISSUER_ROLES_CLAIM: 'realm_access.roles',
    ISSUER_ROLES: 'staff=EDITOR, stats admin=ADMIN, reader=MEMBER',
  });
});
afterAll(async () => {
  await server.close();
  issuer.close();
});

const seconds = () => Math.floor(Date.now() / 1000);

interface Signature {
  readonly alg?: string;
  readonly kid?: string;
  readonly key?: CryptoKey | undefined;
}

function token(changed: Record<string, unknown> = {}, signature: Signature = {}): Promise<string> {
  const { alg = 'RS256' } = signature;
  const { kid = alg, key = keys[alg] } = signature;
  if (!key) throw new Error('No such key');
  const claims = {
    iss: ISSUER,
    aud: AUDIENCE,
    sub: 'ann-at-issuer',
    exp: seconds() + 300,
    email: 'Ann@Example.org',
    name: 'Ann',
    realm_access: { roles: ['offline', 'staff'] },
    ...changed,
  };
  return new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(key);
}

const viewerOf = async (credential: string) =>
  (await server.request<{ viewer: object | null }>('{ viewer { id email name roles } }', {}, credential)).data?.viewer;

describe('a token of an external issuer', () => {
  it.each(['RS256', 'ES256'])('identifies the user and their roles (%s)', async (alg) => {
    expect(await viewerOf(await token({}, { alg }))).toEqual({
      id: expect.any(String),
      email: 'ann@example.org',
      name: 'Ann',
      roles: ['EDITOR'],
    });
  });

  it('grants only the mapped roles', async () => {
    const ask = async (...roles: string[]) => {
      const { errors } = await server.request('{ sites { host } }', {}, await token({ realm_access: { roles } }));
      return errors?.[0]?.extensions.code ?? 'ok';
    };
    expect([await ask('staff'), await ask('stats admin'), await ask('ADMIN', 'EDITOR'), await ask()]).toEqual([
      'ok',
      'ok',
      'FORBIDDEN',
      'FORBIDDEN',
    ]);
    expect(await viewerOf(await token({ realm_access: undefined, roles: ['staff'] }))).toMatchObject({ roles: [] });
    expect(await viewerOf(await token({ realm_access: { roles: 'staff' } }))).toMatchObject({ roles: ['EDITOR'] });
  });

  it('identifies the actor in the audit trail, who has no account here', async () => {
    const admin = await token({ realm_access: { roles: ['stats admin'] } });
    await server.request('mutation { createApiKey(input: { name: "x", scopes: [HITS_READ] }) { key } }', {}, admin);
    const { data } = await server.request('{ auditTrail(first: 1) { edges { node { actor action } } } }');
    expect(data).toEqual({
      auditTrail: { edges: [{ node: { actor: 'ann@example.org', action: 'API_KEY_CREATED' } }] },
    });
    const own = await server.request('mutation { changeName(name: "Other") { id } }', {}, admin);
    expect(own.errors?.[0]?.extensions.code).toBe('FORBIDDEN');
  });

  it('leaves things that an administrator has erased', async () => {
    const [admin, person] = [
      await token({ realm_access: { roles: ['stats admin'] } }),
      await token({ sub: 'leaving', realm_access: { roles: ['reader'] } }),
    ];
    const erase = (userId: string) =>
      server.request('mutation ($userId: ID!) { deleteUser(userId: $userId) { __typename } }', { userId }, admin);
    const found = { data: { deleteUser: { __typename: 'UserDeleted' } } };
    const viewer = await server.request<{ viewer: { id: string } }>('{ viewer { id } }', {}, person);
    const userId = viewer.data?.viewer.id ?? '';
    expect(userId).toBe(toGlobalId('User', 'external:leaving')); // as docs/people.md says
    expect(await erase(userId)).toMatchObject({ data: { deleteUser: { __typename: 'UserNotFound' } } });
    const joined = await server.request('mutation { saveProfile(input: { about: "Here" }) { id } }', {}, person);
    expect(joined).not.toHaveProperty('errors');
    const profile = () => server.request('query ($id: ID!) { profile(userId: $id) { about } }', { id: userId }, admin);
    expect(await profile()).toEqual({ data: { profile: { about: 'Here' } } });
    expect(await erase(userId)).toMatchObject(found);
    expect(await profile()).toEqual({ data: { profile: null } });
  });

  it('is accepted for half a minute after its expiry, to allow for clock skew', async () => {
    expect(await viewerOf(await token({ exp: seconds() - 20 }))).not.toBeNull();
    expect(await viewerOf(await token({ exp: seconds() - 40 }))).toBeNull();
  });

  const hmacKey = () => new TextEncoder().encode(JSON.stringify(published.keys[0]));
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  it.each<[string, () => Promise<string> | string]>([
    ['for another audience', () => token({ aud: 'other' })],
    ['of another issuer', () => token({ iss: 'https://evil.example' })],
    ['not valid yet', () => token({ nbf: seconds() + 300 })],
    ['without an expiry', () => token({ exp: undefined })],
    ['without a subject', () => token({ sub: undefined })],
    ['without an email address', () => token({ email: undefined })],
    ['with an unverified email address', () => token({ email_verified: false })],
    ['signed with another key', () => token({}, { kid: 'RS256', key: keys.foreign })],
    ['with an unknown key', () => token({}, { kid: 'none', key: keys.foreign })],
    [
      'signed by HS256 with the published key',
      () =>
        new SignJWT({ iss: ISSUER, aud: AUDIENCE, sub: 'x', email: 'a@b.cd', exp: seconds() + 300 })
          .setProtectedHeader({ alg: 'HS256', kid: 'RS256' })
          .sign(hmacKey()),
    ],
    ['without a signature', async () => `${encode({ alg: 'none' })}.${(await token()).split('.')[1]}.`],
  ])('is rejected: one %s', async (_name, make) => {
    expect(await viewerOf(await make())).toBeNull();
  });

  it('does not cause repeated fetching of keys', async () => {
    const before = fetched;
    for (let i = 0; i < 20; i += 1)
      await viewerOf(await token({ jti: String(i) }, { kid: `k${i}`, key: keys.foreign }));
    expect(fetched - before).toBeLessThanOrEqual(1);
  });
});

describe('the settings of an external issuer', () => {
  it.each([
    [{ ISSUER_URL: ISSUER }, 'ISSUER_JWKS_URL: must be set together with ISSUER_URL and ISSUER_AUDIENCE'],
    [{ ISSUER_ROLES: 'staff' }, 'ISSUER_ROLES: must be pairs such as staff=EDITOR'],
    [{ ISSUER_ROLES: 'staff=ROOT' }, 'the roles are ADMIN, EDITOR, AUTHOR, ADVERTISER, MEMBER'],
    [{ SIGN_UP: 'verified' }, 'SMTP_URL: must be set for SIGN_UP=verified'],
    [{ TOKEN_PRIVATE_KEY: 'x' }, 'TOKEN_PRIVATE_KEY: must be an Ed25519 private key'],
  ])('prevent the start when they are invalid: %j', (environment, message) => {
    expect(() => readConfig(environment)).toThrow(message);
  });
});
