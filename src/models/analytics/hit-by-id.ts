/**
 * Updates of hit documents by `_id` alone, for databases that are not sharded. MongoDB plans a filter of several fields anew for each
 * update, and has a path of its own for `_id`: by it an update costs the server half as much (docs/request-log.md). A sharded
 * cluster needs the shard key in the filter; there the updates are sent as `hitUpdates` makes them.
 */
import type { AnyBulkWriteOperation } from 'mongodb';
import type { DailyHits, HitUpdate, HitUpdates, MonthlyHits } from './hit.js';

export function hitUpdatesById({ daily, monthly }: HitUpdates): HitUpdates {
  return { daily: daily.map(byId), monthly: monthly.map(byId) };
}

/** What the filter gave to a new document is now set at its insertion. Field by field: copies by spreading cost several times more. */
function byId<T extends DailyHits | MonthlyHits>(operation: AnyBulkWriteOperation<T>): AnyBulkWriteOperation<T> {
  const { filter, update } = (operation as unknown as HitUpdate).updateOne;
  const byIdAlone = {
    filter: { _id: filter._id },
    update: {
      $inc: update.$inc,
      $setOnInsert: {
        'metadata.date': filter['metadata.date'],
        'metadata.site': filter['metadata.site'],
        'metadata.page': filter['metadata.page'],
      },
    },
    upsert: true,
  };
  return { updateOne: byIdAlone } as unknown as AnyBulkWriteOperation<T>;
}
