/** Requests counted per day and page, and what the database does for a query of the log. */
import type { AggregationCursor, Db } from 'mongodb';
import { type Explanation, readExplanation } from '../../database/index.js';
import { requireFirst } from '../../shared/connection.js';
import { InputError } from '../../shared/errors.js';
import { type DateRange, requireRange } from '../../shared/time.js';
import { type EventFilter, eventCursor, eventQuery, logEvents, logIndexes, withinTime } from './request-log.js';
import { normaliseHost } from './site.js';

export interface DayPageRequests {
  /** 00:00 in UTC. */
  readonly day: Date;
  /** The path without its query string. */
  readonly page: string;
  readonly requests: number;
}

const ROWS_MAX = 10_000;
const REPORT_MS_MAX = 60_000;
const EXPLAINED_FIRST = 50; // the default page of `events`
const EXPLAINED_ROWS = 1000; // the default of `requestsByDayAndPage`

/**
 * Requests per day and page, by day, then most requests first, then by page. Requests without a path are left out.
 * Reads every request of the range by the index `{site, time, _id}`; the groups are sorted in memory, on disk if they are many.
 * @param first rows, 1 to 10,000
 * @throws LimitError `first` is over 10,000, or it took REPORT_MS_MAX
 */
export async function requestsByDayAndPage(
  db: Db,
  site: string,
  range: DateRange,
  first: number,
): Promise<DayPageRequests[]> {
  requireFirst(first, ROWS_MAX);
  return withinTime(() => reportCursor(db, normaliseHost('site', site), range, first).toArray(), REPORT_MS_MAX);
}

function reportCursor(db: Db, site: string, range: DateRange, first: number): AggregationCursor<DayPageRequests> {
  const { from, to } = requireRange('range', range);
  return logEvents(db).aggregate<DayPageRequests>(
    [
      { $match: { site, time: { $gte: from, $lt: to }, page: { $exists: true } } },
      { $project: { _id: 0, page: 1, day: { $dateTrunc: { date: '$time', unit: 'day', timezone: 'UTC' } } } },
      { $group: { _id: { day: '$day', page: '$page' }, requests: { $sum: 1 } } },
      { $sort: { '_id.day': 1, requests: -1, '_id.page': 1 } },
      { $limit: first },
      { $project: { _id: 0, day: '$_id.day', page: '$_id.page', requests: 1 } },
    ],
    // Without validation: explanations cut long texts, also in the middle of a character.
    { hint: logIndexes.time, allowDiskUse: true, maxTimeMS: REPORT_MS_MAX, enableUtf8Validation: false },
  );
}

export type LogQuery = 'EVENTS' | 'REQUESTS_BY_DAY_AND_PAGE';

/**
 * Runs a query as its function would, with the first page's size, and tells what the database did.
 * @param filter for REQUESTS_BY_DAY_AND_PAGE its site and its range, which must be there
 * @throws InputError see the query's function
 */
export async function explainEvents(db: Db, filter: EventFilter, query: LogQuery): Promise<Explanation> {
  const cursor = query === 'EVENTS' ? explainedEvents(db, filter) : explainedReport(db, filter);
  return readExplanation(await withinTime(() => cursor.explain('executionStats')));
}

const explainedEvents = (db: Db, filter: EventFilter) =>
  eventCursor(db, filter, eventQuery(filter), EXPLAINED_FIRST + 1);

function explainedReport(db: Db, { site, range }: EventFilter) {
  if (!range) throw new InputError('filter.range', 'must be given for REQUESTS_BY_DAY_AND_PAGE');
  return reportCursor(db, normaliseHost('filter.site', site), range, EXPLAINED_ROWS);
}
