import type { Benchmark } from '../support/benchmark.js';
import { fanOut } from './fan-out.js';
import { fanOutNeighbors } from './fan-out-neighbors.js';
import { livePosts } from './live-posts.js';
import { newsWays } from './news-ways.js';

/** In the order in which they run. */
export const socialBenchmarks: readonly Benchmark[] = [fanOut, fanOutNeighbors, newsWays, livePosts];
