/** How long `npm test` takes. */
import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { projectRoot } from '../harness/project-root.js';
import type { Benchmark } from './support/benchmark.js';

export const testSuite: Benchmark = {
  name: 'test-suite',
  title: 'The test suite',
  async run({ log }) {
    const begin = performance.now();
    const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' };
    const { status, stdout } = spawnSync('npm', ['test'], {
      cwd: projectRoot,
      env,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    });
    const minutes = (performance.now() - begin) / 60_000;
    const [tests = 'no tests'] = /Tests .*/.exec(stdout) ?? [];
    log(tests);
    return {
      verdicts: [
        {
          row: '`npm test`',
          against: '',
          measured: status === 0 ? minutes : null,
          bound: 'at most',
          goal: 5,
          unit: ' min',
          ...(status === 0 ? {} : { remark: 'it failed' }),
        },
      ],
      tables: [{ columns: ['result', 'minutes'], rows: [[tests, minutes.toFixed(1)]] }],
      notes: [`One run on ${cpus().length} cores, including the build before it.`],
    };
  },
};
