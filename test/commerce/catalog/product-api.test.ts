/** Products through the API: who saves them, and how often. */
import { describe, expect, it } from 'vitest';
import { useDatabase } from '../../support/database.js';
import { useShopApi } from '../shop-api.js';

const database = useDatabase();
const { server, editor } = useShopApi(database);

describe('the staff', () => {
  it('saves products as an editor, once per key', async () => {
    const product = { sku: 'N', title: 'New', type: 'THING', price: { amount: 5, currency: 'EUR' } };
    const SAVE = `mutation ($products: [ProductInput!]!) {
      saveProducts(products: $products, idempotencyKey: "k") { saved rejected { index code } }
    }`;
    const save = (...products: object[]) => server.request(SAVE, { products }, editor.token);
    const { data } = await save(product, { ...product, sku: 'BAD', type: 'x' });
    expect(data).toEqual({ saveProducts: { saved: 1, rejected: [{ index: 1, code: 'BAD_USER_INPUT' }] } });
    await database.db.collection<{ _id: string }>('products').deleteOne({ _id: 'N' });
    expect((await save(product, { ...product, sku: 'BAD', type: 'x' })).data).toEqual(data);
    expect(await database.db.collection<{ _id: string }>('products').findOne({ _id: 'N' })).toBeNull(); // not repeated
    expect((await save(product)).errors?.[0]?.extensions.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });
});
