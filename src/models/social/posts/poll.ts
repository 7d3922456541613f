/**
 * Votes: one document for each post and voter, so that a person has one vote, and counters in the post. Both change in one transaction.
 * Invariant: the counters are the numbers of votes.
 */
import type { Db } from 'mongodb';
import { commitConcernOf, defineCollection, inTransaction, inTurn } from '../../../database/index.js';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import { notJoined, type ProfileNotFound } from '../network/circle.js';
import { RUSH_ATTEMPTS_MAX } from '../network/person.js';
import { findReader } from '../network/relation.js';
import { type PostDocument, posts } from './post.js';
import { type PostNotFound, postNotFound } from './post-change.js';
import { filterSeen, findSeenPosts, type SeenPost } from './post-sight.js';

export interface VoteDocument {
  /** `voteId`. */
  _id: string;
  post_id: string;
  voter_id: string;
  /** The number of the option. */
  option: number;
}

export const votes = defineCollection<VoteDocument>('social.votes', [
  { key: { post_id: 1, option: 1 } }, // invariants.ts
  { key: { voter_id: 1, _id: 1 } }, // personal-data.ts
]);

export type CannotVote = Refusal<'CannotVote'>;

export const voteId = (post: string, voter: string): string => `${post}?${voter}`;
const cannot = (message: string): CannotVote => refuse('CannotVote', message);

/**
 * The same vote again changes nothing. Only who has joined the network votes, so that everybody who does can be blocked, and nobody over
 * a block.
 * @throws BusyError too many vote at once
 */
export async function voteInPoll(
  db: Db,
  post: string,
  voter: string,
  option: number,
  now: Date,
): Promise<PostDocument | PostNotFound | ProfileNotFound | CannotVote> {
  const refusal = refusalOf((await findSeenPosts(db, voter, [post])).get(post)); // first: who may not vote takes no turn
  return refusal ?? inTurn(db, `votes/${post}`, () => vote(db, post, voter, option, now));
}

function refusalOf(seen: SeenPost | undefined): PostNotFound | ProfileNotFound | null {
  if (!seen || seen.isOverBlock) return postNotFound();
  return seen.reader.hasJoined ? null : notJoined();
}

async function vote(
  db: Db,
  post: string,
  voter: string,
  option: number,
  now: Date,
): Promise<PostDocument | PostNotFound | ProfileNotFound | CannotVote> {
  const { value } = await inTransaction<PostDocument | PostNotFound | ProfileNotFound | CannotVote>(
    db,
    commitConcernOf.MAJORITY,
    async (session) => {
      const found = await posts(db).findOne({ _id: post, live: true }, { session });
      if (!found) return postNotFound();
      // Again: while it waited, somebody may have blocked somebody, or the voter may have left.
      const [seen] = await filterSeen(db, await findReader(db, voter, session), [found], session);
      const refusal = refusalOf(seen);
      if (refusal) return refusal;
      const { options, closes } = found.detail ?? {};
      if (!options) return cannot('The post is no poll');
      if (!options[option]) return cannot(`The poll has no option ${option}`);
      const before = await votes(db).findOne({ _id: voteId(post, voter) }, { session });
      if (before?.option === option) return found;
      if (closes && closes <= now) return cannot('The poll has ended');
      await votes(db).updateOne(
        { _id: voteId(post, voter) }, // guard: one document for each voter; a vote at the same time conflicts
        { $set: { option }, $setOnInsert: { post_id: post, voter_id: voter } },
        { session, upsert: true },
      );
      const counted = await posts(db).findOneAndUpdate(
        { _id: post, live: true },
        {
          $inc: {
            [`detail.options.${option}.votes`]: 1,
            ...(before && { [`detail.options.${before.option}.votes`]: -1 }),
          },
        },
        { session, returnDocument: 'after' },
      );
      return counted ?? postNotFound();
    },
    { retryDuplicateKeys: true, attemptsMax: RUSH_ATTEMPTS_MAX },
  );
  return value;
}

/** The votes of a person in these posts: the number of the option by the post. */
export async function findVotes(db: Db, voter: string, ids: readonly string[]): Promise<Map<string, number>> {
  const found = await votes(db)
    .find({ _id: { $in: ids.map((id) => voteId(id, voter)) } })
    .toArray();
  return new Map(found.map(({ post_id, option }) => [post_id, option]));
}
