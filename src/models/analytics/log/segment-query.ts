/**
 * Reading the log across its segments: each is queried for its newest requests, in order, and the results are merged here. A segment that
 * accepts no more requests has a span, so that segments outside of the requested time range are skipped.
 */
import { performance } from 'node:perf_hooks';
import type { Db, Filter, FindCursor, IndexSpecification } from 'mongodb';
import { LimitError } from '../../../shared/errors.js';
import type { ListedSegment, LogGrowthDocument } from '../log-growth/log-growth.js';
import {
  isTimeSeries,
  type LogEventDocument,
  logIndexes,
  segmentCollection,
  timeSeriesIndexes,
} from '../log-growth/log-segment.js';
import { fromStored, type StoredEvent, storedFilter } from './log-form.js';

const AT_ONCE = 4;

/** A query that returns requests of the log. */
export interface LogQuery {
  readonly filter: Filter<LogEventDocument>;
  readonly index: keyof typeof logIndexes;
  readonly limit: number;
}

/** The bounds of a filter's time range. */
interface TimeBounds {
  readonly $gte?: Date;
  readonly $lt?: Date;
  readonly $lte?: Date;
}

/** The segments that may hold requests in this time range, newest first. */
export function segmentsOf({ segments }: LogGrowthDocument, time: TimeBounds = {}): ListedSegment[] {
  const { $gte: from, $lt: before, $lte: to } = time;
  return segments
    .filter(({ span }) => {
      if (span === undefined) return true;
      if (span === null || (from && span.newest < from)) return false;
      return !((before && span.oldest >= before) || (to && span.oldest > to));
    })
    .sort((left, right) => newestOf(right) - newestOf(left) || right.number - left.number);
}

/** The upper bound for the times of the segment's requests. Milliseconds since 1970. */
const newestOf = ({ span }: ListedSegment): number => span?.newest.getTime() ?? Number.POSITIVE_INFINITY;

/**
 * The newest requests, newest first.
 * @throws LimitError it took longer than `limitMs`
 */
export async function findNewest(
  db: Db,
  growth: LogGrowthDocument,
  query: LogQuery,
  limitMs: number,
): Promise<LogEventDocument[]> {
  const deadline = performance.now() + limitMs;
  const waiting = segmentsOf(growth, query.filter.time as TimeBounds | undefined);
  let found: LogEventDocument[] = [];
  for (let next = waiting.splice(0, 1); next[0]; next = waiting.splice(0, AT_ONCE)) {
    const last = found[query.limit - 1];
    if (last && newestOf(next[0]) < last.time.getTime()) break; // neither this segment nor those after it can contribute to the page
    const leftMs = Math.ceil(deadline - performance.now());
    if (leftMs <= 0) throw tooLong(limitMs);
    const lists = await Promise.all(next.map((segment) => readSegment(db, segment, query, leftMs)));
    found = [...found, ...lists.flat()].sort(newestFirst).slice(0, query.limit);
  }
  return found;
}

export const tooLong = (limitMs: number): LimitError =>
  new LimitError(`The query did not finish within ${limitMs / 1000} seconds. Ask for a shorter range`, limitMs);

const newestFirst = (left: LogEventDocument, right: LogEventDocument): number =>
  right.time.getTime() - left.time.getTime() || (left._id < right._id ? 1 : -1);

async function readSegment(
  db: Db,
  segment: ListedSegment,
  query: LogQuery,
  maxTimeMs: number,
): Promise<LogEventDocument[]> {
  const found = await segmentCursor(db, segment, query, maxTimeMs).toArray();
  const last = found.at(-1);
  const whole = !isTimeSeries(segment) || !last || found.length < query.limit;
  if (whole) return found.map(fromStored);
  // A time-series collection is read by time alone: at the last point in time, requests with the highest `_id` may be missing.
  const ofLast = await segmentCollection<StoredEvent>(db, segment)
    .find({ ...storedFilter(segment, query.filter), time: last.time }, options(segment, query, maxTimeMs))
    .sort({ time: -1, _id: -1 })
    .limit(query.limit)
    .toArray();
  return [...found.filter(({ time }) => time > last.time), ...ofLast].map(fromStored);
}

/** The query for one segment, which `explainEvents` runs as well. */
export function segmentCursor(
  db: Db,
  segment: ListedSegment,
  query: LogQuery,
  maxTimeMs: number,
): FindCursor<StoredEvent> {
  return segmentCollection<StoredEvent>(db, segment)
    .find(storedFilter(segment, query.filter), options(segment, query, maxTimeMs))
    .sort(isTimeSeries(segment) ? { time: -1 } : { time: -1, _id: -1 }) // a time series is read bucket by bucket, and stops early
    .limit(query.limit);
}

function options(segment: ListedSegment, { index, limit: batchSize }: LogQuery, maxTimeMS: number) {
  const hint: IndexSpecification = isTimeSeries(segment) ? timeSeriesIndexes.time : logIndexes[index];
  // Without UTF-8 validation: explain output truncates long texts, even in the middle of a character.
  // One batch: with the default size of 101, a longer page takes a second round trip.
  return { hint, maxTimeMS, batchSize, enableUtf8Validation: false } as const;
}

/** The request with this id, in any segment. Null when there is none. */
export async function findById(db: Db, growth: LogGrowthDocument, id: string): Promise<LogEventDocument | null> {
  const waiting = segmentsOf(growth);
  for (let next = waiting.splice(0, AT_ONCE); next.length > 0; next = waiting.splice(0, AT_ONCE)) {
    const found = await Promise.all(
      next.map((segment) => segmentCollection<StoredEvent>(db, segment).findOne({ _id: id })),
    );
    const stored = found.find((each) => each !== null);
    if (stored) return fromStored(stored);
  }
  return null;
}
