import type { Benchmark } from '../benchmark.js';
import { commerce } from './commerce.js';
import { catalog } from './catalog.js';

/** In the order in which they run. */
export const commerceBenchmarks: readonly Benchmark[] = [commerce, catalog];
