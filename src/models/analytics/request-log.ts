/**
 * The request log: one document for each request that a web server answered.
 * Source pattern: storing log data, one document per event with typed fields (operational intelligence, chapter 4).
 */
import { type Db, type Filter, type FindCursor, MongoServerError } from 'mongodb';
import { defineCollection, findNewestFirst } from '../../database/index.js';
import { type Connection, type PageInput, requireFirst } from '../../shared/connection.js';
import { LimitError } from '../../shared/errors.js';
import { type DateRange, requireRange } from '../../shared/time.js';
import type { RequestFields } from './log-line.js';
import { normaliseHost } from './site.js';

export interface LogEventDocument extends RequestFields {
  /** Of an import: its id and the line's number, so that a line can be stored only once. Otherwise an ObjectId as text. */
  _id: string;
  /** The host name in normal form. */
  site: string;
  /** The id of the import that brought it. */
  import?: string;
}

/** Equality first, then the sort order, which is the range as well; `_id` makes the order total, so that pages never overlap. */
export const logIndexes = {
  path: { site: 1, path: 1, time: 1, _id: 1 }, // findEvents of a path
  host: { site: 1, host: 1, time: 1, _id: 1 }, // findEvents of a host
  status: { site: 1, status: 1, time: 1, _id: 1 }, // findEvents of a status
  time: { site: 1, time: 1, _id: 1 }, // findEvents of a site, requestsByDayAndPage
} as const;

export const logEvents = defineCollection<LogEventDocument>(
  'log.events',
  Object.values(logIndexes).map((key) => ({ key })),
);

export interface EventFilter {
  readonly site: string;
  readonly path?: string | null | undefined;
  readonly host?: string | null | undefined;
  readonly status?: number | null | undefined;
  readonly range?: DateRange | null | undefined;
}

const FIRST_MAX = 500;
const QUERY_MS_MAX = 10_000;
const MAX_TIME_EXPIRED = 50;

/**
 * Requests, newest first. One of path, host and status picks the index, in this order; the rest filters what it gives.
 * @throws LimitError `first` is over 500, or the filter leaves so much to read that it took QUERY_MS_MAX
 * @throws CursorError `after` is damaged, or of another filter
 */
export async function findEvents(db: Db, filter: EventFilter, page: PageInput): Promise<Connection<LogEventDocument>> {
  requireFirst(page.first, FIRST_MAX);
  const query = eventQuery(filter);
  const list = `events ${JSON.stringify(query)}`;
  const read = (older: Filter<LogEventDocument>, limit: number) =>
    withinTime(() => eventCursor(db, filter, older, limit).toArray());
  return findNewestFirst({ list, moment: 'time', filter: query, read }, page);
}

/** The cursor of `findEvents`, which `explainEvents` runs as well. */
export function eventCursor(
  db: Db,
  filter: EventFilter,
  query: Filter<LogEventDocument>,
  limit: number,
): FindCursor<LogEventDocument> {
  const leading = (['path', 'host', 'status'] as const).find((field) => filter[field] != null) ?? 'time';
  return (
    logEvents(db)
      // Without validation: explanations cut long texts, also in the middle of a character.
      .find(query, { hint: logIndexes[leading], maxTimeMS: QUERY_MS_MAX, enableUtf8Validation: false })
      .sort({ time: -1, _id: -1 })
      .limit(limit)
  );
}

/** @throws InputError the site is no host name, or the range is empty */
export function eventQuery({ site, path, host, status, range }: EventFilter): Filter<LogEventDocument> {
  const query: Filter<LogEventDocument> = { site: normaliseHost('filter.site', site) };
  if (path != null) query.path = path;
  if (host != null) query.host = host;
  if (status != null) query.status = status;
  if (range) {
    const { from, to } = requireRange('filter.range', range);
    query.time = { $gte: from, $lt: to };
  }
  return query;
}

/** @throws LimitError the query was ended by its time limit */
export async function withinTime<T>(query: () => Promise<T>, limitMs = QUERY_MS_MAX): Promise<T> {
  try {
    return await query();
  } catch (error) {
    if (!(error instanceof MongoServerError && error.code === MAX_TIME_EXPIRED)) throw error;
    throw new LimitError(`This reads too much for ${limitMs / 1000} seconds; ask for a shorter range`, limitMs);
  }
}

/** The event with this id. */
export function findEvent(db: Db, id: string): Promise<LogEventDocument | null> {
  return logEvents(db).findOne({ _id: id });
}
