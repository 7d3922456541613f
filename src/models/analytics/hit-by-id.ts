/**
 * Updates of hit documents by `_id` alone, for databases that are not sharded. MongoDB plans a filter of several fields anew for each
 * update, and has a path of its own for `_id`: by it an update costs the server half as much (docs/request-log.md). A sharded
 * cluster needs the shard key in the filter; there the updates are sent as `hitUpdates` makes them.
 */
import type { AnyBulkWriteOperation, UpdateFilter } from 'mongodb';
import type { DailyHits, HitUpdates, MonthlyHits } from './hit.js';

export function hitUpdatesById({ daily, monthly }: HitUpdates): HitUpdates {
  return { daily: daily.map(byId), monthly: monthly.map(byId) };
}

/** What the filter gave to a new document is now set at its insertion. */
function byId<T extends DailyHits | MonthlyHits>(operation: AnyBulkWriteOperation<T>): AnyBulkWriteOperation<T> {
  if (!('updateOne' in operation)) return operation;
  const { filter, update, ...rest } = operation.updateOne;
  const { _id, ...shardKey } = filter;
  const byIdAlone = { ...rest, filter: { _id }, update: { ...(update as UpdateFilter<T>), $setOnInsert: shardKey } };
  return { updateOne: byIdAlone } as AnyBulkWriteOperation<T>;
}
