/** Continues transits that a process has left: each is finished, or taken back. */
import type { Db } from 'mongodb';
import { BusyError } from '../../../shared/errors.js';
import { failpoint } from '../../../shared/failpoint.js';
import { carry } from './carrying.js';
import { goOn } from './going.js';
import { type FoundTransit, findTransits, takeOver, turnEnded } from './turn.js';

/**
 * Finishes a transit whose turn has ended, or takes it back.
 * @param before turns that ended before this time
 * @throws BusyError another process works on it
 */
export async function continueTransit(
  db: Db,
  { source, transit: known }: FoundTransit,
  before: Date,
  now: Date,
): Promise<void> {
  const transit = await takeOver(db, { source, transit: known }, before, now);
  if (!transit) throw turnEnded();
  failpoint('game.taken-over');
  if (transit.player) await goOn(db, { source, transit }, { isResumed: true });
  else await carry(db, { source, transit }, { isResumed: true });
}

/** @returns how many transits it found */
export async function repairTransits(db: Db, before: Date, now: Date): Promise<number> {
  let count = 0;
  for await (const found of findTransits(db, before)) {
    await continueTransit(db, found, before, now).catch((error: unknown) => {
      if (!(error instanceof BusyError)) throw error; // another process was faster
    });
    count += 1;
  }
  return count;
}
