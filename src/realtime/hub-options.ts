/** The options of a hub, and its health figures. */
import type { Clock } from '../database/index.js';
import type { StateBounds } from './channels/state-ledger.js';
import type { HistoryHealth, HistoryOptions } from './stream/history.js';

export interface HubOptions extends HistoryOptions {
  /** Memory bounds of the followed states. */
  readonly states?: StateBounds;
  /** Default: the database's time. */
  readonly now?: Clock;
  /** Called with problems from which the hub recovers by itself. */
  readonly onTrouble?: (trouble: string, error: unknown) => void;
  /** How long channels and the stream stay without subscribers, in milliseconds: clients often reconnect soon. */
  readonly lingerMs?: number;
}

export interface HubHealth extends HistoryHealth {
  readonly streaming: boolean;
  readonly subscribers: number;
  readonly channels: number;
  /** Upper bound of the time since the stream was last known to be current; grows while the database is silent. */
  readonly lagMs: number;
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
  /** How often the stream was interrupted and resumed after its last event. */
  readonly interruptions: number;
}
