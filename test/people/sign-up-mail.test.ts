/** Sign-up by email and by invitation, through the API, with a test SMTP server. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.js';
import { addPerson } from '../support/people.js';
import { startTestServer, type TestServer, useServer } from '../support/server.js';
import { type SmtpServer, startSmtpServer } from '../support/smtp-server.js';

const database = useDatabase();
const PASSWORD = 'correct horse battery staple';
const SIGN_UP = `mutation ($input: SignUpInput!) {
  signUp(input: $input) { __typename ... on SignedIn { viewer { email roles } } ... on Refusal { message } }
}`;
const input = (email: string) => ({ input: { email, name: 'Ann', password: PASSWORD } });

describe('signing up by email', () => {
  let smtp: SmtpServer;
  let server: TestServer;
  beforeAll(async () => {
    smtp = await startSmtpServer();
    server = await startTestServer(database, {
      SIGN_UP: 'verified',
      SMTP_URL: smtp.url,
      PUBLIC_URL: 'https://stats.example.org/',
    });
  });
  afterAll(async () => {
    await server.close();
    smtp.close();
  });
  beforeEach(() => {
    smtp.mails.length = 0;
  });
  const signUp = (email: string) => server.request(SIGN_UP, input(email), null);

  it('creates the account when the link is followed and the password entered', async () => {
    expect(await server.request('{ signUpMode }', {}, null)).toEqual({ data: { signUpMode: 'VERIFIED' } });
    await signUp('ann@example.org');
    expect(smtp.mails).toHaveLength(1);
    expect(smtp.mails[0]?.recipients).toEqual(['ann@example.org']);
    expect(smtp.mails[0]?.text).not.toContain(PASSWORD);
    const [, token = ''] = /https:\/\/stats\.example\.org\/confirm#([\w-]{43})/.exec(smtp.mails[0]?.text ?? '') ?? [];
    const { data, extensions } = await server.request<{ confirmSignUp: object }>(
      `mutation ($token: String!) { confirmSignUp(token: $token, password: "${PASSWORD}") { ... on SignedIn { viewer { email roles } } } }`,
      { token },
      null,
    );
    expect(data?.confirmSignUp).toEqual({ viewer: { email: 'ann@example.org', roles: ['MEMBER'] } });
    expect(extensions).toEqual({ writtenAt: expect.stringMatching(/^[0-9a-f]{16}$/) });
  });

  it('returns the same response for an address that has an account, but sends a different email', async () => {
    await addPerson(database.db, 'bob');
    const [taken, free] = [await signUp('bob@example.org'), await signUp('cid@example.org')];
    expect(taken).toEqual({ data: { signUp: { __typename: 'CheckYourMail', message: expect.any(String) } } });
    expect(taken).toEqual(free);
    expect(smtp.mails.map(({ recipients }) => recipients)).toEqual([['bob@example.org'], ['cid@example.org']]);
    expect(smtp.mails[0]?.text).toContain(
      'There is already an account with this address, and nothing has changed. You can sign in with it.',
    );
    expect(smtp.mails[0]?.text).not.toContain('confirm#');
    expect(smtp.mails[1]?.text).toContain('confirm#');
  });

  it('sends only to the entered address, whatever it looks like', async () => {
    await signUp('x,victim@example.org');
    expect(smtp.mails.map(({ recipients }) => recipients)).toEqual([['"x,victim"@example.org']]);
  });

  it('fails with SERVER_BUSY when the email cannot be sent, without revealing why', async () => {
    const broken = await startTestServer(database, { SIGN_UP: 'verified', SMTP_URL: 'smtp://127.0.0.1:1' });
    const { errors } = await broken.request(SIGN_UP, input('dan@example.org'), null);
    expect(errors?.[0]).toMatchObject({ message: 'The email could not be sent', extensions: { code: 'SERVER_BUSY' } });
    await broken.close();
  });
});

describe('a server without sign-up', () => {
  const server = useServer(database);

  it('creates no account', async () => {
    const people = await database.db.collection('users').countDocuments();
    expect(await server.request(SIGN_UP, input('eve@example.org'), null)).toMatchObject({
      data: { signUp: { __typename: 'SignUpClosed' } },
    });
    expect(await database.db.collection('users').countDocuments()).toBe(people);
  });

  it('lets an administrator invite users, who can then sign up', async () => {
    const { data } = await server.request<{ invite: { link: string; token: string; invitation: { id: string } } }>(
      `mutation { invite(input: { email: "fay@example.org", roles: [EDITOR] }) {
        ... on Invited { token link invitation { id email roles } }
      } }`,
    );
    const { token = '', link = '', invitation } = data?.invite ?? {};
    expect(link).toBe(`${server.url}/invitation#${token}`);
    expect(await server.request('{ invitations { id email } }')).toEqual({
      data: { invitations: [{ id: invitation?.id, email: 'fay@example.org' }] },
    });
    const accepted = await server.request(
      `mutation ($token: String!) { acceptInvitation(input: { token: $token, name: "Fay", password: "${PASSWORD}" }) {
        ... on SignedIn { viewer { email name roles } }
      } }`,
      { token },
      null,
    );
    expect(accepted).toMatchObject({
      data: { acceptInvitation: { viewer: { email: 'fay@example.org', name: 'Fay', roles: ['EDITOR'] } } },
    });
  });
});
