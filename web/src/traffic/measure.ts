/** What a chart's numbers are, and how they are written. */
import { formatCompact, formatCount } from '../parts/format.js';

export interface Measure {
  /** A value in words. */
  readonly words: (value: number) => string;
  /** A value beside the axis, in few letters. */
  readonly tick: (value: number) => string;
  /** How far apart the lines may be, ascending. */
  readonly steps: readonly number[];
}

/** 1, 2, 5, 10, 20, 50 and so on. */
export const countSteps = Array.from({ length: 13 }, (_, power) =>
  [1, 2, 5].map((digit) => digit * 10 ** power),
).flat();

export const countMeasure = (one: string, many: string): Measure => ({
  words: (count) => `${formatCount(count)} ${count === 1 ? one : many}`,
  tick: formatCompact,
  steps: countSteps,
});

export const hits = countMeasure('hit', 'hits');
