/** Which statistics belong to a campaign or a zone. */
import { unitMs } from '../../analytics/chart/slots.js';

/** The server answers for at most 400 days; a flight has at most 366. */
const RANGE_DAYS = 399;

/**
 * The latest days up to now, not only those since the flight begins: that may have been moved after the campaign was shown. Of a campaign
 * whose flight began earlier, the first part.
 */
export function rangeOf(flight: { readonly from: string }, now: number) {
  return rangeFrom(Math.min(Date.parse(flight.from), now - RANGE_DAYS * unitMs.DAY));
}

/** The latest days up to now, and a little more: the server's clock may be ahead. */
export const latestRange = (now: number) => rangeFrom(now - (RANGE_DAYS - 1) * unitMs.DAY);

const rangeFrom = (from: number) => ({
  from: new Date(from).toISOString(),
  to: new Date(from + RANGE_DAYS * unitMs.DAY).toISOString(),
});
