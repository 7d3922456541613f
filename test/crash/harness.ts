/** Runs a scenario at one failpoint. */
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import { runSextant } from '../../harness/command.js';
import { type ProductOptions, startProduct } from '../../harness/product.js';
import { startProductHere } from '../support/product-here.js';
import { violationsOf } from './invariants.js';
import type { Scenario, ServerScenario, WorkerScenario } from './scenario.js';

export interface CrashRun<Seen> {
  readonly mongodbUri: string;
  readonly db: Db;
  readonly failpoint: string;
  readonly scenario: Scenario<Seen>;
  /** Aborts when the test has taken too long. */
  readonly signal: AbortSignal;
}

/** The process that dies is a real one. The fresh server runs in this process: the random kills cover real restarts. */
export async function crash<Seen>({ mongodbUri, db, failpoint, scenario, signal }: CrashRun<Seen>): Promise<void> {
  const { environment = {} } = scenario;
  const place = { mongodbUri, database: db.databaseName, environment };
  const armed = `${failpoint}:${scenario.failpoints[failpoint]}`;
  const doomed = { ...place, environment: { ...environment, SEXTANT_FAILPOINT: armed } };
  const seen = await ('act' in scenario
    ? dieAsServer(doomed, db, scenario, signal)
    : dieAsWorker(doomed, db, scenario));
  const fresh = await startProductHere(place);
  try {
    await scenario.judge(fresh, db, seen);
    expect(await violationsOf(db)).toEqual([]);
  } finally {
    await fresh.close();
  }
}

/** The process ends with the work, or with the test's timeout: a scenario that misses its failpoint would wait in vain. */
async function dieAsServer<Seen>(
  place: ProductOptions,
  db: Db,
  scenario: ServerScenario<Seen>,
  signal: AbortSignal,
): Promise<Seen> {
  const doomed = await startProduct(place);
  const giveUp = () => {
    process.stderr.write(`Until it was given up, the product said:\n${doomed.output()}\n`);
    void doomed.kill();
  };
  signal.addEventListener('abort', giveUp);
  try {
    const seen = await scenario.act(doomed, db);
    expect(await doomed.process.ended).toMatchObject({ signal: 'SIGKILL' });
    signal.throwIfAborted();
    return seen;
  } finally {
    signal.removeEventListener('abort', giveUp);
    await doomed.kill();
  }
}

async function dieAsWorker<Seen>(
  { mongodbUri, database, environment }: ProductOptions,
  db: Db,
  scenario: WorkerScenario<Seen>,
): Promise<Seen> {
  const seen = await scenario.leave(db);
  const place = { MONGODB_URI: mongodbUri ?? '', MONGODB_DATABASE: database };
  const { code, output, errors } = await runSextant(['recover'], { ...place, ...environment });
  expect(code, `${output}${errors}`).toBeNull(); // by a signal
  return seen;
}
