/**
 * How the request log grows: which collections hold it, which of them takes what is new, and what is kept. All of it is one document.
 *
 * Source patterns: capped collection, TTL index, rotated collections, rotated databases (operational intelligence, chapter 4), and
 * time-series collections, which the source could not have. The log is a list of segments, a collection each. All are read, the last
 * takes what is new. A change of strategy adds a segment; the others stay where they are until all in them is outside of the window.
 * Nothing is copied or renamed: a number is never used twice, so a collection's name always means the same requests.
 *
 * Every change of the document is computed from the version that was read, and guarded by it: `commitGrowth`.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ClientSession, Db, MongoClient } from 'mongodb';
import { defineCollection, defineDocumentFeed } from '../../database/index.js';
import { failpoint } from '../../shared/failpoint.js';
import { MINUTE_MS } from '../../shared/time.js';
import { createSegment, type LogSegment, type LogStrategy } from './log-segment.js';

/** What is kept at least. */
export interface LogRetention {
  /** Of CAPPED: the newest requests up to so many bytes, as BSON. */
  readonly max_bytes?: number;
  /** Requests younger than this are kept. Older ones are not shown, and go when it is convenient. */
  readonly max_age_ms?: number;
  /** Of the rotated ones: into how many collections the window is cut. */
  readonly collections?: number;
}

/** What the growth is to be, or is. */
export interface GrowthGoal {
  readonly strategy: LogStrategy;
  readonly retention: LogRetention;
}

/** A segment with its place in the log's life. */
export interface ListedSegment extends LogSegment {
  /** When it became the active one. */
  readonly since: Date;
  /** When another one did. Absent: it is the active one. */
  readonly until?: Date;
  /** From the oldest request in it to the newest; null: it is empty. Absent: requests may still arrive in it. */
  readonly span?: LogSpan | null;
}

export interface LogSpan {
  readonly oldest: Date;
  readonly newest: Date;
}

/** A change that was noted and not yet finished. Whoever comes next finishes it. */
export interface GrowthChange extends GrowthGoal {
  /** What is to become the active one. */
  readonly segment: LogSegment;
  /** The same strategy goes on with the next period's collection. */
  readonly is_rotation: boolean;
}

/** A segment that nobody reads or writes any more. It is dropped when nobody can still hold an older version of this document. */
export interface RetiredSegment extends LogSegment {
  readonly retired_at: Date;
}

export interface LogGrowthDocument extends GrowthGoal {
  readonly _id: 'log';
  /** Rises with every change. */
  readonly version: number;
  /** The oldest first. The last is the active one. */
  readonly segments: readonly ListedSegment[];
  /** The next segment's number. */
  readonly next: number;
  readonly change: GrowthChange | null;
  readonly retired: readonly RetiredSegment[];
}

export const logGrowth = defineCollection<LogGrowthDocument>('log.growth');

/** The log's growth, followed live: as it stands, then again after every change. */
export const logGrowthFeed = defineDocumentFeed('log-growth', logGrowth, 'The log has not begun yet');

/**
 * How long a reader or writer may hold a version of the document: twice the longest query, and twice the longest transaction. Whoever
 * takes longer looks again (`log-write.ts`).
 */
export const GRACE_MS = 2 * MINUTE_MS;

const FIRST: LogSegment = { number: 1, strategy: 'UNBOUNDED' };

/** Read anew for each query and each write: one document by its `_id`. The first call makes the document and the first segment. */
export async function findGrowth(db: Db, session?: ClientSession): Promise<LogGrowthDocument> {
  const found = await logGrowth(db).findOne({ _id: 'log' }, session ? { session } : {});
  return found ?? beginGrowth(db);
}

/** As it was last read, by client, then by database: a process has one. */
const lastRead = new WeakMap<MongoClient, Map<string, LogGrowthDocument>>();

/**
 * Reads the log by the growth as this process last knew it, while it looks whether that is still so; if not, reads again by the present
 * one. So a query waits for one round trip instead of two, and answers what it would have answered.
 */
export async function readByGrowth<T>(db: Db, read: (growth: LogGrowthDocument) => Promise<T>): Promise<T> {
  const known = lastRead.get(db.client)?.get(db.databaseName);
  const guess = known && read(known);
  guess?.catch(() => undefined); // told below, if it counts
  const growth = await findGrowth(db);
  if (guess && isDeepStrictEqual(known, growth)) return guess; // not by the version: a backup that is put back counts it anew
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
    [{ $replaceWith: { $cond: [{ $gt: ['$version', null] }, '$$ROOT', begun] } }], // whoever comes second changes nothing
    { upsert: true, returnDocument: 'after', writeConcern: { w: 'majority' } },
  );
  failpoint('log.growth.begun');
  if (!growth) throw new Error('The growth of the log was removed while it was made');
  return growth;
}

type Changed = Partial<Omit<LogGrowthDocument, '_id' | 'version'>>;

/**
 * The one way to change the document.
 * @param before what the change was computed from
 * @returns the document after it; null when somebody else has changed it meanwhile, and then nothing is written
 */
export function commitGrowth(
  db: Db,
  before: LogGrowthDocument,
  changed: Changed,
  session?: ClientSession,
): Promise<LogGrowthDocument | null> {
  return logGrowth(db).findOneAndUpdate(
    { _id: 'log', version: before.version }, // guard: nobody has changed anything since it was read
    { $set: changed, $inc: { version: 1 } },
    { returnDocument: 'after', ...(session ? { session } : { writeConcern: { w: 'majority' } }) },
  );
}

/** The segment that takes what is new. */
export function activeSegment({ segments }: LogGrowthDocument): ListedSegment {
  const active = segments.at(-1);
  if (!active) throw new Error('The log has no segment');
  return active;
}

export function isActive(growth: LogGrowthDocument, { number }: LogSegment): boolean {
  return activeSegment(growth).number === number;
}

/** Requests from before this moment are outside of the window: not shown, not stored. Null: none are, by their age. */
export function keptFrom({ retention }: Pick<GrowthGoal, 'retention'>, now: Date): Date | null {
  return retention.max_age_ms === undefined ? null : new Date(Math.max(0, now.getTime() - retention.max_age_ms));
}

/** How long a rotated segment is active: with one fewer than there are collections, the others hold the whole window. */
export function rotationMs({ retention }: Pick<GrowthGoal, 'retention'>): number | null {
  const { collections, max_age_ms } = retention;
  return collections === undefined || max_age_ms === undefined ? null : max_age_ms / (collections - 1);
}

/** Whether two goals are the same. */
export function isSameGoal(left: GrowthGoal, right: GrowthGoal): boolean {
  const [a, b] = [left.retention, right.retention];
  return (
    left.strategy === right.strategy &&
    a.max_bytes === b.max_bytes &&
    a.max_age_ms === b.max_age_ms &&
    a.collections === b.collections
  );
}
