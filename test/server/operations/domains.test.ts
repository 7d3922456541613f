/**
 * Each optional domain alone with people, system and the domains that it needs: nothing of the others is there. `signs` in `test/<domain>/domain.ts` name
 * what shows that a domain runs.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProductClient } from '../../../harness/product.js';
import { readConfig } from '../../../src/config/config.js';
import { wholeOf } from '../../../src/database/collections/index-audit.js';
import { allDomains, collectionsOf, domainsOf } from '../../../src/domains.js';
import { recoveryPlan } from '../../../src/jobs/index.js';
import { inOrderOfRuns } from '../../../src/models/domain.js';
import { toGlobalId } from '../../../src/shared/global-id.js';
import { HOUR_MS } from '../../../src/shared/time.js';
import { domains } from '../../domains.js';
import { useDatabase } from '../../support/database.js';
import { dropRotatedDatabases } from '../../support/database-pool.js';
import { enumValues } from '../../support/domain/enum-values.js';
import type { Signs } from '../../support/domain/test-domain.js';
import { startProductHere } from '../../support/product-here.js';

const database = useDatabase();
/** A check starts a thread. */
const CHECK_MS = 60_000;

const FIELDS = `{ __schema {
  queryType { fields { name } } mutationType { fields { name } } subscriptionType { fields { name } }
} }`;

interface Root {
  readonly fields: readonly { readonly name: string }[];
}

const now = new Date();
const entry = { at: now, actor: 'a', subject: 's', address: '::1', expires_at: new Date(now.getTime() + HOUR_MS) };
const key = { name: 'k', prefix: 'sxt_1234', created_at: now };

const permanent = readConfig({ DOMAINS: 'people' }).DOMAINS;
/** The domains that DOMAINS may leave out. */
const cases = readConfig({})
  .DOMAINS.filter((domain) => !permanent.includes(domain))
  .map((domain) => ({ domain, own: signsOf(domain) }));

function signsOf(domain: string): Signs {
  const signs = domains.find(({ name }) => name === domain)?.signs;
  if (!signs)
    throw new Error(`test/${domain}/domain.ts must declare the signs of its domain, and test/domains.ts must list it`);
  return signs;
}

describe.each(cases)('a server with $domain alone', ({ domain, own }) => {
  /** With the domains that it needs. */
  const names = readConfig({ DOMAINS: domain }).DOMAINS;
  const foreign = cases.filter((each) => !names.includes(each.domain)).map((each) => each.own);
  const running = domainsOf({ DOMAINS: names });
  const off = allDomains.filter((each) => !running.includes(each));
  let server: ProductClient & { close(): Promise<void> };
  const name = () => `${database.db.databaseName}_${domain}`;
  const db = () => database.client.db(name());

  beforeAll(async () => {
    server = await startProductHere({
      mongodbUri: database.uri,
      database: name(),
      environment: { DOMAINS: domain },
    });
  });

  afterAll(async () => {
    await server?.close();
    await dropRotatedDatabases(db());
    await db().dropDatabase();
  });

  it('names its domains to anyone', async () => {
    const { data } = await server.request('{ domains }', {}, null);
    expect(data).toEqual({ domains: names });
  });

  it('has the root fields of its domain, people and system, and none of another domain', async () => {
    const { data } = await server.request<{ __schema: Record<string, Root> }>(FIELDS);
    const fieldNames = Object.values(data?.__schema ?? {}).flatMap(({ fields }) => fields.map((field) => field.name));
    expect(fieldNames).toEqual(expect.arrayContaining([...own.rootFields, 'viewer', 'signIn', 'system', 'recover']));
    const foreignFields = foreign.flatMap(({ rootFields }) => rootFields);
    expect(fieldNames.filter((field) => foreignFields.includes(field))).toEqual([]);
  });

  it('creates the collections of its domain, and none of another', async () => {
    const present = (await db().listCollections({}, { nameOnly: true }).toArray()).map((each) => each.name);
    const declared = wholeOf(collectionsOf(running)).map(({ collectionName }) => collectionName);
    expect(present).toEqual(expect.arrayContaining(declared));
    const foreignNames = collectionsOf(off).map(({ collectionName }) => collectionName);
    expect(present.filter((each) => foreignNames.includes(each))).toEqual([]);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  });

  it('schedules the jobs of its domain, and lists none of another, even if they ran before', async () => {
    const before = off.flatMap(({ jobs }) => jobs).map((job) => ({ _id: job.name as never, next_run_at: new Date(0) }));
    await db().collection('jobs').insertMany(before);
    const { data } = await server.request<{ system: { jobs: { name: string }[] }; recoveryJobs: { name: string }[] }>(
      '{ system { jobs { name } } recoveryJobs { name } }',
    );
    const workers = inOrderOfRuns(running);
    const planned = [...running.flatMap(({ jobs }) => jobs), ...workers.map(recoveryPlan)].map((plan) => plan.name);
    expect(data?.system.jobs.map((job) => job.name)).toEqual(planned.toSorted());
    expect(data?.recoveryJobs.map((job) => job.name)).toEqual(workers.map((worker) => worker.name));
  });

  it('finds no objects of another domain, and gives no advice on its collections', async () => {
    for (const node of foreign.flatMap((each) => each.node ?? [])) {
      const id = toGlobalId(node, 'any');
      expect(await server.request('query ($id: ID!) { node(id: $id) { id } }', { id })).toMatchObject({
        data: { node: null },
      });
    }
    for (const subject of foreign.flatMap(({ shardSubject }) => shardSubject ?? [])) {
      const advice = await server.request(`{ shardAdvice(subject: ${subject}) { key } }`);
      expect(advice.errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'subject' });
    }
  });

  it('lists API keys and the audit trail even if they have scopes and actions of the other', async () => {
    const foreignOf = (type: string) => enumValues(type).filter((value) => !enumValues(type, names).includes(value));
    const actions = foreignOf('AuditAction').map((action) => ({ _id: action as never, action, ...entry }));
    await db().collection('audit').insertMany(actions);
    await db()
      .collection('api_keys')
      .insertOne({ ...key, scopes: [...foreignOf('Scope'), 'SYSTEM_READ'] });
    const { data, errors } = await server.request<{
      auditTrail: { edges: { node: { action: string; subject: string } }[] };
      apiKeys: { scopes: string[] }[];
    }>('{ auditTrail { edges { node { action subject } } } apiKeys { scopes } }');
    expect(errors).toBeUndefined();
    const others = data?.auditTrail.edges.filter(({ node }) => node.action === 'OTHER');
    expect(others).toEqual(actions.map(() => ({ node: { action: 'OTHER', subject: entry.subject } })));
    expect(data?.apiKeys).toEqual([{ scopes: ['SYSTEM_READ'] }]);
  });

  const routes = cases.flatMap((each) => (each.own.route ? [{ ...each.own.route, owner: each.domain }] : []));
  for (const { what, path, metric, owner } of routes) {
    const isRunning = names.includes(owner);
    const status = isRunning ? 200 : 404;
    it(`answers ${status} for ${what}`, async () => {
      expect((await fetch(`${server.url}${path}`)).status).toBe(status);
      const metrics = await (await fetch(`${server.url}/metrics`)).text();
      expect(metrics.includes(metric)).toBe(isRunning);
    });
  }

  it('checks its own invariants', { timeout: CHECK_MS }, async () => {
    expect(await server.request('{ violations { domain invariant } }')).toMatchObject({ data: { violations: [] } });
  });
});

describe('the setting DOMAINS', () => {
  it('means all domains when it is empty', () => {
    expect(domainsOf(readConfig({})).length).toBe(allDomains.length);
  });

  it('turns on what a domain needs', () => {
    expect(readConfig({ DOMAINS: 'ads' }).DOMAINS).toEqual([
      'ads',
      'analytics',
      'commerce',
      'comments',
      'people',
      'system',
    ]);
  });

  it('allows people alone', () => {
    expect(readConfig({ DOMAINS: 'people' }).DOMAINS).toEqual(['comments', 'people', 'system']);
  });

  it('rejects an unknown name', () => {
    expect(() => readConfig({ DOMAINS: 'analytics, shop' })).toThrow(
      `DOMAINS: must be among ${[...cases.map(({ domain }) => domain), ...permanent].join(', ')}`,
    );
  });
});
