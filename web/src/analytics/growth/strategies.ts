/** The growth strategies of the log: their labels, and the limits that each takes. */
import type { LogGrowthInput, LogGrowthStrategy } from '../../../generated/graphql.js';
import { formatBytes, formatSpan } from '../../kit/base/format.js';
import type { Growth } from './growth-data.js';

interface StrategyWords {
  readonly name: string;
  readonly meaning: string;
}

export const strategyWords: Readonly<Record<LogGrowthStrategy, StrategyWords>> = {
  UNBOUNDED: { name: 'Keep everything', meaning: 'Nothing is removed. The log grows without limit.' },
  CAPPED: { name: 'Up to a size', meaning: 'New requests replace the oldest ones, in a capped collection.' },
  TTL: { name: 'Up to an age', meaning: 'The database removes each request at this age, by a TTL index.' },
  ROTATED_COLLECTIONS: {
    name: 'Collection by collection',
    meaning: 'One per period, dropped as a whole when its newest request is too old.',
  },
  ROTATED_DATABASES: {
    name: 'Database by database',
    meaning: 'One per period, dropped as a whole, which frees its disk space immediately.',
  },
  TIME_SERIES: { name: 'As a time series', meaning: 'The database stores requests in compressed buckets.' },
};

export const strategies = Object.keys(strategyWords) as LogGrowthStrategy[];

export const takesBytes = (strategy: LogGrowthStrategy) => strategy === 'CAPPED';
export const takesCollections = (strategy: LogGrowthStrategy) => strategy.startsWith('ROTATED');
export const takesAge = (strategy: LogGrowthStrategy) => strategy !== 'UNBOUNDED' && strategy !== 'CAPPED';
export const needsAge = (strategy: LogGrowthStrategy) => takesAge(strategy) && strategy !== 'TIME_SERIES';

export const byteUnits = { MiB: 1024 ** 2, GiB: 1024 ** 3 } as const;
export type ByteUnit = keyof typeof byteUnits;
export const ageUnits = { hours: 'PT#H', days: 'P#D' } as const;
export type AgeUnit = keyof typeof ageUnits;

/** The values of the form. */
export interface GrowthDraft {
  readonly strategy: LogGrowthStrategy;
  readonly bytes: string;
  readonly byteUnit: ByteUnit;
  /** Empty: no age limit. */
  readonly age: string;
  readonly ageUnit: AgeUnit;
  readonly collections: string;
}

/** The strategy with its own limits only. */
export function inputOf({ strategy, bytes, byteUnit, age, ageUnit, collections }: GrowthDraft): LogGrowthInput {
  return {
    strategy,
    ...(takesBytes(strategy) && { maxBytes: Math.round(Number(bytes) * byteUnits[byteUnit]) }),
    ...(takesAge(strategy) && age !== '' && { maxAge: ageUnits[ageUnit].replace('#', age) }),
    ...(takesCollections(strategy) && { collections: Number(collections) }),
  };
}

const DURATION = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;
const SECONDS = [604_800, 86_400, 3600, 60, 1];

/** The seconds of an ISO 8601 duration with integer parts, as the server sends it. */
export function secondsOf(duration: string): number {
  const [, ...parts] = DURATION.exec(duration) ?? [];
  return parts.reduce((sum, part, index) => sum + Number(part ?? 0) * (SECONDS[index] ?? 0), 0);
}

/** What is kept: "the last 7 d, in 8 parts". */
export function describeWindow({ retention: { maxBytes, maxAge, collections } }: Pick<Growth, 'retention'>): string {
  if (typeof maxBytes === 'number') return `the newest ${formatBytes(maxBytes)}`;
  if (!maxAge) return 'everything';
  const last = `the last ${formatSpan(secondsOf(maxAge))}`;
  return collections ? `${last}, in ${collections} parts` : last;
}
