/**
 * Requests are written to the active segment. Two things could lose them when the log's growth changes at that moment:
 *
 * - An insert into a collection that was dropped makes a new one, without indexes or limits, that nobody reads. So inserts name the UUID
 *   of the collection that they mean, and the server refuses them when it is gone. Time-series do not look at the UUID: what protects
 *   them is that a segment is dropped only when it has long been neither active nor read (GRACE_MS, twice).
 * - A writer may be stopped between reading the growth and writing, for minutes. Whoever took that long looks again where it has written.
 */
import { performance } from 'node:perf_hooks';
import type { Binary, Db, MongoClient } from 'mongodb';
import {
  COLLECTION_UUID_MISMATCH,
  type Durability,
  insertEachInto,
  isInterruption,
  pauseBeforeAttempt,
  type RefusedDocument,
  timed,
  writeConcernOf,
} from '../../database/index.js';
import { BusyError } from '../../shared/errors.js';
import { insertEach, type RejectedItem, refusalOf } from './bulk-insert.js';
import { type LooseBatch, type StoredEvent, toStored } from './log-form.js';
import {
  activeSegment,
  commitGrowth,
  findGrowth,
  GRACE_MS,
  type LogGrowthDocument,
  type LogSpan,
} from './log-growth.js';
import {
  createSegment,
  isTimeSeries,
  type LogEventDocument,
  type LogSegment,
  segmentCollection,
  segmentDatabase,
  segmentName,
} from './log-segment.js';

const ATTEMPTS_MAX = 5;
const DUPLICATE_KEY = 11000;
const LONG_MS = GRACE_MS / 2;

/** The growth, and since when it is known. */
export interface KnownGrowth {
  readonly growth: LogGrowthDocument;
  /** By `performance.now()`, before it was read. */
  readonly begun: number;
}

export async function learnGrowth(db: Db): Promise<KnownGrowth> {
  const begun = performance.now();
  return { growth: await findGrowth(db), begun };
}

/** Stores requests in the active segment. @returns those that the database refused @throws BusyError */
export async function insertRequests(
  db: Db,
  learnt: KnownGrowth,
  requests: readonly LogEventDocument[],
  durability: Durability,
): Promise<readonly RejectedItem[]> {
  let known = learnt;
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const segment = activeSegment(known.growth);
    const refused = await insertInto(db, segment, requests, durability);
    if (refused && (performance.now() - known.begun < LONG_MS || (await areRead(db, segment, requests))))
      return refused;
    known = await learnGrowth(db);
  }
  throw new BusyError('The growth of the log changes too quickly');
}

/**
 * Stores requests in a segment. Of a batch, those that are there already are left alone.
 * @returns those that the database refused; null when the segment is gone
 */
export async function insertInto(
  db: Db,
  segment: LogSegment,
  requests: readonly LogEventDocument[],
  durability: Durability,
  batch?: LooseBatch,
): Promise<readonly RejectedItem[] | null> {
  const stored = requests.map((request) => toStored(segment, request, batch));
  // The driver repeats an insert whose answer was lost so that it counts once; a time-series has no unique `_id` that could tell.
  if (isTimeSeries(segment))
    return insertEach(timed(db, segmentCollection<StoredEvent>(db, segment)), stored, durability);
  const uuid = await learnUuid(db, segment);
  const refused = await insertOnce(db, segment, uuid, stored, durability);
  if (refused.some(({ code }) => code === COLLECTION_UUID_MISMATCH)) {
    forgetUuid(db, segment);
    return null;
  }
  return refused.map(({ index, code }) => ({ index, ...refusalOf(code) }));
}

/** Repeated when the connection breaks: those that are then there already were stored by the attempt before. */
async function insertOnce(
  db: Db,
  segment: LogSegment,
  uuid: Binary,
  stored: readonly StoredEvent[],
  durability: Durability,
): Promise<readonly RefusedDocument[]> {
  const target = { database: segmentDatabase(db, segment), collectionName: segmentName(segment), uuid };
  for (let attempt = 1; ; attempt += 1) {
    try {
      const refused = await insertEachInto(db, target, stored, writeConcernOf[durability]);
      return attempt === 1 ? refused : refused.filter(({ code }) => code !== DUPLICATE_KEY);
    } catch (error) {
      if (!isInterruption(error) || attempt === ATTEMPTS_MAX) throw error;
      await pauseBeforeAttempt(attempt + 1);
    }
  }
}

/**
 * After a write that took long: whether readers find it. The segment may have been closed meanwhile; then its span is widened. Until that
 * is done the write is not acknowledged.
 * @returns false when the segment is not read any more: store the requests again
 */
export async function areRead(
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
  throw new BusyError('The growth of the log changes too quickly');
}

const widest = (left: LogSpan | null, right: LogSpan): LogSpan =>
  left === null
    ? right
    : {
        oldest: left.oldest < right.oldest ? left.oldest : right.oldest,
        newest: left.newest > right.newest ? left.newest : right.newest,
      };

/** By client, then by namespace. A name is never used twice, so what was learnt stays right until the segment is dropped. */
const learnt = new WeakMap<MongoClient, Map<string, Binary>>();

/** The UUID of a segment's collection. One that is listed but was dropped by hand is made again. */
export async function learnUuid(db: Db, segment: LogSegment): Promise<Binary> {
  const uuids = learnt.get(db.client) ?? new Map<string, Binary>();
  learnt.set(db.client, uuids);
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
  throw new BusyError(`The collection ${namespace} cannot be made`);
}

export function forgetUuid(db: Db, segment: LogSegment): void {
  learnt.get(db.client)?.delete(segmentCollection(db, segment).namespace);
}
