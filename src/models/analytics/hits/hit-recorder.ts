/**
 * Records hits with a group commit (`src/database/group-commit`). The hits of a group are summed per document and written in one
 * transaction over its daily and monthly documents (`hit-group.ts`). A hit that was not acknowledged is in both of its documents or in
 * neither.
 */
import type { Db, MongoClient, Timestamp } from 'mongodb';
import { type Durability, GroupCommit, type GroupResult } from '../../../database/index.js';
import { type DayTally, dailyIdOf, type Hit, monthlyIdOf } from './hit.js';
import { type HitPiece, hitGroups, PIECE_HITS_MAX } from './hit-group.js';
import type { PreAllocation } from './pre-allocation.js';

export type { Hit } from './hit.js';

export interface RecordedHits {
  /** The number of hits stored, or accepted in case of FIRE_AND_FORGET. */
  readonly recorded: number;
  readonly documentsTouched: number;
  /** The commit's cluster time, or the latest one if the hits took several groups. */
  readonly writtenAt: Timestamp | undefined;
  /** Hits that could not be stored, by their index in the call. Empty unless the database rejected some. */
  readonly failed: readonly { readonly index: number; readonly error: unknown }[];
}

export interface HitRecorder {
  /**
   * Records hits. Not idempotent: a retry counts them again.
   * @param hits validated by `requireHit`
   * @param prepare must complete before they are written; not called if they are not accepted. If it throws, none is recorded
   * @throws BusyError too many hits are waiting, or the recorder is closed; none of these hits is recorded
   * @throws UnavailableError the database currently accepts no writes; none of these hits is recorded
   */
  record(hits: readonly Hit[], durability: Durability, prepare?: () => Promise<void>): Promise<RecordedHits>;
  /** Waits until everything is written. Accepts no more hits. */
  close(): Promise<void>;
  readonly health: {
    /** Hits waiting for their group. */
    readonly waiting: number;
    /** Hits stored since the start. */
    readonly hits: number;
    /** Groups written since the start. */
    readonly groups: number;
    /** Hits rejected by the database since the start. */
    readonly failed: number;
  };
}

export interface HitRecorderOptions {
  readonly client: MongoClient;
  readonly db: Db;
  /** The maximum number of waiting hits. A hit with a long page counts as several. */
  readonly waitingMax: number;
  /** Notified of every written group, and closed with the recorder. */
  readonly preAllocation?: PreAllocation;
  /** How long a group may take before its callers get the error that the database does not respond. */
  readonly groupWaitMaxMs?: number;
}

export function createHitRecorder(options: HitRecorderOptions): HitRecorder {
  return new GroupedHits(options);
}

class GroupedHits implements HitRecorder {
  readonly #commit: GroupCommit<HitPiece, DayTally, void>;
  readonly #counts = { hits: 0, failed: 0 };
  readonly #preAllocation: PreAllocation | undefined;

  constructor({ db, waitingMax, groupWaitMaxMs, preAllocation }: HitRecorderOptions) {
    const onWritten = (days: readonly DayTally[], result: GroupResult<DayTally, void>) => this.#note(days, result);
    this.#commit = new GroupCommit(hitGroups(db), { db, waitingMax, groupWaitMaxMs, onWritten });
    this.#preAllocation = preAllocation;
  }

  get health(): HitRecorder['health'] {
    return { ...this.#commit.health, ...this.#counts };
  }

  async record(hits: readonly Hit[], durability: Durability, prepare?: () => Promise<void>): Promise<RecordedHits> {
    return resultOf(hits, await this.#commit.record(inPieces(hits), durability, prepare));
  }

  async close(): Promise<void> {
    await this.#commit.close();
    await this.#preAllocation?.close();
  }

  #note(days: readonly DayTally[], { failures }: GroupResult<DayTally, void>): void {
    let stored = 0;
    for (const day of days) {
      if (failures.has(day)) this.#counts.failed += day.total;
      else stored += day.total;
    }
    this.#counts.hits += stored;
    if (stored > 0) this.#preAllocation?.noticed(days);
  }
}

/** Splits a call into pieces for groups. */
function inPieces(hits: readonly Hit[]): HitPiece[] {
  const pieces: HitPiece[] = [];
  for (let start = 0; start < hits.length; start += PIECE_HITS_MAX) {
    pieces.push(hits.slice(start, start + PIECE_HITS_MAX));
  }
  return pieces;
}

function countDocuments(hits: readonly Hit[]): number {
  if (hits.length === 1) return 2;
  return new Set(hits.map(dailyIdOf)).size + new Set(hits.map(monthlyIdOf)).size;
}

/** @param results of the groups of the call's pieces; none for FIRE_AND_FORGET */
function resultOf(hits: readonly Hit[], results: readonly GroupResult<DayTally, void>[]): RecordedHits {
  const failed: { index: number; error: unknown }[] = [];
  let writtenAt: Timestamp | undefined;
  for (const [piece, result] of results.entries()) {
    writtenAt = result.writtenAt ?? writtenAt; // groups are written in order
    if (result.failures.size === 0) continue;
    const errors = new Map([...result.failures].map(([{ id }, error]) => [id, error]));
    for (let index = piece * PIECE_HITS_MAX; index < Math.min(hits.length, (piece + 1) * PIECE_HITS_MAX); index += 1) {
      const id = dailyIdOf(hits[index] as Hit);
      if (errors.has(id)) failed.push({ index, error: errors.get(id) });
    }
  }
  return { recorded: hits.length - failed.length, documentsTouched: countDocuments(hits), writtenAt, failed };
}
