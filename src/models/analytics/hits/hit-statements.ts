/**
 * The updates of hits as plain statements, for commands with hundreds of them: one upsert per document.
 * `$inc` needs no guard of its own: it commutes, and the transaction around it applies it once. Two concurrent upserts of the same new
 * document conflict on `_id`. The loser retries its transaction and finds the document.
 *
 * On an unsharded database they find a document by `_id` alone: MongoDB plans a filter of several fields for each update, but has a
 * fast path for `_id`, which halves the cost of an update for the server (docs/request-log.md). On a sharded cluster the filter includes
 * the shard key, as required.
 */
import type { UpdateStatement } from '../../../database/index.js';
import { type CountedHit, type DayTally, type Hit, type HitFilter, HitTally, hitFilter, monthlyIdOf } from './hit.js';

/** Apply both lists in one transaction, and never twice. */
export interface HitStatements {
  readonly daily: readonly UpdateStatement[];
  readonly monthly: readonly UpdateStatement[];
}

/** @param hits of any pages and days; a count of -n undoes n hits */
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
    month.increments[`daily.${first.at.getUTCDate()}`] = total; // one tally per page and day, so this is set once
    months.set(id, month);
  }
  return [...months.values()];
}

/** A new document takes its fields from the filter. */
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
