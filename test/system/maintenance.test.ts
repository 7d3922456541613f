import { beforeAll, describe, expect, it, vi } from 'vitest';
import { facets } from '../../src/models/commerce/catalog/facet.js';
import { carts } from '../../src/models/commerce/orders/cart.js';
import {
  beginMaintenance,
  failAbandonedMaintenance,
  findMaintenance,
  finishMaintenance,
  type MaintenanceDocument,
  noteProgress,
} from '../../src/models/system/maintenance.js';
import { idOfType } from '../../src/shared/global-id.js';
import { openShop } from '../commerce/shop.js';
import { useDatabase } from '../support/database.js';
import { workerNames } from '../support/domain/domains.js';
import { runCheck, runRecovery } from '../support/maintenance.js';
import { addPerson, beginTestSession } from '../support/people.js';
import { useServer } from '../support/server.js';

const database = useDatabase();
const server = useServer(database);
let editor: string;

beforeAll(async () => {
  const edith = await addPerson(database.db, 'edith', ['EDITOR']);
  editor = (await beginTestSession(database.db, server.services.config, edith)).token;
});

/** A run starts a thread with a low priority. */
vi.setConfig({ testTimeout: 120_000 });

/** An abandoned run: it last reported its progress a minute ago. */
const leave = (kind: MaintenanceDocument['_id']) =>
  database.db
    .collection<MaintenanceDocument>('maintenance')
    .updateOne({ _id: kind }, [{ $set: { seen_at: { $subtract: ['$$NOW', 60_000] } } }]);

describe('a check requested by an administrator', () => {
  it('runs in the background, and reports its progress and its findings', async () => {
    expect((await server.request('{ invariantCheck { state startedAt violations { subject } } }')).data).toEqual({
      invariantCheck: { state: 'IDLE', startedAt: null, violations: [] },
    });
    await facets(database.db).insertOne({ _id: 'TYPE//FILM', kind: 'TYPE', count: 5 } as never);
    const stands = await runCheck(server);
    expect(stands.map(({ state }) => state)).toEqual(['IDLE', ...stands.slice(1, -1).map(() => 'RUNNING'), 'FINISHED']);
    const last = stands.at(-1);
    expect(last).toMatchObject({
      failure: null,
      violations: [{ invariant: 'catalog-count-is-number-of-products', detail: '5 where 0 was expected' }],
    });
    expect(last?.done).toBe(last?.total);
    expect(Date.parse(last?.finishedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(last?.startedAt ?? ''));
    const { data } = await server.request('{ invariantCheck { violations { invariant } } violations { invariant } }');
    const found = [{ invariant: 'catalog-count-is-number-of-products' }];
    expect(data).toEqual({ invariantCheck: { violations: found }, violations: found });
  });

  it('is shared by all who request it while it runs', async () => {
    await beginMaintenance(database.db, 'CHECK', 'elsewhere');
    const { data } = await server.request('mutation { checkInvariants { state } }');
    expect(data).toEqual({ checkInvariants: { state: 'RUNNING' } });
    expect(await findMaintenance(database.db, 'CHECK')).toMatchObject({ run: 'elsewhere', state: 'RUNNING' });
  });

  it('fails when its server has stopped, and does not block the next one', async () => {
    await leave('CHECK');
    await failAbandonedMaintenance(database.db);
    expect(await findMaintenance(database.db, 'CHECK')).toMatchObject({
      state: 'FAILED',
      failure: 'The server that ran it has stopped',
    });
    const stands = await runCheck(server);
    expect(stands.at(-1)).toMatchObject({ state: 'FINISHED', failure: null });
  });

  it('does not block the next one if the database’s clock was set back after it was last seen', async () => {
    await beginMaintenance(database.db, 'CHECK', 'ahead');
    const ahead = [{ $set: { seen_at: { $add: ['$$NOW', 3_600_000] } } }];
    await database.db.collection<MaintenanceDocument>('maintenance').updateOne({ _id: 'CHECK' }, ahead);
    expect(await beginMaintenance(database.db, 'CHECK', 'next')).toMatchObject({ run: 'next', state: 'RUNNING' });
    await finishMaintenance(database.db, 'CHECK', 'next', { violations: [] });
  });

  it('changes nothing when it resumes after another one has started', async () => {
    await beginMaintenance(database.db, 'CHECK', 'slept');
    await leave('CHECK');
    const next = await beginMaintenance(database.db, 'CHECK', 'next');
    expect(next).toMatchObject({ run: 'next', state: 'RUNNING' });
    expect(await noteProgress(database.db, 'CHECK', 'slept', { step: 'Hits', done: 5, total: 6 })).toBe(false);
    await finishMaintenance(database.db, 'CHECK', 'slept', { violations: [] });
    expect(await findMaintenance(database.db, 'CHECK')).toEqual(next);
    await finishMaintenance(database.db, 'CHECK', 'next', { violations: [] });
  });

  it('starts once for many concurrent requests', async () => {
    const begun = await Promise.all(
      Array.from({ length: 20 }, (_, at) => beginMaintenance(database.db, 'CHECK', `run ${at}`)),
    );
    expect(begun.filter((run) => run !== null)).toHaveLength(1);
    await leave('CHECK');
  });
});

describe('a recovery requested by an administrator', () => {
  it('runs in the background, and reports what each worker did', async () => {
    const stands = await runRecovery(server);
    const last = stands.at(-1);
    expect(last).toMatchObject({ state: 'FINISHED', failure: null });
    expect(last?.runs?.map(({ worker }) => worker)).toEqual(workerNames);
    expect(last?.runs).toContainEqual({
      worker: 'Rebuild the catalog counters and paths',
      found: 1,
      failure: null,
    });
    expect((await server.request('{ violations { invariant } }')).data).toEqual({ violations: [] });
  });

  it('continues with the next worker when one fails, and reports why', async () => {
    const growth = database.db.collection<{ _id: string }>('log.growth');
    await growth.updateOne({ _id: 'log' }, { $rename: { segments: 'aside' } }, { upsert: true });
    const last = (await runRecovery(server)).at(-1);
    await growth.updateOne({ _id: 'log' }, { $rename: { aside: 'segments' } });
    const failed = last?.runs?.filter(({ failure }) => failure !== null).map(({ worker }) => worker);
    expect(last?.state).toBe('FINISHED');
    expect(failed).toEqual(['Maintain the collections of the request log']);
    expect(last?.runs).toHaveLength(workerNames.length);
  });

  it('skips work in progress, and repairs interrupted work', async () => {
    const ask = async <T>(operation: string, token = server.token) => {
      const { data, errors } = await server.request<{ answer: T }>(operation, {}, token);
      return { answer: data?.answer as T, code: errors?.[0]?.extensions.code };
    };
    const query = <T>(field: string, token?: string) => ask<T>(`{ answer: ${field} }`, token);
    const call = <T>(field: string) => ask<T>(`mutation { answer: ${field} }`);
    const ann = (await addPerson(database.db, 'ann', ['MEMBER']))._id;
    const shop = await openShop(database.db);
    await shop.stock('A', 10, 250);
    const [cart, account] = [(await call<{ id: string }>('startCart { id }')).answer.id, await shop.open(1000, ann)];
    await call(`addToCart(cartId: "${cart}", sku: "A", quantity: 2) { __typename }`);
    const id = idOfType('Cart', cart) ?? '';
    const checkout = { call: 'left', account: account._id, owner: ann, at: new Date() };
    const stall = (at: Date) =>
      carts(database.db).updateOne({ _id: id }, { $set: { state: 'PENDING', checkout, last_modified: at } });
    const recover = async () => {
      const runs = (await runRecovery(server)).at(-1)?.runs ?? [];
      return { found: runs.filter(({ found }) => found !== 0), workers: runs.map(({ worker }) => worker) };
    };
    await stall(new Date());
    expect((await recover()).found).toEqual([]);
    expect((await query(`cart(id: "${cart}") { state }`)).answer).toEqual({ state: 'PENDING' });
    await stall(new Date(Date.now() - 600_000));
    await facets(database.db).updateOne({ kind: 'TYPE' }, { $inc: { count: 5 } });
    const { found, workers } = await recover();
    expect(found).toEqual([
      { worker: 'Finish or roll back stalled checkouts', found: 1, failure: null },
      { worker: 'Rebuild the catalog counters and paths', found: 1, failure: null },
    ]);
    expect(workers).toEqual(workerNames);
    expect((await query(`cart(id: "${cart}") { state }`)).answer).toEqual({ state: 'ACTIVE' });
    expect((await query('violations { invariant subject }')).answer).toEqual([]);
    const jobs = await query<{ name: string }[]>('recoveryJobs { name lastRunAt failure }');
    expect(jobs.answer).toEqual(workers.map((name) => ({ name, lastRunAt: null, failure: null })));
    expect((await query('recoveryJobs { name }', editor)).code).toBe('FORBIDDEN');
  });

  it('has one audit entry, however often it is requested while it runs', async () => {
    const audit = database.db.collection('audit');
    const before = await audit.countDocuments({ action: 'RECOVERY_STARTED' });
    await beginMaintenance(database.db, 'RECOVERY', 'elsewhere');
    expect((await server.request('mutation { recover { state } }')).data).toEqual({ recover: { state: 'RUNNING' } });
    expect(await audit.countDocuments({ action: 'RECOVERY_STARTED' })).toBe(before);
  });
});

describe('an editor', () => {
  it('can neither start nor see a check or a recovery', async () => {
    const before = await findMaintenance(database.db, 'CHECK');
    for (const text of [
      'mutation { checkInvariants { state } }',
      'mutation { recover { state } }',
      '{ invariantCheck { state } }',
      '{ recovery { state } }',
    ])
      expect((await server.request(text, {}, editor)).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
    expect(await findMaintenance(database.db, 'CHECK')).toEqual(before);
  });
});
