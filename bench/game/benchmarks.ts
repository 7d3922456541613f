import type { Benchmark } from '../support/benchmark.js';
import { acts } from './acts.js';
import { room } from './room.js';
import { world } from './world.js';

/** In the order in which they run. */
export const gameBenchmarks: readonly Benchmark[] = [acts, room, world];
