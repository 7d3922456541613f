/** The options of a hub, and its health figures. */
import type { Db } from 'mongodb';
import type { Clock } from '../database/index.js';
import type { StateBounds } from './channels/state-ledger.js';

export interface HubOptions {
  readonly db: Db;
  /** Bounds of the events kept for subscribers that reconnect: their number, and their estimated bytes. */
  readonly ring: { readonly events: number; readonly bytes: number };
  /** Maximum number of concurrent catch-up streams for late subscribers. */
  readonly catchUpsMax: number;
  /** Memory bounds of the followed states. */
  readonly states?: StateBounds;
  /** Default: the database's time. */
  readonly now?: Clock;
  /** Called with problems from which the hub recovers by itself. */
  readonly onTrouble?: (trouble: string, error: unknown) => void;
  /** How long channels and the stream stay without subscribers, in milliseconds: clients often reconnect soon. */
  readonly lingerMs?: number;
}

export interface HubHealth {
  readonly streaming: boolean;
  readonly subscribers: number;
  readonly channels: number;
  /** Upper bound of the time since the stream was last known to be current; grows while the database is silent. */
  readonly lagMs: number;
  readonly ringEvents: number;
  readonly ringBytes: number;
  readonly ringReachSeconds: number;
  /** How often the stream had to start over while there were subscribers. */
  readonly resets: number;
  /** It has started over so often recently that something is wrong. */
  readonly alarm: boolean;
  /** Estimated memory of the followed states, in bytes. */
  readonly stateBytes: number;
  /** Changed parts recorded for subscribers that are behind. */
  readonly pendingParts: number;
  /** Subscribers that wait for a whole state, and rendered states kept in the cache. */
  readonly snapshotsWaiting: number;
  readonly snapshotsKept: number;
  readonly catchingUp: number;
  /** Estimated memory of the catch-up streams, in bytes. */
  readonly catchUpBytes: number;
  /** How often the stream was interrupted and resumed after its last event. */
  readonly interruptions: number;
  /** Subscribers that resumed with a cursor: served from the ring, from the oplog, or with the whole state. */
  readonly resumed: { readonly fromRing: number; readonly caughtUp: number; readonly lost: number };
}
