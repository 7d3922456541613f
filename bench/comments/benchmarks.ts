import type { Benchmark } from '../support/benchmark.js';
import { commentMemory } from './comment-memory.js';
import { commentWriters } from './comment-writers.js';
import { comments } from './comments.js';

/** In the order in which they run. */
export const commentBenchmarks: readonly Benchmark[] = [comments, commentWriters, commentMemory];
