/**
 * Counting the log across its segments: `$unionWith` combines those of one database. It cannot access another one, so the counts of
 * several databases are merged here in the order of day and page, with only a day's top rows in memory.
 */
import type { AggregationCursor, Db, Document } from 'mongodb';
import type { ListedSegment } from '../log-growth/log-growth.js';
import {
  isTimeSeries,
  logIndexes,
  segmentCollection,
  segmentDatabase,
  segmentName,
  timeSeriesIndexes,
} from '../log-growth/log-segment.js';
import { storedFilter } from './log-form.js';

export interface DayPageRequests {
  /** 00:00 in UTC. */
  readonly day: Date;
  /** The path without its query string. */
  readonly page: string;
  readonly requests: number;
}

/** The requests to count. */
export interface ReportQuery {
  readonly site: string;
  readonly time: { readonly $gte: Date; readonly $lt: Date };
  readonly first: number;
}

const BY_DAY_AND_MOST = { '_id.day': 1, requests: -1, '_id.page': 1 } as const;
const BY_DAY_AND_PAGE = { '_id.day': 1, '_id.page': 1 } as const;

/** Rows by day, then most requests first, then by page. */
export async function countByDayAndPage(
  db: Db,
  segments: readonly ListedSegment[],
  query: ReportQuery,
  maxTimeMs: number,
): Promise<DayPageRequests[]> {
  const databases = byDatabase(db, segments);
  const [only] = databases;
  if (databases.length === 1 && only) return reportCursor(db, only, query, maxTimeMs).toArray();
  const cursors = databases.map((each) => groupCursor(db, each, query, BY_DAY_AND_PAGE, [], maxTimeMs));
  try {
    return await bestRows(mergeCounts(cursors), query.first);
  } finally {
    await Promise.all(cursors.map((cursor) => cursor.close()));
  }
}

/** The segments of each database. */
export function byDatabase(db: Db, segments: readonly ListedSegment[]): ListedSegment[][] {
  const databases = new Map<string, ListedSegment[]>();
  for (const segment of segments) {
    const { databaseName } = segmentDatabase(db, segment);
    databases.set(databaseName, [...(databases.get(databaseName) ?? []), segment]);
  }
  return [...databases.values()];
}

/** The report of segments that share a database. */
export function reportCursor(
  db: Db,
  segments: readonly ListedSegment[],
  query: ReportQuery,
  maxTimeMs: number,
): AggregationCursor<DayPageRequests> {
  return groupCursor(db, segments, query, BY_DAY_AND_MOST, [{ $limit: query.first }], maxTimeMs);
}

function groupCursor(
  db: Db,
  [first, ...others]: readonly ListedSegment[],
  query: ReportQuery,
  sort: Readonly<Record<string, 1 | -1>>,
  limit: readonly Document[],
  maxTimeMS: number,
): AggregationCursor<DayPageRequests> {
  if (!first) throw new Error('There are no segments to count');
  return segmentCollection(db, first).aggregate<DayPageRequests>(
    [
      ...daysAndPages(first, query),
      ...others.map((other) => ({
        $unionWith: { coll: segmentName(other), pipeline: daysAndPages(other, query) },
      })),
      { $group: { _id: { day: '$day', page: '$page' }, requests: { $sum: 1 } } },
      { $sort: sort },
      ...limit,
      { $project: { _id: 0, day: '$_id.day', page: '$_id.page', requests: 1 } },
    ],
    // Without UTF-8 validation: explain output truncates long texts, even in the middle of a character.
    {
      hint: isTimeSeries(first) ? timeSeriesIndexes.time : logIndexes.time,
      allowDiskUse: true,
      maxTimeMS,
      enableUtf8Validation: false,
    },
  );
}

function daysAndPages(segment: ListedSegment, { site, time }: ReportQuery): Document[] {
  const filter = storedFilter(segment, { site, time });
  return [
    { $match: { ...filter, page: { $exists: true } } },
    { $project: { _id: 0, page: 1, day: { $dateTrunc: { date: '$time', unit: 'day', timezone: 'UTC' } } } },
  ];
}

/** Merges the counts of several lists, each sorted by day and page, into one. */
export async function* mergeCounts(
  lists: readonly AsyncIterable<DayPageRequests>[],
): AsyncGenerator<DayPageRequests, void> {
  const heads = await Promise.all(lists.map((list) => Head.of(list)));
  for (;;) {
    const rows = heads.flatMap(({ row }) => (row ? [row] : []));
    const [least] = rows.sort(byDayAndPage);
    if (!least) return;
    const same = heads.filter(({ row }) => row && byDayAndPage(row, least) === 0);
    yield { ...least, requests: same.reduce((sum, { row }) => sum + (row?.requests ?? 0), 0) };
    await Promise.all(same.map((head) => head.advance()));
  }
}

/** A list, read row by row. */
class Head {
  row: DayPageRequests | null = null;
  readonly #rows: AsyncIterator<DayPageRequests>;

  private constructor(rows: AsyncIterator<DayPageRequests>) {
    this.#rows = rows;
  }

  static async of(list: AsyncIterable<DayPageRequests>): Promise<Head> {
    const head = new Head(list[Symbol.asyncIterator]());
    await head.advance();
    return head;
  }

  async advance(): Promise<void> {
    const { done, value } = await this.#rows.next();
    this.row = done ? null : value;
  }
}

/** From rows sorted by day and page, the first ones by day and most requests. */
async function bestRows(rows: AsyncIterable<DayPageRequests>, first: number): Promise<DayPageRequests[]> {
  const best: DayPageRequests[] = [];
  let ofDay: DayPageRequests[] = [];
  const endDay = () => {
    best.push(...ofDay.sort(byMost).slice(0, first - best.length));
    ofDay = [];
  };
  for await (const row of rows) {
    const [sameDay] = ofDay;
    if (sameDay && sameDay.day.getTime() !== row.day.getTime()) {
      endDay();
      if (best.length === first) return best;
    }
    ofDay.push(row);
    if (ofDay.length > 2 * first) ofDay = ofDay.sort(byMost).slice(0, first);
  }
  endDay();
  return best;
}

/** Compares texts like MongoDB: byte by byte. */
const compareTexts = (left: string, right: string): number =>
  left === right ? 0 : Buffer.compare(Buffer.from(left), Buffer.from(right));

const byDayAndPage = (left: DayPageRequests, right: DayPageRequests): number =>
  left.day.getTime() - right.day.getTime() || compareTexts(left.page, right.page);

const byMost = (left: DayPageRequests, right: DayPageRequests): number =>
  right.requests - left.requests || compareTexts(left.page, right.page);
