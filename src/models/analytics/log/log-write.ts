/**
 * Requests are written to the active segment. Two things could lose them when the growth of the log changes at that moment:
 *
 * - An insert into a dropped collection would create a new one, without indexes or limits, that is never read. So inserts contain the
 *   UUID of the intended collection, and the server rejects them when it no longer exists. Time-series collections ignore the UUID.
 *   They are protected because a segment is dropped only long after it was last active or read (GRACE_MS, twice).
 * - A writer may be paused for minutes between reading the growth and writing. A writer that took that long checks its segment again.
 */
import { performance } from 'node:perf_hooks';
import type { Binary, Db, MongoClient } from 'mongodb';
import {
  type Durability,
  insertEachInto,
  isInterruption,
  pauseBeforeAttempt,
  type RejectedDocument,
  serverCodes,
  timed,
  writeConcernOf,
} from '../../../database/index.js';
import { insertEach, rejectionOf } from '../../../database/writes/bulk-insert.js';
import type { RejectedItem } from '../../../shared/bulk-items.js';
import { BusyError } from '../../../shared/errors.js';
import {
  activeSegment,
  commitGrowth,
  findGrowth,
  GRACE_MS,
  type LogGrowthDocument,
  type LogSpan,
} from '../log-growth/log-growth.js';
import {
  createSegment,
  isTimeSeries,
  type LogEventDocument,
  type LogSegment,
  segmentCollection,
  segmentDatabase,
  segmentName,
} from '../log-growth/log-segment.js';
import { type LooseBatch, type StoredEvent, toStored } from './log-form.js';

const ATTEMPTS_MAX = 5;
const LONG_MS = GRACE_MS / 2;

/** The growth, and when it was read. */
export interface KnownGrowth {
  readonly growth: LogGrowthDocument;
  /** `performance.now()` before it was read. */
  readonly begun: number;
}

export async function learnGrowth(db: Db): Promise<KnownGrowth> {
  const begun = performance.now();
  return { growth: await findGrowth(db), begun };
}

/** Stores requests in the active segment. @returns the requests that the database rejected @throws BusyError */
export async function insertRequests(
  db: Db,
  learned: KnownGrowth,
  requests: readonly LogEventDocument[],
  durability: Durability,
): Promise<readonly RejectedItem[]> {
  let known = learned;
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const segment = activeSegment(known.growth);
    const rejected = await insertInto(db, segment, requests, durability);
    if (rejected && (performance.now() - known.begun < LONG_MS || (await keepReadable(db, segment, requests))))
      return rejected;
    known = await learnGrowth(db);
  }
  throw new BusyError('The growth settings of the log are changing too quickly');
}

/**
 * Stores requests in a segment. For a batch, requests that are already stored are left alone.
 * @returns the requests that the database rejected; null when the segment no longer exists
 */
export async function insertInto(
  db: Db,
  segment: LogSegment,
  requests: readonly LogEventDocument[],
  durability: Durability,
  batch?: LooseBatch,
): Promise<readonly RejectedItem[] | null> {
  const stored = requests.map((request) => toStored(segment, request, batch));
  // The driver retries an insert whose response was lost, and it takes effect once. A time series has no unique `_id` to ensure that.
  if (isTimeSeries(segment))
    return insertEach(timed(db, segmentCollection<StoredEvent>(db, segment)), stored, durability);
  const uuid = await learnUuid(db, segment);
  const rejected = await insertOnce(db, segment, uuid, stored, durability);
  if (rejected.some(({ code }) => code === serverCodes.collectionReplaced)) {
    forgetUuid(db, segment);
    return null;
  }
  return rejected.map(({ index, code }) => ({ index, ...rejectionOf(code) }));
}

/** Retries when the connection breaks. Requests that exist by then were stored by the previous attempt. */
async function insertOnce(
  db: Db,
  segment: LogSegment,
  uuid: Binary,
  stored: readonly StoredEvent[],
  durability: Durability,
): Promise<readonly RejectedDocument[]> {
  const target = { database: segmentDatabase(db, segment), collectionName: segmentName(segment), uuid };
  for (let attempt = 1; ; attempt += 1) {
    try {
      const rejected = await insertEachInto(db, target, stored, writeConcernOf[durability]);
      return attempt === 1 ? rejected : rejected.filter(({ code }) => code !== serverCodes.duplicateKey);
    } catch (error) {
      if (!isInterruption(error) || attempt === ATTEMPTS_MAX) throw error;
      await pauseBeforeAttempt(attempt + 1);
    }
  }
}

/**
 * After a slow write, ensures that readers find it. The segment may have been closed meanwhile. Then its span is widened before the write
 * is acknowledged.
 * @returns false when the segment is no longer read and the requests must be stored again
 */
export async function keepReadable(
  db: Db,
  { number }: LogSegment,
  requests: readonly Pick<LogEventDocument, 'time'>[],
): Promise<boolean> {
  const times = requests.map(({ time }) => time.getTime());
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const growth = await findGrowth(db);
    const segment = growth.segments.find((each) => each.number === number);
    if (!segment) return false;
    if (segment.span === undefined) return true;
    const span = widest(segment.span, { oldest: new Date(Math.min(...times)), newest: new Date(Math.max(...times)) });
    const segments = growth.segments.map((each) => (each.number === number ? { ...each, span } : each));
    if (await commitGrowth(db, growth, { segments })) return true;
  }
  throw new BusyError('The growth settings of the log are changing too quickly');
}

const widest = (left: LogSpan | null, right: LogSpan): LogSpan =>
  left === null
    ? right
    : {
        oldest: left.oldest < right.oldest ? left.oldest : right.oldest,
        newest: left.newest > right.newest ? left.newest : right.newest,
      };

/** By client, then by namespace. A name is never reused, so a UUID stays valid until the segment is dropped. */
const learned = new WeakMap<MongoClient, Map<string, Binary>>();

/** The UUID of a segment's collection. A listed collection that was dropped manually is created again. */
export async function learnUuid(db: Db, segment: LogSegment): Promise<Binary> {
  const uuids = learned.get(db.client) ?? new Map<string, Binary>();
  learned.set(db.client, uuids);
  const { namespace } = segmentCollection(db, segment);
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const known = uuids.get(namespace);
    if (known) return known;
    const [found] = await segmentDatabase(db, segment)
      .listCollections({ name: segmentName(segment) })
      .toArray();
    const uuid = found && 'info' in found ? found.info?.uuid : undefined;
    if (uuid) uuids.set(namespace, uuid);
    else await createSegment(db, segment);
  }
  throw new BusyError(`The collection ${namespace} cannot be created`);
}

export function forgetUuid(db: Db, segment: LogSegment): void {
  learned.get(db.client)?.delete(segmentCollection(db, segment).namespace);
}
