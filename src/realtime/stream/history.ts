/** The events of the past: the recent ones from the ring, earlier ones from the oplog. */
import type { Db } from 'mongodb';
import { followedCollections } from '../../database/index.js';
import { type ClusterTime, clusterTimeMs } from '../../shared/cluster-time.js';
import { comparePositions, type Position } from '../cursors/position.js';
import { CatchUps } from './catch-up.js';
import { Ring, type RingEntry, toEntry } from './ring.js';

export interface HistoryOptions {
  readonly db: Db;
  /** Bounds of the events kept for subscribers that reconnect: their number, and their estimated bytes. */
  readonly ring: { readonly events: number; readonly bytes: number };
  /** Maximum number of concurrent catch-up streams for late subscribers. */
  readonly catchUpsMax: number;
}

export interface HistoryHealth {
  readonly ringEvents: number;
  readonly ringBytes: number;
  readonly ringReachSeconds: number;
  readonly catchingUp: number;
  /** Estimated memory of the catch-up streams, in bytes. */
  readonly catchUpBytes: number;
  /** Subscribers that resumed with a cursor: served from the ring, from the oplog, or with the whole state. */
  readonly resumed: { readonly fromRing: number; readonly caughtUp: number; readonly lost: number };
}

export class History {
  readonly #ring: Ring;
  readonly #catchUps: CatchUps;
  readonly #resumed = { fromRing: 0, caughtUp: 0, lost: 0 };

  constructor({ db, ring, catchUpsMax: max }: HistoryOptions, start: Position) {
    this.#ring = new Ring(start, ring);
    this.#catchUps = new CatchUps({ db, collections: followedCollections(), max, toEntry });
  }

  /** @param now up to where events have been delivered */
  health(now: ClusterTime): HistoryHealth {
    const reach = Math.max(0, clusterTimeMs(now) - clusterTimeMs(this.#ring.start.time));
    return {
      ringEvents: this.#ring.size,
      ringBytes: this.#ring.bytes,
      ringReachSeconds: reach / 1000,
      catchingUp: this.#catchUps.running,
      catchUpBytes: this.#catchUps.bytes,
      resumed: { ...this.#resumed },
    };
  }

  add(entry: RingEntry): void {
    this.#ring.add(entry);
  }

  /** Earlier events are unknown. */
  begin(start: Position): void {
    this.#ring.clear(start);
  }

  /** The events after `from` that have any of the topics, oldest first; null when they are no longer in memory. */
  recent(from: Position, topics: ReadonlySet<string>): readonly RingEntry[] | null {
    return this.#ring.since(from, topics);
  }

  /** The events after `from` up to `to` that have any of the topics, oldest first; null when they are lost. */
  async missed(from: Position, to: Position, topics: ReadonlySet<string>): Promise<readonly RingEntry[] | null> {
    if (comparePositions(from, to) >= 0) return [];
    const recent = this.#ring.since(from, topics);
    const missed = recent ?? (await this.#catchUps.find(from, to, topics));
    this.#resumed[recent ? 'fromRing' : missed ? 'caughtUp' : 'lost'] += 1;
    return missed;
  }
}
