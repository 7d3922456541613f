import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { runSextant } from '../../harness/command.js';
import { KeptLease, takeLease } from '../../src/database/index.js';
import { openAccount } from '../../src/models/commerce/money/account.js';
import { carts, startCart } from '../../src/models/commerce/orders/cart.js';
import { openShop, stockOfSku } from '../commerce/shop.js';
import { useDatabase } from '../support/database.js';
import { workerNames } from '../support/domain/domains.js';

const database = useDatabase();
const recover = (...parameters: string[]) =>
  runSextant(['recover', ...parameters], { MONGODB_URI: database.uri, MONGODB_DATABASE: database.db.databaseName });
/** @param found by worker name; 0 for workers that are not named */
const told = (found: Readonly<Record<string, number | string>> = {}) =>
  workerNames.map((name) => `${name}: ${found[name] ?? 0}\n`).join('');
const CHECKOUTS = 'Finish or roll back stalled checkouts';
const STOCK = 'Release stock that no cart needs';
const EXPIRY = 'Expire idle carts';
const [FIRST = ''] = workerNames;

describe('sextant recover', () => {
  it('finds nothing to do when nothing was left unfinished', async () => {
    expect(await recover()).toMatchObject({ code: 0, output: told() });
  });

  it('leaves work in progress alone, rolls it back with --all, and finds nothing the second time', async () => {
    const shop = await openShop(database.db);
    await shop.stock('A', 5);
    const cart = await startCart(database.db, 'EUR', new Date());
    const { _id } = cart;
    await shop.add(cart, { sku: 'A', quantity: 2 }, new Date());
    await openAccount(database.db, { id: 'a', owner: null, opening: { amount: 999, currency: 'EUR' } }, new Date());
    const checkout = { call: 'left', account: 'a', owner: null, at: new Date() };
    await carts(database.db).updateOne({ _id }, { $set: { state: 'PENDING', checkout, last_modified: new Date() } });

    expect(await recover()).toMatchObject({ code: 0, output: told() });
    expect(await carts(database.db).findOne({ _id })).toMatchObject({ state: 'PENDING' });
    expect((await recover('--all')).output).toBe(told({ [CHECKOUTS]: 1, [STOCK]: 1 })); // the hold, which is valid, was checked
    expect(await carts(database.db).findOne({ _id })).toMatchObject({ state: 'ACTIVE' });
    expect(await stockOfSku(database.db, 'A')).toEqual([3, 2, 0, 5]);
    expect((await recover('--all')).output).toBe(told({ [STOCK]: 1 }));
  });

  it('refuses --all next to a running server, and changes nothing', async () => {
    const jobs = database.db.collection<{ _id: string; last_run_at: Date }>('jobs');
    await jobs.insertOne({ _id: 'A job', last_run_at: new Date() });
    const { code, output, errors } = await recover('--all');
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(errors).toContain('A server used this database');
    expect(await recover()).toMatchObject({ code: 0 });
    await jobs.updateMany({}, { $set: { last_run_at: new Date(Date.now() - 61_000) } });
    expect(await recover('--all')).toMatchObject({ code: 0 });
  });

  it('skips a worker that another process is running, reports it, and exits with 1', async () => {
    const held = await KeptLease.take(database.db, `recovery: ${FIRST}`, 'a server', 5000);
    const { code, output, errors } = await recover();
    expect({ code, output }).toEqual({ code: 1, output: told({ [FIRST]: 'another process is already running it' }) });
    expect(errors).toContain('One worker was skipped, because another process is already running it');
    expect(errors.replaceAll(/\s+/g, ' ')).toContain(
      `${FIRST}: another process is running it, or was just killed. Waiting up to 6 s for its lease`,
    );
    await held?.release();
    expect(await recover()).toMatchObject({ code: 0, output: told() });
  });

  it('continues when a worker fails, reports which one and why, and exits with 1', async () => {
    const torn = database.db.collection<{ _id: string; state: string }>('carts');
    await torn.insertOne({ _id: 'torn', state: 'EXPIRING' });
    const { code, output, errors } = await recover();
    await torn.deleteOne({ _id: 'torn' });
    expect({ code, output }).toEqual({ code: 1, output: told({ [EXPIRY]: 'failed' }) });
    expect(errors).toContain(`${EXPIRY}: TypeError: `);
    expect(errors).toContain('One worker failed');
    expect(await recover()).toMatchObject({ code: 0, output: told() });
  });

  it('records its start and its scope in the audit trail, and nothing when it was refused', async () => {
    const trail = database.db.collection('audit');
    await trail.deleteMany({});
    await recover();
    await recover('--all');
    await database.db.collection('jobs').insertOne({ last_run_at: new Date() });
    expect(await recover('--all')).toMatchObject({ code: 1 });
    await database.db.collection('jobs').deleteMany({});
    const entries = await trail.find().sort({ at: 1 }).toArray();
    expect(entries).toMatchObject(
      ['all workers', 'all workers, including work in progress'].map((subject) => ({
        actor: 'sextant',
        address: hostname(),
        action: 'RECOVERY_STARTED',
        subject,
      })),
    );
  });

  it('takes over from a process that died holding the leases', async () => {
    const name = `recovery: ${FIRST}`;
    expect(await takeLease(database.db, name, 'dead', 5000)).not.toBeNull();
    expect(await recover()).toMatchObject({ code: 0, output: told() });
  });
});
