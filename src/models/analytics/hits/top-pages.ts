/**
 * The pages of a site with the most hits. Whole days are read from the monthly documents, whole hours and single minutes at both ends
 * from the daily ones, each by the index on site and date. A range of M months reads at most M + 2 documents per page.
 */
import type { ClientSession, Db, Document } from 'mongodb';
import { InputError } from '../../../shared/errors.js';
import { DAY_MS, type DateRange, HOUR_MS, MINUTE_MS, requireRange } from '../../../shared/time.js';
import { dailyHits, monthlyHits } from './hit.js';
import { READ_MS_MAX, refuseLongRead } from './hit-read-limit.js';
import { nextSlot, slotOf } from './hit-slot.js';

export interface PageHits {
  readonly page: string;
  readonly count: number;
}

const FIRST_MAX = 1000;
const DAYS_OF_MONTH = Array.from({ length: 31 }, (_, index) => `daily.${index + 1}`);

/**
 * Ranks the pages of a site: most hits first, ties sorted by page (in UTF-8).
 * @param range in whole minutes; `from` is rounded down, and a minute is included if its start is
 * @param first number of pages, 1 to 1000
 * @throws InputError the range is empty, or `first` is out of range
 * @throws LimitError the query took longer than 10 seconds
 */
export async function findTopPages(db: Db, site: string, range: DateRange, first: number): Promise<PageHits[]> {
  requireRange('range', range);
  if (first < 1 || first > FIRST_MAX) throw new InputError('first', `must be from 1 to ${FIRST_MAX}`);
  return await rankPages(db, site, slotOf('MINUTE', range.from.getTime()), range.to.getTime(), first);
}

/** Counters to sum, of one day or of one or more months. */
interface Stretch {
  readonly collection: string;
  /** The half-open range of the documents' dates. */
  readonly from: number;
  readonly to: number;
  readonly fields: readonly string[];
}

/** @param from the start of a minute @throws LimitError the query took longer than 10 seconds */
export async function rankPages(
  db: Db,
  site: string,
  from: number,
  to: number,
  first: number,
  session?: ClientSession,
): Promise<PageHits[]> {
  const [head, ...rest] = stretchesOf(from, to).map((stretch) => ({
    coll: stretch.collection,
    pipeline: countsOf(site, stretch),
  }));
  if (!head) return [];
  const pipeline = [
    ...head.pipeline,
    ...rest.map((stretch) => ({ $unionWith: stretch })),
    { $group: { _id: '$page', count: { $sum: '$count' } } },
    { $match: { count: { $gt: 0 } } },
    { $sort: { count: -1, _id: 1 } }, // sums over a range cannot be indexed; with the limit, only `first` pages are kept in memory
    { $limit: first },
    { $project: { _id: 0, page: '$_id', count: 1 } },
  ];
  const options = { maxTimeMS: READ_MS_MAX, ...(session && { session }) };
  return await db.collection(head.coll).aggregate<PageHits>(pipeline, options).toArray().catch(refuseLongRead);
}

function countsOf(site: string, { from, to, fields }: Stretch): Document[] {
  return [
    { $match: { 'metadata.site': site, 'metadata.date': { $gte: new Date(from), $lt: new Date(to) } } },
    { $project: { _id: 0, page: '$metadata.page', count: { $sum: fields.map((field) => `$${field}`) } } },
  ];
}

/** Splits a range into whole months, other whole days, and the minutes of partial days at its ends. */
function stretchesOf(from: number, to: number): Stretch[] {
  const [firstDay, lastDay] = [slotOf('DAY', from + DAY_MS - 1), slotOf('DAY', to)];
  if (firstDay > lastDay) return [partOfDay(from, to)];
  const stretches = wholeDays(firstDay, lastDay);
  if (from < firstDay) stretches.unshift(partOfDay(from, firstDay));
  if (lastDay < to) stretches.push(partOfDay(lastDay, to));
  return stretches;
}

function partOfDay(from: number, to: number): Stretch {
  const fields: string[] = [];
  const day = slotOf('DAY', from);
  for (let at = from; at < to; ) {
    const hour = Math.floor((at - day) / HOUR_MS);
    const isWholeHour = at % HOUR_MS === 0 && at + HOUR_MS <= to;
    fields.push(isWholeHour ? `hourly.${hour}` : `minute.${hour}.${Math.floor((at % HOUR_MS) / MINUTE_MS)}`);
    at += isWholeHour ? HOUR_MS : MINUTE_MS;
  }
  return { collection: dailyHits.collectionName, from: day, to: day + DAY_MS, fields };
}

/** At most three: the first month, the months in between, and the last month. */
function wholeDays(from: number, to: number): Stretch[] {
  const collection = monthlyHits.collectionName;
  const stretches: Stretch[] = [];
  for (let day = from; day < to; ) {
    const month = slotOf('MONTH', day);
    const monthEnd = nextSlot('MONTH', month);
    const end = day === month && monthEnd <= to ? slotOf('MONTH', to) : Math.min(monthEnd, to);
    const fields = end >= monthEnd && day === month ? DAYS_OF_MONTH : DAYS_OF_MONTH.slice(...dayNumbers(day, end));
    stretches.push({ collection, from: month, to: end, fields });
    day = end;
  }
  return stretches;
}

/** The start and end of a range of days within one month. */
function dayNumbers(from: number, to: number): [number, number] {
  const first = new Date(from).getUTCDate() - 1;
  return [first, first + (to - from) / DAY_MS];
}
