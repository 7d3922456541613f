/** `npm run soak`: long tests. SOAK_MINUTES sets the duration of each, 10 by default; SEED repeats a run. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] }, // as in the configuration of `npm test`
  test: {
    include: ['test/soak/**/*.soak.ts'],
    testTimeout: 0,
    hookTimeout: 60_000,
    pool: 'forks',
    fileParallelism: false,
  },
});
