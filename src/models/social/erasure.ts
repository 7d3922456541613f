/**
 * Removing a person from the network, whose account was deleted: first everything that others see or count, then the person. In batches,
 * each of which can be repeated, so a worker that dies is continued by the next run.
 */
import type { Db } from 'mongodb';
import { commitConcernOf, inTransaction } from '../../database/index.js';
import { failpoint } from '../../shared/failpoint.js';
import { deliveries } from './delivery/delivery.js';
import { followerPages, readFollowerPages } from './network/follower.js';
import { leaveCircles } from './network/following.js';
import { findPerson, graphChange, people } from './network/person.js';
import { newsPages } from './news/news-page.js';
import { votes } from './posts/poll.js';
import { posts } from './posts/post.js';
import { deletePost } from './posts/post-change.js';

const AT_ONCE = 100;

/** @returns how many items were removed */
export async function erasePerson(db: Db, id: string, now: Date): Promise<number> {
  let erased = await deletePosts(db, id, now);
  erased += await withdrawVotes(db, id);
  erased += await withdrawReports(db, id);
  erased += await leaveAll(db, id);
  erased += await removeBlocks(db, id);
  erased += await removeOwn(db, id);
  return erased;
}

async function deletePosts(db: Db, id: string, now: Date): Promise<number> {
  let deleted = 0;
  const written = posts(db)
    .find({ author_id: id }, { projection: { live: 1 } })
    .sort({ posted: -1, _id: -1 });
  for await (const { _id, live } of written) {
    if (!live) continue;
    await deletePost(db, _id, { id, act: null, nameOf: async () => '' }, now);
    failpoint('social.person-post-deleted');
    deleted += 1;
  }
  return deleted;
}

async function withdrawVotes(db: Db, id: string): Promise<number> {
  const cast = await votes(db).find({ voter_id: id }).sort({ _id: 1 }).toArray();
  for (const { _id, post_id, option } of cast) {
    await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
      const { deletedCount } = await votes(db).deleteOne({ _id, option }, { session }); // guard: it is counted as this one
      if (deletedCount > 0)
        await posts(db).updateOne(
          { _id: post_id, live: true },
          { $inc: { [`detail.options.${option}.votes`]: -1 } },
          { session },
        );
    });
    failpoint('social.vote-withdrawn');
  }
  return cast.length;
}

async function withdrawReports(db: Db, id: string): Promise<number> {
  const reported = await posts(db)
    .find({ reported: { $gte: new Date(0) }, 'reports.by': id }, { projection: { _id: 1 } })
    .toArray();
  const updates = reported.map(({ _id }) => ({
    updateOne: { filter: { _id, 'reports.by': id }, update: { $pull: { reports: { by: id } } } },
  }));
  if (updates.length > 0) await posts(db).bulkWrite(updates);
  failpoint('social.reports-withdrawn');
  return updates.length;
}

/** Out of the circles of others, and others out of the person's. */
async function leaveAll(db: Db, id: string): Promise<number> {
  const person = await findPerson(db, id);
  if (!person) return 0;
  let left = 0;
  for (const followed of person.following) {
    await leave(db, id, followed.id);
    left += 1;
  }
  for (let after = 0; ; ) {
    const [page] = await readFollowerPages(db, id, after, 1);
    if (!page) return left;
    for (const follower of page.followers) {
      await leave(db, follower.id, id);
      left += 1;
    }
    after = page.number;
  }
}

async function leave(db: Db, owner: string, person: string): Promise<void> {
  await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
    const found = await findPerson(db, owner, session);
    if (found) await leaveCircles(db, session, found, person, null);
  });
  failpoint('social.circles-left');
}

async function removeBlocks(db: Db, id: string): Promise<number> {
  const others = await people(db)
    .find({ 'blocked.id': id }, { projection: { _id: 1 } })
    .limit(AT_ONCE)
    .toArray();
  const updates = others.map(({ _id }) => ({
    updateOne: {
      filter: { _id, 'blocked.id': id },
      update: { $pull: { blocked: { id } }, $set: graphChange([id]) },
    },
  }));
  if (updates.length > 0) await people(db).bulkWrite(updates);
  failpoint('social.blocks-removed');
  return updates.length;
}

async function removeOwn(db: Db, id: string): Promise<number> {
  const { deletedCount: left } = await posts(db).deleteMany({ author_id: id }); // what deleted posts have left
  failpoint('social.person-posts-removed');
  const { deletedCount: pages } = await newsPages(db).deleteMany({ user_id: id });
  failpoint('social.person-news-removed');
  const { deletedCount: pairs } = await deliveries(db).deleteMany({ open: true, reader_id: id });
  failpoint('social.person-deliveries-removed');
  const { deletedCount: followers } = await followerPages(db).deleteMany({ user_id: id });
  failpoint('social.person-followers-removed');
  const { deletedCount: person } = await people(db).deleteOne({ _id: id });
  failpoint('social.person-removed');
  return left + pages + pairs + followers + person;
}
