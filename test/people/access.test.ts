/** Permissions through the API: one operation of each kind, for each kind of caller. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiKey, type Scope } from '../../src/models/people/api-key.js';
import type { Role } from '../../src/models/people/user.js';
import { personOf, visitor } from '../../src/server/identity/viewer.js';
import { type AccessRule, requireAccess } from '../../src/server/operations/access-rule.js';
import { toGlobalId } from '../../src/shared/global-id.js';
import { useDatabase } from '../support/database.js';
import { addPerson, beginTestSession, testAct } from '../support/people.js';
import { useServer } from '../support/server.js';

const database = useDatabase();
const server = useServer(database);

const range = 'range: { from: "2026-01-05T00:00:00Z", to: "2026-01-06T00:00:00Z" }';
const operations = {
  chart: `{ hitChart(site: "example.org", page: "/", unit: HOUR, ${range}) { total } }`,
  record: 'mutation { recordHit(hit: { site: "example.org", page: "/" }) { recorded } }',
  log: `{ events(filter: { site: "example.org", ${range} }) { edges { cursor } } }`,
  recordLog: 'mutation { recordEvents(events: []) { inserted } }',
  sessions: `{ sessionStats(level: DAY, ${range}) { edges { cursor } } }`,
  recordSessions: 'mutation { recordSessions(sessions: []) { recorded } }',
  sites: '{ sites { host } }',
  people: '{ people { edges { node { email } } } }',
  system: '{ system { version collections { documents } } storage(collection: "users") { documents } }',
  audit: '{ auditTrail { edges { cursor } } }',
  name: 'mutation { changeName(name: "New") { name email roles } }',
  viewer: '{ viewer { email } }',
} as const;
type Name = keyof typeof operations;

/** The caller, their role or scope, and everything they may do. */
const callers: readonly [who: string, Role | Scope | null, readonly Name[]][] = [
  ['a visitor', null, ['viewer']],
  ['a member', 'MEMBER', ['name', 'viewer']],
  ['an advertiser', 'ADVERTISER', ['name', 'viewer']],
  ['an editor', 'EDITOR', ['chart', 'log', 'sessions', 'sites', 'name', 'viewer']],
  [
    'an administrator',
    'ADMIN',
    [
      'chart',
      'record',
      'log',
      'recordLog',
      'sessions',
      'recordSessions',
      'sites',
      'people',
      'system',
      'audit',
      'name',
      'viewer',
    ],
  ],
  ['a program with hits:read', 'HITS_READ', ['chart', 'viewer']],
  ['a program with hits:write', 'HITS_WRITE', ['record', 'viewer']],
  ['a program with logs:read', 'LOGS_READ', ['log', 'viewer']],
  ['a program with logs:write', 'LOGS_WRITE', ['recordLog', 'viewer']],
  ['a program with sessions:read', 'SESSIONS_READ', ['sessions', 'viewer']],
  ['a program with sessions:write', 'SESSIONS_WRITE', ['recordSessions', 'viewer']],
  ['a program with system:read', 'SYSTEM_READ', ['system', 'viewer']],
];

const isScope = (right: Role | Scope): right is Scope => /_(READ|WRITE)$/.test(right);

async function credentialOf(right: Role | Scope | null): Promise<string | null> {
  if (right === null) return null;
  if (isScope(right)) return (await createApiKey(database.db, testAct(), { name: right, scopes: [right] })).key;
  const user = await addPerson(database.db, `one-${right.toLowerCase()}`, [right]);
  return (await beginTestSession(database.db, server.services.config, user)).token;
}

describe('through the API', () => {
  it.each(callers)('%s may do what the rules allow, and nothing else', async (_who, right, allowed) => {
    const credential = await credentialOf(right);
    const may: string[] = [];
    for (const [name, query] of Object.entries(operations)) {
      const { errors } = await server.request(query, {}, credential);
      if (!errors) may.push(name);
      else expect(errors[0]?.extensions.code).toBe(right === null ? 'UNAUTHENTICATED' : 'FORBIDDEN');
    }
    expect(may).toEqual(allowed);
  });

  it('a user is found by id by themselves and by administrators', async () => {
    const bob = await addPerson(database.db, 'bob', ['MEMBER']);
    const { token } = await beginTestSession(database.db, server.services.config, bob);
    const ask = (id: string, credential?: string) =>
      server.request(
        'query ($id: ID!) { node(id: $id) { ... on User { email } } }',
        { id: toGlobalId('User', id) },
        credential,
      );
    const other = await addPerson(database.db, 'other');
    expect(await ask(bob._id, token)).toEqual({ data: { node: { email: 'bob@example.org' } } });
    expect(await ask(other._id, token)).toEqual({ data: { node: null } });
    expect(await ask(other._id)).toEqual({ data: { node: { email: 'other@example.org' } } });
  });

  it('a user who signs in sees their own account in the same response', async () => {
    const { data } = await server.request<{ signIn: { viewer: { roles: string[] } } }>(
      'mutation { signIn(email: "admin@example.org", password: "correct horse battery staple") { ... on SignedIn { viewer { email roles } } } }',
      {},
      null,
    );
    expect(data?.signIn.viewer).toEqual({ email: 'admin@example.org', roles: ['ADMIN'] });
  });
});

describe('a field of an object with an owner', () => {
  const rule: AccessRule = { kind: 'owner', field: 'owner_id', role: 'ADMIN' };
  const person = (userId: string, ...roles: Role[]) =>
    personOf({ userId, roles, sessionId: 's', expiresAt: new Date() });
  const object = { owner_id: 'ann' };

  it('is for the owner and administrators', () => {
    expect(() => requireAccess(rule, person('ann'), object)).not.toThrow();
    expect(() => requireAccess(rule, person('root', 'ADMIN'), object)).not.toThrow();
    expect(() => requireAccess(rule, person('bob', 'EDITOR'), object)).toThrow(
      expect.objectContaining({ code: 'FORBIDDEN' }),
    );
    expect(() => requireAccess(rule, visitor, object)).toThrow(expect.objectContaining({ code: 'UNAUTHENTICATED' }));
  });
  it('is also for those with its role', () => {
    const forEditors: AccessRule = { ...rule, role: 'EDITOR' };
    expect(() => requireAccess(forEditors, person('bob', 'EDITOR'), object)).not.toThrow();
    expect(() => requireAccess(forEditors, person('cid', 'AUTHOR'), object)).toThrow(
      expect.objectContaining({ code: 'FORBIDDEN' }),
    );
  });
  it('is for administrators alone if there is no owner: a visitor does not count as the owner', () => {
    for (const orphan of [{}, { owner_id: null }, { owner_id: undefined }])
      expect(() => requireAccess(rule, visitor, orphan)).toThrow(expect.objectContaining({ code: 'UNAUTHENTICATED' }));
  });
});

describe('an API key, on every transport', () => {
  let key: string;
  beforeAll(async () => {
    ({ key } = await createApiKey(database.db, testAct(), { name: 'Reader', scopes: ['HITS_READ'] }));
  });
  afterAll(() => database.db.collection('api_keys').deleteMany({}));
  const CHART = 'subscription { hitChartChanged(site: "example.org", page: "/") { __typename } }';

  it('is accepted on WebSockets', async () => {
    const events = server.connect(key).iterate({ query: CHART });
    expect(await events.next()).toMatchObject({ value: { data: { hitChartChanged: {} } } });
    await events.return?.();
  });
  it('is accepted on event streams', async () => {
    const response = await fetch(`${server.url}/graphql/stream?query=${encodeURIComponent(operations.chart)}`, {
      headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream' },
    });
    expect(await response.text()).toContain('{"data":{"hitChart":{"total":');
  });
  it('shows when it was last used', async () => {
    await server.request(operations.chart, {}, key);
    const { data } = await server.request<{ apiKeys: { name: string; lastUsedAt: string | null }[] }>(
      '{ apiKeys { name lastUsedAt } }',
    );
    expect(data?.apiKeys.find(({ name }) => name === 'Reader')?.lastUsedAt).toEqual(expect.any(String));
  });
  it('is accepted even if its use cannot be recorded', async () => {
    const { key: other } = await createApiKey(database.db, testAct(), { name: 'Unnoted', scopes: ['HITS_READ'] });
    const refuse = (validator: object) => database.db.command({ collMod: 'api_keys', validator });
    await refuse({ last_used_at: { $exists: false } });
    try {
      expect(await server.request(operations.chart, {}, other)).toMatchObject({ data: { hitChart: { total: 0 } } });
    } finally {
      await refuse({});
    }
    const unnoted = await database.db.collection('api_keys').findOne({ name: 'Unnoted' });
    expect(unnoted).not.toHaveProperty('last_used_at');
  });
  it('uploads a log', async () => {
    const { key: writer } = await createApiKey(database.db, testAct(), { name: 'Writer', scopes: ['LOGS_WRITE'] });
    const query =
      'mutation ($file: Upload!) { importLog(file: $file, input: { site: "example.org" }) { ... on LogImport { fileName } } }';
    const form = new FormData();
    form.set('operations', JSON.stringify({ query, variables: { file: null } }));
    form.set('map', JSON.stringify({ 0: ['variables.file'] }));
    form.set('0', new File(['192.0.2.1 - - [05/Jan/2026:11:00:00 +0000] "GET / HTTP/1.1" 200 1\n'], 'access.log'));
    const headers = { authorization: `Bearer ${writer}`, 'apollo-require-preflight': 'true' };
    const response = await fetch(`${server.url}/graphql`, { method: 'POST', headers, body: form });
    expect(await response.json()).toMatchObject({ data: { importLog: { fileName: 'access.log' } } });
  });
  it('opens no WebSocket when it is unknown', async () => {
    await expect(
      server
        .connect(`${key.slice(0, -2)}xx`)
        .iterate({ query: CHART })
        .next(),
    ).rejects.toMatchObject({
      code: 4403,
    });
  });
});
