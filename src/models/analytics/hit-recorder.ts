/** Placeholder for the group commit's interface; the helper "hits" owns this file. */
import type { Timestamp } from 'mongodb';
import type { Durability } from '../../database/index.js';

export interface Hit {
  readonly site: string;
  readonly page: string;
  readonly at: Date;
}
export interface RecordedHits {
  readonly recorded: number;
  readonly documentsTouched: number;
  readonly writtenAt: Timestamp | undefined;
}
export interface HitRecorder {
  record(hits: readonly Hit[], durability: Durability): Promise<RecordedHits>;
  /** Waits until everything is written; afterwards nothing more is taken. */
  close(): Promise<void>;
  readonly health: { readonly waiting: number; readonly hits: number; readonly groups: number };
}
