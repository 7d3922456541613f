/** Reading roll-ups: the periods of one level in a range, of one user or all users. */
import type { Db, Filter } from 'mongodb';
import {
  type Connection,
  decodePosition,
  encodePosition,
  type PageInput,
  requireFirst,
  toConnection,
} from '../../../shared/page.js';
import { type DateRange, requireRange } from '../../../shared/time.js';
import { withinTime } from '../log/request-log.js';
import { type RollUpDocument, rollUps } from './roll-up.js';
import { beginOf, type RollUpLevel } from './roll-up-level.js';
import { requireUserId } from './session.js';

/** By the start of periods. */
export type SessionStatsSort = 'AT_ASC' | 'AT_DESC';

export interface SessionStatsFilter {
  /** If omitted, all users. */
  readonly userId?: string | null | undefined;
  /** Periods that start in this range. `from` is rounded down to the start of its period. */
  readonly range: DateRange;
  readonly level: RollUpLevel;
  readonly sort: SessionStatsSort;
}

const FIRST_MAX = 1000;
const QUERY_MS_MAX = 10_000;

/**
 * Periods with sessions. Those with the same start are sorted by user. The two orders are exact reverses of each other, including users,
 * because the same index is read from either end.
 * @throws InputError the range is empty, or the user's id is invalid
 * @throws LimitError `first` exceeds 1000, or the query took longer than 10 seconds
 * @throws CursorError `after` is invalid or belongs to another filter or order
 */
export async function findSessionStats(
  db: Db,
  { userId, range, level, sort }: SessionStatsFilter,
  { first, after }: PageInput,
): Promise<Connection<RollUpDocument>> {
  requireFirst(first, FIRST_MAX);
  const { from, to } = requireRange('range', range);
  const bounds = { $gte: new Date(beginOf(level, from.getTime())), $lt: to };
  const ofUser = userId == null ? {} : { '_id.u': requireUserId('userId', userId) };
  const list = `sessionStats ${JSON.stringify([level, userId ?? null, bounds, sort])}`;
  const position = after ? (decodePosition(list, after, ['number', 'string']) as Position) : null;
  const beyond = position ? whatFollows(position, bounds, sort, userId != null) : { '_id.d': bounds };
  const direction = sort === 'AT_ASC' ? 1 : -1;
  const found = await withinTime(() =>
    rollUps[level](db)
      .find({ ...ofUser, ...beyond } as Filter<RollUpDocument>, { maxTimeMS: QUERY_MS_MAX })
      .sort(userId == null ? { '_id.d': direction, '_id.u': direction } : { '_id.d': direction })
      .limit(first + 1)
      .toArray(),
  );
  return toConnection(found, first, ({ _id }) => encodePosition(list, [_id.d.getTime(), _id.u]));
}

type Position = readonly [begin: number, user: string];
type Bounds = Readonly<Record<'$gte' | '$lt', Date>>;

/** The filter for everything after a position, as index bounds. */
function whatFollows([begin, user]: Position, bounds: Bounds, sort: SessionStatsSort, ofOneUser: boolean): object {
  const at = new Date(begin);
  const beyond = sort === 'AT_ASC' ? '$gt' : '$lt';
  if (ofOneUser) return { '_id.d': { ...bounds, [beyond]: at } };
  const rest = sort === 'AT_ASC' ? { $gte: at, $lt: bounds.$lt } : { $gte: bounds.$gte, $lte: at };
  return { '_id.d': rest, $or: [{ '_id.d': { [beyond]: at } }, { '_id.d': at, '_id.u': { [beyond]: user } }] };
}
