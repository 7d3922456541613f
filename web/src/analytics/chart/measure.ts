/** What a chart's values measure, and how they are formatted. */
import { formatCompact, formatCount } from '../../kit/base/format.js';

export interface Measure {
  /** A value in words. */
  readonly words: (value: number) => string;
  /** A value at the axis, in few characters. */
  readonly tick: (value: number) => string;
  /** The possible distances between grid lines, ascending. */
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
