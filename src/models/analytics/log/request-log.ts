/**
 * The request log: one document per request handled by a web server.
 * Source pattern: storing log data, one document per event with typed fields (operational intelligence, chapter 4).
 * `log-growth.ts` decides where the documents are stored. Queries here return the same results wherever they are.
 */
import type { Db, Filter } from 'mongodb';
import { findNewestFirst, isMaxTimeExpired } from '../../../database/index.js';
import { InputError } from '../../../shared/errors.js';
import { type Connection, type PageInput, requireFirst } from '../../../shared/page.js';
import { type DateRange, requireRange } from '../../../shared/time.js';
import { findGrowth, keptFrom, type LogGrowthDocument, readByGrowth } from '../log-growth/log-growth.js';
import type { LogEventDocument } from '../log-growth/log-segment.js';
import { normalizeHost } from '../sites/site.js';
import { findById, findNewest, type LogQuery, tooLong } from './segment-query.js';

export interface EventFilter {
  readonly site: string;
  readonly path?: string | null | undefined;
  readonly host?: string | null | undefined;
  readonly status?: number | null | undefined;
  /** The first digit of the status. Cannot be combined with `status`. */
  readonly statusClass?: number | null | undefined;
  readonly range?: DateRange | null | undefined;
}

const FIRST_MAX = 500;
export const QUERY_MS_MAX = 10_000;

/**
 * Requests, newest first. Path, host or status, in this order, selects the index. The other fields filter its results.
 * @throws LimitError `first` exceeds 500, or the query read so much that it took longer than QUERY_MS_MAX
 * @throws CursorError `after` is invalid or belongs to another filter
 */
export async function findEvents(
  db: Db,
  filter: EventFilter,
  page: PageInput,
  now: Date,
): Promise<Connection<LogEventDocument>> {
  requireFirst(page.first, FIRST_MAX);
  const query = eventQuery(filter);
  const list = `events ${JSON.stringify(query)}`;
  return readByGrowth(db, (growth) => {
    const read = (older: Filter<LogEventDocument>, limit: number) =>
      withinTime(() => findNewest(db, growth, { filter: older, index: indexFor(filter), limit }, QUERY_MS_MAX));
    return findNewestFirst({ list, moment: 'time', filter: withinWindow(query, growth, now), read }, page);
  });
}

/** Which of the log's indexes serves a filter. */
export function indexFor(filter: EventFilter): LogQuery['index'] {
  const given = (['path', 'host', 'status', 'statusClass'] as const).find((field) => filter[field] != null);
  return given === 'statusClass' ? 'status' : (given ?? 'time');
}

/** @throws InputError the site is not a hostname, the range is empty, or the status class is invalid or combined with a status */
export function eventQuery({ site, path, host, status, statusClass, range }: EventFilter): Filter<LogEventDocument> {
  const query: Filter<LogEventDocument> = { site: normalizeHost('filter.site', site) };
  if (path != null) query.path = path;
  if (host != null) query.host = host;
  if (status != null) query.status = status;
  if (statusClass != null) {
    if (status != null) throw new InputError('filter.statusClass', 'cannot be combined with status');
    query.status = { $in: statusesOf(statusClass) };
  }
  if (range) {
    const { from, to } = requireRange('filter.range', range);
    query.time = { $gte: from, $lt: to };
  }
  return query;
}

/**
 * All statuses of a class, listed individually: each is a section of the index with its requests in order, and the database merges up to
 * 200 of them. A range of statuses would be sorted in memory.
 */
function statusesOf(statusClass: number): number[] {
  if (statusClass < 1 || statusClass > 9) throw new InputError('filter.statusClass', 'must be from 1 to 9');
  return Array.from({ length: 100 }, (_, index) => 100 * statusClass + index);
}

/**
 * Requests outside of the window are not shown, whether or not they are still stored: each strategy removes them at a different time,
 * and the result must not depend on that.
 */
export function withinWindow(
  query: Filter<LogEventDocument>,
  growth: LogGrowthDocument,
  now: Date,
): Filter<LogEventDocument> {
  const kept = keptFrom(growth, now);
  const time = query.time as { $gte?: Date; $lt?: Date } | undefined;
  if (kept === null || (time?.$gte && time.$gte >= kept)) return query;
  return { ...query, time: { ...time, $gte: kept } };
}

/** @throws LimitError the query exceeded its time limit */
export async function withinTime<T>(query: () => Promise<T>, limitMs = QUERY_MS_MAX): Promise<T> {
  try {
    return await query();
  } catch (error) {
    if (!isMaxTimeExpired(error)) throw error;
    throw tooLong(limitMs);
  }
}

/** The request with this id. Null if there is none, or if it is outside of the window. */
export async function findEvent(db: Db, id: string, now: Date): Promise<LogEventDocument | null> {
  const growth = await findGrowth(db);
  const found = await findById(db, growth, id);
  const kept = keptFrom(growth, now);
  return found && kept && found.time < kept ? null : found;
}
