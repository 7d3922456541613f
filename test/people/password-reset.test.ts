/** Forgotten passwords, through the API, with a test SMTP server. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { requestPasswordReset, resetPassword } from '../../src/models/people/password-reset.js';
import { findRights } from '../../src/models/people/revocation.js';
import { hashPassword } from '../../src/models/people/secrets/password.js';
import { beginSession } from '../../src/models/people/sign-in-session.js';
import { type UserDocument, users } from '../../src/models/people/user.js';
import { changesOf } from '../security/operations/unchanged.js';
import { useDatabase } from '../support/database.js';
import { addPerson, sessionRules, testAct } from '../support/people.js';
import { startTestServer, type TestServer, useServer } from '../support/server.js';
import { type ReceivedMail, type SmtpServer, startSmtpServer } from '../support/smtp-server.js';

const database = useDatabase();
const OLD = 'the password that was forgotten';
const NEW = 'the password that was chosen';
const REQUEST =
  'mutation ($email: EmailAddress!) { requestPasswordReset(email: $email) { __typename ... on Refusal { message } } }';
const RESET = `mutation ($token: String!, $newPassword: String! = "${NEW}") {
  resetPassword(token: $token, newPassword: $newPassword) { __typename ... on SignedIn { accessToken viewer { email } } }
}`;
const SIGN_IN = `mutation ($email: EmailAddress!, $password: String!) {
  signIn(email: $email, password: $password) { __typename ... on SignedIn { accessToken } } }`;

let people = 0;
async function person(): Promise<UserDocument> {
  people += 1;
  const added = await addPerson(database.db, `person${people}`, ['MEMBER']);
  const password_hash = await hashPassword(OLD);
  await users(database.db).updateOne({ _id: added._id }, { $set: { password_hash } });
  return { ...added, password_hash };
}
const resets = () => database.db.collection('auth.password_resets').countDocuments();
const minutes = (count: number) => new Date(Date.now() + count * 60_000);

describe('a forgotten password', () => {
  let smtp: SmtpServer;
  let server: TestServer;
  beforeAll(async () => {
    smtp = await startSmtpServer();
    server = await startTestServer(database, {
      SMTP_URL: smtp.url,
      PUBLIC_URL: 'https://stats.example.org/',
    });
  });
  afterAll(async () => {
    await server.close();
    smtp.close();
  });
  beforeEach(async () => {
    smtp.mails.length = 0;
    await database.db.collection('auth.throttles').deleteMany({});
  });
  const request = (email: string) => server.request(REQUEST, { email }, null);
  const tokenOf = (mail: ReceivedMail | undefined) =>
    /https:\/\/stats\.example\.org\/reset#([\w-]{43})/.exec(mail?.text ?? '')?.[1] ?? '';
  const typeOf = ({ data }: { readonly data?: Record<string, unknown> | null }) =>
    Object.values(data ?? {}).map((answer) => (answer as { __typename: string }).__typename)[0];

  it('is replaced with the link in an email, which ends all sessions and is audited', async () => {
    const ann = await person();
    const before = await server.request<{ signIn: { accessToken: string } }>(
      SIGN_IN,
      { email: ann.email, password: OLD },
      null,
    );
    const oldToken = before.data?.signIn.accessToken ?? '';
    expect(await server.request('{ passwordResetOffered }', {}, null)).toEqual({
      data: { passwordResetOffered: true },
    });
    await request(ann.email);
    expect(smtp.mails.map(({ recipients }) => recipients)).toEqual([[ann.email]]);

    const answer = await server.request<{ resetPassword: { accessToken: string } }>(
      RESET,
      { token: tokenOf(smtp.mails[0]) },
      null,
    );
    expect(answer.data?.resetPassword).toMatchObject({ __typename: 'SignedIn', viewer: { email: ann.email } });
    expect(answer.extensions?.writtenAt).toMatch(/^[0-9a-f]{16}$/);
    const viewerOf = async (token: string) => (await server.request('{ viewer { email } }', {}, token)).data?.viewer;
    await expect.poll(() => viewerOf(oldToken)).toBeNull();
    expect(await viewerOf(answer.data?.resetPassword.accessToken ?? '')).toEqual({ email: ann.email });
    expect(typeOf(await server.request(SIGN_IN, { email: ann.email, password: OLD }, null))).toBe('WrongCredentials');
    expect(typeOf(await server.request(SIGN_IN, { email: ann.email, password: NEW }, null))).toBe('SignedIn');
    const entries = await database.db.collection('audit').find({ subject: ann.email }).toArray();
    expect(entries).toMatchObject([{ action: 'PASSWORD_RESET', actor: ann.email, address: '127.0.0.1' }]);
    expect(typeOf(await server.request(RESET, { token: tokenOf(smtp.mails[0]) }, null))).toBe('TokenNotGood');
  });

  it('gets the same response if there is no account, but a different email', async () => {
    const { email } = await person();
    const [known, unknown] = [await request(email), await request('nobody@example.org')];
    expect(known).toEqual({
      data: { requestPasswordReset: { __typename: 'CheckYourMail', message: expect.any(String) } },
    });
    expect(unknown).toEqual(known);
    expect(smtp.mails.map(({ recipients }) => recipients)).toEqual([[email], ['nobody@example.org']]);
    expect(smtp.mails[1]?.text).toContain('There is no account with this address.');
    expect(smtp.mails[1]?.text).not.toContain('reset#');
  });

  it('causes at most five emails to an address in a quarter of an hour, with or without an account', async () => {
    const { email } = await person();
    for (const address of [email, 'none@example.org']) {
      smtp.mails.length = 0;
      const types: (string | undefined)[] = [];
      for (let times = 0; times < 6; times += 1) types.push(typeOf(await request(address)));
      expect(types).toEqual([...Array.from({ length: 5 }, () => 'CheckYourMail'), 'SignInThrottled']);
      expect(smtp.mails).toHaveLength(5);
    }
  });

  it('fails with SERVER_BUSY when the email cannot be sent', async () => {
    const broken = await startTestServer(database, { SMTP_URL: 'smtp://127.0.0.1:1' });
    const { errors } = await broken.request(REQUEST, { email: (await person()).email }, null);
    expect(errors?.[0]).toMatchObject({ message: 'The email could not be sent', extensions: { code: 'SERVER_BUSY' } });
    await broken.close();
  });
});

describe('the link for a new password', () => {
  const ask = async ({ email }: UserDocument, now = new Date()) => {
    const mail = await requestPasswordReset(database.db, { email, address: `192.0.2.${people}` }, now);
    return 'token' in mail ? mail.token : '';
  };
  const follow = (token: string, now = new Date(), newPassword = NEW) =>
    resetPassword(database.db, sessionRules, { token, newPassword }, () => testAct(now), now);
  const typeOf = (outcome: object) => ('__typename' in outcome ? outcome.__typename : 'SignedIn');

  it.each([
    ['a made-up token', async () => follow('made up')],
    ['an expired one', async () => follow(await ask(await person()), minutes(60))],
    [
      'one whose password was changed since',
      async () => {
        const user = await person();
        const [first, second] = [await ask(user), await ask(user)];
        expect(typeOf(await follow(first))).toBe('SignedIn');
        return follow(second);
      },
    ],
    [
      'one whose account is gone',
      async () => {
        const user = await person();
        const token = await ask(user);
        await users(database.db).deleteOne({ _id: user._id });
        return follow(token);
      },
    ],
  ])('is invalid: %s', async (_case, attempt) => {
    expect(typeOf(await attempt())).toBe('TokenNotGood');
  });

  it('changes the password once when it is followed concurrently', async () => {
    const user = await person();
    const token = await ask(user);
    const outcomes = await Promise.all(
      ['a', 'b', 'c'].map((name) => follow(token, new Date(), `the password of ${name}`)),
    );
    expect(outcomes.map(typeOf).toSorted()).toEqual(['SignedIn', 'TokenNotGood', 'TokenNotGood']);
    expect(await users(database.db).findOne({ _id: user._id })).toMatchObject({ credentials_version: 1 });
  });

  it('removes the rights of a session started with the old password', async () => {
    const user = await person();
    const session = await beginSession(database.db, sessionRules, user, new Date());
    const rights = () => findRights(database.db, { userId: user._id, sessionId: session.id }, new Date());
    expect(await rights()).toEqual({ roles: ['MEMBER'] });
    await follow(await ask(user));
    expect(await rights()).toBeNull();
  });

  it('stays valid when the new password is invalid, and nothing changes', async () => {
    const token = await ask(await person());
    const changes = await changesOf(database.db, () =>
      expect(follow(token, new Date(), 'too short')).rejects.toMatchObject({ details: { field: 'newPassword' } }),
    );
    expect(changes).toEqual([]);
    expect(typeOf(await follow(token))).toBe('SignedIn');
  });
});

describe('a server that does not send email', () => {
  const server = useServer(database);
  it('does not offer password resets, and stores nothing', async () => {
    const before = await resets();
    expect(await server.request('{ passwordResetOffered }', {}, null)).toEqual({
      data: { passwordResetOffered: false },
    });
    expect(await server.request(REQUEST, { email: 'admin@example.org' }, null)).toMatchObject({
      data: { requestPasswordReset: { __typename: 'NoMail' } },
    });
    expect(await resets()).toBe(before);
  });
});
