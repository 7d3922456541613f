/**
 * Catch-up from the oplog, for subscribers whose cursor is older than the ring. However many ask, at most `max` streams run: all
 * requests that wait when one becomes free share it, opened at the oldest of their positions. So a restarted server whose clients
 * all reconnect reads the past once or twice, not once per client.
 */
import { type Db, Timestamp } from 'mongodb';
import { isInterruption, pauseBeforeAttempt } from '../../database/index.js';
import { clusterTimeParts } from '../../shared/cluster-time.js';
import { BusyError } from '../../shared/errors.js';
import { comparePositions, type Position } from '../cursors/position.js';
import { type Batch, ChangeStream, isHistoryLost } from './change-stream.js';
import type { RingEntry } from './ring.js';

interface Request {
  readonly from: Position;
  readonly to: Position;
  readonly topics: ReadonlySet<string>;
  found: RingEntry[];
  settled: boolean;
  readonly resolve: (found: RingEntry[] | null) => void;
  readonly reject: (error: unknown) => void;
}

/** The requests with the same set of topics: those of a channel. */
interface Group {
  readonly requests: Request[];
  /** The last entry's position: an entry may have several of the topics. */
  offered: Position | null;
}

const WAITING_MAX = 20_000; // requests; beyond it, clients are told to retry later
const EVENTS_MAX = 200_000; // events that one stream reads: a subscriber further behind gets the state again, which is cheaper
const FOUND_MAX = 10_000; // events that are kept for one subscriber
const KEPT_BYTES_MAX = 67_108_864; // estimated, for the events kept by one stream; subscribers still waiting then get the state again
const REFERENCE_BYTES = 8; // per event and subscriber
const READ_WAIT_MS = 50;
const ATTEMPTS_MAX = 10;

export interface CatchUpOptions {
  readonly db: Db;
  readonly collections: readonly string[];
  /** Maximum number of concurrent streams. */
  readonly max: number;
  readonly toEntry: (position: Position, event: Batch['events'][number]['event']) => RingEntry;
}

export class CatchUps {
  readonly #options: CatchUpOptions;
  #waiting: Request[] = [];
  #running = 0;
  #bytes = 0;

  constructor(options: CatchUpOptions) {
    this.#options = options;
  }

  /** Number of running streams. */
  get running(): number {
    return this.#running;
  }

  /** Estimated bytes that they keep. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @returns the events after `from` up to `to` that have any of the topics, or null when they are no longer available */
  find(from: Position, to: Position, topics: ReadonlySet<string>): Promise<RingEntry[] | null> {
    if (this.#waiting.length >= WAITING_MAX)
      throw new BusyError('Too many clients are reconnecting at the same time', 5000);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ from, to, topics, found: [], settled: false, resolve, reject });
      this.#start();
    });
  }

  #start(): void {
    if (this.#running >= this.#options.max || this.#waiting.length === 0) return;
    const requests = this.#waiting;
    this.#waiting = [];
    this.#running += 1;
    this.#serve(requests)
      .catch((error: unknown) => {
        for (const { reject } of requests) reject(error); // no effect on settled ones
      })
      .finally(() => {
        this.#running -= 1;
        this.#start();
      });
  }

  async #serve(requests: readonly Request[]): Promise<void> {
    let open = [...requests].sort((left, right) => comparePositions(left.from, right.from));
    let failures = 0;
    for (let losses = 0; open.length > 0; open = open.filter(({ settled }) => !settled)) {
      try {
        await this.#read(open);
      } catch (error) {
        if (isHistoryLost(error)) {
          // The oldest position is lost. The server does not say which others are: 1, 2, 4, ... of the oldest are given up.
          for (const request of open.slice(0, 2 ** losses)) settle(request, null);
          losses += 1;
        } else {
          failures += 1;
          if (failures === ATTEMPTS_MAX || !isInterruption(error)) throw error;
          await pauseBeforeAttempt(failures + 1);
        }
      }
    }
  }

  /** Reads from the oldest position until all are settled. */
  async #read(requests: readonly Request[]): Promise<void> {
    const [oldest] = requests;
    if (!oldest) return;
    for (const request of requests) request.found = []; // an interrupted attempt may have found some
    const start = { at: new Timestamp(clusterTimeParts(oldest.from.time)) };
    const stream = await ChangeStream.open(this.#options.db, this.#options.collections, start);
    try {
      await this.#drain(stream, requests);
    } finally {
      await stream.close();
    }
  }

  async #drain(stream: ChangeStream, requests: readonly Request[]): Promise<void> {
    const byTopic = groupsByTopic(requests);
    let position: Position = { time: '', index: 0 };
    let open = requests;
    let kept = 0;
    try {
      for (let read = 0; open.length > 0; open = open.filter(({ settled }) => !settled)) {
        const batch = await stream.read(READ_WAIT_MS);
        for (const { time, event } of batch.events) {
          position = time === position.time ? { time, index: position.index + 1 } : { time, index: 1 };
          const bytes = offer(byTopic, this.#options.toEntry(position, event));
          kept += bytes;
          this.#bytes += bytes;
        }
        read += batch.events.length;
        const tooMuch = read > EVENTS_MAX || kept > KEPT_BYTES_MAX;
        for (const request of open) settleIfDone(request, batch, tooMuch);
      }
    } finally {
      this.#bytes -= kept;
    }
  }
}

/** One group per set of topics, so that thousands of clients that follow the same are not indexed one by one. */
function groupsByTopic(requests: readonly Request[]): ReadonlyMap<string, readonly Group[]> {
  const groups = new Map<ReadonlySet<string>, Group>();
  const byTopic = new Map<string, Group[]>();
  for (const request of requests) {
    const known = groups.get(request.topics);
    if (known) {
      known.requests.push(request);
      continue;
    }
    const group: Group = { requests: [request], offered: null };
    groups.set(request.topics, group);
    for (const topic of request.topics) {
      const others = byTopic.get(topic);
      if (others) others.push(group);
      else byTopic.set(topic, [group]);
    }
  }
  return byTopic;
}

/** @returns how many bytes are kept for the entry */
function offer(byTopic: ReadonlyMap<string, readonly Group[]>, entry: RingEntry): number {
  let references = 0;
  for (const topic of entry.topics) {
    for (const group of byTopic.get(topic) ?? []) {
      if (group.offered === entry.position) continue;
      group.offered = entry.position;
      for (const request of group.requests) if (keep(request, entry)) references += 1;
    }
  }
  return references > 0 ? entry.bytes + REFERENCE_BYTES * references : 0;
}

function keep({ from, to, found }: Request, entry: RingEntry): boolean {
  const wanted = comparePositions(entry.position, from) > 0 && comparePositions(entry.position, to) <= 0;
  if (!wanted || found.length > FOUND_MAX) return false;
  found.push(entry);
  return true;
}

/** Settles a request whose end has been reached, or will not be. */
function settleIfDone(request: Request, { through, cut }: Batch, tooMuch: boolean): void {
  const reached = through > request.to.time || (through === request.to.time && !cut);
  if (request.found.length > FOUND_MAX || (tooMuch && !reached)) settle(request, null);
  else if (reached) settle(request, request.found);
}

function settle(request: Request, found: RingEntry[] | null): void {
  request.settled = true;
  request.found = []; // the waiting subscriber has it, and soon drops it
  request.resolve(found);
}
