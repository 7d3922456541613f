/**
 * Batched loading for the fields of lists: one query for all items instead of one per item. Nothing is cached between batches, because
 * a context may live as long as a subscription, and a mutation must see its own writes.
 */
import DataLoader from 'dataloader';
import type { Db } from 'mongodb';

/** Returns results in the order of the ids, which are distinct. */
type Find<T> = (ids: readonly string[]) => Promise<readonly T[]>;

const distinct =
  <T>(find: Find<T>) =>
  async (keys: readonly string[]): Promise<T[]> => {
    const ids = [...new Set(keys)];
    const found = await find(ids);
    const at = new Map(ids.map((id, index) => [id, index]));
    return keys.map((key) => found[at.get(key) ?? -1] as T);
  };

export const batched = <T>(find: Find<T>): DataLoader<string, T> =>
  new DataLoader<string, T>(distinct(find), { cache: false });

const IDS_AT_ONCE = 1000;

/**
 * The same across operations: those that ask at the same moment share a query, as the thousand followers to whom a post is delivered.
 * For what is the same for everybody. An answer is never older than the question.
 */
export function batchedForAll<T>(find: (db: Db) => Find<T>): (db: Db) => DataLoader<string, T> {
  const loaders = new WeakMap<Db, DataLoader<string, T>>();
  return (db) => {
    const known = loaders.get(db);
    if (known) return known;
    const loader = new DataLoader<string, T>(distinct(find(db)), {
      cache: false,
      maxBatchSize: IDS_AT_ONCE,
      batchScheduleFn: (send) => setImmediate(send), // after all events of this turn
    });
    loaders.set(db, loader);
    return loader;
  };
}
