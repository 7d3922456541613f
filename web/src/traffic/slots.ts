/** The slots of a chart: where they begin, in UTC, as the server cuts them. Weeks begin on Monday. */
import type { TimeUnit } from '../../generated/graphql.js';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
export const WEEK_MS = 7 * DAY_MS;

/** Their lengths; a month's is that of the shortest, for estimates of how many slots a range has. */
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

/** When the slot begins in which the moment lies. */
export function slotStart(moment: number, unit: SlotUnit): number {
  if (unit === 'YEAR') return Date.UTC(new Date(moment).getUTCFullYear(), 0, 1);
  if (unit === 'MONTH') {
    const date = new Date(moment);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  }
  const origin = unit === 'WEEK' ? FIRST_MONDAY_MS : 0;
  return Math.floor((moment - origin) / unitMs[unit]) * unitMs[unit] + origin;
}

/** When the slot ends that begins at this moment. */
export function slotEnd(start: number, unit: SlotUnit): number {
  const date = new Date(start);
  if (unit === 'YEAR') return Date.UTC(date.getUTCFullYear() + 1, 0, 1);
  if (unit !== 'MONTH') return start + unitMs[unit];
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/** The beginnings of all slots that begin in [from, to), `from` rounded down to one. */
function slotsBetween(from: number, to: number, unit: SlotUnit): number[] {
  const slots: number[] = [];
  for (let start = slotStart(from, unit); start < to; start = slotEnd(start, unit)) slots.push(start);
  return slots;
}

/** A chart as it is drawn: one value for each slot, oldest first. */
export interface Series<Unit extends SlotUnit = TimeUnit> {
  readonly unit: Unit;
  readonly starts: readonly number[];
  readonly counts: readonly number[];
}

/** Counts by the beginning of their slot, with zeros where nothing was counted. */
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
