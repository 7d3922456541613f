import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccessTokens } from '../../../src/server/identity/access-token.js';
import { edwardsKeys, secretKeys } from '../../../src/server/identity/token-keys.js';
import { loadTokenSecret } from '../../../src/server/identity/token-secret.js';
import { testConfig } from '../../support/server.js';

const SECRET = 'a secret of the test, 32 characters';
const NOW = new Date('2026-03-01T12:00:00.500Z');
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
const owner = { userId: 'ann', sessionId: 's1' };

describe('an access token', () => {
  const tokens = new AccessTokens(secretKeys(SECRET), 900);
  it('identifies the signed-in user, until it expires', async () => {
    const { token, expiresAt } = await tokens.issue(owner, NOW);
    expect(expiresAt).toEqual(new Date('2026-03-01T12:15:00Z'));
    expect(await tokens.read(token, NOW)).toEqual({ ...owner, expiresAt });
    expect(await tokens.read(token, later(899))).toEqual({ ...owner, expiresAt });
    expect(await tokens.read(token, later(900))).toBeNull();
  });

  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const unsigned = (header: object) =>
    `${encode(header)}.${encode({ sub: 'ann', sid: 's1', iss: 'sextant', aud: 'sextant-api', exp: 4e9 })}.`;
  const signed = (claims: object, { secret = SECRET, alg = 'HS256', iss = 'sextant', aud = 'sextant-api' } = {}) =>
    new SignJWT({ sub: 'ann', sid: 's1', exp: NOW.getTime() / 1000 + 900, ...claims })
      .setProtectedHeader({ alg })
      .setIssuer(iss)
      .setAudience(aud)
      .sign(new TextEncoder().encode(secret));

  it.each<[string, () => Promise<string> | string]>([
    ['signed with another secret', () => signed({}, { secret: 'another secret of 32 characters!' })],
    ['signed with another algorithm', () => signed({}, { alg: 'HS512', secret: SECRET.repeat(2) })],
    ['of another issuer', () => signed({}, { iss: 'other' })],
    ['for another audience', () => signed({}, { aud: 'other' })],
    ['without an expiry', () => signed({ exp: undefined })],
    ['without a session', () => signed({ sid: undefined })],
    ['whose session is not a string', () => signed({ sid: 7 })],
    ['without a signature', () => unsigned({ alg: 'none' })],
    ['without a signature, though it names HS256', () => unsigned({ alg: 'HS256' })],
    ['that is empty', () => ''],
    ['that is not a token', () => 'x.y.z'],
  ])('is rejected: one %s', async (_name, make) => {
    expect(await tokens.read(await make(), NOW)).toBeNull();
  });

  it('may be signed with an Ed25519 key, and is then valid with no other kind of key', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const keys = edwardsKeys(String(privateKey.export({ type: 'pkcs8', format: 'pem' })));
    const own = new AccessTokens(keys, 900);
    const { token, expiresAt } = await own.issue(owner, NOW);
    expect(await own.read(token, NOW)).toEqual({ ...owner, expiresAt });
    expect(await tokens.read(token, NOW)).toBeNull();
    // The classic attack: the public key, which anyone may know, as the secret of HS256.
    const known = String(publicKey.export({ type: 'spki', format: 'pem' }));
    expect(await own.read(await signed({}, { secret: known }), NOW)).toBeNull();
    expect(keys.sealSecret).toMatch(/^[\w-]{43}$/);
  });
});

describe('the secret that signs tokens', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sextant-secret-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('is created once by processes that start together, readable only by its owner, and kept', async () => {
    const config = { ...testConfig(), TOKEN_SECRET: undefined, DATA_DIR: join(folder, 'data') };
    const secrets = await Promise.all(Array.from({ length: 8 }, () => loadTokenSecret(config)));
    expect(new Set(secrets).size).toBe(1);
    const file = join(folder, 'data', 'token-secret');
    expect(await readFile(file, 'utf8')).toBe(secrets[0]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await loadTokenSecret(config)).toBe(secrets[0]);
  });
});
