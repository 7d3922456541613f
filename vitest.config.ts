import { defineConfig } from 'vitest/config';
import { operationPlugin } from './test/support/operation-plugin.js';

export default defineConfig({
  // Vite would take the `module` build for our sources and Node.js the CommonJS one for packages: two copies that refuse each other.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  plugins: [operationPlugin()],
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/setup.ts'],
    globalSetup: ['test/support/database-server.ts', 'test/support/capture-report.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
    maxConcurrency: 2, // of tests that say that they may run at once: they wait for processes half of their time
  },
});
