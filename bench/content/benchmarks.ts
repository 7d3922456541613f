import type { Benchmark } from '../support/benchmark.js';
import { nodesAtScale } from './nodes.js';
import { site } from './site.js';

/** In the order in which they run. */
export const contentBenchmarks: readonly Benchmark[] = [site, nodesAtScale];
