/** How `sextant doctor` reports stuck work. */
import { expect, it } from 'vitest';
import { findCommerceViolations } from '../../../src/models/commerce/invariants.js';
import { transactions } from '../../../src/models/commerce/money/transfer.js';
import { carts, startCart } from '../../../src/models/commerce/orders/cart.js';
import { useDatabase } from '../../support/database.js';

const test = useDatabase();
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);

it('reports carts and transfers without progress for over ten minutes, and no others', async () => {
  const place = async (id: string, fields: object) => {
    await startCart(test.db, 'EUR', new Date(), { id });
    await carts(test.db).updateOne({ _id: id }, { $set: fields });
  };
  await place('paid for', { state: 'PENDING', last_modified: ago(12) });
  await place('just paid for', { state: 'PENDING', last_modified: ago(8) });
  await place('expiring', { state: 'EXPIRING', last_modified: ago(100), expiring_since: ago(20) });
  await place('just expiring', { state: 'EXPIRING', last_modified: ago(100), expiring_since: ago(1) });
  await place('expiring for long', { state: 'EXPIRING', last_modified: ago(100) });
  await place('complete', { state: 'COMPLETE', last_modified: ago(100) });
  const transfer = { from: 'a', to: 'b', amount: 1, currency: 'EUR', run: 1, created_at: ago(30) };
  await transactions(test.db).insertMany([
    { _id: 'new', state: 'NEW', last_modified: ago(11), ...transfer },
    { _id: 'begun again', state: 'NEW', last_modified: ago(1), ...transfer },
    { _id: 'done', state: 'RETIRED', last_modified: ago(30), ...transfer },
  ]);
  const told: string[] = [];
  for await (const { invariant, subject } of findCommerceViolations(test.db)) told.push(`${invariant}: ${subject}`);
  expect(told.sort()).toEqual([
    'cart-expiry-ends: cart expiring for long, seconds without progress',
    'cart-expiry-ends: cart expiring, seconds without progress',
    'checkout-ends: cart paid for, seconds without progress',
    'transfer-ends: new, seconds without progress',
  ]);
});
