/** Runs a scenario at one failpoint. */
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import { type Product, startProduct } from '../support/product.js';
import { violationsOf } from './invariants.js';
import type { Scenario } from './scenario.js';

const DEATH_MS = 20_000;

export interface CrashRun<Seen> {
  readonly mongodbUri: string;
  readonly db: Db;
  readonly failpoint: string;
  readonly scenario: Scenario<Seen>;
}

export async function crash<Seen>({ mongodbUri, db, failpoint, scenario }: CrashRun<Seen>): Promise<void> {
  const place = { mongodbUri, database: db.databaseName };
  const armed = `${failpoint}:${scenario.failpoints[failpoint]}`;
  const doomed = await startProduct({ ...place, environment: { SEXTANT_FAILPOINT: armed } });
  const seen = await withProduct(doomed, async (product) => {
    const seen = await scenario.act(product);
    await death(product, armed);
    return seen;
  });
  await expireLeases(db);
  await withProduct(await startProduct(place), async (product) => {
    await scenario.judge(product, db, seen);
    expect(await violationsOf(db)).toEqual([]);
  });
}

/** Lets the time pass after which others may take over what a dead process held. */
async function expireLeases(db: Db): Promise<void> {
  await db.collection('leases').updateMany({}, { $set: { expires_at: new Date(0) } });
}

/** The process ends with the work, however that ends. */
async function withProduct<T>(product: Product, work: (product: Product) => Promise<T>): Promise<T> {
  try {
    return await work(product);
  } finally {
    await product.kill();
  }
}

/** A scenario that does not pass its failpoint proves nothing. */
async function death(product: Product, armed: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${armed} was not passed:\n${product.output()}`)), DEATH_MS);
  });
  const { signal } = await Promise.race([product.process.ended, late]).finally(() => clearTimeout(timer));
  expect(signal).toBe('SIGKILL');
}
