/** The five levels of the roll-ups, and their periods: stretches of time in UTC, named by the moment at which they begin. Pure. */
import { nextSlot, slotOf } from './hit-slot.js';

export const rollUpLevels = ['HOUR', 'DAY', 'WEEK', 'MONTH', 'YEAR'] as const;

export type RollUpLevel = (typeof rollUpLevels)[number];

/** When the period that holds a moment begins. Weeks are ISO weeks, from Monday. Milliseconds since 1970. */
export function beginOf(level: RollUpLevel, ms: number): number {
  return level === 'YEAR' ? Date.UTC(new Date(ms).getUTCFullYear(), 0) : slotOf(level, ms);
}

/** When the period after this one begins. @param begin of a period */
export function endOf(level: RollUpLevel, begin: number): number {
  return level === 'YEAR' ? Date.UTC(new Date(begin).getUTCFullYear() + 1, 0) : nextSlot(level, begin);
}

/** A user's period of one level. */
export interface Period {
  readonly user: string;
  /** Milliseconds since 1970. */
  readonly begin: number;
}

/** The periods of a level that hold these moments, each once. */
export function periodsOf(level: RollUpLevel, moments: readonly Period[]): Period[] {
  const periods = new Map<string, Period>();
  for (const { user, begin: ms } of moments) {
    const begin = beginOf(level, ms);
    periods.set(`${begin}/${user}`, { user, begin });
  }
  return [...periods.values()];
}
