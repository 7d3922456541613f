import type { Benchmark } from '../benchmark.js';
import { fanOut } from './fan-out.js';
import { idleMemory } from './idle-memory.js';
import { writeToPush } from './write-to-push.js';

/** In the order in which they run. */
export const realtimeBenchmarks: readonly Benchmark[] = [fanOut, writeToPush, idleMemory];
