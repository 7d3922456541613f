/**
 * Removing a person from the network, whose account was deleted: first everything that others see or count, then the person. In batches,
 * each of which can be repeated, so a worker that dies is continued by the next run.
 */
import type { Db } from 'mongodb';
import { commitConcernOf, inTransaction } from '../../database/index.js';
import { failpoint } from '../../shared/failpoint.js';
import { removePairsOfReader } from './delivery/delivery-removal.js';
import { leaveNetwork } from './network/leaving.js';
import { people } from './network/person.js';
import { newsPages } from './news/news-page.js';
import { forgetAccount } from './posts/about.js';
import { withdrawReports } from './posts/moderation.js';
import { votes } from './posts/poll.js';
import { posts } from './posts/post.js';
import { deletePostsAround, removeRemains } from './posts/remains.js';

/** @returns how many items were removed, or are left to the next run */
export async function erasePerson(db: Db, id: string, now: Date): Promise<number> {
  let erased = await deletePostsAround(db, id, now);
  erased += await withdrawVotes(db, id);
  erased += await withdrawReports(db, id);
  erased += await forgetAccount(db, id);
  failpoint('social.about-forgotten');
  erased += await leaveNetwork(db, id);
  erased += await removeRemains(db, id);
  failpoint('social.person-posts-removed');
  erased += await removeOwn(db, id);
  return erased;
}

async function withdrawVotes(db: Db, id: string): Promise<number> {
  let withdrawn = 0;
  for await (const { _id, post_id, option } of votes(db).find({ voter_id: id }).sort({ _id: 1 })) {
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
    withdrawn += 1;
  }
  return withdrawn;
}

async function removeOwn(db: Db, id: string): Promise<number> {
  const { deletedCount: pages } = await newsPages(db).deleteMany({ user_id: id });
  failpoint('social.person-news-removed');
  const pairs = await removePairsOfReader(db, id);
  failpoint('social.person-deliveries-removed');
  // Guard: nobody has begun to follow the person meanwhile. Otherwise the next run takes them out first.
  const alone = { _id: id, follower_count: 0, following: { $size: 0 } };
  const { deletedCount: person } = await people(db).deleteOne(alone);
  failpoint('social.person-removed');
  const isLeft = (await people(db).findOne({ _id: id }, { projection: { _id: 1 } })) !== null;
  return pages + pairs + person + (isLeft ? 1 : 0);
}
