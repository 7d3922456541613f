/** Orders through the API: who places, reads, raises and deletes them. */
import { describe, expect, it } from 'vitest';
import { idOfType } from '../../../src/shared/global-id.js';
import { useDatabase } from '../../support/database.js';
import { stockOfSku } from '../shop.js';
import { useShopApi } from '../shop-api.js';

const database = useDatabase();
const { ann, bob, admin, call, query, newCart, add, pay, accountOf } = useShopApi(database);

const lastAct = async () => {
  const edges = 'auditTrail(first: 1) { edges { node { actor action subject detail } } }';
  const { answer } = await query<{ edges: { node: object }[] }>(edges, admin());
  return answer.edges[0]?.node;
};

describe('a visitor', () => {
  it('cannot read orders', async () => {
    const [cart, account] = [await newCart(), await accountOf(ann, 1000)];
    await add(cart);
    const order = String((await pay(cart, account, 'k', ann.token)).answer.id);
    expect((await query(`order(id: "${order}") { id }`)).code).toBe('UNAUTHENTICATED');
    expect((await query('orders { edges { node { id } } }')).code).toBe('UNAUTHENTICATED');
    const node = (token: string | null) => query(`node(id: "${order}") { id }`, token);
    expect((await node(null)).answer).toBeNull();
    expect((await node(bob.token)).answer).toBeNull(); // another customer
    expect((await node(ann.token)).answer).toEqual({ id: order });
  });
});

describe('a customer', () => {
  it('pays from their own account once per key and sees the order; other users do not', async () => {
    const [cart, account] = [await newCart(), await accountOf(ann, 1000)];
    await add(cart, { quantity: 2 });
    expect((await pay(cart, account, 'k', bob.token)).answer).toMatchObject({ reason: 'ACCOUNT_UNKNOWN' });
    const paid = await pay(cart, account, 'k', ann.token);
    expect(paid.answer).toMatchObject({ __typename: 'Order', total: { amount: 500 } });
    expect(await pay(cart, account, 'k', ann.token)).toEqual(paid);
    const order = String(paid.answer.id);
    const orderOf = (token: string) => query<object | null>(`order(id: "${order}") { total { amount } }`, token);
    expect((await orderOf(ann.token)).answer).toEqual({ total: { amount: 500 } });
    expect((await orderOf(bob.token)).answer).toBeNull();
    expect((await orderOf(admin())).answer).toEqual({ total: { amount: 500 } });
    const withProduct = `order(id: "${order}") { lines { sku quantity product { sku price { amount } } } }`;
    expect((await query(withProduct, ann.token)).answer).toEqual({
      lines: [{ sku: 'A', quantity: 2, product: { sku: 'A', price: { amount: 250 } } }],
    });
    const orders = (token: string) => query('orders { edges { node { id } } }', token);
    expect((await orders(ann.token)).answer).toEqual({ edges: [{ node: { id: order } }] });
    expect((await orders(bob.token)).answer).toEqual({ edges: [] });
    const own = (token: string) => query('orders(own: true) { edges { node { id } } }', token);
    expect((await own(ann.token)).answer).toEqual({ edges: [{ node: { id: order } }] });
    expect((await own(admin())).answer).toEqual({ edges: [] });
    expect((await query(`account(id: "${account}") { balance { amount } }`, ann.token)).answer).toEqual({
      balance: { amount: 500 },
    });
    const raise = (token: string) =>
      call(`raiseOrderQuantity(orderId: "${order}", sku: "A", by: 1, idempotencyKey: "r") { __typename }`, token);
    expect((await raise(bob.token)).answer).toEqual({ __typename: 'OrderNotFound' });
    expect((await raise(ann.token)).answer).toEqual({ __typename: 'Order' });
    expect((await raise(ann.token)).answer).toEqual({ __typename: 'Order' });
    expect(await stockOfSku(database.db, 'A')).toEqual([7, 0, 3, 10]);
    const sendDelete = (token: string, key: string) =>
      call(`deleteOrder(orderId: "${order}", idempotencyKey: "${key}") { __typename }`, token);
    expect((await sendDelete(ann.token, 'e')).code).toBe('FORBIDDEN');
    expect((await sendDelete(admin(), 'e')).answer).toEqual({ __typename: 'DeletedOrder' });
    expect((await sendDelete(admin(), 'e')).answer).toEqual({ __typename: 'DeletedOrder' });
    expect((await sendDelete(admin(), 'f')).answer).toEqual({ __typename: 'OrderNotFound' });
    expect(await lastAct()).toEqual({
      actor: 'admin@example.org',
      action: 'ORDER_DELETED',
      subject: idOfType('Order', order),
      detail: '750 EUR',
    });
  });
});
