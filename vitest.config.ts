import { defineConfig } from 'vitest/config';
import { operationPlugin } from './test/support/operation-plugin.js';

export default defineConfig({
  plugins: [operationPlugin()],
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/setup.ts'],
    globalSetup: ['test/support/database-server.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
  },
});
