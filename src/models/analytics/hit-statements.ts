/**
 * The updates of hits as plain statements, for commands that carry hundreds of them.
 * Where the database is not sharded they find a document by `_id` alone: MongoDB plans a filter of several fields anew for each
 * update, and has a path of its own for `_id`, by which an update costs the server half as much (docs/request-log.md). A sharded
 * cluster needs the shard key in the filter, and gets it.
 */
import type { UpdateStatement } from '../../database/index.js';
import { type CountedHit, HitTally, type HitUpdate, updatesOfDays } from './hit.js';

export interface HitStatements {
  readonly daily: readonly UpdateStatement[];
  readonly monthly: readonly UpdateStatement[];
}

/** Apply both lists in one transaction, and never twice. @param hits of any pages and days; a count of -n takes n hits back */
export function statementsOf(hits: Iterable<CountedHit>, sharded: boolean): HitStatements {
  const tally = new HitTally();
  for (const hit of hits) tally.add(hit, hit.count);
  const { daily, monthly } = updatesOfDays(tally.days);
  const statement = sharded ? byShardKey : byId;
  return { daily: daily.map(statement), monthly: monthly.map(statement) };
}

/** A document that is made takes its fields from the filter. */
const byShardKey = ({ updateOne: { filter, update } }: HitUpdate): UpdateStatement => ({
  q: filter,
  u: update,
  upsert: true,
});

const byId = ({ updateOne: { filter, update } }: HitUpdate): UpdateStatement => ({
  q: { _id: filter._id },
  u: {
    $inc: update.$inc,
    $setOnInsert: {
      'metadata.date': filter['metadata.date'],
      'metadata.site': filter['metadata.site'],
      'metadata.page': filter['metadata.page'],
    },
  },
  upsert: true,
});
