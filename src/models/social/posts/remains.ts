/**
 * What deleted posts have left: who wrote what where and when, and the record of how far they came. It is removed for people who have
 * left the network. Posts are deleted before, so that their readers and those who follow them live are told.
 */
import type { Db, Filter, FindCursor } from 'mongodb';
import { failpoint } from '../../../shared/failpoint.js';
import { removeEndedDeliveries } from '../delivery/delivery-removal.js';
import { type PostDocument, posts } from './post.js';
import { deletePost } from './post-change.js';

const AT_ONCE = 100;

/** Deletes what the person has written on any wall, and what others have written on the person's, as its owner may. @returns how many */
export async function deletePostsAround(db: Db, person: string, now: Date): Promise<number> {
  const own = posts(db)
    .find({ author_id: person }, { projection: { live: 1 } })
    .sort({ posted: -1, _id: -1 });
  const others = posts(db)
    .find({ guest: true, wall_id: person }, { projection: { live: 1 } })
    .sort({ posted: -1, _id: -1 });
  let deleted = 0;
  for (const written of [own, others])
    for await (const { _id, live } of written) {
      if (!live) continue;
      await deletePost(db, _id, { id: person, act: null, nameOf: async () => '' }, now);
      failpoint('social.person-post-deleted');
      deleted += 1;
    }
  return deleted;
}

/**
 * Removes what is left of them. One that is still on its way into the news, or out of them, is left to the next run.
 * @returns how many there were
 */
export async function removeRemains(db: Db, person: string): Promise<number> {
  const own = await removeFound(db, { author_id: person });
  return own + (await removeFound(db, { wall_id: person, deleted: { $exists: true } }));
}

type Remains = Pick<PostDocument, '_id' | 'live'>;

async function removeFound(db: Db, filter: Filter<PostDocument>): Promise<number> {
  const found = posts(db).find<Remains>(filter, { projection: { live: 1 } });
  let all = 0;
  for await (const some of batchesOf(found)) {
    const deleted = some.filter(({ live }) => !live);
    const onTheWay = await removeEndedDeliveries(
      db,
      deleted.map(({ _id }) => _id),
    );
    const arrived = deleted.filter(({ _id }) => !onTheWay.has(_id));
    failpoint('social.remains-emptied');
    await posts(db).deleteMany({ _id: { $in: arrived.map(({ _id }) => _id) }, live: { $exists: false } }); // guard: it is deleted
    failpoint('social.remains-removed');
    all += some.length;
  }
  return all;
}

async function* batchesOf<T>(found: FindCursor<T>): AsyncGenerator<T[], undefined> {
  let batch: T[] = [];
  for await (const each of found) {
    batch.push(each);
    if (batch.length < AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
