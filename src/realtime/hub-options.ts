/** What a hub is given, and what it shows of itself. */
import type { Db } from 'mongodb';
import type { Clock } from '../database/index.js';
import type { StateBounds } from './state-ledger.js';

export interface HubOptions {
  readonly db: Db;
  /** Events kept for subscribers that come back, and their estimated bytes. */
  readonly ring: { readonly events: number; readonly bytes: number };
  /** Streams that catch up for late subscribers at once. */
  readonly catchUpsMax: number;
  /** What states may take up in memory. */
  readonly states?: StateBounds;
  /** Left out: the database's time. */
  readonly now?: Clock;
  /** Told of what the hub gets over by itself. */
  readonly onTrouble?: (trouble: string, error: unknown) => void;
  /** How long channels and the stream stay without subscribers, in milliseconds: clients often come right back. */
  readonly lingerMs?: number;
}

export interface HubHealth {
  readonly streaming: boolean;
  readonly subscribers: number;
  readonly channels: number;
  /** How long ago the stream was known to be current, at most; grows while nothing is heard of the database. */
  readonly lagMs: number;
  readonly ringEvents: number;
  readonly ringBytes: number;
  readonly ringReachSeconds: number;
  /** How often the stream had to begin anew while somebody followed something. */
  readonly resets: number;
  /** It has begun anew so often lately that something is wrong. */
  readonly alarm: boolean;
  /** What the followed states take up in memory, estimated. */
  readonly stateBytes: number;
  /** Changed parts that are noted for subscribers that are behind. */
  readonly pendingParts: number;
  /** Subscribers that wait for the whole of a state, and states kept as they were last written out. */
  readonly snapshotsWaiting: number;
  readonly snapshotsKept: number;
  readonly catchingUp: number;
  /** What the streams that catch up keep in memory, estimated. */
  readonly catchUpBytes: number;
  /** How often the stream broke off and was resumed behind its last event. */
  readonly interruptions: number;
  /** Subscribers that came back with a cursor: served from the ring, from the operation log, or with the whole state. */
  readonly resumed: { readonly fromRing: number; readonly caughtUp: number; readonly lost: number };
}
