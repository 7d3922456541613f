import { beforeEach, describe, expect, it } from 'vitest';
import type { SignedIn } from '../../src/models/people/sign-in.js';
import { confirmSignUp, requestSignUp, signUp } from '../../src/models/people/sign-up.js';
import { users } from '../../src/models/people/user.js';
import { DAY_MS } from '../../src/shared/time.js';
import { useDatabase } from '../support/database.js';
import { addPerson, sessionRules } from '../support/people.js';

const database = useDatabase();
const NOW = new Date();
const later = (ms: number) => new Date(NOW.getTime() + ms);
const address = '192.0.2.1';
const PASSWORD = 'correct horse battery staple';
const ann = { email: 'ann@example.org', password: PASSWORD, name: ' Ann ', address };
const people = () => users(database.db).find().sort({ email: 1 }).toArray();

beforeEach(async () => {
  const names = ['users', 'audit', 'auth.throttles', 'auth.refresh_tokens', 'auth.sign_ups', 'auth.invitations'];
  for (const name of names) await database.db.collection(name).deleteMany({});
});

const isTokenNotGood = (outcome: object) => '__typename' in outcome && outcome.__typename === 'TokenNotGood';

function signedIn(outcome: object): SignedIn {
  if ('session' in outcome) return outcome as SignedIn;
  throw new Error(`Not signed in: ${JSON.stringify(outcome)}`);
}

describe('signing up immediately', () => {
  const attempt = (input: Partial<typeof ann> = {}) => signUp(database.db, sessionRules, { ...ann, ...input }, NOW);

  it('creates a member with a session', async () => {
    const { user, session } = signedIn(await attempt());
    expect(user).toMatchObject({ email: 'ann@example.org', name: 'Ann', roles: ['MEMBER'], created_at: NOW });
    expect(session.userId).toBe(user._id);
  });

  it('creates one account per address under concurrent calls', async () => {
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => attempt()));
    expect(outcomes.filter((outcome) => 'session' in outcome)).toHaveLength(1);
    expect(await people()).toHaveLength(1);
    expect(await attempt()).toMatchObject({ __typename: 'EmailTaken' });
  });

  it.each([
    ['a short password', { password: 'eleven char' }, 'input.password'],
    ['a long password', { password: 'x'.repeat(1025) }, 'input.password'],
    ['no name', { name: '  ' }, 'input.name'],
    ['a name with a line break', { name: 'a\nb' }, 'input.name'],
    ['a long name', { name: 'x'.repeat(101) }, 'input.name'],
  ])('refuses %s', async (_case, input, field) => {
    await expect(attempt(input)).rejects.toMatchObject({ code: 'BAD_USER_INPUT', details: { field } });
    expect(await people()).toEqual([]);
  });

  it('blocks a network address after 20 attempts', async () => {
    const bounds = { _id: 'sign-up-from:192.0.2.1', failures: 20, until: later(60_000) };
    await database.db.collection<typeof bounds>('auth.throttles').insertOne(bounds);
    expect(await attempt()).toMatchObject({ __typename: 'SignInThrottled', retryAfterMs: 60_000 });
    expect(await people()).toEqual([]);
  });
});

describe('signing up by email', () => {
  const request = (email = ann.email, now = NOW) => requestSignUp(database.db, { ...ann, email }, now);
  const confirm = (token: string, password = PASSWORD, now = NOW) =>
    confirmSignUp(database.db, sessionRules, { token, password }, now);
  async function mailedToken(): Promise<string> {
    const mail = await request();
    if (!('kind' in mail) || mail.kind !== 'confirm') throw new Error('No email to confirm');
    return mail.token;
  }

  it('creates the account only when the email is confirmed', async () => {
    const token = await mailedToken();
    expect(await people()).toEqual([]);
    expect(JSON.stringify(await database.db.collection('auth.sign_ups').find().toArray())).not.toContain(token);
    expect(signedIn(await confirm(token)).user).toMatchObject({ email: ann.email, name: 'Ann', roles: ['MEMBER'] });
    expect(await confirm(token)).toMatchObject({ __typename: 'TokenNotGood' });
  });

  it('creates one account when the link is followed concurrently', async () => {
    const token = await mailedToken();
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => confirm(token)));
    expect(outcomes.filter((outcome) => 'session' in outcome)).toHaveLength(1);
    expect(outcomes.filter(isTokenNotGood)).toHaveLength(3);
    expect(await people()).toHaveLength(1);
  });

  it('requires the chosen password, so that a stranger cannot make the owner of the address confirm the stranger’s account', async () => {
    const token = await mailedToken();
    expect(await confirm(token, 'the password of a victim')).toMatchObject({ __typename: 'WrongCredentials' });
    expect(await people()).toEqual([]);
  });

  it('expires after a day', async () => {
    const token = await mailedToken();
    expect(await confirm(token, PASSWORD, later(DAY_MS))).toMatchObject({ __typename: 'TokenNotGood' });
  });

  it('sends a different email, and changes nothing else, if there is an account', async () => {
    await addPerson(database.db, 'ann');
    expect(await request()).toEqual({ kind: 'has-account', to: ann.email });
    expect(await database.db.collection('auth.sign_ups').countDocuments()).toBe(1); // as without an account
  });

  it('sends at most five emails to an address in a quarter of an hour', async () => {
    for (let i = 0; i < 5; i += 1) await request();
    expect(await request()).toMatchObject({ __typename: 'SignInThrottled' });
    expect(await request('other@example.org')).toMatchObject({ kind: 'confirm' });
    expect(await request(ann.email, later(15 * 60_000))).toMatchObject({ kind: 'confirm' });
  });
});
