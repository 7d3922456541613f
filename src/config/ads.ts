/** Settings of ads. */
import { whole } from './values.js';

export const adsSettings = {
  ADS_WAITING_MAX: whole(20_000, 100, 1_000_000).describe(
    'receipts of ads that may wait to be written; beyond it, SERVER_BUSY',
  ),
  MAX_AD_REQUESTS_PER_MINUTE: whole(6000, 10, 100_000_000).describe(
    'requests to the routes of ads, and decisions and receipts in the API, that an address may send per minute',
  ),
};
