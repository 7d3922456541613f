import type { Benchmark } from '../benchmark.js';
import { start } from './start.js';
import { requests } from './requests.js';
import { overload } from './overload.js';
import { maintenance } from './maintenance.js';

/** In the order in which they run. */
export const serverBenchmarks: readonly Benchmark[] = [start, requests, overload, maintenance];
