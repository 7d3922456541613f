/** Simulates a million events, and measures how long that blocks the event loop. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { MongoClient } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { chooseSeed, makeRandom } from '../../harness/random.js';
import { startReplicaSet } from '../../harness/replica-set.js';
import { buildIndexes } from '../../src/database/index.js';
import { logEvents } from '../../src/models/analytics/log-growth/log-segment.js';
import { findShardAdvice } from '../../src/models/system/sharding/shard-advice.js';

const EVENTS = 1_000_000;
const BATCH = 5000;
const PATHS = 20_000;
const SPAN_MS = 30 * 86_400_000;
const DELAY_MS_MAX = 50; // at p99; the rest is noise

describe('advice on the shard key of a million events', () => {
  it('does not block the event loop, and matches what is known about the four keys', async () => {
    const set = await startReplicaSet();
    const client = await MongoClient.connect(set.uri);
    try {
      const db = client.db('soak_shard_advice');
      await buildIndexes(db);
      const random = makeRandom(chooseSeed('shard-advice'));
      /** Popular ones are requested most. */
      const path = () => `/${Math.floor(PATHS ** (random.below(1_000_000) / 1_000_000))}`;
      const begin = Date.now() - SPAN_MS;
      for (let first = 0; first < EVENTS; first += BATCH) {
        const events = Array.from({ length: BATCH }, (_, offset) => ({
          _id: `event ${first + offset}`,
          site: 'load.example',
          time: new Date(begin + ((first + offset) * SPAN_MS) / EVENTS),
          host: `198.51.100.${random.below(250)}`,
          path: path(),
          status: 200,
        }));
        await logEvents(db).insertMany(events, { ordered: false });
      }
      const delay = monitorEventLoopDelay({ resolution: 5 });
      delay.enable();
      const started = performance.now();
      const advice = await findShardAdvice(db, { subject: 'LOG_EVENTS', sample: EVENTS, shards: 10 }, ['analytics']);
      delay.disable();
      const seconds = (performance.now() - started) / 1000;
      const usual = delay.percentile(99) / 1e6;
      process.stderr.write(
        `${seconds.toFixed(1)} s; event loop delay ${usual.toFixed(0)} ms at p99, ${(delay.max / 1e6).toFixed(0)} ms at most; ${Math.round(process.resourceUsage().maxRSS / 1024)} MB resident at most\n`,
      );
      expect(usual).toBeLessThan(DELAY_MS_MAX);
      const [byTime, byHash, byPath, byPathAndHash] = advice;
      expect(byTime).toMatchObject({ documents: EVENTS, hottestShardShare: 1 });
      expect(byHash?.worstPhaseShare).toBeLessThan(0.11);
      expect(byPath?.jumboChunks).toBeGreaterThan(0);
      expect(byPathAndHash).toMatchObject({ jumboChunks: 0, isRecommended: true });
    } finally {
      await client.close();
      await set.stop();
    }
  });
});
