/** Settings of analytics: hits, sessions and the request log. */
import { isLogField, logFields } from '../shared/log-fields.js';
import { flag, list, whole } from './values.js';

/** A year and a month: sessions that arrive late for the previous year are still counted. */
const SESSIONS_DAYS_MIN = 400;

export const analyticsSettings = {
  HITS_WAITING_MAX: whole(100_000, 100, 10_000_000).describe(
    'hits that may wait to be written; beyond it, SERVER_BUSY',
  ),
  HITS_PREALLOCATE: flag(true).describe('create the counters of busy pages a day in advance'),
  MAX_BEACON_REQUESTS_PER_MINUTE: whole(6000, 10, 100_000_000).describe(
    'requests to the public beacon that an address may send per minute',
  ),
  SESSIONS_DAYS: whole(0, 0, 36_500)
    .refine((days) => days === 0 || days >= SESSIONS_DAYS_MIN, `must be 0 or at least ${SESSIONS_DAYS_MIN}`)
    .describe('how long sessions are kept; their roll-ups stay. 0 keeps them forever'),
  LOG_FIELDS: list
    .refine((names) => names.every(isLogField), `must be among ${logFields.join(', ')}`)
    .describe('comma-separated fields of the request log to keep; default: all'),
};
