/** Random operations over the whole schema, for a bounded time; `test/soak` does the same for longer. SEED repeats a run. */
import { expect, it, vi } from 'vitest';
import { chooseSeed } from '../../../harness/random.js';
import { useDatabase } from '../../support/database.js';
import { useServer } from '../../support/server.js';
import { fuzz, usedMemoryMb } from './fuzz.js';
import { prepareSamples } from './samples.js';

const database = useDatabase({ checked: false });
const server = useServer(database);
const OPERATIONS = Number(process.env.FUZZ_OPERATIONS ?? 200);
const GROWTH_MAX_MB = 40; // less than the caches may grow by

it('answers everything the schema allows, or nearly allows, without an internal error', async () => {
  await prepareSamples(server);
  const seed = chooseSeed('fuzz');
  const options = { operationsMax: OPERATIONS, timeMaxMs: 60_000 };
  const first = await fuzz(server, { ...options, seed });
  const before = usedMemoryMb();
  const second = await fuzz(server, { ...options, seed: seed + 1 });
  await vi.waitFor(() => expect(server.services.hub.health.subscribers).toBe(0));
  expect(usedMemoryMb() - before).toBeLessThan(GROWTH_MAX_MB);
  // It is useful only if it reaches both sides of every check.
  for (const { operations, outcomes } of [first, second]) {
    expect(operations).toBeGreaterThanOrEqual(OPERATIONS);
    expect(Object.keys(outcomes)).toEqual(
      expect.arrayContaining(['data', 'BAD_USER_INPUT', 'GRAPHQL_VALIDATION_FAILED', 'GRAPHQL_PARSE_FAILED']),
    );
    expect(outcomes.data).toBeGreaterThan(operations / 20);
  }
}, 200_000);
