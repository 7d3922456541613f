/** Memory is flat when resident memory after a minute's rest is within 20 % and 50 MB of what it was before the load. */
import { readFileSync } from 'node:fs';
import { MongoClient } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { type Product, startProduct } from '../../harness/product.js';
import { chooseSeed, makeRandom } from '../../harness/random.js';
import { startReplicaSet } from '../../harness/replica-set.js';
import { HitLedger, startHitLoad } from '../analytics/hits/hit-load.js';
import { makeAccessLog } from '../analytics/log-import/access-log.js';
import { reach, upload } from '../analytics/log-import/import-client.js';
import { soakMs } from './duration.js';

const WARM_MS = 60_000; // until code is compiled and caches are full
const REST_MS = 60_000;
const CALLERS = 16;
const FOLLOWERS = 200;
const LOG_LINES = 20_000;

const FOLLOW = `subscription ($page: String!) {
  hitChartChanged(site: "load.example", page: $page) { cursor }
}`;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function residentMb(product: Product): number {
  const status = readFileSync(`/proc/${product.process.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** Records hits, follows charts and imports logs, repeatedly. */
async function work(product: Product, random: ReturnType<typeof makeRandom>, ms: number): Promise<void> {
  const end = Date.now() + ms;
  const load = startHitLoad(product, new HitLedger(), random, { callers: CALLERS });
  for (let turn = 0; Date.now() < end; turn += 1) {
    const followers = Array.from({ length: FOLLOWERS }, (_, i) => product.subscribe(FOLLOW, { page: `/${turn}/${i}` }));
    await Promise.all(followers.map((events) => events.next()));
    const id = await upload(product, makeAccessLog(random.below(1_000_000), LOG_LINES));
    await reach(product, id, 'FINISHED');
    await Promise.all(followers.map((events) => events.return?.()));
  }
  await load.stop();
}

describe('a server that works for a long time', () => {
  it('needs no more memory afterwards than before', async () => {
    const set = await startReplicaSet();
    const client = await MongoClient.connect(set.uri);
    const product = await startProduct({ mongodbUri: set.uri, database: 'soak_memory' });
    try {
      const random = makeRandom(chooseSeed('memory'));
      await work(product, random, WARM_MS);
      await pause(REST_MS);
      const before = residentMb(product);
      await work(product, random, soakMs);
      await pause(REST_MS);
      const after = residentMb(product);
      process.stderr.write(`resident memory: ${before.toFixed(0)} MB, then ${after.toFixed(0)} MB\n`);
      expect(after).toBeLessThanOrEqual(before * 1.2);
      expect(after).toBeLessThanOrEqual(before + 50);
    } finally {
      await product.kill();
      await client.close();
      await set.stop();
    }
  });
});
