import { defineConfig, type UserWorkspaceConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import { operationPlugin } from './test/capture/operation-plugin.js';

/**
 * The longest first, some of which wait for minutes: started last, they would leave the other workers idle for that long. Parts of paths,
 * those of kills and pages, and then those of `npm test`.
 */
const LONGEST = [
  ...['failpoints', 'stepping-clocks', 'import-kills', 'crash/attack', 'two-workers', 'game-kills', 'stalled-database'],
  ...['database-failures', 'ad-kills', 'shop-kills', 'commerce/shop', 'browser/social/news', 'accessibility-shop'],
  ...['content/writing', 'content/two-editors', 'browser/social/people', 'narrow-pages', 'content/work'],
  ...['ego-facebook', 'injection', 'live-random', 'deliveries', 'embedded-server', 'network-import', 'cli/serve'],
  ...['content/import/import-command', 'operations/domains', 'schedules', 'cli/recover', 'news-random'],
];

class LongestFirst extends BaseSequencer {
  override async sort(files: Parameters<BaseSequencer['sort']>[0]) {
    const rankOf = ({ moduleId }: (typeof files)[number]) => {
      const rank = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return rank < 0 ? LONGEST.length : rank;
    };
    const isShared = ({ project }: (typeof files)[number]) => Number(!project.config.isolate); // last: such a process ends at each change
    return (await super.sort(files)).toSorted(
      (one, other) => isShared(one) - isShared(other) || rankOf(one) - rankOf(other),
    );
  }
}

/**
 * Files that have a process each, as those in `test/crash` do: they kill and measure processes, or look at everything that this process has
 * declared. All others follow each other in two processes, which takes a third less time, because the product is loaded twice instead of
 * once for each file.
 */
const APART = [
  'capture/*',
  'database/**/*',
  'people/erasure',
  'people/personal-data',
  'realtime/**/*',
  'rules/*',
  'security/connections/*',
  'server/limits/*',
  'server/transports/*',
];
const apart = APART.map((path) => `test/${path}.test.ts`);
const kills = ['test/crash/**/*.test.ts'];
const pages = ['test/browser/**/*.test.ts'];

const shared: UserWorkspaceConfig = {
  // Vite would use the `module` build for our sources, and Node.js the CommonJS build for packages: two copies that
  // reject each other.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  plugins: [operationPlugin()],
};
const project: UserWorkspaceConfig['test'] = {
  setupFiles: ['test/support/setup.ts'],
  // Far more than a test takes: a slow machine that runs other things at the same time is no fault of it.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 20_000 } },
  pool: 'forks',
  maxConcurrency: 2, // of tests marked as concurrent: they wait for processes half of the time
};

const together: UserWorkspaceConfig['test'] = {
  ...project,
  isolate: false,
  env: { SEXTANT_TEST_PROCESS: 'shared' },
};

export default defineConfig({
  test: {
    globalSetup: ['test/support/database-server.ts', 'test/capture/capture-report.ts'],
    sequence: { sequencer: LongestFirst },
    maxWorkers: 2,
    projects: [
      // `npm test`
      { ...shared, test: { ...project, name: 'apart', include: apart } },
      {
        ...shared,
        test: {
          ...together,
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: [...apart, ...kills, ...pages],
        },
      },
      // `npm run test:browser`
      { ...shared, test: { ...together, name: 'pages', include: pages } },
      // `npm run test:crash`
      { ...shared, test: { ...project, name: 'kills', include: kills } },
    ],
  },
});
