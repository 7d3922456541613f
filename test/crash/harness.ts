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
  const armedPlace = { ...place, environment: { ...environment, SEXTANT_FAILPOINT: armed } };
  const seen = await ('act' in scenario
    ? dieAsServer(armedPlace, db, scenario, signal)
    : dieAsWorker(armedPlace, db, scenario));
  const fresh = await startProductHere(place);
  try {
    await scenario.judge(fresh, db, seen);
    expect(await violationsOf(db)).toEqual([]);
  } finally {
    await fresh.close();
  }
}

/** Kills the process at the latest when the test times out: a scenario that misses its failpoint would otherwise wait forever. */
async function dieAsServer<Seen>(
  place: ProductOptions,
  db: Db,
  scenario: ServerScenario<Seen>,
  signal: AbortSignal,
): Promise<Seen> {
  const victim = await startProduct(place);
  const giveUp = () => {
    process.stderr.write(`The product's output before the test gave up:\n${victim.output()}\n`);
    void victim.kill();
  };
  signal.addEventListener('abort', giveUp);
  try {
    const seen = await scenario.act(victim, db);
    expect(await victim.process.ended).toMatchObject({ signal: 'SIGKILL' });
    signal.throwIfAborted();
    return seen;
  } finally {
    signal.removeEventListener('abort', giveUp);
    await victim.kill();
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
