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

export interface SessionStatsFilter {
  /** Left out: all users. */
  readonly userId?: string | null | undefined;
  /** Periods that begin in it; `from` is rounded down to the begin of its period. */
  readonly range: DateRange;
  readonly level: RollUpLevel;
}

const FIRST_MAX = 1000;
const QUERY_MS_MAX = 10_000;

/**
 * Periods in which there were sessions, the oldest first, and those that begin together by user.
 * @throws InputError the range is empty, or the user's id breaks its rule
 * @throws LimitError `first` is over 1000, or it took longer than 10 seconds
 * @throws CursorError `after` is damaged, or of another filter
 */
export async function findSessionStats(
  db: Db,
  { userId, range, level }: SessionStatsFilter,
  { first, after }: PageInput,
): Promise<Connection<RollUpDocument>> {
  requireFirst(first, FIRST_MAX);
  const { from, to } = requireRange('range', range);
  const bounds = { $gte: new Date(beginOf(level, from.getTime())), $lt: to };
  const ofUser = userId == null ? {} : { '_id.u': requireUserId('userId', userId) };
  const list = `sessionStats ${JSON.stringify([level, userId ?? null, bounds])}`;
  const position = after ? (decodePosition(list, after, ['number', 'string']) as [begin: number, user: string]) : null;
  const filter = { ...ofUser, '_id.d': bounds, ...(position && later(position, bounds.$lt, userId != null)) };
  const found = await withinTime(() =>
    rollUps[level](db)
      .find(filter as Filter<RollUpDocument>, { maxTimeMS: QUERY_MS_MAX })
      .sort(userId == null ? { '_id.d': 1, '_id.u': 1 } : { '_id.d': 1 })
      .limit(first + 1)
      .toArray(),
  );
  return toConnection(found, first, ({ _id }) => encodePosition(list, [_id.d.getTime(), _id.u]));
}

/** What follows a position, within the bounds of the index. */
function later([begin, user]: [begin: number, user: string], to: Date, ofOneUser: boolean): object {
  const at = new Date(begin);
  if (ofOneUser) return { '_id.d': { $gt: at, $lt: to } };
  return { '_id.d': { $gte: at, $lt: to }, $or: [{ '_id.d': { $gt: at } }, { '_id.d': at, '_id.u': { $gt: user } }] };
}
