/** Whatever is sent to the server, its secrets never appear in the logs, at any log level. */
import { randomBytes } from 'node:crypto';
import { createClient } from 'graphql-ws';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { administrator, startProduct } from '../../harness/product.js';
import { type TestDatabase, useDatabase } from '../support/database.js';
import { startSmtpServer } from '../support/smtp-server.js';

const database = useDatabase();
const TOKEN_SECRET = 'the secret that signs tokens, of this test';
const MARK = 'zanzibar'; // part of every secret here, and of nothing else
const DATABASE_PASSWORD = 'the-password-at-the-database';
const WRONG_PASSWORD = 'not-the-password-at-the-database';
const SMTP_PASSWORD = 'the-password-at-the-mail-server';
const password = 'the password of somebody new';

describe('the logs', () => {
  it('contain no password, token, key, cookie or variable, nor the passwords of the database and the mail server', async () => {
    let logged = '';
    const smtp = await startSmtpServer();
    onTestFinished(() => smtp.close());
    const product = await startProduct({
      mongodbUri: await withUser(database, DATABASE_PASSWORD),
      database: database.db.databaseName,
      environment: {
        LOG_LEVEL: 'trace',
        TOKEN_SECRET,
        SIGN_UP: 'verified',
        SMTP_URL: `smtp://mailer:${SMTP_PASSWORD}@127.0.0.1:${smtp.port}`,
      },
    });
    onTestFinished(() => product.stop());
    product.process.child.stderr?.on('data', (chunk) => {
      logged += chunk;
    });
    const send = (body: string, headers: Readonly<Record<string, string>> = {}, path = '/graphql') =>
      fetch(product.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      }).then((response) => response.text());
    const operation = (query: string, variables: object = {}) => JSON.stringify({ query, variables });
    const signIn = `mutation($e: EmailAddress!, $p: String!) { signIn(email: $e, password: $p) {
      __typename ... on SignedIn { accessToken refreshToken } } }`;

    const { data } = JSON.parse(await send(operation(signIn, { e: administrator.email, p: administrator.password })));
    const { accessToken, refreshToken } = data.signIn as { accessToken: string; refreshToken: string };
    const bearer = { authorization: `Bearer ${accessToken}` };
    await send(operation(signIn, { e: `${MARK}@example.org`, p: `password-${MARK}` }));
    await send(operation(`{ ${MARK} }`), bearer);
    await send(operation('query($id: ID!) { node(id: $id) { id } }', { id: { [MARK]: 1 } }), bearer);
    await send(`{"query":"${MARK}`, bearer); // broken JSON
    await send(`--B\r\n${MARK}`, {
      'content-type': 'multipart/form-data; boundary=B',
      'apollo-require-preflight': '1',
    });
    await send(operation('{ viewer { id } }'), { cookie: `sextant_access=${accessToken}; other=${MARK}` });
    await send(operation('{ viewer { id } }'), { authorization: `Bearer ${MARK}` });
    await send(operation('{ viewer { id } }'), {}, `/graphql?token=${MARK}`);
    await fetch(`${product.url}/graphql?query=${encodeURIComponent(`{ ${MARK} }`)}`, { headers: bearer });
    await send(operation('mutation($t: String) { refresh(refreshToken: $t) { __typename } }', { t: refreshToken }));
    await send(
      JSON.stringify({ site: `${MARK}.example`, page: `/${MARK}` }),
      { origin: `https://${MARK}.example` },
      '/hit',
    );
    const client = createClient({
      url: `${product.url.replace('http', 'ws')}/graphql?token=${MARK}`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams: { authorization: bearer.authorization, password: MARK },
    });
    await client
      .iterate({ query: 'query($p: String!) { storage(collection: $p) { collection } }', variables: { p: MARK } })
      .next();
    await client.dispose();
    const forged = createClient({
      url: `${product.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams: { authorization: `Bearer ${MARK}` },
    });
    await expect(forged.iterate({ query: '{ viewer { id } }' }).next()).rejects.toBeDefined();
    await forged.dispose();
    // Secrets that are shown once, used, and rejected.
    const key = await tell('createApiKey(input: { name: "Counter", scopes: [HITS_READ] }) { secret: key }');
    for (const credential of [key, key.replace(/.$/, '_')])
      await send(operation('{ viewer { id } }'), { authorization: `Bearer ${credential}` });
    const invitation = await tell(
      'invite(input: { email: "guest@example.org" }) { ... on Invited { secret: token link } }',
    );
    const accept = `mutation($t: String!) {
      acceptInvitation(input: { token: $t, name: "Guest", password: "${password}" }) { __typename } }`;
    for (let times = 0; times < 2; times += 1) await send(operation(accept, { t: invitation }));
    await tell(`signUp(input: { email: "new@example.org", name: "New", password: "${password}" }) { __typename }`);
    const [, confirmation = ''] = /\/confirm#([\w-]{43})/.exec(smtp.mails[0]?.text ?? '') ?? [];
    const confirm = `mutation($t: String!) { confirmSignUp(token: $t, password: "${password}") { __typename } }`;
    for (let times = 0; times < 2; times += 1) await send(operation(confirm, { t: confirmation }));
    await tell('requestPasswordReset(email: "new@example.org") { __typename }');
    const [, reset = ''] = /\/reset#([\w-]{43})/.exec(smtp.mails[1]?.text ?? '') ?? [];
    const replace = `mutation($t: String!) { resetPassword(token: $t, newPassword: "${password}!") { __typename } }`;
    for (let times = 0; times < 2; times += 1) await send(operation(replace, { t: reset }));
    await product.stop();

    expect(logged).toContain('"path":"/graphql"'); // it does log requests
    const secrets = {
      ...{ MARK, TOKEN_SECRET, accessToken, refreshToken, key, invitation, confirmation, reset, password },
      ...{ administrator: administrator.password, database: DATABASE_PASSWORD, mail: SMTP_PASSWORD },
    };
    expect(Object.values(secrets).filter((secret) => secret.length < 8)).toEqual([]);
    expect(namesOf(secrets, logged + product.output())).toEqual([]);

    async function tell(mutation: string): Promise<string> {
      const answer = await product.request<{ answer: { secret?: string } }>(`mutation { answer: ${mutation} }`);
      expect(answer.errors).toBeUndefined();
      return answer.data?.answer.secret ?? '';
    }
  });

  it('contain no password of a database that rejects it', async () => {
    const uri = await withUser(database, DATABASE_PASSWORD);
    const refused = startProduct({
      mongodbUri: uri.replace(DATABASE_PASSWORD, WRONG_PASSWORD),
      database: database.db.databaseName,
      environment: { LOG_LEVEL: 'trace' },
    });
    const output = await refused.then(
      () => 'It started',
      (error: Error) => error.message,
    );
    expect(output).toContain('The product ended with 1 before it was ready');
    expect(output).toMatch(/authenticat/i);
    expect(output).not.toContain(WRONG_PASSWORD);
  });
});

const namesOf = (secrets: Readonly<Record<string, string>>, text: string): string[] =>
  Object.entries(secrets)
    .filter(([, secret]) => text.includes(secret))
    .map(([name]) => name);

/** Creates a user of the test's database. @returns a URI with its credentials: a server without access control checks them, too */
async function withUser({ db, uri }: TestDatabase, password: string): Promise<string> {
  const user = `user-${randomBytes(4).toString('hex')}`;
  await db.command({ createUser: user, pwd: password, roles: [{ role: 'root', db: 'admin' }] });
  onTestFinished(async () => void (await db.command({ dropUser: user })));
  const url = new URL(uri);
  [url.username, url.password] = [user, password];
  url.searchParams.set('authSource', db.databaseName);
  return url.href;
}
