import type { Benchmark } from '../support/benchmark.js';
import { decisions } from './decisions.js';
import { impressions } from './impressions.js';
import { replay } from './replay.js';

/** In the order in which they run. */
export const adsBenchmarks: readonly Benchmark[] = [decisions, impressions, replay];
