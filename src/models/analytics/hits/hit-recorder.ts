/**
 * The group commit of hits. Hits that arrive while a group is being written wait and form the next group, so there is no timer: a lone
 * hit is written immediately, and under load the groups grow by themselves. A group is summed per document and written in one
 * transaction over its daily and monthly documents. Each caller gets a response when its hits are as durable as requested.
 *
 * In this process one group per durability is written at a time (two would conflict on the same documents), and durabilities never share
 * a group. A hit that was not acknowledged is in both of its documents or in neither.
 */
import type { Db, MongoClient, Timestamp } from 'mongodb';
import { asUnavailable, type Durability } from '../../../database/index.js';
import { BusyError } from '../../../shared/errors.js';
import { dailyIdOf, type Hit, HitTally, monthlyIdOf } from './hit.js';
import { type GroupOutcome, HitGroupWriter, hitNotRecorded, hitOutcomeUnknown } from './hit-group.js';
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
  /** The maximum number of waiting hits. A page longer than PAGE_LENGTH_OF_A_HIT characters counts as several. */
  readonly waitingMax: number;
  /** Notified of every written group, and closed with the recorder. */
  readonly preAllocation?: PreAllocation;
  /** How long a group may take before its callers get the error that the database does not respond. */
  readonly groupWaitMaxMs?: number;
}

export function createHitRecorder(options: HitRecorderOptions): HitRecorder {
  return new GroupCommit(options);
}

/** Limits the waiting hits in bytes as well: at most 512 bytes of text for each hit that `waitingMax` allows. */
const PAGE_LENGTH_OF_A_HIT = 256;
/** A group with this many hits is full: summing them takes a few milliseconds of the event loop. */
const GROUP_HITS_MAX = 10_000;
/** A group with this many daily documents is full: MongoDB advises against transactions with thousands of updates. */
const GROUP_DAYS_MAX = 400;
/**
 * A larger call is split, so a group has fewer than GROUP_DAYS_MAX + PIECE_HITS_MAX daily documents. If all their pages had
 * PAGE_BYTES_MAX, a command would have 13 MB (the `_id` repeats the page). The server accepts 16 MB.
 */
const PIECE_HITS_MAX = 400;
/**
 * A group that takes longer than this waits for a dead or frozen database, since an election takes less. Its callers get the error that
 * the outcome is unknown. Waiting callers get the error that their hits were not recorded, and so do new ones until the group has ended.
 */
const GROUP_WAIT_MAX_MS = 10_000;

/** A call, or a part of a large one, which a group accepts as a whole. */
interface Piece {
  readonly hits: readonly Hit[];
  readonly weight: number;
  readonly answer: (outcome: GroupOutcome) => void;
}

interface Group {
  readonly pieces: readonly Piece[];
  readonly tally: HitTally;
  readonly hits: number;
}

class GroupCommit implements HitRecorder {
  readonly #lanes = new Map<Durability, Lane>();
  readonly #counts = { waiting: 0, weight: 0, hits: 0, groups: 0, failed: 0 };
  readonly #writer: HitGroupWriter;
  #closed = false;
  readonly #options: HitRecorderOptions;

  constructor(options: HitRecorderOptions) {
    this.#options = options;
    this.#writer = new HitGroupWriter(options.db, GROUP_DAYS_MAX + PIECE_HITS_MAX);
  }

  get health(): HitRecorder['health'] {
    const { waiting, hits, groups, failed } = this.#counts;
    return { waiting, hits, groups, failed };
  }

  async record(hits: readonly Hit[], durability: Durability, prepare?: () => Promise<void>): Promise<RecordedHits> {
    const lane = this.#laneOf(durability);
    this.#requireOpen(lane);
    const parts = inParts(hits);
    const weight = parts.reduce((sum, part) => sum + part.weight, 0);
    // An empty queue accepts any single call, so that a small limit does not refuse a large call forever.
    if (this.#counts.weight > 0 && this.#counts.weight + weight > this.#options.waitingMax) {
      throw new BusyError('Too many hits are waiting to be written');
    }
    this.#counts.waiting += hits.length;
    this.#counts.weight += weight;
    try {
      await prepare?.();
      this.#requireOpen(lane); // again: if it has closed or stalled meanwhile, these hits would not be answered in time
    } catch (error) {
      this.#counts.waiting -= hits.length;
      this.#counts.weight -= weight;
      throw asUnavailable(error) ? hitNotRecorded() : error;
    }
    const outcomes = parts.map((part) => new Promise<GroupOutcome>((answer) => lane.add({ ...part, answer })));
    const documentsTouched = countDocuments(hits);
    if (durability === 'FIRE_AND_FORGET') {
      return { recorded: hits.length, documentsTouched, writtenAt: undefined, failed: [] };
    }
    return resultOf(hits, documentsTouched, await Promise.all(outcomes));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#lanes.values()].map((lane) => lane.idle));
    await this.#options.preAllocation?.close();
  }

  /** @throws BusyError @throws UnavailableError */
  #requireOpen(lane: Lane): void {
    if (this.#closed) throw new BusyError('The server is shutting down');
    if (lane.isStalled) throw hitNotRecorded();
  }

  #laneOf(durability: Durability): Lane {
    const present = this.#lanes.get(durability);
    if (present) return present;
    const lane = new Lane({
      write: (group) => this.#write(group, durability),
      onDropped: (pieces) => this.#forget(pieces),
      groupWaitMaxMs: this.#options.groupWaitMaxMs ?? GROUP_WAIT_MAX_MS,
    });
    this.#lanes.set(durability, lane);
    return lane;
  }

  /** Removes them from the count of waiting hits. */
  #forget(pieces: readonly Piece[]): void {
    for (const { hits, weight } of pieces) {
      this.#counts.waiting -= hits.length;
      this.#counts.weight -= weight;
    }
  }

  async #write({ pieces, tally, hits }: Group, durability: Durability): Promise<GroupOutcome> {
    this.#forget(pieces);
    const days = tally.days;
    const outcome = await this.#writer.write(days, durability);
    const lost = days.reduce((sum, { id, total }) => (outcome.failures.has(id) ? sum + total : sum), 0);
    this.#counts.groups += 1;
    this.#counts.hits += hits - lost;
    this.#counts.failed += lost;
    if (lost < hits) this.#options.preAllocation?.noticed(days);
    return outcome;
  }
}

interface LaneOptions {
  /** Must not throw. */
  readonly write: (group: Group) => Promise<GroupOutcome>;
  /** Called with pieces that were dropped from the queue. */
  readonly onDropped: (pieces: readonly Piece[]) => void;
  readonly groupWaitMaxMs: number;
}

/** Writes the groups of one durability, one after the other. */
class Lane {
  #waiting: Piece[] = [];
  #running: Promise<void> | null = null;
  #stalled = false;
  readonly #options: LaneOptions;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /** Whether the current group has taken too long. */
  get isStalled(): boolean {
    return this.#stalled;
  }

  add(piece: Piece): void {
    this.#waiting.push(piece);
    this.#running ??= this.#run();
  }

  /** Resolves when no hits are waiting or being written. */
  get idle(): Promise<void> {
    return this.#running ?? Promise.resolve();
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Hits from the rest of this event loop turn may join: requests of one read, and callers whose group has just been answered.
      await endOfTurn();
      const group = this.#take();
      const late = setTimeout(() => this.#stall(group), this.#options.groupWaitMaxMs);
      const outcome = await this.#options.write(group);
      clearTimeout(late);
      this.#stalled = false;
      for (const { answer } of group.pieces) answer(outcome); // has no effect for callers that already got an error
    }
    this.#running = null;
  }

  /** Reports errors to all callers. The lane keeps its group, because a second one would conflict with it. */
  #stall(group: Group): void {
    this.#stalled = true;
    const dropped = this.#waiting.splice(0);
    this.#options.onDropped(dropped);
    for (const { hits, answer } of group.pieces) answer(failed(hits, hitOutcomeUnknown()));
    for (const { hits, answer } of dropped) answer(failed(hits, hitNotRecorded()));
  }

  #take(): Group {
    const tally = new HitTally();
    let [hits, end] = [0, 0];
    for (const piece of this.#waiting) {
      if (hits >= GROUP_HITS_MAX || tally.size >= GROUP_DAYS_MAX) break;
      for (const hit of piece.hits) tally.add(hit);
      hits += piece.hits.length;
      end += 1;
    }
    return { pieces: this.#waiting.splice(0, end), tally, hits };
  }
}

function failed(hits: readonly Hit[], error: Error): GroupOutcome {
  return { writtenAt: undefined, failures: new Map(hits.map((hit) => [dailyIdOf(hit), error])) };
}

const endOfTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Splits a call into pieces for groups. */
function inParts(hits: readonly Hit[]): Omit<Piece, 'answer'>[] {
  const parts: Omit<Piece, 'answer'>[] = [];
  for (let start = 0; start < hits.length; start += PIECE_HITS_MAX) {
    const part = hits.slice(start, start + PIECE_HITS_MAX);
    let weight = part.length;
    for (const { page } of part) weight += Math.floor(page.length / PAGE_LENGTH_OF_A_HIT);
    parts.push({ hits: part, weight });
  }
  return parts;
}

function countDocuments(hits: readonly Hit[]): number {
  if (hits.length === 1) return 2;
  return new Set(hits.map(dailyIdOf)).size + new Set(hits.map(monthlyIdOf)).size;
}

function resultOf(hits: readonly Hit[], documentsTouched: number, outcomes: readonly GroupOutcome[]): RecordedHits {
  const failed: { index: number; error: unknown }[] = [];
  let writtenAt: Timestamp | undefined;
  for (const [part, outcome] of outcomes.entries()) {
    writtenAt = outcome.writtenAt ?? writtenAt; // groups are written in order
    if (outcome.failures.size === 0) continue;
    for (let index = part * PIECE_HITS_MAX; index < Math.min(hits.length, (part + 1) * PIECE_HITS_MAX); index += 1) {
      const id = dailyIdOf(hits[index] as Hit);
      if (outcome.failures.has(id)) failed.push({ index, error: outcome.failures.get(id) });
    }
  }
  return { recorded: hits.length - failed.length, documentsTouched, writtenAt, failed };
}
