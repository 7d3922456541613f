/** The measures of the sessions of a period. */
import { formatSpan } from '../../kit/base/format.js';
import { countMeasure, countSteps, type Measure } from '../chart/measure.js';
import type { Stats } from './session-data.js';

const DAY_S = 86_400;
/** Whole minutes, hours and days, so that the grid lines of the chart have short labels. */
const timeSteps = [1, 5, 10, 30, 60, 300, 600, 1800, 3600, 7200, 10_800, 21_600, 43_200].concat(
  countSteps.map((days) => days * DAY_S),
);

const time: Measure = { words: formatSpan, tick: formatSpan, steps: timeSteps };

export interface SessionMeasure extends Measure {
  readonly name: string;
  readonly of: (stats: Stats) => number;
}

export const sessionMeasures = {
  time: { ...time, name: 'Time', of: ({ total }: Stats) => total },
  count: { ...countMeasure('session', 'sessions'), name: 'Sessions', of: ({ count }: Stats) => count },
  mean: { ...time, name: 'Mean', of: ({ mean }: Stats) => mean },
} as const satisfies Record<string, SessionMeasure>;

export type MeasureName = keyof typeof sessionMeasures;
