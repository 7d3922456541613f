/** Plays what becomes of a keyed call whose worker stands still, or dies before its answer is stored. */
import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { performOnce, type Work } from '../../src/database/index.js';
import { HOUR_MS, SECOND_MS } from '../../src/shared/time.js';

/** After that, another worker takes a call over. */
const OVER_MS = 11 * SECOND_MS;

type Keyed = <T>(db: Db, at: number, work: Work<T>) => Promise<T>;

/** Each has a key of its own. */
function newKey(): Keyed {
  const once = { scope: 'ann', operation: 'call', key: randomUUID(), input: '', keepMs: 24 * HOUR_MS };
  return (db, at, work) => performOnce(db, once, new Date(at), work);
}

/**
 * Calls, and calls again after the first worker has been taken for dead.
 * @param meanwhile happens after the second worker was answered
 * @returns the answer of the second worker; the first one has gone on by then, and has failed or was answered
 */
export async function standStill<T>(db: Db, work: Work<T>, meanwhile: () => Promise<unknown>): Promise<T> {
  const now = Date.now();
  const keyed = newKey();
  let goOn = (): void => undefined;
  let reached = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const atGate = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const slow = keyed(db, now, async (...given) => {
    reached();
    await gate;
    return work(...given);
  });
  const settled = slow.catch((error: unknown) => error);
  await atGate;
  const answer = await keyed(db, now + OVER_MS, work);
  await meanwhile();
  goOn();
  await settled;
  return answer;
}

/** Calls, dies before the answer is stored, and calls again. @param meanwhile happens between both */
export async function dieAnswering<T>(db: Db, work: Work<T>, meanwhile: () => Promise<unknown>): Promise<T> {
  const now = Date.now();
  const keyed = newKey();
  await new Promise<void>((resolve) => {
    void keyed(db, now, async (...given) => {
      await work(...given);
      resolve();
      return new Promise<never>(() => undefined);
    });
  });
  await meanwhile();
  return keyed(db, now + OVER_MS, work);
}

export const ways = [
  ['a worker that stood still', standStill],
  ['a retry of a call whose answer was lost', dieAnswering],
] as const;
