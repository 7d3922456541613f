/** Increasing sequence numbers: one document per series. */
import type { Db } from 'mongodb';
import { defineCollection } from './collection.js';

export interface CounterDocument {
  /** The series. */
  _id: string;
  /** The last number issued. */
  value: number;
}

export const counters = defineCollection<CounterDocument>('counters');

/**
 * Takes the next numbers of a series in one update. Numbers that are not used, for example because the process died, are not
 * issued again.
 * @param count at least 1 @returns the first of them
 */
export async function takeNumbers(db: Db, series: string, count: number): Promise<number> {
  // Guard: the increment itself. Concurrent calls are serialized, so no number is issued twice; majority write concern, so that
  // none is issued again after a failover.
  const counter = await counters(db).findOneAndUpdate(
    { _id: series },
    { $inc: { value: count } },
    { upsert: true, returnDocument: 'after' },
  );
  if (!counter) throw new Error('An upsert returns its document');
  return counter.value - count + 1;
}
