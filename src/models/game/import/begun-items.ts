/** New items that a process has left on the way to their first place. */
import { setTimeout as pause } from 'node:timers/promises';
import { BusyError } from '../../../shared/errors.js';
import type { HeldWork } from '../../work.js';
import { continueTransit } from '../acts/continuing.js';
import { items } from '../world/item.js';

const PAUSE_MS = 250;
/** The keys of calls: `/` stands between the id of the work and that of the item. */
const callsOf = (work: string) => ({ $gte: `${work}/`, $lt: `${work}0` });

/** Brings those of this work to their place, so that others can be put into them. Call it before saving items as work that is resumed. */
export async function finishBegun({ db, work, now, signal }: HeldWork): Promise<void> {
  const isBegun = { 'transits.call': callsOf(work._id) };
  for (let item = await items(db).findOne(isBegun); item; item = await items(db).findOne(isBegun)) {
    const [transit] = item.transits;
    if (!transit) return;
    try {
      await continueTransit(db, { source: { kind: 'ITEM', id: item._id }, transit }, now(), now());
    } catch (error) {
      if (!(error instanceof BusyError)) throw error;
      await pause(PAUSE_MS, null, { signal }); // its turn has not ended yet: seconds
    }
  }
}
