/**
 * Counts the hits of stored batches in small parts. Live traffic writes the same counters, so one transaction over all counters of a
 * batch would lose to it repeatedly. Therefore a batch is stored first, with its hits in its record, and they are counted afterwards,
 * those of several batches together, page by page. `counted` in a record says how many of its hits are counted. It is the fence of each
 * part: it advances in the same transaction as the counters, from the value that the holder knows. A part that is retried, or that
 * another holder has counted, matches nothing and writes nothing. Undo works the same way in reverse, so either may stop or die between
 * any two parts, and the other may follow.
 *
 * In this process, parts and groups of live hits take turns (`turns.ts`). A part that loses to a writer in another process is made
 * smaller, and the pause before it longer, so that neither starves. Both recover when it succeeds.
 */
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClientSession, Db } from 'mongodb';
import { endAbandonedTransactions } from '../../../database/connection/abandoned-transactions.js';
import { commitConcernOf, inTransaction, isSharded, updateInTransaction } from '../../../database/index.js';
import { BusyError } from '../../../shared/errors.js';
import { failpoint } from '../../../shared/failpoint.js';
import { type CountedHit, dailyHits, dailyIdOf, monthlyHits, monthlyIdOf } from '../hits/hit.js';
import { hitTurnsOf } from '../hits/hit-group.js';
import { removeEmptyHits } from '../hits/hit-removal.js';
import { statementsOf } from '../hits/hit-statements.js';
import { type BatchDocument, findLastBatches, type Held, logBatches } from './log-batch.js';
import { LeaseLostError } from './log-import.js';

/** Batches whose hits are counted together, so that the month of a busy page is updated once instead of once per batch. */
export const COUNTED_TOGETHER = 8;
/** Daily and monthly documents that a part may touch while live hits, which wait for it, are written too. */
const PART_DOCUMENTS_MAX = 64;
/** The same while nothing else writes the counters: fewer commits for the same hits. */
const QUIET_PART_DOCUMENTS_MAX = 160;
/** Nothing else is assumed to write the counters after this long without a live hit in this process or a conflict with another. */
const QUIET_MS = 5_000;
const PART_DOCUMENTS_MIN = 2; // a day and its month
/**
 * The pause after a part, as a multiple of its duration. It grows with each lost part and shrinks with each successful one. During the
 * pause, other writers find the same counters free.
 */
const REST = { least: 0.5, most: 8, growth: 2, decay: 0.9 };
const REST_MAX_MS = 500;
const LOOK_EVERY = 4; // conflicts after which to check whether the other writer has died
/** After this long without a counted part, the delay is reported. */
const SLOW_MS = 2_000;
const SLOW = 'Other programs keep writing the same hit counters. The import keeps retrying';
/** After this long, the holder of the import restarts its work or gives up (`log-importer.ts`). */
const GIVE_UP_MS = 60_000;

/** The progress of a batch. */
interface Position {
  readonly record: BatchDocument;
  /** The number of its hits that are counted. */
  at: number;
}

/** A batch's share of a part. */
interface Move {
  readonly position: Position;
  readonly to: number;
}

type Direction = 'COUNT' | 'UNCOUNT';

export interface HitCountingOptions {
  /** Daily and monthly documents that a part may touch, whether or not others write. */
  readonly documentsMax?: number;
  /** Called after each part. @throws to stop there */
  readonly between?: () => void;
  /** Called with the reason when a part makes no progress, once per part. */
  readonly onSlow?: (reason: string) => void;
}

export class HitCounting {
  readonly #db: Db;
  readonly #options: HitCountingOptions;
  readonly #documentsMax: number;
  readonly #quietDocumentsMax: number;
  /** The maximum number of documents in the next part while others write. */
  #size: number;
  #lostAtMs = Number.NEGATIVE_INFINITY;
  /** The pause before the next part, as a multiple of the last part's duration. */
  #rest = 0;
  #partMs = 10;

  constructor(db: Db, options: HitCountingOptions = {}) {
    this.#db = db;
    this.#options = options;
    this.#documentsMax = options.documentsMax ?? PART_DOCUMENTS_MAX;
    this.#quietDocumentsMax = options.documentsMax ?? QUIET_PART_DOCUMENTS_MAX;
    this.#size = this.#documentsMax;
  }

  /** Counts the uncounted hits of some batches of an import. @throws LeaseLostError, BusyError */
  count(held: Held, records: readonly BatchDocument[]): Promise<void> {
    return this.#moveAll(held, records, 'COUNT');
  }

  /** Undoes the counted hits of some batches of an import. @throws LeaseLostError, BusyError */
  uncount(held: Held, records: readonly BatchDocument[]): Promise<void> {
    return this.#moveAll(held, records, 'UNCOUNT');
  }

  /** Counts hits that a previous holder has stored but not counted, or only partly undone. @throws LeaseLostError, BusyError */
  async countLeft(held: Held): Promise<void> {
    // A previous holder that resumes might undo the hits of the last batch, to read its line again. From here on it cannot.
    const [last] = await findLastBatches(this.#db, held._id, 1);
    if (last)
      await logBatches(this.#db).updateOne(
        { _id: last._id, ...notBegunAfter(held) },
        { $set: { counted_by: held.token } },
      );
    const left = logBatches(this.#db).find({ import: held._id, uncounted: true }).sort({ _id: 1 });
    await this.count(held, await left.toArray());
  }

  async #moveAll(held: Held, records: readonly BatchDocument[], direction: Direction): Promise<void> {
    const end = ({ hits }: BatchDocument) => (direction === 'COUNT' ? hits.length : 0);
    const positions = records.map((record) => ({ record, at: countedOf(record) }));
    for (;;) {
      if (positions.every(({ record, at }) => at === end(record))) return;
      await this.#movePart(held, positions, direction);
      if (direction === 'COUNT') failpoint('log.hits.part-counted');
      else failpoint('log.hits.part-uncounted');
      this.#options.between?.();
    }
  }

  /** Advances the positions by one part. */
  async #movePart(held: Held, positions: readonly Position[], direction: Direction): Promise<void> {
    const begun = performance.now();
    let isTold = false;
    for (let attempt = 1; ; attempt += 1) {
      if (this.#rest > REST.least)
        await delay(Math.min(REST_MAX_MS, this.#rest * this.#partMs) * (0.5 + Math.random()));
      const start = performance.now();
      const moves = nextPart(held.site, positions, direction, this.#documentsNow());
      try {
        const committed = await hitTurnsOf(this.#db).alone(() => commitPart(this.#db, held, moves));
        if (committed) for (const { position, to } of moves) position.at = to;
        else await this.#learn(held, positions);
        this.#won(performance.now() - start);
        return;
      } catch (error) {
        const waited = performance.now() - begun;
        if (!(error instanceof BusyError) || waited > GIVE_UP_MS) throw error;
        this.#lost();
        if (attempt % LOOK_EVERY === 0) await endAbandonedTransactions(this.#db.client);
        if (waited > SLOW_MS && !isTold) this.#options.onSlow?.(SLOW);
        isTold ||= waited > SLOW_MS;
      }
    }
  }

  #documentsNow(): number {
    const isQuiet = Math.min(hitTurnsOf(this.#db).quietMs, performance.now() - this.#lostAtMs) > QUIET_MS;
    return isQuiet ? this.#quietDocumentsMax : this.#size;
  }

  #won(ms: number): void {
    this.#partMs = ms;
    this.#size = Math.min(this.#documentsMax, this.#size + Math.ceil(this.#documentsMax / 8));
    this.#rest *= REST.decay;
  }

  #lost(): void {
    this.#lostAtMs = performance.now();
    this.#size = Math.max(PART_DOCUMENTS_MIN, Math.floor(this.#size / 2));
    this.#rest = Math.min(REST.most, Math.max(1, this.#rest * REST.growth));
  }

  /**
   * A batch was moved: by a previous holder that lost the lease, by our own commit whose response was lost, or by a failover that rolled
   * back parts. So all batches are read again, because another one may have been completed.
   */
  async #learn({ _id, token }: Held, positions: readonly Position[]): Promise<void> {
    for (const position of positions) {
      const { record } = position;
      const found = await logBatches(this.#db).findOne(
        { _id: record._id },
        { projection: { counted: 1, counted_by: 1 } },
      );
      if (!found || (found.counted_by ?? 0) > token)
        throw new LeaseLostError(`The import ${_id} was taken over by another worker`);
      position.at = found.counted ?? record.hits.length;
    }
  }
}

/** A record from before hits were counted in parts has no `counted`: all its hits are counted. */
const countedOf = ({ counted, hits }: BatchDocument): number => counted ?? hits.length;

/**
 * The next hits, by page, until they affect `size` documents; at least one hit. Each batch is sorted by page, so hits of one page from
 * several batches are counted together. In any other order, each hit is still moved once.
 */
function nextPart(site: string, positions: readonly Position[], direction: Direction, size: number): Move[] {
  const step = direction === 'COUNT' ? 1 : -1;
  const ends = positions.map(({ at }) => at);
  const nextHit = (index: number) => {
    const at = ends[index] ?? 0;
    return positions[index]?.record.hits[direction === 'COUNT' ? at : at - 1];
  };
  const documents = new Set<string>();
  for (let taken = 0; ; taken += 1) {
    let [first, hit]: [number, ReturnType<typeof nextHit>] = [-1, undefined];
    for (const index of positions.keys()) {
      const candidate = nextHit(index);
      if (!candidate) continue;
      if (!hit || (direction === 'COUNT' ? candidate.page < hit.page : candidate.page > hit.page))
        [first, hit] = [index, candidate];
    }
    if (!hit) break;
    documents.add(monthlyIdOf({ site, ...hit })).add(dailyIdOf({ site, ...hit }));
    if (documents.size > size && taken > 0) break;
    ends[first] = (ends[first] ?? 0) + step;
  }
  return positions
    .map((position, index) => ({ position, to: ends[index] ?? 0 }))
    .filter(({ position, to }) => to !== position.at);
}

/** @returns false, with nothing written, when a batch is not at its expected position @throws BusyError */
async function commitPart(db: Db, held: Held, moves: readonly Move[]): Promise<boolean> {
  const hits = moves.flatMap((move) => hitsOf(held.site, move));
  const { daily, monthly } = statementsOf(hits, await isSharded(db.client));
  const isLast = moves.every(({ position: { record }, to }) => to === 0 || to === record.hits.length);
  // Only the last part waits for a majority: a failover that rolls back earlier parts rolls back their fences as well.
  const concern = commitConcernOf[isLast ? held.options.durability : 'ACKNOWLEDGED'];
  const work = async (session: ClientSession) => {
    // Months first: they have the most contention, and a conflict costs least at the start.
    await updateInTransaction(db, monthlyHits.collectionName, monthly, session);
    failpoint('log.hits.months-moved');
    await updateInTransaction(db, dailyHits.collectionName, daily, session);
    failpoint('log.hits.days-moved');
    if (hits.some(({ count }) => count < 0)) await removeEmptyHits(db, hits, session);
    const { matchedCount } = await logBatches(db).bulkWrite(
      moves.map((move) => fenceOf(held, move)),
      { session, ordered: false },
    );
    if (matchedCount < moves.length) throw new MovedError();
  };
  try {
    // Upserts of the same new document conflict with those of other writers. The retry finds the document.
    await inTransaction(db, concern, work, { retryDuplicateKeys: true, attemptsMax: 1 });
    return true;
  } catch (error) {
    if (error instanceof MovedError) return false;
    throw error;
  }
}

class MovedError extends Error {
  override name = 'MovedError';
}

function hitsOf(site: string, { position: { record, at }, to }: Move): CountedHit[] {
  const sign = to > at ? 1 : -1;
  const hits = record.hits.slice(Math.min(at, to), Math.max(at, to));
  return hits.map(({ page, at: time, count }) => ({ site, page, at: time, count: sign * count }));
}

/** Guard: no later lease holder has started with the batch. */
const notBegunAfter = ({ token }: Held) => ({ counted_by: { $not: { $gt: token } } });

/** Guard: these hits have not been moved before, neither by this holder nor by another. */
function fenceOf(held: Held, { position: { record, at }, to }: Move) {
  const all = record.hits.length;
  const counted = at === all ? { $or: [{ counted: at }, { counted: { $exists: false } }] } : { counted: at };
  const moved = { counted: to, counted_by: held.token };
  return {
    updateOne: {
      filter: { _id: record._id, ...counted, ...notBegunAfter(held) },
      update:
        to === all
          ? { $set: moved, $unset: { uncounted: '' as const } }
          : { $set: { ...moved, uncounted: true as const } },
    },
  };
}
