import type { Benchmark } from '../benchmark.js';
import { catalog } from './catalog.js';
import { commerce } from './commerce.js';

/** In the order in which they run. */
export const commerceBenchmarks: readonly Benchmark[] = [commerce, catalog];
