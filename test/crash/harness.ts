/** Runs a scenario at one failpoint. */
import { join } from 'node:path';
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import { runSextant } from '../../harness/command.js';
import { spawnGuarded } from '../../harness/process.js';
import { type ProductOptions, startProduct } from '../../harness/product.js';
import { projectRoot } from '../../harness/project-root.js';
import { startProductHere } from '../support/product-here.js';
import { violationsOf } from './invariants.js';
import type { ProgramScenario, Scenario, ServerScenario, WorkerScenario } from './scenario.js';

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
  const seen = await die(armedPlace, db, scenario, signal);
  const fresh = await startProductHere(place);
  try {
    await scenario.judge(fresh, db, seen);
    expect(await violationsOf(db)).toEqual([]);
  } finally {
    await fresh.close();
  }
}

async function die<Seen>(place: ProductOptions, db: Db, scenario: Scenario<Seen>, signal: AbortSignal): Promise<Seen> {
  if ('act' in scenario) return dieAsServer(place, db, scenario, signal);
  return 'program' in scenario ? dieAsProgram(place, scenario) : dieAsWorker(place, db, scenario);
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

async function dieAsProgram<Seen>(
  { mongodbUri, database, environment }: ProductOptions,
  { program, variables, seen }: ProgramScenario<Seen>,
): Promise<Seen> {
  const place = { MONGODB_URI: mongodbUri ?? '', MONGODB_DATABASE: database };
  const { child, ended } = await spawnGuarded(process.execPath, [join(projectRoot, program)], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, ...place, ...environment, ...variables },
  });
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    errors += text;
  });
  expect(await ended, errors).toMatchObject({ signal: 'SIGKILL' });
  return seen;
}
