import fc from 'fast-check';
import type { Db } from 'mongodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { hashOfFamily, RefreshTokenSeal } from '../../src/models/people/refresh-token.js';
import { beginSession, endSession, renewSession, type Session } from '../../src/models/people/sign-in-session.js';
import { useDatabase } from '../support/database.js';

const database = useDatabase();
const rules = { seal: new RefreshTokenSeal('a secret of the test, 32 characters'), lifetimeMs: 30 * 86_400_000 };
const BEGIN = new Date(); // the database removes expired documents by its own clock
const at = (seconds: number) => new Date(BEGIN.getTime() + seconds * 1000);
const renew = (token: string, seconds: number) => renewSession(database.db, rules, token, at(seconds));
const stored = () => database.db.collection('auth.refresh_tokens').find().toArray();

let session: Session;
beforeEach(async () => {
  await database.db.collection('auth.refresh_tokens').deleteMany({});
  session = await beginSession(database.db, rules, { _id: 'ann' }, BEGIN);
});

/** Renews and expects a token. */
async function expectRenewal(token: string, seconds: number): Promise<string> {
  const renewed = await renew(token, seconds);
  if (!renewed) throw new Error('The token was rejected');
  return renewed.refreshToken;
}

/** A database in which updates are delayed until the gate opens, while reads are not. */
function stallWrites(db: Db, gate: Promise<void>, onStall: () => void): Db {
  return Object.assign(Object.create(db) as Db, {
    collection: (name: string) => {
      const collection = db.collection(name);
      return Object.assign(Object.create(collection), {
        findOneAndUpdate: async (...args: Parameters<typeof collection.findOneAndUpdate>) => {
          onStall();
          await gate;
          return collection.findOneAndUpdate(...args);
        },
      });
    },
  });
}

describe('a session', () => {
  it('stores nothing that can be used as a token', async () => {
    const [family = ''] = session.refreshToken.split('.');
    expect(JSON.stringify(await stored())).not.toContain(family);
    expect((await stored()).map(({ _id }) => _id)).toEqual([hashOfFamily(family)]);
  });

  it('is renewed for its whole lifetime by its latest token', async () => {
    const second = await expectRenewal(session.refreshToken, 60);
    const third = await renew(second, 120);
    expect(third).toMatchObject({ userId: 'ann', expiresAt: at(120 + 30 * 86_400) });
    expect(new Set([session.refreshToken, second, third?.refreshToken]).size).toBe(3);
  });

  it('accepts the previous token when the response with the latest was lost, and invalidates the latest', async () => {
    const lost = await expectRenewal(session.refreshToken, 60);
    const again = await expectRenewal(session.refreshToken, 120);
    expect(again).not.toBe(lost);
    const next = await expectRenewal(again, 180);
    expect(next).toBeTruthy();
    expect(await renew(lost, 240)).toBeNull();
  });

  it('returns the same token to concurrent renewals', async () => {
    const tokens = await Promise.all(Array.from({ length: 10 }, () => expectRenewal(session.refreshToken, 60)));
    expect(new Set(tokens).size).toBe(1);
    expect(await stored()).toMatchObject([{ current: 2, previous: 1 }]);
  });

  it('is not reset by an overtaken renewal', async () => {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    let noteStall = (): void => undefined;
    const stalled = new Promise<void>((resolve) => {
      noteStall = resolve;
    });
    const slow = stallWrites(database.db, gate, noteStall);
    const overtaken = renewSession(slow, rules, session.refreshToken, at(60));
    await stalled; // it has read the session
    const second = await expectRenewal(session.refreshToken, 60);
    await expectRenewal(second, 120);
    release();
    expect(await overtaken).toBeNull(); // its token has been replaced by now
    expect(await stored()).toEqual([]);
  });

  it('ends when a replaced token is used', async () => {
    const second = await expectRenewal(session.refreshToken, 60);
    const third = await expectRenewal(second, 120);
    expect(await renew(session.refreshToken, 180)).toBeNull();
    expect(await renew(third, 180)).toBeNull();
    expect(await stored()).toEqual([]);
  });

  it('expires after its lifetime', async () => {
    expect(await renew(session.refreshToken, 30 * 86_400)).toBeNull();
  });

  it('cannot be renewed after it was ended', async () => {
    expect(await endSession(database.db, session.id)).toBe(true);
    expect(await endSession(database.db, session.id)).toBe(false);
    expect(await renew(session.refreshToken, 60)).toBeNull();
  });

  it.each([
    ['the next generation derived from this one', (token: string) => token.replace('.1.', '.2.')],
    ['another family with this seal', (token: string) => `${'A'.repeat(43)}${token.slice(43)}`],
    [
      'sealed with another secret',
      (token: string) => new RefreshTokenSeal('x').write({ family: token.slice(0, 43), generation: 1 }),
    ],
    ['cut short', (token: string) => token.slice(0, -1)],
    ['empty', () => ''],
  ])('rejects a token that is %s, and changes nothing', async (_name, forge) => {
    const before = await stored();
    expect(await renew(forge(session.refreshToken), 60)).toBeNull();
    expect(await stored()).toEqual(before);
  });
});

describe('any order of renewals by a client and a thief', () => {
  it('keeps only the latest token and the one used last valid; any other token ends the session', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(9), { maxLength: 12 }), async (picks) => {
        const { refreshToken } = await beginSession(database.db, rules, { _id: 'ann' }, BEGIN);
        const given = [refreshToken];
        const used = new Set<string>();
        let seconds = 0;
        for (const pick of picks) {
          seconds += 60; // beyond the time for retries
          const token = given[pick % given.length] ?? refreshToken;
          const renewed = await renew(token, seconds);
          // The latest generation and the one used last are valid. Any other one ends the session permanently.
          const isNewest = token === given.at(-1);
          const isLastUsed = token === [...used].at(-1);
          expect(renewed !== null).toBe(isNewest || isLastUsed);
          if (!renewed) {
            for (const each of given) expect(await renew(each, seconds)).toBeNull();
            return;
          }
          used.delete(token);
          used.add(token);
          given.push(renewed.refreshToken);
        }
      }),
      { numRuns: 40 },
    );
  });
});
