/** What the roll-ups say: the periods of one level in a range, of one user or of all. */
import type { Db, Filter } from 'mongodb';
import {
  type Connection,
  decodePosition,
  encodePosition,
  type PageInput,
  requireFirst,
  toConnection,
} from '../../shared/connection.js';
import { type DateRange, requireRange } from '../../shared/time.js';
import { withinTime } from './request-log.js';
import { type RollUpDocument, rollUps } from './roll-up.js';
import { beginOf, type RollUpLevel } from './roll-up-level.js';
import { requireUserId } from './session.js';

/** By the moment at which periods begin. */
export type SessionStatsSort = 'AT_ASC' | 'AT_DESC';

export interface SessionStatsFilter {
  /** Left out: all users. */
  readonly userId?: string | null | undefined;
  /** Periods that begin in it; `from` is rounded down to the begin of its period. */
  readonly range: DateRange;
  readonly level: RollUpLevel;
  readonly sort: SessionStatsSort;
}

const FIRST_MAX = 1000;
const QUERY_MS_MAX = 10_000;

/**
 * Periods in which there were sessions, and those that begin together by user. The one order is the other backwards, users as well: the
 * same index is read from its other end.
 * @throws InputError the range is empty, or the user's id breaks its rule
 * @throws LimitError `first` is over 1000, or it took longer than 10 seconds
 * @throws CursorError `after` is damaged, or of another filter or order
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

/** What comes after a position, within the bounds of the index. */
function whatFollows([begin, user]: Position, bounds: Bounds, sort: SessionStatsSort, ofOneUser: boolean): object {
  const at = new Date(begin);
  const beyond = sort === 'AT_ASC' ? '$gt' : '$lt';
  if (ofOneUser) return { '_id.d': { ...bounds, [beyond]: at } };
  const rest = sort === 'AT_ASC' ? { $gte: at, $lt: bounds.$lt } : { $gte: bounds.$gte, $lte: at };
  return { '_id.d': rest, $or: [{ '_id.d': { [beyond]: at } }, { '_id.d': at, '_id.u': { [beyond]: user } }] };
}
