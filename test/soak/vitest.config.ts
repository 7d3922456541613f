/** `npm run soak`: what takes long. SOAK_MINUTES says how long each, 10 by default; SEED repeats a run. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/soak/**/*.soak.ts'],
    testTimeout: 0,
    hookTimeout: 60_000,
    pool: 'forks',
    fileParallelism: false,
  },
});
