import { verify } from '@node-rs/argon2';
import { beforeEach, describe, expect, it } from 'vitest';
import { ensureAdministrator } from '../../src/models/people/administrator.js';
import { RefreshTokenSeal } from '../../src/models/people/refresh-token.js';
import { DUMMY_HASH, hashPassword } from '../../src/models/people/secrets/password.js';
import { signIn } from '../../src/models/people/sign-in.js';
import { countAttempt, signInBounds } from '../../src/models/people/throttle.js';
import { users } from '../../src/models/people/user.js';
import { useDatabase } from '../support/database.js';

const database = useDatabase();
const rules = { seal: new RefreshTokenSeal('a secret of the test, 32 characters'), lifetimeMs: 86_400_000 };
const NOW = new Date(); // the database removes expired documents by its own clock
const later = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);
const PASSWORD = 'correct horse battery staple';

const attempt = (email: string, password: string, address = '192.0.2.1', now = NOW) =>
  signIn(database.db, rules, { email, password, address }, now);
const sessions = () => database.db.collection('auth.refresh_tokens').countDocuments();

beforeEach(async () => {
  for (const name of ['users', 'auth.throttles', 'auth.refresh_tokens'])
    await database.db.collection(name).deleteMany({});
  await ensureAdministrator(database.db, { email: 'Ann@Example.org', password: PASSWORD, id: 'ann', now: NOW });
});

describe('the first administrator', () => {
  it('is created once by processes that start together, and only one of them gets the password', async () => {
    await users(database.db).deleteMany({});
    const made = await Promise.all(
      ['a', 'b', 'c', 'd'].map((id) => ensureAdministrator(database.db, { email: 'root@example.org', id, now: NOW })),
    );
    const [told, ...others] = made.filter(({ created }) => created);
    expect(others).toEqual([]);
    expect(await users(database.db).countDocuments()).toBe(1);
    expect(await attempt('root@example.org', told?.password ?? '')).toMatchObject({ user: { roles: ['ADMIN'] } });
  });
  it('is not created again', async () => {
    expect(await ensureAdministrator(database.db, { email: 'other@example.org', id: 'b', now: NOW })).toEqual({
      created: false,
    });
    expect(await users(database.db).countDocuments()).toBe(1);
  });
  it('has a password hashed by Argon2id and stored nowhere else', async () => {
    const [user] = await users(database.db).find().toArray();
    expect(user?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });
});

const isAbout1 = (ratio: number) => ratio > 0.8 && ratio < 1.25;
const median = (values: readonly number[]) => values.toSorted((left, right) => left - right)[values.length >> 1] ?? 0;

/** The ratio of the response times for an unknown address and a wrong password. */
async function timeRatio(address: string, unknownFirst: boolean): Promise<number> {
  const time = async (email: string) => {
    const began = performance.now();
    await attempt(email, 'wrong', address);
    return performance.now() - began;
  };
  const pair = address.replaceAll('.', '-');
  const [unknown, known] = [`nobody-${pair}@example.org`, 'ann@example.org'];
  const early = unknownFirst ? await time(unknown) : null;
  const knownMs = await time(known);
  return (early ?? (await time(unknown))) / knownMs;
}

describe('signing in', () => {
  it('starts a session', async () => {
    expect(await attempt('ann@example.org', PASSWORD)).toMatchObject({
      user: { _id: 'ann' },
      session: { userId: 'ann' },
    });
    expect(await sessions()).toBe(1);
  });

  it.each([
    ['a wrong password', 'ann@example.org'],
    ['an address without an account', 'bob@example.org'],
  ])('refuses %s in the same way, without a session', async (_name, email) => {
    expect(await attempt(email, 'wrong')).toEqual({
      __typename: 'WrongCredentials',
      message: 'The email address or the password is wrong',
    });
    expect(await sessions()).toBe(0);
  });

  it('takes as long for an address without an account as for a wrong password', async () => {
    const parameters = (hash: string) => hash.split('$').slice(1, 4);
    expect(parameters(DUMMY_HASH)).toEqual(parameters(await hashPassword('x')));
    expect(await verify(DUMMY_HASH, 'x')).toBe(false);
    // Each pair is measured back to back in alternating order, so other load on the machine affects both equally, and the median
    // ignores pairs that it affected unevenly. A machine can be busy throughout a series: one good series of three is enough,
    // because a difference in the code shows in all of them.
    let ratio = Number.NaN;
    for (let series = 0; series < 3 && !isAbout1(ratio); series += 1) {
      const ratios: number[] = [];
      for (let pair = 0; pair < 30; pair += 1) ratios.push(await timeRatio(`198.51.${series}.${pair}`, pair % 2 === 0));
      ratio = median(ratios);
    }
    expect(ratio).toBeGreaterThan(0.8);
    expect(ratio).toBeLessThan(1.25);
  });

  it('refuses a password of more than 1024 characters', async () => {
    await expect(attempt('ann@example.org', 'x'.repeat(1025))).rejects.toMatchObject({
      details: { field: 'password' },
    });
  });
});

describe('failed attempts to sign in', () => {
  const fail = async (times: number, email: (i: number) => string, address: (i: number) => string) => {
    for (let i = 0; i < times; i += 1)
      await countAttempt(database.db, signInBounds({ email: email(i), address: address(i) }), NOW);
  };
  const ann = () => 'ann@example.org';
  const throttled = { __typename: 'SignInThrottled', retryAfterMs: 15 * 60_000 };

  it('block a network address from an account until the window is over', async () => {
    for (let i = 0; i < 10; i += 1) await attempt('ann@example.org', 'wrong');
    expect(await attempt('ann@example.org', PASSWORD)).toMatchObject(throttled);
    expect(await attempt('ann@example.org', PASSWORD, '192.0.2.1', later(14))).toMatchObject({ retryAfterMs: 60_000 });
    expect(await sessions()).toBe(0);
    expect(await attempt('ann@example.org', PASSWORD, '192.0.2.1', later(15))).toMatchObject({ user: { _id: 'ann' } });
  });

  it('do not affect the owner of the account on another network address', async () => {
    await fail(10, ann, () => '192.0.2.1');
    expect(await attempt('ann@example.org', PASSWORD, '198.51.100.7')).toMatchObject({ user: { _id: 'ann' } });
  });

  it('block a network address that tries many accounts; an IPv6 network counts as one address', async () => {
    await fail(
      50,
      (i) => `user${i}@example.org`,
      (i) => `2001:db8::${i.toString(16)}`,
    );
    expect(await attempt('ann@example.org', PASSWORD, '2001:db8:0:0:ffff::1')).toMatchObject(throttled);
    expect(await attempt('ann@example.org', PASSWORD, '2001:db8:0:1::1')).toMatchObject({ user: { _id: 'ann' } });
  });

  it('block many network addresses that try one account', async () => {
    await fail(100, ann, (i) => `198.51.100.${i}`);
    expect(await attempt('ann@example.org', PASSWORD, '203.0.113.9')).toMatchObject(throttled);
  });
});
