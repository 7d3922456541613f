/** Removing what deliveries know of people who have left the network. */
import type { Db } from 'mongodb';
import { deliveries, postOfDelivery, removalOf } from './delivery.js';

/**
 * Those of posts, and of their removals, as far as they have ended. An open one is not touched: it ends when it notices that its post is
 * deleted, and until then the removal waits for it.
 * @returns the posts of which something is still on its way
 */
export async function removeEndedDeliveries(db: Db, posts: readonly string[]): Promise<Set<string>> {
  const ids = posts.flatMap((post) => [post, removalOf(post)]);
  const open = await deliveries(db)
    .find({ _id: { $in: ids }, open: true }, { projection: { _id: 1 } })
    .toArray();
  await deliveries(db).deleteMany({ _id: { $in: ids }, open: { $exists: false } }); // guard: it has ended
  return new Set(open.map(({ _id }) => postOfDelivery(_id)));
}

/** Those that compare the news of a reader: the reader has none any more. @returns how many */
export async function removePairsOfReader(db: Db, reader: string): Promise<number> {
  // Their ids begin with the reader and `<`; `=` is the character behind it.
  const { deletedCount } = await deliveries(db).deleteMany({ _id: { $gte: `${reader}<`, $lt: `${reader}=` } });
  return deletedCount;
}
