import type { Benchmark } from '../benchmark.js';
import { maintenance } from './maintenance.js';
import { overload } from './overload.js';
import { requests } from './requests.js';
import { start } from './start.js';

/** In the order in which they run. */
export const serverBenchmarks: readonly Benchmark[] = [start, requests, overload, maintenance];
