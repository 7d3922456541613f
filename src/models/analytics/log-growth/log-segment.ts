/**
 * A segment of the request log is one collection, with one of six strategies. This file creates, measures and drops it. `log-form.ts`
 * describes how its documents differ between strategies. Everything else treats segments alike.
 */
import type { Collection, CreateCollectionOptions, Db, Document } from 'mongodb';
import { defineCollection, type IndexDeclaration, isServerError } from '../../../database/index.js';
import { SECOND_MS } from '../../../shared/time.js';

export const logStrategies = [
  'UNBOUNDED',
  'CAPPED',
  'TTL',
  'ROTATED_COLLECTIONS',
  'ROTATED_DATABASES',
  'TIME_SERIES',
] as const;
export type LogStrategy = (typeof logStrategies)[number];

export interface LogSegment {
  /** Starts at 1. Never reused. */
  readonly number: number;
  readonly strategy: LogStrategy;
  /** Only for CAPPED: the size in bytes, as BSON, that the newest requests may take. */
  readonly max_bytes?: number;
  /** Only for TTL and TIME_SERIES: the database removes older requests. Absent: it removes nothing. */
  readonly expires_after_ms?: number;
}

/** A request as stored. Fields logged as `-` or empty are undefined and not stored. */
export interface RequestFields {
  /** The client's address or name. */
  host: string;
  logname?: string | undefined;
  user?: string | undefined;
  time: Date;
  method?: string | undefined;
  /** With its query string. */
  path?: string | undefined;
  /** The path without its query string. */
  page?: string | undefined;
  protocol?: string | undefined;
  status: number;
  bytes?: number | undefined;
  referrer?: string | undefined;
  user_agent?: string | undefined;
}

export interface LogEventDocument extends RequestFields {
  /** For an import: its id and the line number, so that a line can be stored only once. Otherwise an ObjectId as text. */
  _id: string;
  /** The normalized hostname. */
  site: string;
  /** The id of the import that it came from. */
  import?: string;
}

/** Equality fields first, then the sort field, which is also the range. `_id` makes the order total, so that pages never overlap. */
export const logIndexes = {
  path: { site: 1, path: 1, time: 1, _id: 1 }, // findEvents of a path
  host: { site: 1, host: 1, time: 1, _id: 1 }, // findEvents of a host
  status: { site: 1, status: 1, time: 1, _id: 1 }, // findEvents of a status
  time: { site: 1, time: 1, _id: 1 }, // findEvents of a site, requestsByDayAndPage
} as const;

/**
 * Time-series collections have one index entry per bucket, not per request. An index on paths would hold the first and last path of each
 * bucket, which match most paths. So all lists are read by time, newest bucket first, and stop when the page is full.
 */
export const timeSeriesIndexes = {
  time: { 'meta.site': 1, time: 1 }, // findEvents, requestsByDayAndPage
  id: { _id: 1 }, // findEvent
  batch: { 'meta.import': 1, 'meta.first_line': 1 }, // log-loose-batch.ts
  ends: { time: 1 }, // spanOf
} as const;

/** MongoDB's TTL monitor needs an index on the time alone. */
export const expiryIndex = { time: 1 } as const;

const LOG = 'log.events';
/** Larger than any request, so that a full capped collection holds at least the requested size. */
const LARGEST_BYTES = 128 * 1024;

/** The first segment. The others are named after it, `log.events_2` and so on. `log-growth.ts` creates them all. */
export const logEvents = defineCollection<LogEventDocument>(
  LOG,
  Object.values(logIndexes).map((key) => ({ key })),
  { isSegmented: true },
);

export const segmentName = ({ number }: Pick<LogSegment, 'number'>): string =>
  number === 1 ? LOG : `${LOG}_${number}`;

/** Rotated databases hold one segment each. */
export function segmentDatabase(db: Db, { number, strategy }: LogSegment): Db {
  return strategy === 'ROTATED_DATABASES' ? db.client.db(rotatedDatabaseName(db, number)) : db;
}

export const rotatedDatabaseName = (db: Db, number: number): string => `${db.databaseName}_log_${number}`;

export function segmentCollection<T extends Document = LogEventDocument>(db: Db, segment: LogSegment): Collection<T> {
  return segmentDatabase(db, segment).collection<T>(segmentName(segment));
}

/** Capped and time-series collections do not support transactions. */
export const isTransactional = ({ strategy }: LogSegment): boolean =>
  strategy !== 'CAPPED' && strategy !== 'TIME_SERIES';

export const isTimeSeries = ({ strategy }: LogSegment): boolean => strategy === 'TIME_SERIES';

/** Whether the database removes requests from it individually. */
export const losesByItself = ({ strategy, expires_after_ms }: LogSegment): boolean =>
  strategy === 'CAPPED' || expires_after_ms !== undefined;

/** Creates the collection with its options and indexes. May be repeated and run concurrently. */
export async function createSegment(db: Db, segment: LogSegment): Promise<void> {
  await makeCollection(db, segment);
  await makeIndexes(db, segment, segmentIndexes(segment));
}

/**
 * Creates what is missing in an existing segment, for example after an upgrade, except for the expiry index: a change in progress may
 * just have removed it.
 */
export async function completeSegment(db: Db, segment: LogSegment): Promise<void> {
  await makeCollection(db, segment);
  await makeIndexes(db, segment, queryIndexes(segment));
}

async function makeCollection(db: Db, segment: LogSegment): Promise<void> {
  const creating = segmentDatabase(db, segment).createCollection(segmentName(segment), creationOptions(segment));
  await creating.catch((error: unknown) => {
    if (!isServerError(error, 'namespaceExists')) throw error;
  });
}

async function makeIndexes(db: Db, segment: LogSegment, indexes: readonly IndexDeclaration[]): Promise<void> {
  await segmentCollection(db, segment).createIndexes(indexes.map((index) => ({ ...index })) as never);
}

function creationOptions({ strategy, max_bytes = 0, expires_after_ms }: LogSegment): CreateCollectionOptions {
  if (strategy === 'CAPPED') return { capped: true, size: max_bytes + LARGEST_BYTES };
  if (strategy !== 'TIME_SERIES') return {};
  const timeseries = { timeField: 'time', metaField: 'meta', granularity: 'minutes' }; // a bucket spans at most a day
  return expires_after_ms === undefined
    ? { timeseries }
    : { timeseries, expireAfterSeconds: expires_after_ms / SECOND_MS };
}

export function segmentIndexes(segment: LogSegment): IndexDeclaration[] {
  const { strategy, expires_after_ms } = segment;
  if (strategy !== 'TTL' || expires_after_ms === undefined) return queryIndexes(segment);
  return [...queryIndexes(segment), { key: expiryIndex, expireAfterSeconds: expires_after_ms / SECOND_MS }];
}

const queryIndexes = (segment: LogSegment): IndexDeclaration[] =>
  Object.values(isTimeSeries(segment) ? timeSeriesIndexes : logIndexes).map((key) => ({ key }));

/** Stops the database from removing requests by age. May be repeated. */
export async function stopExpiry(db: Db, segment: LogSegment): Promise<void> {
  const target = segmentDatabase(db, segment);
  const stopping = isTimeSeries(segment)
    ? target.command({ collMod: segmentName(segment), expireAfterSeconds: 'off' })
    : target.collection(segmentName(segment)).dropIndex('time_1');
  await ignoreGone(stopping);
}

/** May be repeated. A rotated database is dropped as a whole. */
export async function dropSegment(db: Db, segment: LogSegment): Promise<void> {
  if (segment.strategy === 'ROTATED_DATABASES') await segmentDatabase(db, segment).dropDatabase();
  else await ignoreGone(segmentCollection(db, segment).drop());
}

async function ignoreGone(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!isServerError(error, 'namespaceNotFound', 'indexNotFound')) throw error;
  });
}

/** The times of the oldest and newest request of a segment. Null when it is empty. */
export async function spanOf(db: Db, segment: LogSegment): Promise<{ oldest: Date; newest: Date } | null> {
  const [oldest, newest] = await Promise.all([endOf(db, segment, 1), endOf(db, segment, -1)]);
  return oldest && newest ? { oldest, newest } : null;
}

/** The time of the first request in this order: finds the first one of each site with the index, then the first of these. */
async function endOf(db: Db, segment: LogSegment, order: 1 | -1): Promise<Date | null> {
  if (isTimeSeries(segment)) {
    const [found] = await segmentCollection(db, segment)
      .find({ time: { $gte: new Date(0) } }, { hint: timeSeriesIndexes.ends, projection: { time: 1 } })
      .sort({ time: order })
      .limit(1)
      .toArray();
    return found?.time ?? null;
  }
  const [found] = await segmentCollection(db, segment)
    .aggregate<{ time: Date }>([
      { $sort: { site: order, time: order } },
      { $group: { _id: '$site', time: { $first: '$time' } } },
      { $group: { _id: null, time: order === 1 ? { $min: '$time' } : { $max: '$time' } } },
    ])
    .toArray();
  return found?.time ?? null;
}

/** The number of requests in a time-series collection, which can only be read from the buckets themselves. */
export async function countTimeSeries(db: Db, segment: LogSegment): Promise<number> {
  const [counted] = await segmentCollection(db, segment)
    .aggregate<{ events: number }>([{ $match: { time: { $gte: new Date(0) } } }, { $count: 'events' }], {
      hint: timeSeriesIndexes.ends,
    })
    .toArray();
  return counted?.events ?? 0;
}
