/** Random schedules: 16 by default. SCHEDULES=1000 runs more, and `npm run soak` runs for longer. */
import { describe, expect, it } from 'vitest';
import { useDatabase } from '../../support/database.js';
import { playSchedules } from './schedules.js';

const test = useDatabase();
const RUNS = Number(process.env.SCHEDULES ?? 16);

describe('random concurrent operations, by processes that may die', () => {
  it('keep stock, orders and money consistent', { timeout: 600_000 }, async () => {
    let reached = await playSchedules(test.db, RUNS);
    for (let turn = 2; turn <= 4 && Math.min(...Object.values(reached)) < RUNS / 20; turn += 1)
      reached = await playSchedules(test.db, RUNS / 4);
    for (const count of Object.values(reached)) expect(count).toBeGreaterThanOrEqual(RUNS / 20);
  });
});
