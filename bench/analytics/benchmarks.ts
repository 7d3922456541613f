import type { Benchmark } from '../support/benchmark.js';
import { durability } from './durability.js';
import { hits } from './hits.js';
import { importLog } from './import.js';
import { largeCharts } from './large-charts.js';
import { logGrowths } from './log-growth.js';
import { logQueries } from './log-queries.js';
import { preAllocation } from './pre-allocation.js';
import { rollUpsOfSessions } from './roll-ups.js';
import { speculativeRead } from './speculative-read.js';

/** In the order in which they run. */
export const analyticsBenchmarks: readonly Benchmark[] = [
  largeCharts,
  hits,
  preAllocation,
  importLog,
  logGrowths,
  logQueries,
  speculativeRead,
  rollUpsOfSessions,
  durability,
];
