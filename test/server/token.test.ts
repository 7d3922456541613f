import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccessTokens } from '../../src/server/access-token.js';
import { loadTokenSecret } from '../../src/server/token-secret.js';
import { testConfig } from '../support/server.js';

const SECRET = 'a secret of the test, 32 characters';
const NOW = new Date('2026-03-01T12:00:00.500Z');
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
const owner = { userId: 'ann', roles: ['ADMIN'], sessionId: 's1' } as const;

describe('an access token', () => {
  const tokens = new AccessTokens(SECRET, 900);
  it('tells who has signed in, until it expires', async () => {
    const { token, expiresAt } = await tokens.issue(owner, NOW);
    expect(expiresAt).toEqual(new Date('2026-03-01T12:15:00Z'));
    const viewer = { id: 'ann', roles: ['ADMIN'], sessionId: 's1', expiresAt };
    expect(await tokens.verify(token, NOW)).toEqual(viewer);
    expect(await tokens.verify(token, later(899))).toEqual(viewer);
    expect(await tokens.verify(token, later(900))).toBeNull();
    expect(await new AccessTokens(SECRET, 900).verify(token, later(900))).toBeNull();
  });

  const signed = (claims: object, { secret = SECRET, alg = 'HS256', iss = 'sextant', aud = 'sextant-api' } = {}) =>
    new SignJWT({ sub: 'ann', sid: 's1', roles: ['ADMIN'], exp: NOW.getTime() / 1000 + 900, ...claims })
      .setProtectedHeader({ alg })
      .setIssuer(iss)
      .setAudience(aud)
      .sign(new TextEncoder().encode(secret));

  it.each<[string, () => Promise<string> | string]>([
    ['signed with another secret', () => signed({}, { secret: 'another secret of 32 characters!' })],
    ['signed with another algorithm', () => signed({}, { alg: 'HS512', secret: SECRET.repeat(2) })],
    ['of another issuer', () => signed({}, { iss: 'other' })],
    ['for another audience', () => signed({}, { aud: 'other' })],
    ['without an end', () => signed({ exp: undefined })],
    ['without a session', () => signed({ sid: undefined })],
    ['whose roles are no list', () => signed({ roles: 'ADMIN' })],
    ['that is empty', () => ''],
    ['that is no token', () => 'x.y.z'],
  ])('is refused: one %s', async (_name, make) => {
    expect(await tokens.verify(await make(), NOW)).toBeNull();
  });

  it('gives no role that this server does not know', async () => {
    expect(await tokens.verify(await signed({ roles: ['ROOT', 'ADMIN', 7] }), NOW)).toMatchObject({ roles: ['ADMIN'] });
  });
});

describe('the secret that signs tokens', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sextant-secret-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('is made once by processes that start together, for its owner’s eyes only, and kept', async () => {
    const config = { ...testConfig(), TOKEN_SECRET: undefined, DATA_DIR: join(folder, 'data') };
    const secrets = await Promise.all(Array.from({ length: 8 }, () => loadTokenSecret(config)));
    expect(new Set(secrets).size).toBe(1);
    const file = join(folder, 'data', 'token-secret');
    expect(await readFile(file, 'utf8')).toBe(secrets[0]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await loadTokenSecret(config)).toBe(secrets[0]);
  });
});
