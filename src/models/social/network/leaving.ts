/**
 * Somebody leaves the network: at once for others, who see nothing of the person any more. Then, in the background, out of the circles of
 * others, and others out of theirs: in transactions of AT_ONCE people, so that a million followers are some thousand transactions, and
 * each is short. What was done is not found again: a repetition continues.
 *
 * Nobody is told by a `graph_change`: a million of them would pass through the change stream. That the person has left is one event, which
 * all lists follow, also those that are resumed after it (`list-feed.ts`).
 */
import type { ClientSession, Db } from 'mongodb';
import { commitConcernOf, inTransaction } from '../../../database/index.js';
import { failpoint } from '../../../shared/failpoint.js';
import { changeMatching } from '../../personal-data.js';
import { followerPages, removeFollowers } from './follower.js';
import { people } from './person.js';

const AT_ONCE = 250;

/** Guard: it happens with the deletion of the account, or not at all. From then on, nobody sees the person. */
export async function markLeft(db: Db, session: ClientSession, id: string): Promise<void> {
  await people(db).updateOne({ _id: id }, { $set: { left: true } }, { session });
}

/** @returns how many circles, blocks and notes of others named the person, or were the person's own */
export async function leaveNetwork(db: Db, id: string): Promise<number> {
  let left = await inBatches(db, (session) => leaveFollowed(db, session, id));
  left += await inBatches(db, (session) => leaveFollowers(db, session, id));
  left += await changeMatching(people(db), { 'blocked.id': id }, { $pull: { blocked: { id } } });
  failpoint('social.blocks-removed');
  left += await changeMatching(
    people(db),
    { 'graph_change.people': id, graph_change: { $exists: true } },
    { $pull: { 'graph_change.people': id } as never },
  );
  failpoint('social.graph-changes-emptied');
  return left;
}

/** @param leave returns how many have left; null if nobody was there to leave */
async function inBatches(db: Db, leave: (session: ClientSession) => Promise<number | null>): Promise<number> {
  for (let all = 0; ; ) {
    const { value: left } = await inTransaction(db, commitConcernOf.MAJORITY, leave);
    failpoint('social.circles-left');
    if (left === null) return all;
    all += left;
  }
}

/** Some out of the person's circles. Guard: the transaction's snapshot. A change of the circles at the same time conflicts. */
async function leaveFollowed(db: Db, session: ClientSession, id: string): Promise<number | null> {
  const person = await people(db).findOne({ _id: id }, { session });
  const some = person?.following.slice(0, AT_ONCE) ?? [];
  if (some.length === 0) return null;
  const ids = some.map((followed) => followed.id);
  await people(db).updateOne({ _id: id }, { $pull: { following: { id: { $in: ids } } } }, { session });
  await removeFollowers(
    db,
    session,
    some.map((followed) => ({ person: followed.id, follower: id, page: followed.page })),
  );
  return some.length;
}

/**
 * The person out of the circles of some, from the first page of followers, which is removed with the last of them. Guard: the snapshot,
 * too. Who follows or leaves at the same time writes the same page.
 */
async function leaveFollowers(db: Db, session: ClientSession, id: string): Promise<number | null> {
  const page = await followerPages(db).findOne(
    { user_id: id },
    { session, sort: { number: 1 }, projection: { followers: { $slice: AT_ONCE + 1 } } },
  );
  if (!page) return null;
  const ids = page.followers.slice(0, AT_ONCE).map((follower) => follower.id);
  const inPage = { _id: page._id, user_id: id };
  if (ids.length === page.followers.length) await followerPages(db).deleteOne(inPage, { session });
  else await followerPages(db).updateOne(inPage, { $pull: { followers: { id: { $in: ids } } } }, { session });
  if (ids.length === 0) return 0;
  const leaving = ids.map((follower) => ({
    updateOne: {
      filter: { _id: follower },
      update: { $pull: { following: { id }, 'graph_change.people': id } as never },
    },
  }));
  await people(db).bulkWrite(leaving, { session, ordered: false });
  await people(db).updateOne({ _id: id }, { $inc: { follower_count: -ids.length } }, { session });
  return ids.length;
}
