/** Transfers through the API: whose money a caller may move, and the refusals. */
import { describe, expect, it } from 'vitest';
import { useDatabase } from '../../support/database.js';
import { useShopApi } from '../shop-api.js';

const { ann, bob, call, query, accountOf } = useShopApi(useDatabase());

describe('a customer', () => {
  it('transfers only their own money', async () => {
    const own = await accountOf(bob, 0);
    const rich = await accountOf(ann, 1000);
    const move = (token: string, amount = 30, currency = 'EUR') =>
      call(
        `transfer(from: "${rich}", to: "${own}", amount: { amount: ${amount}, currency: "${currency}" }, idempotencyKey: "${token.slice(-9)}${amount}${currency}") { __typename ... on Transfer { state } }`,
        token,
      );
    expect((await move(bob.token)).answer).toEqual({ __typename: 'AccountNotFound' });
    expect((await move(ann.token)).answer).toEqual({ __typename: 'Transfer', state: 'RETIRED' });
    expect((await move(ann.token)).answer).toEqual({ __typename: 'Transfer', state: 'RETIRED' });
    expect((await move(ann.token, 1000)).answer).toEqual({ __typename: 'InsufficientFunds' });
    expect((await move(ann.token, 30, 'USD')).answer).toEqual({ __typename: 'CurrencyMismatch' });
    expect((await move(ann.token, 0)).code).toBe('BAD_USER_INPUT');
    const { answer } = await query<object>(
      `account(id: "${own}") { balance { amount } pending { id } transfers { edges { node { amount { amount } from } } } }`,
      bob.token,
    );
    expect(answer).toEqual({
      balance: { amount: 30 },
      pending: [],
      transfers: { edges: [{ node: { amount: { amount: 30 }, from: rich } }] },
    });
    expect((await query('transfers { edges { node { id } } }', ann.token)).code).toBe('FORBIDDEN');
  });
});
