/** How far back sessions go: what is older is refused, and was or will be removed (`session-removal.ts`). */
import type { Db } from 'mongodb';
import { defineCollection } from '../../database/index.js';

export interface HorizonDocument {
  _id: 'sessions';
  /** 00:00 in UTC. Older sessions are refused. It only rises. */
  accepts_from: Date;
  announced_at: Date;
  /** What `accepts_from` was before, which is known to all: older sessions go. */
  removes_before?: Date;
  /** Up to where they are gone. */
  removed_before?: Date;
}

export const sessionHorizons = defineCollection<HorizonDocument>('sessions.horizon', [], { isBookkeeping: true });

/** From when on sessions are taken. Null: from ever. */
export async function sessionsAcceptedFrom(db: Db): Promise<Date | null> {
  return (await sessionHorizons(db).findOne({ _id: 'sessions' }))?.accepts_from ?? null;
}
