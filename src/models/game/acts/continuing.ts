/** Continues transits that a process has left: each is finished, or taken back. */
import type { Db } from 'mongodb';
import { BusyError } from '../../../shared/errors.js';
import { failpoint } from '../../../shared/failpoint.js';
import type { Transit } from '../world/transit.js';
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
  const taken = await takeOver(db, { source, transit: known }, before, now);
  if (!taken) throw turnEnded();
  failpoint('game.taken-over');
  const transit = toldAt(taken, now);
  if (transit.player) await goOn(db, { source, transit }, { isResumed: true });
  else await carry(db, { source, transit }, { isResumed: true });
}

/** What it still has to tell happens now: a room's happenings are in the order of their times, as far as clocks allow. */
function toldAt({ tell, tell_back, ...transit }: Transit, at: Date): Transit {
  return {
    ...transit,
    tell: tell && { ...tell, happening: { ...tell.happening, at } },
    tell_back: tell_back && { ...tell_back, at },
  };
}

/** @param now a clock: the turn of each begins, and it is told, when it is taken over @returns how many transits it found */
export async function repairTransits(db: Db, before: Date, now: () => Date): Promise<number> {
  let count = 0;
  for await (const found of findTransits(db, before)) {
    await continueTransit(db, found, before, now()).catch((error: unknown) => {
      if (!(error instanceof BusyError)) throw error; // another process was faster
    });
    count += 1;
  }
  return count;
}
