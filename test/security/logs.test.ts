/** Whatever is sent to the server, no secret of it is in the logs, however much is logged. */
import { createClient } from 'graphql-ws';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { useDatabase } from '../support/database.js';
import { administrator, startProduct } from '../support/product.js';

const database = useDatabase();
const TOKEN_SECRET = 'the secret that signs tokens, of this test';
const MARK = 'zanzibar'; // part of whatever is secret here, and of nothing else

describe('the logs', () => {
  it('have no password, no token, no cookie, no variable and no address of the database with its password', async () => {
    let logged = '';
    const product = await startProduct({
      mongodbUri: database.uri,
      database: `${database.db.databaseName}`,
      environment: { LOG_LEVEL: 'trace', TOKEN_SECRET, ADMIN_PASSWORD: administrator.password },
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
    await product.stop();

    expect(logged).toContain('"path":"/graphql"'); // it logs, and requests at that
    const secrets = { MARK, TOKEN_SECRET, accessToken, refreshToken, password: administrator.password };
    const found = Object.entries(secrets).filter(([, secret]) => (logged + product.output()).includes(secret));
    expect(found.map(([name]) => name)).toEqual([]);
  });
});
