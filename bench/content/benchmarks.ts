import type { Benchmark } from '../support/benchmark.js';
import { importOfContent } from './content-import.js';
import { firstPaint } from './first-paint.js';
import { migration } from './migration.js';
import { nodesAtScale } from './nodes.js';
import { site } from './site.js';
import { uploads } from './uploads.js';

/** In the order in which they run. */
export const contentBenchmarks: readonly Benchmark[] = [
  site,
  firstPaint,
  uploads,
  nodesAtScale,
  migration,
  importOfContent,
];
