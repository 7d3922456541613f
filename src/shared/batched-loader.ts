/**
 * Batched loading for the fields of lists: one query for all items instead of one per item. Nothing is cached between batches, because
 * a context may live as long as a subscription, and a mutation must see its own writes.
 */
import DataLoader from 'dataloader';

/** @param find returns results in the order of the ids, which are distinct */
export function batched<T>(find: (ids: readonly string[]) => Promise<readonly T[]>): DataLoader<string, T> {
  return new DataLoader<string, T>(
    async (keys) => {
      const ids = [...new Set(keys)];
      const found = await find(ids);
      const at = new Map(ids.map((id, index) => [id, index]));
      return keys.map((key) => found[at.get(key) ?? -1] as T);
    },
    { cache: false },
  );
}
