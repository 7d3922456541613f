/** Request counts per day and page, and explanations of log queries. */
import type { Db } from 'mongodb';
import { type Explanation, readExplanation } from '../../../database/index.js';
import { InputError } from '../../../shared/errors.js';
import { requireFirst } from '../../../shared/page.js';
import { type DateRange, requireRange } from '../../../shared/time.js';
import { findGrowth, type LogGrowthDocument, readByGrowth } from '../log-growth/log-growth.js';
import { normalizeHost } from '../sites/site.js';
import { type EventFilter, eventQuery, indexFor, QUERY_MS_MAX, withinTime, withinWindow } from './request-log.js';
import {
  byDatabase,
  countByDayAndPage,
  type DayPageRequests,
  type ReportQuery,
  reportCursor,
} from './segment-counts.js';
import { segmentCursor, segmentsOf } from './segment-query.js';

const ROWS_MAX = 10_000;
const REPORT_MS_MAX = 60_000;
const EXPLAINED_FIRST = 50; // the default page of `events`
const EXPLAINED_ROWS = 1000; // the default of `requestsByDayAndPage`

/**
 * Requests per day and page, sorted by day, then by most requests, then by page. Requests without a path are excluded.
 * Reads every request of the range by the index `{site, time, _id}`. The groups are sorted in memory, or on disk if there are many.
 * @param first rows, 1 to 10,000
 * @throws LimitError `first` exceeds 10,000, or the query took REPORT_MS_MAX
 */
export async function requestsByDayAndPage(
  db: Db,
  site: string,
  range: DateRange,
  first: number,
  now: Date,
): Promise<DayPageRequests[]> {
  requireFirst(first, ROWS_MAX);
  const host = normalizeHost('site', site);
  requireRange('range', range);
  return readByGrowth(db, async (growth) => {
    const query = reportQuery(host, range, first, growth, now);
    if (!query) return [];
    const segments = segmentsOf(growth, query.time);
    return withinTime(() => countByDayAndPage(db, segments, query, REPORT_MS_MAX), REPORT_MS_MAX);
  });
}

/** @returns null when the whole range is outside of the window */
function reportQuery(
  site: string,
  { from, to }: DateRange,
  first: number,
  growth: LogGrowthDocument,
  now: Date,
): ReportQuery | null {
  const { time } = withinWindow({ site, time: { $gte: from, $lt: to } }, growth, now);
  const { $gte, $lt } = time as ReportQuery['time'];
  return $gte < $lt ? { site, time: { $gte, $lt }, first } : null;
}

export type LogQueryName = 'EVENTS' | 'REQUESTS_BY_DAY_AND_PAGE';

/**
 * Runs a query as its function would, with the default page size, and reports what the database did. For a log in several collections the
 * figures are sums over all that may hold matching requests, although the query itself skips older ones once the page is full.
 * @param filter for REQUESTS_BY_DAY_AND_PAGE its site and its range, which is required
 * @throws InputError see the query's function
 */
export async function explainEvents(db: Db, filter: EventFilter, query: LogQueryName, now: Date): Promise<Explanation> {
  const growth = await findGrowth(db);
  const cursors =
    query === 'EVENTS' ? explainedEvents(db, filter, growth, now) : explainedReport(db, filter, growth, now);
  const explanations: Explanation[] = [];
  for (const cursor of cursors) {
    explanations.push(readExplanation(await withinTime(() => cursor.explain('executionStats'))));
  }
  return sumOf(explanations);
}

function explainedEvents(db: Db, filter: EventFilter, growth: LogGrowthDocument, now: Date) {
  const kept = withinWindow(eventQuery(filter), growth, now);
  const query = { filter: kept, index: indexFor(filter), limit: EXPLAINED_FIRST + 1 };
  return segmentsOf(growth, kept.time as object | undefined).map((segment) =>
    segmentCursor(db, segment, query, QUERY_MS_MAX),
  );
}

function explainedReport(db: Db, { site, range }: EventFilter, growth: LogGrowthDocument, now: Date) {
  if (!range) throw new InputError('filter.range', 'is required for REQUESTS_BY_DAY_AND_PAGE');
  const host = normalizeHost('filter.site', site);
  requireRange('filter.range', range);
  const query = reportQuery(host, range, EXPLAINED_ROWS, growth, now);
  if (!query) return [];
  return byDatabase(db, segmentsOf(growth, query.time)).map((segments) =>
    reportCursor(db, segments, query, REPORT_MS_MAX),
  );
}

function sumOf(explanations: readonly Explanation[]): Explanation {
  const [only, ...others] = explanations;
  if (only && others.length === 0) return only;
  const sum = (figure: (one: Explanation) => number) => explanations.reduce((total, one) => total + figure(one), 0);
  return {
    stages: [...new Set(explanations.flatMap(({ stages }) => stages))],
    indexName: explanations.map(({ indexName }) => indexName).find((name) => name !== null) ?? null,
    keysExamined: sum(({ keysExamined }) => keysExamined),
    documentsExamined: sum(({ documentsExamined }) => documentsExamined),
    returned: sum(({ returned }) => returned),
    milliseconds: sum(({ milliseconds }) => milliseconds),
  };
}
