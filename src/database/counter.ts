/** Numbers that rise: one document for each series. */
import type { Db } from 'mongodb';
import { defineCollection } from './collection.js';

export interface CounterDocument {
  /** The series. */
  _id: string;
  /** The last number that was given out. */
  value: number;
}

export const counters = defineCollection<CounterDocument>('counters');

/**
 * Takes the next numbers of a series, by one update for all of them. Numbers that are not used, for example since the process
 * died, stay unused.
 * @param count at least 1 @returns the first of them
 */
export async function takeNumbers(db: Db, series: string, count: number): Promise<number> {
  // Guard: the increment itself. Two at once follow one another, so no number is given out twice; at a majority, so that none is
  // given out again after a fail-over.
  const counter = await counters(db).findOneAndUpdate(
    { _id: series },
    { $inc: { value: count } },
    { upsert: true, returnDocument: 'after', writeConcern: { w: 'majority' } },
  );
  if (!counter) throw new Error('An upsert returns its document');
  return counter.value - count + 1;
}
