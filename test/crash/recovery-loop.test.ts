/** A server dies during a transfer, and ten more (four with QUICK=1) during recovery: the next one finishes everything immediately. */
import { MongoClient } from 'mongodb';
import { expect, it, vi } from 'vitest';
import type { TestSettings } from '../../harness/exceptions.js';
import { startProduct } from '../../harness/product.js';
import { startReplicaSet } from '../../harness/replica-set.js';
import { rounds } from '../../harness/rounds.js';
import { openAccount } from '../../src/models/commerce/money/account.js';
import { accountId, mutate } from '../commerce/crash-shop.js';
import { violationsOf } from './invariants.js';

const DEATHS = rounds({ quick: 4, full: 10 });
const RECOVERED_MS = 30_000;

it(`recovery that was killed ${DEATHS} times in a row blocks nothing`, { timeout: 300_000 }, async () => {
  const set = await startReplicaSet();
  const client = await MongoClient.connect(set.uri, { writeConcern: { w: 'majority' } });
  const db = client.db('recovery_loop');
  const start = (environment: TestSettings) =>
    startProduct({
      mongodbUri: set.uri,
      database: db.databaseName,
      environment: { RECOVER_AFTER_SECONDS: '1', ...environment },
    });
  try {
    const victim = await start({ SEXTANT_FAILPOINT: 'transfer.debited' });
    for (const [id, amount] of [
      ['source', 100],
      ['destination', 0],
    ] as const)
      await openAccount(db, { id, owner: null, opening: { amount, currency: 'EUR' } }, new Date());
    const move = `transfer(from: "${accountId('source')}", to: "${accountId('destination')}", amount: { amount: 60, currency: "EUR" }, idempotencyKey: "k") { __typename }`;
    expect(await mutate(victim, move)).toBeNull();
    await victim.process.ended;
    const balance = async () =>
      (await db.collection<{ _id: string; balance: number }>('accounts').findOne({ _id: 'source' }))?.balance;
    expect(await balance()).toBe(40);

    for (let death = 1; death <= DEATHS; death += 1) {
      const dying = await start({ SEXTANT_FAILPOINT: 'recovery.leased' }).catch((error: Error) => error);
      if (dying instanceof Error) expect(dying.message).toContain('ended with SIGKILL');
      else expect(await dying.process.ended).toMatchObject({ signal: 'SIGKILL' });
    }
    expect(await balance()).toBe(40);

    const living = await start({});
    try {
      await vi.waitFor(async () => expect(await balance()).toBe(100), { timeout: RECOVERED_MS, interval: 100 });
      expect(await violationsOf(db)).toEqual([]);
    } finally {
      await living.kill();
    }
  } finally {
    await client.close();
    await set.stop();
  }
});
