/** Settings of the store. */
import { z } from 'zod';
import { whole } from './values.js';

export const commerceSettings = {
  CURRENCY: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be an ISO 4217 currency code such as EUR')
    .default('EUR')
    .describe("the store's only currency; prices and balances are whole minor units of it"),
  CART_IDLE_MINUTES: whole(30, 1, 100_000).describe('a cart that has not changed for this long releases its stock'),
  MAX_CARTS_PER_MINUTE: whole(300, 1, 1_000_000).describe(
    'carts that visitors who are not signed in may start from an address per minute',
  ),
  RECOVER_AFTER_SECONDS: whole(30, 1, 86_400).describe(
    'a checkout, refund or transfer without progress for this long is finished or rolled back by the recovery workers; a stock hold is checked after ten times as long',
  ),
};
