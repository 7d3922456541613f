/**
 * Kills the server at every failpoint of its code. With QUICK=1, in one of ten scenarios, at one failpoint of it, both chosen at random:
 * each kill takes the start of two servers. SEED repeats a choice.
 */
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chooseSeed, makeRandom } from '../../harness/random.js';
import { type ReplicaSet, startReplicaSet } from '../../harness/replica-set.js';
import { isQuick } from '../../harness/rounds.js';
import { domains } from '../domains.js';
import { findFailpoints } from './failpoints.js';
import { crash } from './harness.js';

const scenarios = (await Promise.all(domains.map((domain) => domain.crashScenarios?.() ?? []))).flat();
const sites = findFailpoints();
const TIMEOUT_MS = 360_000; // of a scenario with several restarts, while others run

describe('the failpoints of the code', () => {
  it('have unique names', () => {
    const names = sites.map(({ name }) => name);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  it('have a scenario each, or several', () => {
    const covered = new Set(scenarios.flatMap(({ failpoints }) => Object.keys(failpoints)));
    expect([...covered].toSorted()).toEqual(sites.map(({ name }) => name).toSorted());
  });
});

const SHARE = 10;
const random = makeRandom(isQuick ? chooseSeed('failpoints') : 0);
const turn = random.below(SHARE);
const chosen = scenarios.flatMap((scenario, at) => {
  const all = Object.keys(scenario.failpoints);
  if (isQuick && at % SHARE !== turn) return [];
  const some = isQuick ? all.slice(random.below(all.length)).slice(0, 1) : all;
  return some.map((failpoint) => ({ failpoint, scenario }));
});
const runs = chosen.map((each, number) => ({ ...each, number }));

describe('a server that dies', () => {
  let set: ReplicaSet;
  let client: MongoClient;
  beforeAll(async () => {
    set = await startReplicaSet();
    client = await MongoClient.connect(set.uri, { writeConcern: { w: 'majority' } });
  });
  afterAll(async () => {
    await client.close();
    await set.stop();
  });

  it.concurrent.for(runs)(
    'at $failpoint keeps what was acknowledged, and leaves nothing half done',
    { timeout: TIMEOUT_MS },
    async ({ failpoint, scenario, number }, { signal }) => {
      const db = client.db(`crash_${number}`);
      await crash({ mongodbUri: set.uri, db, failpoint, scenario, signal });
      await db.dropDatabase(); // a server can open only a limited number of files
    },
  );
});
