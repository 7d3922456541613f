/** Removing a discussion for good, with what it is about. */
import type { ClientSession, Db } from 'mongodb';
import { commitConcernOf, inTransaction } from '../../database/index.js';
import { failpoint } from '../../shared/failpoint.js';
import type { CommentHost } from '../commentable.js';
import { commentCases } from './comment-case.js';
import { commentPages } from './designs/comment-page.js';
import { comments } from './discussion/comment.js';
import { discussions, subjectOfDiscussion, takeLastTurn } from './discussion/discussion.js';
import { summarizerOf } from './latest.js';

/** The ids of all that belongs to a discussion begin with its own and a slash; `0` is the character behind the slash. */
const belongingTo = (discussion: string) => ({ _id: { $gte: `${discussion}/`, $lt: `${discussion}0` } });

/** @returns how many documents there are of a discussion: none after its removal */
export async function countLeft(db: Db, session: ClientSession, discussion: string): Promise<number> {
  const belongs = belongingTo(discussion);
  // One after the other: a session has one command under way at a time.
  let left = await discussions(db).countDocuments({ _id: discussion }, { session });
  for (const collection of [comments, commentPages, commentCases] as const)
    left += await collection(db).countDocuments(belongs, { session });
  return left;
}

/**
 * What it is about must be gone, or be hidden, so that nobody begins to comment any more. Who has begun before is waited for. The
 * discussion itself goes last: after a crash, the same call continues.
 * @param session for a caller whose transaction removes what it is about
 * @param hosts of objects that stay: those that keep summaries are told
 */
export async function removeDiscussion(
  db: Db,
  discussion: string,
  session?: ClientSession,
  hosts: readonly CommentHost[] = [],
): Promise<void> {
  const belongs = belongingTo(discussion);
  const options = session ? { session } : {};
  if (!session) await takeLastTurn(db, discussion);
  failpoint('discussion.turn-taken');
  await commentCases(db).deleteMany(belongs, options);
  failpoint('discussion.cases-removed');
  await comments(db).deleteMany(belongs, options);
  failpoint('discussion.comments-removed');
  await commentPages(db).deleteMany(belongs, options);
  failpoint('discussion.pages-removed');
  await removeLast(db, discussion, session, summarizerOf(hosts, discussion));
  failpoint('discussion.removed');
}

async function removeLast(
  db: Db,
  discussion: string,
  given: ClientSession | undefined,
  host: CommentHost | null,
): Promise<void> {
  const remove = async (session?: ClientSession) => {
    await discussions(db).deleteOne({ _id: discussion }, session ? { session } : {});
    if (session) await host?.summarize?.(db, session, subjectOfDiscussion(discussion).id, { count: 0, latest: [] });
  };
  if (given || !host) await remove(given);
  else await inTransaction(db, commitConcernOf.MAJORITY, remove);
}
