/**
 * Money: whole minor units of the store's one currency. Sums stay exact, because every amount, and all of them together, are bounded below
 * 2^53.
 */
import { InputError } from '../../shared/errors.js';

export interface Money {
  /** Minor units, a whole number. */
  readonly amount: number;
  /** ISO 4217. */
  readonly currency: string;
}

/** The largest price of a unit, in minor units. 100 lines of 10,000 units at this price are still exact. */
export const PRICE_MAX = 1_000_000_000;

/** The largest amount that an account is opened with or a transfer moves, in minor units: what the dearest cart costs. */
export const AMOUNT_MAX = 1_000_000_000_000_000;

/** All the money that accounts are opened with, in minor units: so every balance, and every sum of them, is exact. */
export const MONEY_MAX = Number.MAX_SAFE_INTEGER;

/**
 * A price as the catalog stores it. @returns minor units
 * @throws InputError it is not in the store's currency, or not from 0 to PRICE_MAX
 */
export function requirePrice(field: string, { amount, currency }: Money, storeCurrency: string): number {
  if (currency !== storeCurrency) throw new InputError(`${field}.currency`, `must be ${storeCurrency}`);
  return requireAmount(`${field}.amount`, amount, { min: 0, max: PRICE_MAX });
}

/** @throws InputError */
export function requireAmount(field: string, amount: number, { min, max }: { min: number; max: number }): number {
  if (Number.isSafeInteger(amount) && amount >= min && amount <= max) return amount;
  throw new InputError(field, `must be a whole number of minor units from ${min} to ${max}`);
}
