/** Takes the sample network back, as far as nobody has used it since. */
import type { ClientSession, Db } from 'mongodb';
import { findDiscussion } from '../../comments/discussion/discussion.js';
import type { TakenBack } from '../../seed.js';
import { releaseAssets } from '../../system/assets/asset-claim.js';
import type { HeldWork } from '../../work.js';
import { deliverRemoval } from '../delivery/delivery.js';
import { networkSources } from '../import/source.js';
import { readFollowerPages } from '../network/follower.js';
import { findPerson } from '../network/person.js';
import { voteId, votes } from '../posts/poll.js';
import { type PostDocument, posts } from '../posts/post.js';
import { discussionOfPost } from '../posts/post-comments.js';
import { callOfSample, idOfPerson, sourceOf } from './sample-network.js';
import { SAMPLE_KEYS } from './sample-people.js';
import type { SampleComment, SamplePost } from './sample-post.js';
import { votesOf } from './sample-talk.js';

/**
 * Removes the posts that are as they were added. Guard: the transaction's snapshot. A comment, a vote, a report or an edit at the same time
 * changes the post, too, and conflicts.
 * @returns how many stay
 */
export async function removePosts(
  held: HeldWork,
  session: ClientSession,
  some: readonly SamplePost[],
): Promise<number> {
  const { db } = held;
  let kept = 0;
  for (const sample of some) {
    const post = await posts(db).findOne({ call: callOfSample(held, sample) }, { session });
    if (!post) continue;
    if (await isAsAdded(held, session, post, sample)) await removePost(held, session, post, sample);
    else kept += 1;
  }
  return kept;
}

async function isAsAdded(
  held: HeldWork,
  session: ClientSession,
  post: PostDocument,
  sample: SamplePost,
): Promise<boolean> {
  if (!post.live || post.edited || post.reported) return false;
  const added = countComments(sample.comments ?? []);
  const discussion = await findDiscussion(held.db, discussionOfPost(post._id), session);
  if ((discussion?.issued ?? 0) !== added || (discussion?.count ?? 0) !== added) return false;
  if (sample.type !== 'POLL') return true;
  const expected = votesOf(held, sample);
  const cast = await votes(held.db).find({ post_id: post._id }, { session }).toArray();
  return cast.length === expected.size && cast.every(({ voter_id, option }) => expected.get(voter_id) === option);
}

const countComments = (comments: readonly SampleComment[]): number =>
  comments.reduce((sum, { replies = [] }) => sum + 1 + countComments(replies), 0);

/** The courier takes it out of the news, and removes its comments. */
async function removePost(
  held: HeldWork,
  session: ClientSession,
  { _id, detail }: PostDocument,
  sample: SamplePost,
): Promise<void> {
  const { db, now } = held;
  await posts(db).deleteOne({ _id }, { session });
  const voters = [...votesOf(held, sample).keys()];
  if (voters.length > 0)
    await votes(db).bulkWrite(
      voters.map((voter) => ({ deleteOne: { filter: { _id: voteId(_id, voter) } } })),
      { session },
    );
  if (detail?.asset_id !== undefined) await releaseAssets(db, [detail.asset_id], now(), session);
  await deliverRemoval(db, session, _id, now());
}

/** Removes a person, as if the account was deleted. May be repeated. */
export type Erase = (db: Db, id: string, now: Date) => Promise<number>;

/** Removes those whom nobody else follows and of whom no post is left, after their posts. Each is erased as a deleted account is. */
export async function removePeople(held: HeldWork, erase: Erase): Promise<TakenBack> {
  const { db, work, now } = held;
  const ids = SAMPLE_KEYS.map((key) => idOfPerson(held, key));
  const pictures: string[] = [];
  let kept = 0;
  for (const id of ids) {
    const person = await findPerson(db, id);
    if (!person) continue;
    if (await isUsed(db, id, new Set(ids))) {
      kept += 1;
      continue;
    }
    await erase(db, id, now());
    if (person.picture_id !== undefined) pictures.push(person.picture_id);
  }
  return {
    kept,
    write: async (session) => {
      await releaseAssets(db, pictures, now(), session);
      if (kept === 0) await networkSources(db).deleteOne({ _id: sourceOf(work) }, { session });
      return 0;
    },
  };
}

async function isUsed(db: Db, id: string, sample: ReadonlySet<string>): Promise<boolean> {
  const only = { projection: { _id: 1 } } as const;
  const post =
    (await posts(db).findOne({ author_id: id, live: true }, only)) ??
    (await posts(db).findOne({ wall_id: id, live: true }, only));
  if (post) return true;
  for (let after = 0; ; ) {
    const [page] = await readFollowerPages(db, id, after, 1);
    if (!page) return false;
    if (page.followers.some((follower) => !sample.has(follower.id))) return true;
    after = page.number;
  }
}
