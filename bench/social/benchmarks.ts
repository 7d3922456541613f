import type { Benchmark } from '../support/benchmark.js';
import { fanOut } from './fan-out.js';

/** In the order in which they run. */
export const socialBenchmarks: readonly Benchmark[] = [fanOut];
