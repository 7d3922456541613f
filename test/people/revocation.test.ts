/** Rights revoked on one server are revoked on another: over HTTP, on open WebSockets and on event streams. */
import { randomBytes } from 'node:crypto';
import type { Db } from 'mongodb';
import { describe, expect, it, vi } from 'vitest';
import { buildIndexes } from '../../src/database/index.js';
import { createApiKey, revokeApiKey } from '../../src/models/people/api-key.js';
import { grantRole, revokeRole } from '../../src/models/people/role.js';
import { type Role, users } from '../../src/models/people/user.js';
import { AccessTokens } from '../../src/server/identity/access-token.js';
import { Identities } from '../../src/server/identity/identities.js';
import { loadTokenKeys } from '../../src/server/identity/token-keys.js';
import { personOf } from '../../src/server/identity/viewer.js';
import { toGlobalId } from '../../src/shared/global-id.js';
import { useDatabase } from '../support/database.js';
import { addPerson, beginTestSession, testAct } from '../support/people.js';
import { openReadySocket, type RawSocket } from '../support/raw-socket.js';
import { type TestServer, useServer } from '../support/server.js';

const TOLD_MS = 2000; // within a second, plus another one for a busy machine

const database = useDatabase();
const settings = { TOKEN_SECRET: randomBytes(32).toString('hex') };
const here = useServer(database, settings);
const there = useServer(database, settings);

const CHART = 'hitChartChanged(site: "example.org", page: "/") { cursor }';
const CHART_NOW =
  '{ hitChart(site: "example.org", page: "/", unit: HOUR, range: { from: "2026-01-05T00:00:00Z", to: "2026-01-06T00:00:00Z" }) { total } }';

let made = 0;
async function editor(...roles: Role[]) {
  made += 1;
  const user = await addPerson(database.db, `editor-${made}`, ['EDITOR', ...roles]);
  return { user, ...(await beginTestSession(database.db, there.services.config, user)) };
}

/** Follows a chart on a WebSocket and on an event stream of a server. */
async function follow(server: TestServer, token: string) {
  const raw = await openReadySocket(server.url, token);
  raw.send({ id: '1', type: 'subscribe', payload: { query: `subscription { ${CHART} }` } });
  expect(await raw.next()).toMatchObject({
    type: 'next',
    payload: { data: { hitChartChanged: { cursor: expect.any(String) } } },
  });
  const response = await fetch(`${server.url}/graphql/stream`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: `subscription { ${CHART} }` }),
  });
  const events = response.text(); // resolves when the stream ends
  return { raw, events };
}

async function expectEnded({ raw, events }: { raw: RawSocket; events: Promise<string> }, since: number): Promise<void> {
  expect(await raw.closed).toMatchObject({ code: 4403 });
  expect(await events).toMatch(/"code":"UNAUTHENTICATED".*event: complete\n/s);
  expect(Date.now() - since).toBeLessThan(TOLD_MS);
}

const codeOf = async (server: TestServer, query: string, token: string) =>
  (await server.request(query, {}, token)).errors?.[0]?.extensions.code ?? null;

describe('a user on one server, whose rights change on another', () => {
  const mutate = (query: string, token?: string) => here.request(`mutation { ${query} }`, {}, token);

  it.each([
    ['the role is revoked', 'FORBIDDEN', (id: string) => mutate(`revokeRole(userId: "${id}", role: EDITOR) { id }`)],
    ['the account is deleted', 'UNAUTHENTICATED', (id: string) => mutate(`deleteUser(userId: "${id}") { __typename }`)],
    ['the user signs out', 'UNAUTHENTICATED', (_id: string, token: string) => mutate('signOut { signedOut }', token)],
  ])('loses the rights of the token: %s', async (_case, code, change) => {
    const { user, token } = await editor();
    expect(await codeOf(there, CHART_NOW, token)).toBeNull(); // and caches the user
    const open = await follow(there, token);
    const since = Date.now();
    expect(await change(toGlobalId('User', user._id), token)).not.toHaveProperty('errors');
    await expectEnded(open, since);
    expect(await codeOf(there, CHART_NOW, token)).toBe(code);
  });

  it('loses the rights of the token when the password changes', async () => {
    const { user, token } = await editor();
    const open = await follow(there, token);
    const since = Date.now();
    await users(database.db).updateOne({ _id: user._id }, { $inc: { credentials_version: 1 } });
    await expectEnded(open, since);
    expect(await codeOf(there, CHART_NOW, token)).toBe('UNAUTHENTICATED');
  });

  it('gets a granted role with the same token', async () => {
    const { user, token } = await editor();
    expect(await codeOf(there, '{ people { edges { cursor } } }', token)).toBe('FORBIDDEN');
    const open = await follow(there, token);
    await grantRole(database.db, testAct(), user._id, 'ADMIN');
    await expectEnded(open, Date.now());
    expect(await codeOf(there, '{ people { edges { cursor } } }', token)).toBeNull();
    await revokeRole(database.db, testAct(), user._id, 'ADMIN');
  });

  it('keeps WebSockets when only the name changes, or another session ends', async () => {
    const { user, token } = await editor();
    const other = await beginTestSession(database.db, there.services.config, user);
    const ending = await follow(there, other.token);
    const { raw, events } = await follow(there, token);
    await mutate('changeName(name: "Another") { name }', token);
    await mutate('signOut { signedOut }', other.token);
    await expectEnded(ending, Date.now()); // so all earlier changes have been delivered
    raw.send({ id: '2', type: 'subscribe', payload: { query: '{ viewer { name } }' } });
    expect(await raw.next()).toMatchObject({ id: '2', payload: { data: { viewer: { name: 'Another' } } } });
    raw.socket.terminate();
    await mutate('signOut { signedOut }', token);
    await events;
  });
});

describe('a program whose API key is revoked', () => {
  it('loses the rights of the key', async () => {
    const { key, apiKey } = await createApiKey(database.db, testAct(), { name: 'Reader', scopes: ['HITS_READ'] });
    expect(await codeOf(there, CHART_NOW, key)).toBeNull();
    const open = await follow(there, key);
    const since = Date.now();
    await revokeApiKey(database.db, testAct(), apiKey._id);
    await expectEnded(open, since);
    expect(await codeOf(there, CHART_NOW, key)).toBe('UNAUTHENTICATED');
    expect((await there.request(CHART_NOW, {}, key)).errors?.[0]?.message).toBe(
      'The token or key is unknown, expired or revoked',
    );
    expect((await there.request(CHART_NOW, {}, null)).errors?.[0]?.message).toBe('Sign in first');
  });
});

describe('a server that has missed changes', () => {
  it('clears its cache and reads from the database again', async () => {
    const { token } = await editor();
    const open = await follow(there, token);
    await database.db.collection('api_keys').drop(); // the stream reports that a collection is gone, but not its contents
    await buildIndexes(database.db);
    await expectEnded(open, Date.now());
    expect(await codeOf(there, CHART_NOW, token)).toBeNull();
  });
});

describe('rights that change while they are being read', () => {
  /** A database whose responses about users are delayed. */
  function holdBack(db: Db, read: () => void, gate: Promise<void>): Db {
    return Object.assign(Object.create(db) as Db, {
      collection: (name: string) => {
        const collection = db.collection(name);
        if (name !== 'users') return collection;
        return Object.assign(Object.create(collection), {
          findOne: async (...args: Parameters<typeof collection.findOne>) => {
            const found = await collection.findOne(...args);
            read();
            await gate;
            return found;
          },
        });
      },
    });
  }

  it('are read again', async () => {
    const { config } = there.services;
    const { user, token, sessionId } = await editor();
    const gates = { open: (): void => undefined, read: (): void => undefined };
    const gate = new Promise<void>((resolve) => {
      gates.open = resolve;
    });
    const read = new Promise<void>((resolve) => {
      gates.read = resolve;
    });
    const accessTokens = new AccessTokens(await loadTokenKeys(config), 900);
    const options = { now: () => new Date(), accessTokens, issuer: null, onTrouble: () => undefined };
    const slow = await Identities.open({ ...options, db: holdBack(database.db, gates.read, gate) });
    const looking = slow.find(token);
    await read; // the role still exists
    const told = new Promise<void>((resolve) => {
      slow.watch(personOf({ userId: user._id, sessionId, roles: [], expiresAt: new Date() }), {
        rightsChanged: resolve,
      });
    });
    await revokeRole(database.db, testAct(), user._id, 'EDITOR');
    await told;
    gates.open();
    expect(await looking).toMatchObject({ id: user._id, roles: [] });
    await slow.close();
  });

  it('are reported to each earlier caller, even if two asked concurrently', async () => {
    const { config } = there.services;
    const { user, token } = await editor();
    const accessTokens = new AccessTokens(await loadTokenKeys(config), 900);
    const options = { now: () => new Date(), accessTokens, issuer: null, onTrouble: () => undefined };
    const identities = await Identities.open({ ...options, db: database.db });
    const both = await Promise.all([identities.find(token), identities.find(token)]);
    await revokeRole(database.db, testAct(), user._id, 'EDITOR');
    await vi.waitFor(async () => expect((await identities.find(token))?.roles).toEqual([]));
    const told: number[] = [];
    for (const [index, viewer] of both.entries())
      if (viewer) identities.watch(viewer, { rightsChanged: () => told.push(index) });
    expect(told).toEqual([0, 1]);
    await identities.close();
  });
});
