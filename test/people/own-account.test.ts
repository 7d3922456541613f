import { beforeEach, describe, expect, it } from 'vitest';
import { deleteAccount } from '../../src/models/people/account-deletion.js';
import { changePassword } from '../../src/models/people/password-change.js';
import { findRights } from '../../src/models/people/revocation.js';
import { renewSignIn, type SignedIn, signIn } from '../../src/models/people/sign-in.js';
import { beginSession } from '../../src/models/people/sign-in-session.js';
import { signUp } from '../../src/models/people/sign-up.js';
import { type UserDocument, users } from '../../src/models/people/user.js';
import { useDatabase } from '../support/database.js';
import { addPerson, sessionRules, testAct } from '../support/people.js';

const database = useDatabase();
const NOW = new Date();
const address = '192.0.2.1';
const PASSWORD = 'correct horse battery staple';
const ann = { email: 'ann@example.org', password: PASSWORD, name: ' Ann ', address };
const act = testAct(NOW);
const people = () => users(database.db).find().sort({ email: 1 }).toArray();

beforeEach(async () => {
  const names = ['users', 'audit', 'auth.throttles', 'auth.refresh_tokens', 'auth.sign_ups', 'auth.invitations'];
  for (const name of names) await database.db.collection(name).deleteMany({});
});

function signedIn(outcome: object): SignedIn {
  if ('session' in outcome) return outcome as SignedIn;
  throw new Error(`Not signed in: ${JSON.stringify(outcome)}`);
}

describe("one's own account", () => {
  let user: UserDocument;
  let session: SignedIn['session'];
  beforeEach(async () => {
    ({ user, session } = signedIn(await signUp(database.db, sessionRules, ann, NOW)));
  });
  const change = (password: string, newPassword = 'a new password of Ann') =>
    changePassword(database.db, sessionRules, { ...testAct(NOW), address }, user, { password, newPassword });
  const rights = ({ id }: { readonly id: string }) => findRights(database.db, { userId: user._id, sessionId: id }, NOW);

  it('gets a new password with the current one, which ends all sessions and starts a new one', async () => {
    const other = signedIn(await signIn(database.db, sessionRules, ann, NOW)).session;
    const renewed = signedIn(await change(PASSWORD)).session;
    expect(await Promise.all([session, other, renewed].map(rights))).toEqual([null, null, { roles: ['MEMBER'] }]);
    expect(await renewSignIn(database.db, sessionRules, other.refreshToken, NOW)).toBeNull();
    expect(await renewSignIn(database.db, sessionRules, renewed.refreshToken, NOW)).toMatchObject({
      user: { _id: user._id },
    });
    expect(await signIn(database.db, sessionRules, ann, NOW)).toMatchObject({ __typename: 'WrongCredentials' });
  });

  it('gives no rights to a sign-in that checked the old password before the change', async () => {
    const stale = await beginSession(database.db, sessionRules, user, NOW); // as read before the change
    await change(PASSWORD);
    expect(await rights(stale)).toBeNull();
    const late = await beginSession(database.db, sessionRules, user, NOW);
    expect(await rights(late)).toBeNull();
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
    expect(await rights(session)).not.toBeNull();
  });

  it('is deleted only with its password, which ends its sessions', async () => {
    await addPerson(database.db, 'admin', ['ADMIN']);
    expect(await deleteAccount(database.db, act, user, 'wrong')).toMatchObject({ __typename: 'WrongCredentials' });
    expect(await rights(session)).not.toBeNull();
    expect(await deleteAccount(database.db, act, user, PASSWORD)).toEqual({ deletedId: user._id });
    expect(await rights(session)).toBeNull();
    expect(await renewSignIn(database.db, sessionRules, session.refreshToken, NOW)).toBeNull();
    expect(await database.db.collection('auth.refresh_tokens').countDocuments()).toBe(0);
  });
});
