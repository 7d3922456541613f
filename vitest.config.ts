import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import { operationPlugin } from './test/capture/operation-plugin.js';

/** They take minutes, some of them waiting: started last, they would leave one of two workers idle for that long. */
const LONGEST = ['failpoints', 'attack', 'shop-kills'];

class LongestFirst extends BaseSequencer {
  override async sort(files: Parameters<BaseSequencer['sort']>[0]) {
    const rankOf = ({ moduleId }: (typeof files)[number]) => {
      const rank = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return rank < 0 ? LONGEST.length : rank;
    };
    return (await super.sort(files)).toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

export default defineConfig({
  // Vite would use the `module` build for our sources, and Node.js the CommonJS build for packages: two copies that
  // reject each other.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  plugins: [operationPlugin()],
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/setup.ts'],
    globalSetup: ['test/support/database-server.ts', 'test/capture/capture-report.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    sequence: { sequencer: LongestFirst },
    maxWorkers: 2,
    maxConcurrency: 2, // of tests marked as concurrent: they wait for processes half of the time
  },
});
