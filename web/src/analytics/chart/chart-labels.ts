/** Labels for chart axes and tooltips. All times are in UTC. */
import {
  formatClock,
  formatDate,
  formatDay,
  formatMonth,
  formatMonthOfYear,
  formatWeekday,
} from '../../kit/base/format.js';
import { DAY_MS, type SlotUnit, slotEnd } from './slots.js';

const DAY_S = DAY_MS / 1000;
const yearOf = (seconds: number) => new Date(seconds * 1000).getUTCFullYear();
const dayOf = (seconds: number) => Math.floor(seconds / DAY_S);

/** Labels of the time axis: the finest unit at each tick, and below it the next coarser one where it changes. */
export function timeLabels(ticks: readonly number[], everySeconds: number): string[] {
  return ticks.map((tick, position) => {
    const before = ticks[position - 1];
    const at = tick * 1000;
    if (everySeconds >= 360 * DAY_S) return String(yearOf(tick));
    const newYear = before === undefined || yearOf(before) !== yearOf(tick);
    if (everySeconds >= 28 * DAY_S) return newYear ? `${formatMonth(at)}\n${yearOf(tick)}` : formatMonth(at);
    if (everySeconds >= DAY_S) return newYear ? `${formatDay(at)}\n${yearOf(tick)}` : formatDay(at);
    const newDay = before === undefined || dayOf(before) !== dayOf(tick);
    return newDay ? `${formatClock(at)}\n${formatDay(at)}` : formatClock(at);
  });
}

/** The label of a slot: "Wed 20 May 2026, 14:05", "Week of 18 May 2026". */
export function slotLabel(start: number, unit: SlotUnit): string {
  switch (unit) {
    case 'MINUTE':
      return `${formatWeekday(start)} ${formatDate(start)}, ${formatClock(start)}`;
    case 'HOUR':
      return `${formatWeekday(start)} ${formatDate(start)}, ${formatClock(start)}–${formatClock(slotEnd(start, unit))}`;
    case 'DAY':
      return `${formatWeekday(start)} ${formatDate(start)}`;
    case 'WEEK':
      return `Week of ${formatDate(start)}`;
    case 'MONTH':
      return formatMonthOfYear(start);
    case 'YEAR':
      return String(yearOf(start / 1000));
  }
}
