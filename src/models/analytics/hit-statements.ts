/**
 * The updates of hits as plain statements, for commands that carry hundreds of them: one upsert for each document.
 * `$inc` needs no guard of its own: it commutes, and the transaction around it applies it once. Two upserts of the same new document
 * at once collide on `_id`; the loser repeats its transaction and finds the document.
 *
 * Where the database is not sharded they find a document by `_id` alone: MongoDB plans a filter of several fields anew for each
 * update, and has a path of its own for `_id`, by which an update costs the server half as much (docs/request-log.md). A sharded
 * cluster needs the shard key in the filter, and gets it.
 */
import type { UpdateStatement } from '../../database/index.js';
import { type CountedHit, type DayTally, type Hit, type HitFilter, HitTally, hitFilter, monthlyIdOf } from './hit.js';

/** Apply both lists in one transaction, and never twice. */
export interface HitStatements {
  readonly daily: readonly UpdateStatement[];
  readonly monthly: readonly UpdateStatement[];
}

/** @param hits of any pages and days; a count of -n takes n hits back */
export function statementsOf(hits: Iterable<CountedHit>, sharded: boolean): HitStatements {
  const tally = new HitTally();
  for (const hit of hits) tally.add(hit, hit.count);
  return statementsOfDays(tally.days, sharded);
}

/** The updates of these days, and of the months that they belong to. */
export function statementsOfDays(days: readonly DayTally[], sharded: boolean): HitStatements {
  const statement = sharded ? byShardKey : byId;
  return {
    daily: days.map((day) => statement(hitFilter('DAY', day.first), day.increments())),
    monthly: monthsOf(days).map(({ first, increments }) => statement(hitFilter('MONTH', first), increments)),
  };
}

interface MonthTally {
  readonly first: Hit;
  readonly increments: Record<string, number>;
}

function monthsOf(days: readonly DayTally[]): MonthTally[] {
  const months = new Map<string, MonthTally>();
  for (const { first, total } of days) {
    const id = monthlyIdOf(first);
    const month = months.get(id) ?? { first, increments: {} };
    month.increments[`daily.${first.at.getUTCDate()}`] = total; // one tally for each page and day, so this is set once
    months.set(id, month);
  }
  return [...months.values()];
}

/** A document that is made takes its fields from the filter. */
const byShardKey = (filter: HitFilter, $inc: Record<string, number>): UpdateStatement => ({
  q: filter,
  u: { $inc },
  upsert: true,
});

const byId = ({ _id, ...metadata }: HitFilter, $inc: Record<string, number>): UpdateStatement => ({
  q: { _id },
  u: { $inc, $setOnInsert: metadata },
  upsert: true,
});
