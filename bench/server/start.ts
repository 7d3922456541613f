/**
 * From the start of the process to a response from /readyz, on the embedded database: the first start and later ones.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestSettings } from '../../harness/exceptions.js';
import { startProduct } from '../../harness/product.js';
import type { Benchmark } from '../support/benchmark.js';
import { Rounds } from '../support/measure.js';
import { format } from '../support/report.js';

export const start: Benchmark = {
  name: 'start',
  title: 'Startup time',
  async run({ rounds }) {
    const seconds = new Rounds();
    for (let round = 1; round <= rounds; round += 1) {
      const folder = await mkdtemp(join(tmpdir(), 'sextant-bench-start-'));
      try {
        for (const which of ['first', 'second', 'after kill -9']) seconds.add(which, await startOnce(folder, which));
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    }
    return {
      verdicts: [
        {
          row: 'startup time, second start',
          against: '',
          measured: seconds.median('second'),
          bound: 'at most',
          goal: 3,
          unit: ' s',
        },
      ],
      tables: [
        {
          columns: ['start', 'seconds'],
          rows: ['first', 'second', 'after kill -9'].map((which) => [which, format(seconds.median(which))]),
        },
      ],
      notes: [
        'Wall time from starting `node dist/process/main.js` until `/readyz` returns 200, with the embedded database in a new folder. Its binary is already downloaded. The first start creates the replica set and all indexes.',
      ],
    };
  },
};

/** The second process is killed, so that the third has something to recover. */
async function startOnce(dataFolder: string, which: string): Promise<number> {
  const begin = performance.now();
  const product = await startProduct({ mongodbUri: null, database: 'sextant', dataFolder, environment: environment() });
  const ready = await fetch(`${product.url}/readyz`);
  const seconds = (performance.now() - begin) / 1000;
  if (!ready.ok) throw new Error(`/readyz returned ${ready.status}`);
  await (which === 'second' ? product.kill() : product.stop());
  return seconds;
}

function environment(): TestSettings {
  const { MONGOD_BINARY } = process.env;
  return MONGOD_BINARY ? { MONGOD_BINARY } : {};
}
