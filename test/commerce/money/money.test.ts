import { describe, expect, it } from 'vitest';
import {
  AMOUNT_MAX,
  MONEY_MAX,
  PRICE_MAX,
  requireAmount,
  requirePrice,
} from '../../../src/models/commerce/money/money.js';
import { LINES_MAX } from '../../../src/models/commerce/orders/cart.js';
import { QUANTITY_MAX } from '../../../src/models/commerce/orders/inventory.js';
import { useDatabase } from '../../support/database.js';
import { useServer } from '../../support/server.js';

const server = useServer(useDatabase());

describe('a price', () => {
  const price = (amount: number, currency = 'EUR') => requirePrice('price', { amount, currency }, 'EUR');

  it.each([0, 1, PRICE_MAX])('may be %d minor units of the store’s currency', (amount) => {
    expect(price(amount)).toBe(amount);
  });

  it.each([-1, PRICE_MAX + 1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('cannot be %d', (amount) => {
    expect(() => price(amount)).toThrow(`price.amount must be from 0 to ${PRICE_MAX} minor units of EUR`);
  });

  it.each(['USD', 'eur', ''])('cannot be in the currency “%s”', (currency) => {
    expect(() => price(1, currency)).toThrow('price.currency must be EUR');
  });
});

describe('an amount', () => {
  it('may have both limits, and nothing beyond', () => {
    const amount = (value: number) => requireAmount('amount', value, { min: 1, max: AMOUNT_MAX });
    for (const value of [1, AMOUNT_MAX]) expect(amount(value)).toBe(value);
    for (const value of [0, AMOUNT_MAX + 1]) expect(() => amount(value)).toThrow('amount must be');
  });

  it('is exact: a full cart at the highest price is the largest amount, and is below 2^53', () => {
    expect(LINES_MAX * QUANTITY_MAX * PRICE_MAX).toBe(AMOUNT_MAX);
    expect(AMOUNT_MAX).toBeLessThan(MONEY_MAX);
  });
});

it('names the store’s currency to everyone', async () => {
  expect((await server.request('{ storeCurrency }', {}, null)).data).toEqual({ storeCurrency: 'EUR' });
});
