/** How a group of hits is written (`src/database/group-commit`): summed per document, in one transaction over its days and months. */
import type { Db } from 'mongodb';
import { type Gathering, type GroupKind, isSharded, turnsOf, updateInTransaction } from '../../../database/index.js';
import { failpoint } from '../../../shared/failpoint.js';
import { type DayTally, dailyHits, type Hit, HitTally, monthlyHits } from './hit.js';
import { statementsOfDays } from './hit-statements.js';

const NAME = 'hits';
/** Limits the waiting hits in bytes as well: at most 512 bytes of text for each hit that `waitingMax` allows. */
const PAGE_LENGTH_OF_A_HIT = 256;
/** A group with this many hits is full: summing them takes a few milliseconds of the event loop. */
const GROUP_HITS_MAX = 10_000;
const GROUP_DAYS_MAX = 400;
/**
 * A larger call is split, so a group has fewer than GROUP_DAYS_MAX + PIECE_HITS_MAX daily documents. If all their pages had
 * PAGE_BYTES_MAX, a command would have 13 MB (the `_id` repeats the page). The server accepts 16 MB.
 */
export const PIECE_HITS_MAX = 400;

/** A call, or a part of a large one. */
export type HitPiece = readonly Hit[];

export function hitGroups(db: Db): GroupKind<HitPiece, DayTally, void> {
  return {
    name: NAME,
    words: { one: 'hit', many: 'hits' },
    itemsMax: GROUP_HITS_MAX,
    entriesMax: GROUP_DAYS_MAX,
    measure: (hits) => ({ items: hits.length, weight: weightOf(hits) }),
    gather: () => new HitGathering(),
    write: async (days, session) => {
      const { daily, monthly } = statementsOfDays(days, await isSharded(db.client));
      await updateInTransaction(db, dailyHits.collectionName, daily, session);
      failpoint('hits.group.daily-written');
      await updateInTransaction(db, monthlyHits.collectionName, monthly, session);
      failpoint('hits.group.monthly-written');
      return days.map(() => undefined); // no hit is refused
    },
    committed: () => failpoint('hits.group.committed'),
  };
}

/** Imports write the same counters, so they and the groups take turns. */
export const hitTurnsOf = (db: Db) => turnsOf(db, NAME);

class HitGathering implements Gathering<HitPiece, DayTally> {
  readonly #tally = new HitTally();

  add(hits: HitPiece): void {
    for (const hit of hits) this.#tally.add(hit);
  }

  get size(): number {
    return this.#tally.size;
  }

  get entries(): readonly DayTally[] {
    return this.#tally.days;
  }
}

function weightOf(hits: HitPiece): number {
  let weight = hits.length;
  for (const { page } of hits) weight += Math.floor(page.length / PAGE_LENGTH_OF_A_HIT);
  return weight;
}
