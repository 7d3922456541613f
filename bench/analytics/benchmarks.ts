import type { Benchmark } from '../benchmark.js';
import { largeCharts } from './large-charts.js';
import { hits } from './hits.js';
import { preAllocation } from './pre-allocation.js';
import { importLog } from './import.js';
import { logGrowths } from './log-growth.js';
import { logQueries } from './log-queries.js';
import { rollUpsOfSessions } from './roll-ups.js';
import { durability } from './durability.js';

/** In the order in which they run. */
export const analyticsBenchmarks: readonly Benchmark[] = [largeCharts, hits, preAllocation, importLog, logGrowths, logQueries, rollUpsOfSessions, durability];
