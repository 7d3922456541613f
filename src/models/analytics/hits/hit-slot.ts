/** The slots of a hit chart: intervals of one unit in UTC, identified by their start (milliseconds since 1970). Pure. */
import { DAY_MS, HOUR_MS, MINUTE_MS, WEEK_MS } from '../../../shared/time.js';

export const timeUnits = ['MINUTE', 'HOUR', 'DAY', 'WEEK', 'MONTH'] as const;

export type TimeUnit = (typeof timeUnits)[number];

const LENGTH_MS = { MINUTE: MINUTE_MS, HOUR: HOUR_MS, DAY: DAY_MS, WEEK: WEEK_MS } as const;

/** Weeks are ISO weeks, which start on Monday. The first Monday is 1970-01-05. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

/** The start of the slot that contains a moment. */
export function slotOf(unit: TimeUnit, ms: number): number {
  if (unit === 'MONTH') return monthOf(ms);
  const origin = unit === 'WEEK' ? FIRST_MONDAY_MS : 0;
  const length = LENGTH_MS[unit];
  return origin + Math.floor((ms - origin) / length) * length;
}

/** The start of the next slot. @param slot the start of a slot */
export function nextSlot(unit: TimeUnit, slot: number): number {
  if (unit !== 'MONTH') return slot + LENGTH_MS[unit];
  const date = new Date(slot);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/** The number of slots that start in a range. @param from the start of a slot @param to later than `from` */
export function countSlots(unit: TimeUnit, from: number, to: number): number {
  if (unit !== 'MONTH') return Math.ceil((to - from) / LENGTH_MS[unit]);
  const [first, last] = [new Date(from), new Date(to - 1)];
  return (last.getUTCFullYear() - first.getUTCFullYear()) * 12 + last.getUTCMonth() - first.getUTCMonth() + 1;
}

function monthOf(ms: number): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}
