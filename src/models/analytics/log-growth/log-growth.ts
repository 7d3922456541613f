/**
 * How the request log grows: which collections hold it, which one receives new requests, and what is kept. All of it is in one document.
 *
 * Source patterns: capped collection, TTL index, rotated collections, rotated databases (operational intelligence, chapter 4), and
 * time-series collections, which did not exist at the time of the source. The log is a list of segments, each a collection. All are
 * read, and the last one receives new requests. A change of strategy adds a segment. The others remain until everything in them is
 * outside of the window. Nothing is copied or renamed. A number is never reused, so a collection's name always means the same requests.
 *
 * Every change of the document is computed from the version that was read, and guarded by it: `commitGrowth`.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ClientSession, Db, MongoClient } from 'mongodb';
import { defineCollection, defineDocumentFeed } from '../../../database/index.js';
import { failpoint } from '../../../shared/failpoint.js';
import { MINUTE_MS } from '../../../shared/time.js';
import { createSegment, type LogSegment, type LogStrategy } from './log-segment.js';

/** The minimum that the log keeps. Without limits, it keeps everything. */
export interface LogRetention {
  /** For CAPPED: the newest requests up to this size in bytes, as BSON. */
  readonly max_bytes?: number;
  /** Requests younger than this are kept. Older ones are not shown and are removed eventually. */
  readonly max_age_ms?: number;
  /** For the rotated strategies: the number of collections, including the active one (`rotationMs`). */
  readonly collections?: number;
}

/** Requested or current growth settings. */
export interface GrowthGoal {
  readonly strategy: LogStrategy;
  readonly retention: LogRetention;
}

/** A segment with its position in time. */
export interface ListedSegment extends LogSegment {
  /** When it became active. */
  readonly since: Date;
  /** When it stopped being active. Absent in the active one. */
  readonly until?: Date;
  /** From its oldest to its newest request; null if it is empty. Absent while requests may still arrive. */
  readonly span?: LogSpan | null;
}

export interface LogSpan {
  readonly oldest: Date;
  readonly newest: Date;
}

/** A change that was noted but not finished. The next process to find it finishes it. */
export interface GrowthChange extends GrowthGoal {
  /** The segment that will become active. */
  readonly segment: LogSegment;
  /** Whether the same strategy continues with the next period's collection. */
  readonly is_rotation: boolean;
}

/** A segment that is no longer read or written. It is dropped when no process can hold an older version of this document. */
export interface RetiredSegment extends LogSegment {
  readonly retired_at: Date;
}

export interface LogGrowthDocument extends GrowthGoal {
  readonly _id: 'log';
  /** Incremented with every change. */
  readonly version: number;
  /** Oldest first. The last one is active. */
  readonly segments: readonly ListedSegment[];
  /** The next segment's number. */
  readonly next: number;
  readonly change: GrowthChange | null;
  readonly retired: readonly RetiredSegment[];
}

export const logGrowth = defineCollection<LogGrowthDocument>('log.growth');

/** The log's growth, followed live: the current state, then the state after every change. */
export const logGrowthFeed = defineDocumentFeed('log-growth', logGrowth, 'The log does not exist yet');

/**
 * How long a reader or writer may hold a version of the document: twice the longest query and twice the longest transaction. Writers
 * that take longer check again (`log-write.ts`).
 */
export const GRACE_MS = 2 * MINUTE_MS;

const FIRST: LogSegment = { number: 1, strategy: 'UNBOUNDED' };

/** Read for each query and each write: one document by its `_id`. The first call creates the document and the first segment. */
export async function findGrowth(db: Db, session?: ClientSession): Promise<LogGrowthDocument> {
  const found = await logGrowth(db).findOne({ _id: 'log' }, session ? { session } : {});
  return found ?? beginGrowth(db);
}

/** The last version read by this process, by client and database. */
const lastRead = new WeakMap<MongoClient, Map<string, LogGrowthDocument>>();

/**
 * Reads the log by the last known growth while checking whether it is still current. If it is not, reads again by the current one. So a
 * query takes one round trip instead of two, with the same result: about four fifths of the time for one caller, and no more work for many
 * (`npm run bench -- speculative-read`).
 */
export async function readByGrowth<T>(db: Db, read: (growth: LogGrowthDocument) => Promise<T>): Promise<T> {
  const known = lastRead.get(db.client)?.get(db.databaseName);
  const guess = known && read(known);
  guess?.catch(() => undefined); // reported below, if it matters
  const growth = await findGrowth(db);
  if (guess && isDeepStrictEqual(known, growth)) return guess; // not by version, which starts over when a backup is restored
  const ofClient = lastRead.get(db.client) ?? new Map<string, LogGrowthDocument>();
  lastRead.set(db.client, ofClient.set(db.databaseName, growth));
  return read(growth);
}

async function beginGrowth(db: Db): Promise<LogGrowthDocument> {
  await createSegment(db, FIRST);
  const begun = {
    _id: 'log',
    version: 1,
    strategy: FIRST.strategy,
    retention: {},
    segments: [{ ...FIRST, since: '$$NOW' }],
    next: FIRST.number + 1,
    change: null,
    retired: [],
  };
  const growth = await logGrowth(db).findOneAndUpdate(
    { _id: 'log' },
    [{ $replaceWith: { $cond: [{ $gt: ['$version', null] }, '$$ROOT', begun] } }], // a second call changes nothing
    { upsert: true, returnDocument: 'after' },
  );
  failpoint('log.growth.begun');
  if (!growth) throw new Error('The growth document of the log was removed while it was being created');
  return growth;
}

type Changed = Partial<Omit<LogGrowthDocument, '_id' | 'version'>>;

/**
 * The one way to change the document.
 * @param before the version that the change was computed from
 * @returns the document afterwards; null, with nothing written, when it was changed meanwhile
 */
export function commitGrowth(
  db: Db,
  before: LogGrowthDocument,
  changed: Changed,
  session?: ClientSession,
): Promise<LogGrowthDocument | null> {
  return logGrowth(db).findOneAndUpdate(
    { _id: 'log', version: before.version }, // guard: not changed since it was read
    { $set: changed, $inc: { version: 1 } },
    { returnDocument: 'after', ...(session && { session }) },
  );
}

/** The segment that receives new requests. */
export function activeSegment({ segments }: LogGrowthDocument): ListedSegment {
  const active = segments.at(-1);
  if (!active) throw new Error('The log has no segment');
  return active;
}

export function isActive(growth: LogGrowthDocument, { number }: LogSegment): boolean {
  return activeSegment(growth).number === number;
}

/** Requests before this time are outside of the window: not shown, not stored. Null if age is not limited. */
export function keptFrom({ retention }: Pick<GrowthGoal, 'retention'>, now: Date): Date | null {
  return retention.max_age_ms === undefined ? null : new Date(Math.max(0, now.getTime() - retention.max_age_ms));
}

/** How long a rotated segment is active: without the active one, the other collections hold the whole window. */
export function rotationMs({ retention }: Pick<GrowthGoal, 'retention'>): number | null {
  const { collections, max_age_ms } = retention;
  return collections === undefined || max_age_ms === undefined ? null : max_age_ms / (collections - 1);
}

/** Whether two goals are equal. */
export function isSameGoal(left: GrowthGoal, right: GrowthGoal): boolean {
  const [a, b] = [left.retention, right.retention];
  return (
    left.strategy === right.strategy &&
    a.max_bytes === b.max_bytes &&
    a.max_age_ms === b.max_age_ms &&
    a.collections === b.collections
  );
}
