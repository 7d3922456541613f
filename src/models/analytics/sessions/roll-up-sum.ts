/** Sums periods from their children, in the database. */
import type { ClientSession, Db, Document } from 'mongodb';
import { childrenOf } from './roll-up.js';
import { endOf, type Period, type RollUpLevel } from './roll-up-level.js';

export interface PeriodSum extends Period {
  /** Seconds. */
  readonly total: number;
  readonly count: number;
}

/** A query with this many time ranges is planned in about 20 ms. */
const STRETCHES_MAX = 500;

/**
 * Sums the periods from all their children, at the cluster time of the session. Reads no other children: periods with the same start,
 * which is the usual case for sessions that arrive together, are one index range for all their users.
 * @returns the periods that have children, in any order
 */
export async function sumPeriods(
  db: Db,
  level: RollUpLevel,
  periods: readonly Period[],
  session: ClientSession,
): Promise<PeriodSum[]> {
  const { collectionName, user, moment } = childrenOf[level];
  const stretches = [...usersByBegin(periods)].map(([begin, users]) => ({
    [user]: { $in: users },
    [moment]: { $gte: new Date(begin), $lt: new Date(endOf(level, begin)) },
  }));
  const sums: PeriodSum[] = [];
  for (let first = 0; first < stretches.length; first += STRETCHES_MAX) {
    const pipeline = [{ $match: { $or: stretches.slice(first, first + STRETCHES_MAX) } }, groupStage(level)];
    const found = db
      .collection(collectionName)
      .aggregate<SumDocument>(pipeline, { session, hint: { [user]: 1, [moment]: 1 } });
    for await (const { _id, total, count } of found) sums.push({ user: _id.u, begin: _id.d.getTime(), total, count });
  }
  return sums;
}

interface SumDocument {
  readonly _id: { readonly u: string; readonly d: Date };
  readonly total: number;
  readonly count: number;
}

/** Sums children into the periods of a level. */
export function groupStage(level: RollUpLevel): Document {
  const { user, moment, total, count } = childrenOf[level];
  const unit = level.toLowerCase();
  const begin = { $dateTrunc: { date: `$${moment}`, unit, ...(unit === 'week' && { startOfWeek: 'monday' }) } };
  return { $group: { _id: { u: `$${user}`, d: begin }, total: { $sum: total }, count: { $sum: count } } };
}

function usersByBegin(periods: readonly Period[]): Map<number, string[]> {
  const users = new Map<number, string[]>();
  for (const { user, begin } of periods) {
    const known = users.get(begin);
    if (known) known.push(user);
    else users.set(begin, [user]);
  }
  return users;
}
