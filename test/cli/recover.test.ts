import { describe, expect, it } from 'vitest';
import { openAccount } from '../../src/models/commerce/account.js';
import { carts, startCart } from '../../src/models/commerce/cart.js';
import { allRecoveryWorkers } from '../../src/models/recovery.js';
import '../../src/server/index.js'; // declares the collections
import { openShop, stockOfSku } from '../commerce/shop.js';
import { runSextant } from '../support/command.js';
import { useDatabase } from '../support/database.js';

const database = useDatabase();
const recover = (...parameters: string[]) =>
  runSextant(['recover', ...parameters], { MONGODB_URI: database.uri, MONGODB_DATABASE: database.db.databaseName });
const told = (...counts: (number | string)[]) =>
  allRecoveryWorkers.map(({ name }, at) => `${name}: ${counts[at] ?? 0}\n`).join('');

describe('sextant recover', () => {
  it('finds nothing to do where nothing was left', async () => {
    expect(await recover()).toMatchObject({ code: 0, output: told() });
  });

  it('leaves alone what may be under way, takes it back with --all, and finds nothing the second time', async () => {
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
    expect((await recover('--all')).output).toBe(told(0, 1, 0, 1)); // the hold, which is sound, was looked at
    expect(await carts(database.db).findOne({ _id })).toMatchObject({ state: 'ACTIVE' });
    expect(await stockOfSku(database.db, 'A')).toEqual([3, 2, 0, 5]);
    expect((await recover('--all')).output).toBe(told(0, 0, 0, 1));
  });

  it('refuses --all beside a server, and changes nothing', async () => {
    const jobs = database.db.collection('jobs');
    await jobs.insertOne({ name: 'A job', lastRunAt: new Date() });
    const { code, output, errors } = await recover('--all');
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(errors).toContain('A server has worked on this database');
    expect(await recover()).toMatchObject({ code: 0 });
    await jobs.updateMany({}, { $set: { lastRunAt: new Date(Date.now() - 61_000) } });
    expect(await recover('--all')).toMatchObject({ code: 0 });
  });

  it('lets another process go on with what it is at', async () => {
    const leases = database.db.collection<{ _id: string }>('leases');
    await leases.updateMany({}, { $set: { expires_at: new Date(Date.now() + 60_000) } });
    const busy = allRecoveryWorkers.map(() => 'another process is at it');
    expect(await recover()).toMatchObject({ code: 0, output: told(...busy) });
  });
});
