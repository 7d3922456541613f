/** The rows of carts, stock, orders and accounts. They follow those of the catalog and have their own product. */
import { expect } from 'vitest';
import type { Row } from '../contract/row.js';

const text = expect.any(String);
const sku = 'shop-1';
const title = 'A thing of the shop';
const euros = (amount: number) => ({ amount, currency: 'EUR' });
const line = (quantity: number) => ({ product: { sku, title }, quantity, unitPrice: euros(250) });
const cart = (quantity: number) => ({
  id: text,
  state: 'ACTIVE',
  lastModified: text,
  total: euros(250 * quantity),
  lines: quantity === 0 ? [] : [line(quantity)],
});
const changed = (quantity: number) => ({ __typename: 'Cart', ...cart(quantity) });
const orderLine = (quantity: number) => ({ sku, quantity, unitPrice: { amount: 250 } });

export const shopRows: readonly Row[] = [
  {
    operation: 'Restock',
    before: `mutation { saveProducts(products: [{ sku: "${sku}", title: "${title}", type: "THING", price: { amount: 250, currency: "EUR" } }]) { saved } }`,
    variables: { sku, quantity: 10 },
    expected: { restock: { sku, available: 10, inCarts: 0, sold: 0, stocked: 10 } },
  },
  {
    operation: 'StartCart',
    variables: {},
    visitor: true,
    expected: { startCart: cart(0) },
    tells: ({ startCart }: { startCart: { id: string } }) => ({ cartId: startCart.id }),
  },
  {
    operation: 'AddToCart',
    variables: ({ cartId }) => ({ cartId, sku, quantity: 2, idempotencyKey: 'add' }),
    visitor: true,
    expected: { addToCart: changed(2) },
  },
  {
    operation: 'ChangeQuantity',
    variables: ({ cartId }) => ({ cartId, sku, quantity: 3 }),
    visitor: true,
    expected: { changeQuantity: changed(3) },
  },
  { operation: 'Cart', variables: ({ cartId }) => ({ id: cartId }), visitor: true, expected: { cart: cart(3) } },
  {
    operation: 'RemoveFromCart',
    variables: ({ cartId }) => ({ cartId, sku }),
    visitor: true,
    expected: { removeFromCart: changed(0) },
  },
  {
    operation: 'CartChanged',
    variables: ({ cartId }) => ({ id: cartId }),
    expected: { cartChanged: { cursor: text, cart: cart(0) } },
    afterwards: {
      operation: 'AddToCart',
      variables: ({ cartId }) => ({ cartId, sku, quantity: 2 }),
      expected: { cartChanged: { cursor: text, cart: cart(2) } },
    },
  },
  {
    operation: 'StockChanged',
    variables: { skus: [sku] },
    expected: { stockChanged: { cursor: text, stock: [{ sku, available: 8, inCarts: 2 }] } },
    afterwards: {
      operation: 'Restock',
      variables: { sku, quantity: 1 },
      expected: { stockChanged: { cursor: text, stock: [{ sku, available: 9, inCarts: 2 }] } },
    },
  },
  {
    operation: 'OpenAccount',
    variables: { input: { owner: 'a customer', openingBalance: euros(1000) } },
    expected: { openAccount: { id: text, owner: 'a customer', balance: euros(1000) } },
    tells: ({ openAccount }: { openAccount: { id: string } }) => ({ accountId: openAccount.id }),
  },
  {
    operation: 'CheckOut',
    variables: ({ cartId, accountId }) => ({ cartId, payment: { account: accountId }, idempotencyKey: 'pay' }),
    expected: { checkOut: { __typename: 'Order', id: text, total: euros(500), lines: [orderLine(2)] } },
    tells: ({ checkOut }: { checkOut: { id: string } }) => ({ orderId: checkOut.id }),
  },
  {
    operation: 'Order',
    variables: ({ orderId }) => ({ id: orderId }),
    expected: { order: { id: text, total: { amount: 500 }, lines: [{ ...orderLine(2), title }], placedAt: text } },
  },
  {
    operation: 'RaiseOrderQuantity',
    variables: ({ orderId }) => ({ orderId, sku, by: 1 }),
    expected: { raiseOrderQuantity: { __typename: 'Order', id: text, total: { amount: 750 } } },
  },
  {
    operation: 'DeleteOrder',
    variables: ({ orderId }) => ({ orderId }),
    expected: { deleteOrder: { __typename: 'DeletedOrder', id: text } },
  },
  {
    operation: 'Transfer',
    before: 'mutation { openAccount(input: {}) { id } }',
    beforeTells: ({ openAccount }: { openAccount: { id: string } }) => ({ otherId: openAccount.id }),
    variables: ({ accountId, otherId }) => ({
      from: accountId,
      to: otherId,
      amount: euros(50),
      idempotencyKey: 'move',
    }),
    expected: { transfer: { __typename: 'Transfer', id: text, state: 'RETIRED', amount: euros(50) } },
  },
  {
    operation: 'Account',
    variables: ({ accountId }) => ({ id: accountId }),
    expected: {
      account: {
        id: text,
        balance: euros(200),
        pending: [],
        transfers: {
          edges: [50, 250, 500].map((amount) => ({ node: { id: text, state: 'RETIRED', amount: { amount } } })),
        },
      },
    },
  },
  {
    operation: 'AccountChanged',
    variables: ({ accountId }) => ({ id: accountId }),
    expected: { accountChanged: { cursor: text, account: { id: text, balance: { amount: 200 } } } },
  },
];
