/** The current collections of the log: their size, time range and expiry. */
import type { Db, Document } from 'mongodb';
import { isActive, type ListedSegment, type LogGrowthDocument } from './log-growth.js';
import {
  countTimeSeries,
  isTimeSeries,
  losesByItself,
  segmentCollection,
  segmentDatabase,
  segmentName,
  spanOf,
} from './log-segment.js';

export interface LogCollection extends ListedSegment {
  readonly name: string;
  readonly database: string;
  readonly isActive: boolean;
  readonly events: number;
  readonly oldest: Date | null;
  readonly newest: Date | null;
  /** Size on disk, including indexes. */
  readonly bytes: number;
  /** Null if never under the current settings, or unknown. */
  readonly dropsAt: Date | null;
}

const AT_ONCE = 4;

/** Newest first. */
export async function findLogCollections(db: Db, growth: LogGrowthDocument): Promise<LogCollection[]> {
  const waiting = growth.segments.toReversed();
  const found: LogCollection[] = [];
  while (waiting.length > 0) {
    const next = waiting.splice(0, AT_ONCE);
    found.push(...(await Promise.all(next.map((segment) => describeSegment(db, growth, segment)))));
  }
  return found;
}

async function describeSegment(db: Db, growth: LogGrowthDocument, segment: ListedSegment): Promise<LogCollection> {
  const [{ events, diskBytes }, span] = await Promise.all([sizeOf(db, segment), spanOf(db, segment)]);
  return {
    ...segment,
    name: segmentName(segment),
    database: segmentDatabase(db, segment).databaseName,
    isActive: isActive(growth, segment),
    events,
    oldest: span?.oldest ?? null,
    newest: span?.newest ?? null,
    bytes: diskBytes,
    dropsAt: dropTime(growth, segment, span?.newest ?? null),
  };
}

/**
 * When everything in it will be outside of the window. Known only under an age limit, for a segment that receives no more requests and
 * from which the database removes none.
 */
function dropTime({ retention }: LogGrowthDocument, segment: ListedSegment, newest: Date | null): Date | null {
  const { until } = segment;
  if (!until || retention.max_age_ms === undefined || losesByItself(segment)) return null;
  return new Date((newest ?? until).getTime() + retention.max_age_ms);
}

export interface SegmentSize {
  readonly events: number;
  /** As BSON. For a time-series collection, the size of its buckets. */
  readonly dataBytes: number;
  readonly diskBytes: number;
}

export async function sizeOf(db: Db, segment: ListedSegment): Promise<SegmentSize> {
  const parts = await segmentStatistics(db, segment);
  const total = (field: string) => parts.reduce((sum, part) => sum + Number(part[field] ?? 0), 0);
  return {
    events: total('count'),
    dataBytes: total('size'),
    diskBytes: total('storageSize') + total('totalIndexSize'),
  };
}

/** The server's statistics, one document per shard, plus the number of requests for a time-series collection, which the server omits. */
export async function segmentStatistics(db: Db, segment: ListedSegment): Promise<Document[]> {
  const parts = await segmentCollection(db, segment)
    .aggregate([{ $collStats: { storageStats: {} } }])
    .toArray();
  const statistics = parts.map(({ storageStats }) => storageStats as Document);
  if (!isTimeSeries(segment) || statistics.length === 0) return statistics;
  return [...statistics, { count: await countTimeSeries(db, segment) }];
}
