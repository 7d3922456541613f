/** The slots of a chart: their start in UTC, as on the server. Weeks start on Monday. */
import type { TimeUnit } from '../../../generated/graphql.js';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
export const WEEK_MS = 7 * DAY_MS;

/** Slot lengths; a month counts as the shortest one, for estimates of how many slots a range has. */
export const unitMs: Record<TimeUnit, number> = {
  MINUTE: MINUTE_MS,
  HOUR: HOUR_MS,
  DAY: DAY_MS,
  WEEK: WEEK_MS,
  MONTH: 28 * DAY_MS,
};

/** 1970-01-05 was the first Monday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

/** Roll-ups have years as well. */
export type SlotUnit = TimeUnit | 'YEAR';

/** The start of the slot that contains the moment. */
export function slotStart(moment: number, unit: SlotUnit): number {
  if (unit === 'YEAR') return Date.UTC(new Date(moment).getUTCFullYear(), 0, 1);
  if (unit === 'MONTH') {
    const date = new Date(moment);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  }
  const origin = unit === 'WEEK' ? FIRST_MONDAY_MS : 0;
  return Math.floor((moment - origin) / unitMs[unit]) * unitMs[unit] + origin;
}

/** The end of the slot that starts at this moment. */
export function slotEnd(start: number, unit: SlotUnit): number {
  const date = new Date(start);
  if (unit === 'YEAR') return Date.UTC(date.getUTCFullYear() + 1, 0, 1);
  if (unit !== 'MONTH') return start + unitMs[unit];
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/** The starts of all slots in [from, to), with `from` rounded down to a slot start. */
function slotsBetween(from: number, to: number, unit: SlotUnit): number[] {
  const slots: number[] = [];
  for (let start = slotStart(from, unit); start < to; start = slotEnd(start, unit)) slots.push(start);
  return slots;
}

/** The data of a chart: one value per slot, oldest first. */
export interface Series<Unit extends SlotUnit = TimeUnit> {
  readonly unit: Unit;
  readonly starts: readonly number[];
  readonly counts: readonly number[];
}

/** Counts by slot start, with zeros for empty slots. */
export function fillSlots<Unit extends SlotUnit>(
  counts: ReadonlyMap<number, number>,
  from: number,
  to: number,
  unit: Unit,
): Series<Unit> {
  const starts = slotsBetween(from, to, unit);
  return { unit, starts, counts: starts.map((start) => counts.get(start) ?? 0) };
}

export const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
