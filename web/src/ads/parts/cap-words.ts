/** Frequency caps in words. */
import type { CapScope } from '../../../generated/graphql.js';
import { formatSpan } from '../../kit/base/format.js';

export const scopeWords: Readonly<Record<CapScope, string>> = {
  CAMPAIGN: 'all ads together',
  AD_UNIT: 'each ad',
};

const known: Readonly<Record<string, string>> = { PT1H: 'an hour', P1D: 'a day', P7D: '7 days', P30D: '30 days' };
const PERIOD = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;

/** A period in words. @param period an ISO 8601 duration of days, hours, minutes and seconds, as the server writes it */
export function periodWords(period: string): string {
  const [, days = 0, hours = 0, minutes = 0, seconds = 0] = PERIOD.exec(period) ?? [];
  return (
    known[period] ?? formatSpan(((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds))
  );
}
