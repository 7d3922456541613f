import { MongoClient } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { startReplicaSet } from '../../harness/replica-set.js';
import { buildIndexes } from '../../src/database/index.js';
import { playSchedules } from '../commerce/orders/schedules.js';
import { soakMs } from './duration.js';

const RUNS_MIN = 1000;
const REACHED_MIN = 50;

describe('arbitrary concurrent operations, by processes that may die, for a long time', () => {
  it('keep stock, orders and money consistent', async () => {
    const set = await startReplicaSet();
    const client = await MongoClient.connect(set.uri, { writeConcern: { w: 'majority' }, ignoreUndefined: true });
    try {
      await buildIndexes(client.db('soak_schedules'));
      const end = Date.now() + soakMs;
      do {
        const reached = await playSchedules(client.db('soak_schedules'), RUNS_MIN);
        for (const count of Object.values(reached)) expect(count).toBeGreaterThanOrEqual(REACHED_MIN);
      } while (Date.now() < end);
    } finally {
      await client.close();
      await set.stop();
    }
  });
});
