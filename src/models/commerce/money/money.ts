/**
 * Money: whole minor units of the store's only currency. Sums stay exact, because every amount and the sum of all amounts are limited
 * to less than 2^53.
 */
import { InputError } from '../../../shared/errors.js';

export interface Money {
  /** Minor units, a whole number. */
  readonly amount: number;
  /** ISO 4217. */
  readonly currency: string;
}

/** The highest price per unit, in minor units. 100 lines of 10,000 units at this price are still exact. */
export const PRICE_MAX = 1_000_000_000;

/** The largest opening balance or transfer, in minor units: the total of the most expensive possible cart. */
export const AMOUNT_MAX = 1_000_000_000_000_000;

/** The maximum sum of all opening balances, in minor units, so that every balance and every sum of balances is exact. */
export const MONEY_MAX = Number.MAX_SAFE_INTEGER;

/**
 * A price as the catalog stores it. @returns minor units
 * @throws InputError not in the store's currency, or not from 0 to PRICE_MAX
 */
export function requirePrice(field: string, { amount, currency }: Money, storeCurrency: string): number {
  if (currency !== storeCurrency) throw new InputError(`${field}.currency`, `must be ${storeCurrency}`);
  return requireAmount(`${field}.amount`, amount, { min: 0, max: PRICE_MAX, currency });
}

interface AmountRange {
  readonly min: number;
  readonly max: number;
  /** Omitted: the input does not name it. */
  readonly currency?: string;
}

/** @throws InputError */
export function requireAmount(field: string, amount: number, { min, max, currency }: AmountRange): number {
  if (Number.isSafeInteger(amount) && amount >= min && amount <= max) return amount;
  throw new InputError(field, `must be from ${min} to ${currency ? writeAmount(max, currency) : `${max} minor units`}`);
}

/** An amount in a message, as it is in the API. The dashboard finds it by these words, and shows it as money. */
export const writeAmount = (amount: number, currency: string): string => `${amount} minor units of ${currency}`;
