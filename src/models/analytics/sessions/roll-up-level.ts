/** The five levels of roll-ups, and their periods: intervals in UTC, identified by their start. Pure. */
import { nextSlot, slotOf } from '../hits/hit-slot.js';

export const rollUpLevels = ['HOUR', 'DAY', 'WEEK', 'MONTH', 'YEAR'] as const;

export type RollUpLevel = (typeof rollUpLevels)[number];

/** The start of the period that contains a moment. Weeks are ISO weeks, from Monday. Milliseconds since 1970. */
export function beginOf(level: RollUpLevel, ms: number): number {
  return level === 'YEAR' ? Date.UTC(new Date(ms).getUTCFullYear(), 0) : slotOf(level, ms);
}

/** The start of the next period. @param begin the start of a period */
export function endOf(level: RollUpLevel, begin: number): number {
  return level === 'YEAR' ? Date.UTC(new Date(begin).getUTCFullYear() + 1, 0) : nextSlot(level, begin);
}

/** A user's period at one level. */
export interface Period {
  readonly user: string;
  /** Milliseconds since 1970. */
  readonly begin: number;
}

/** The distinct periods of a level that contain these moments. */
export function periodsOf(level: RollUpLevel, moments: readonly Period[]): Period[] {
  const periods = new Map<string, Period>();
  for (const { user, begin: ms } of moments) {
    const begin = beginOf(level, ms);
    periods.set(`${begin}/${user}`, { user, begin });
  }
  return [...periods.values()];
}
