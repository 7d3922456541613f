/** What others have said about a post of the sample network: comments and votes. */
import type { ClientSession } from 'mongodb';
import type { Comment } from '../../comments/discussion/comment.js';
import { takeTurn } from '../../comments/discussion/discussion.js';
import { DiscussionEdit } from '../../comments/discussion-edit.js';
import { momentBefore } from '../../seed.js';
import { type HeldWork, WorkFailure } from '../../work.js';
import { voteId, votes } from '../posts/poll.js';
import { type PostDocument, posts } from '../posts/post.js';
import { postHost, subjectOfPost } from '../posts/post-comments.js';
import { callOfSample, idOfPerson } from './sample-network.js';
import { type SampleKey, samplePeople } from './sample-people.js';
import type { SampleComment, SamplePost } from './sample-post.js';

/** To a post that the same transaction has added. */
export async function addTalk(held: HeldWork, session: ClientSession, sample: SamplePost): Promise<void> {
  const post = await posts(held.db).findOne({ call: callOfSample(held, sample) }, { session });
  if (!post) throw new WorkFailure(`The post ${sample.key} was removed in the meantime`);
  if (sample.comments) await addComments(held, session, post, sample.comments);
  await addVotes(held, session, post, sample);
}

async function addComments(
  held: HeldWork,
  session: ClientSession,
  post: PostDocument,
  comments: readonly SampleComment[],
): Promise<void> {
  const { db, work } = held;
  const edit = new DiscussionEdit(db, session, await takeTurn(db, session, subjectOfPost(post)), [postHost]);
  const add = ({ by, at, text, replies = [] }: SampleComment, parent: Comment | null) => {
    const author = { _id: idOfPerson(held, by), name: samplePeople[by].name };
    const posted = momentBefore(work.created_at, at);
    const comment = edit.add({ author, text, state: 'PUBLISHED', posted, parent });
    for (const reply of replies) add(reply, comment);
  };
  for (const comment of comments) add(comment, null);
  await edit.write();
}

/** The documents of the votes, by the stored id of the voter. */
export const votesOf = (held: Pick<HeldWork, 'work'>, sample: SamplePost): ReadonlyMap<string, number> =>
  new Map(
    sample.type === 'POLL'
      ? Object.entries(sample.votes).map(([key, option]) => [idOfPerson(held, key as SampleKey), option])
      : [],
  );

async function addVotes(
  held: HeldWork,
  session: ClientSession,
  { _id, detail }: PostDocument,
  sample: SamplePost,
): Promise<void> {
  const cast = [...votesOf(held, sample)];
  if (cast.length === 0) return;
  await votes(held.db).insertMany(
    cast.map(([voter_id, option]) => ({ _id: voteId(_id, voter_id), post_id: _id, voter_id, option })),
    { session },
  );
  const options = detail?.options?.map(({ text }, at) => ({
    text,
    votes: cast.filter(([, option]) => option === at).length,
  }));
  await posts(held.db).updateOne({ _id, live: true }, { $set: { 'detail.options': options ?? [] } }, { session });
}
