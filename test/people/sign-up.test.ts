import { beforeEach, describe, expect, it } from 'vitest';
import { deleteAccount } from '../../src/models/people/account-deletion.js';
import { acceptInvitation, findInvitations, invite, withdrawInvitation } from '../../src/models/people/invitation.js';
import { changePassword } from '../../src/models/people/password-change.js';
import { beginSession } from '../../src/models/people/session.js';
import { renewSignIn, type SignedIn, signIn } from '../../src/models/people/sign-in.js';
import { confirmSignUp, requestSignUp, signUp } from '../../src/models/people/sign-up.js';
import { findStanding } from '../../src/models/people/standing.js';
import { type UserDocument, users } from '../../src/models/people/user.js';
import { DAY_MS } from '../../src/shared/time.js';
import { useDatabase } from '../support/database.js';
import { addPerson, sessionRules, testAct } from '../support/people.js';

const database = useDatabase();
const NOW = new Date();
const later = (ms: number) => new Date(NOW.getTime() + ms);
const address = '192.0.2.1';
const PASSWORD = 'correct horse battery staple';
const ann = { email: 'ann@example.org', password: PASSWORD, name: ' Ann ', address };
const act = testAct(NOW);
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
    if (!('kind' in mail) || mail.kind !== 'confirm') throw new Error('No mail to confirm');
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

describe('an invitation', () => {
  const inviteAnn = async () => {
    const invited = await invite(database.db, act, { email: ann.email, roles: ['EDITOR', 'MEMBER', 'EDITOR'] });
    if (!('token' in invited)) throw new Error('Not invited');
    return invited;
  };
  const accept = (token: string, now = NOW) =>
    acceptInvitation(database.db, sessionRules, { token, name: 'Ann', password: PASSWORD }, now);

  it('creates the invited account, once', async () => {
    const { token, invitation } = await inviteAnn();
    expect(JSON.stringify(invitation)).not.toContain(token);
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => accept(token)));
    expect(outcomes.filter((outcome) => 'session' in outcome)).toHaveLength(1);
    expect(outcomes.filter(isTokenNotGood)).toHaveLength(3);
    expect(await people()).toMatchObject([{ email: ann.email, roles: ['EDITOR', 'MEMBER'] }]);
    expect(await findInvitations(database.db, NOW)).toEqual([]);
  });

  it('is invalid after a newer one, after withdrawal, and after a week', async () => {
    const first = await inviteAnn();
    const second = await inviteAnn();
    expect(await accept(first.token)).toMatchObject({ __typename: 'TokenNotGood' });
    expect(await accept(second.token, later(7 * DAY_MS))).toMatchObject({ __typename: 'TokenNotGood' });
    expect(await findInvitations(database.db, NOW)).toMatchObject([{ _id: ann.email }]);
    expect(await withdrawInvitation(database.db, act, ann.email)).toBe(true);
    expect(await withdrawInvitation(database.db, act, ann.email)).toBe(false);
    expect(await accept(second.token)).toMatchObject({ __typename: 'TokenNotGood' });
    expect(await people()).toEqual([]);
    const recorded = await database.db.collection('audit').find().sort({ _id: 1 }).toArray();
    expect(recorded.map(({ action }) => action)).toEqual(['USER_INVITED', 'USER_INVITED', 'INVITATION_WITHDRAWN']);
  });

  it('is refused for an address that has an account, even if the account was created later', async () => {
    const { token } = await inviteAnn();
    await addPerson(database.db, 'ann');
    expect(await accept(token)).toMatchObject({ __typename: 'EmailTaken' });
    expect(await invite(database.db, act, { email: ann.email, roles: [] })).toMatchObject({ __typename: 'EmailTaken' });
    expect(await people()).toHaveLength(1);
  });
});

describe("one's own account", () => {
  let user: UserDocument;
  let session: SignedIn['session'];
  beforeEach(async () => {
    ({ user, session } = signedIn(await signUp(database.db, sessionRules, ann, NOW)));
  });
  const change = (password: string, newPassword = 'a new password of Ann') =>
    changePassword(database.db, sessionRules, { ...testAct(NOW), address }, user, { password, newPassword });
  const standing = ({ id }: { readonly id: string }) =>
    findStanding(database.db, { userId: user._id, sessionId: id }, NOW);

  it('gets a new password with the current one, which ends all sessions but a new one', async () => {
    const other = signedIn(await signIn(database.db, sessionRules, ann, NOW)).session;
    const renewed = signedIn(await change(PASSWORD)).session;
    expect(await Promise.all([session, other, renewed].map(standing))).toEqual([null, null, { roles: ['MEMBER'] }]);
    expect(await renewSignIn(database.db, sessionRules, other.refreshToken, NOW)).toBeNull();
    expect(await renewSignIn(database.db, sessionRules, renewed.refreshToken, NOW)).toMatchObject({
      user: { _id: user._id },
    });
    expect(await signIn(database.db, sessionRules, ann, NOW)).toMatchObject({ __typename: 'WrongCredentials' });
  });

  it('leaves no session to a sign-in with the old password during the change', async () => {
    const stale = await beginSession(database.db, sessionRules, user, NOW); // as read before the change
    await change(PASSWORD);
    expect(await standing(stale)).toBeNull();
    const late = await beginSession(database.db, sessionRules, user, NOW);
    expect(await standing(late)).toBeNull();
  });

  it('gets one new password from two concurrent changes', async () => {
    const outcomes = await Promise.all([
      change(PASSWORD, 'a new password, one'),
      change(PASSWORD, 'a new password, two'),
    ]);
    expect(outcomes.filter((outcome) => 'session' in outcome)).toHaveLength(1);
  });

  it.each([
    ['a wrong password', 'wrong', 'a new password of Ann', { __typename: 'WrongCredentials' }],
    ['a new password that is too short', PASSWORD, 'short', 'newPassword'],
  ])('keeps its password after %s', async (_case, password, newPassword, expected) => {
    if (typeof expected === 'string')
      await expect(change(password, newPassword)).rejects.toMatchObject({ details: { field: expected } });
    else expect(await change(password, newPassword)).toMatchObject(expected);
    expect(await people()).toEqual([user]);
    expect(await standing(session)).not.toBeNull();
  });

  it('is deleted only with its password, which ends its sessions', async () => {
    await addPerson(database.db, 'admin', ['ADMIN']);
    expect(await deleteAccount(database.db, act, user, 'wrong')).toMatchObject({ __typename: 'WrongCredentials' });
    expect(await standing(session)).not.toBeNull();
    expect(await deleteAccount(database.db, act, user, PASSWORD)).toEqual({ deletedId: user._id });
    expect(await standing(session)).toBeNull();
    expect(await renewSignIn(database.db, sessionRules, session.refreshToken, NOW)).toBeNull();
    expect(await database.db.collection('auth.refresh_tokens').countDocuments()).toBe(0);
  });
});
