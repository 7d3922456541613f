import { MongoClient } from 'mongodb';
import { expect, it } from 'vitest';
import { chooseSeed } from '../../harness/random.js';
import { startReplicaSet } from '../../harness/replica-set.js';
import { fuzz, usedMemoryMb } from '../security/operations/fuzz.js';
import { prepareSamples } from '../security/operations/samples.js';
import { startTestServer } from '../support/server.js';
import { soakMs } from './duration.js';

const WARM_MS = 60_000; // until code is compiled and caches are full
const GROWTH_MAX_MB = 50;

it('answers random operations for a long time without internal errors, and memory stays flat', async () => {
  const set = await startReplicaSet();
  const client = await MongoClient.connect(set.uri, { writeConcern: { w: 'majority' }, ignoreUndefined: true });
  const server = await startTestServer({ client, db: client.db('soak'), uri: set.uri });
  try {
    await prepareSamples(server);
    const seed = chooseSeed('fuzz');
    const operationsMax = Number.MAX_SAFE_INTEGER;
    await fuzz(server, { seed, operationsMax, timeMaxMs: WARM_MS });
    const before = usedMemoryMb();
    const { operations, outcomes } = await fuzz(server, { seed: seed + 1, operationsMax, timeMaxMs: soakMs });
    process.stderr.write(`${operations} operations: ${JSON.stringify(outcomes)}\n`);
    expect(usedMemoryMb() - before).toBeLessThan(GROWTH_MAX_MB);
  } finally {
    await server.close();
    await client.close();
    await set.stop();
  }
});
