/** How far back sessions go: older ones are rejected, and were or will be removed (`session-removal.ts`). */
import type { Db } from 'mongodb';
import { defineCollection } from '../../../database/index.js';

export interface HorizonDocument {
  _id: 'sessions';
  /** 00:00 in UTC. Older sessions are rejected. It only increases. */
  accepts_from: Date;
  announced_at: Date;
  /** The previous value of `accepts_from`, known to all processes by now: older sessions are removed. */
  removes_before?: Date;
  /** Sessions before this have been removed. */
  removed_before?: Date;
}

export const sessionHorizons = defineCollection<HorizonDocument>('sessions.horizon', [], { isBookkeeping: true });

/** The time from which sessions are accepted. Null if there is no limit. */
export async function sessionsAcceptedFrom(db: Db): Promise<Date | null> {
  return (await sessionHorizons(db).findOne({ _id: 'sessions' }))?.accepts_from ?? null;
}
