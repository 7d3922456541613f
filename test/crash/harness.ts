/** Runs a scenario at one failpoint. */
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import { expireLeases } from '../support/leases.js';
import { type Product, startProduct } from '../support/product.js';
import { violationsOf } from './invariants.js';
import type { Scenario } from './scenario.js';

export interface CrashRun<Seen> {
  readonly mongodbUri: string;
  readonly db: Db;
  readonly failpoint: string;
  readonly scenario: Scenario<Seen>;
  /** Aborts when the test has taken too long. */
  readonly signal: AbortSignal;
}

export async function crash<Seen>({ mongodbUri, db, failpoint, scenario, signal }: CrashRun<Seen>): Promise<void> {
  const { environment = {} } = scenario;
  const place = { mongodbUri, database: db.databaseName, environment };
  const armed = `${failpoint}:${scenario.failpoints[failpoint]}`;
  const doomed = await startProduct({ ...place, environment: { ...environment, SEXTANT_FAILPOINT: armed } });
  const seen = await withProduct(doomed, signal, async (product) => {
    const seen = await scenario.act(product, db);
    expect(await product.process.ended).toMatchObject({ signal: 'SIGKILL' });
    return seen;
  });
  await expireLeases(db);
  await withProduct(await startProduct(place), signal, async (product) => {
    await scenario.judge(product, db, seen);
    expect(await violationsOf(db)).toEqual([]);
  });
}

/** The process ends with the work, or with the test's time: a scenario that does not pass its failpoint waits for a death in vain. */
async function withProduct<T>(
  product: Product,
  signal: AbortSignal,
  work: (product: Product) => Promise<T>,
): Promise<T> {
  const giveUp = () => {
    process.stderr.write(`Until it was given up, the product said:\n${product.output()}\n`);
    void product.kill();
  };
  signal.addEventListener('abort', giveUp);
  try {
    const result = await work(product);
    signal.throwIfAborted();
    return result;
  } finally {
    signal.removeEventListener('abort', giveUp);
    await product.kill();
  }
}
