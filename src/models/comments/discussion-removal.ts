/** Removing a discussion for good, with what it is about. */
import type { ClientSession, Db } from 'mongodb';
import { commitConcernOf, inTransaction } from '../../database/index.js';
import { failpoint } from '../../shared/failpoint.js';
import type { CommentHost } from '../commentable.js';
import { commentCases } from './comment-case.js';
import { commentPages } from './designs/comment-page.js';
import { comments } from './discussion/comment.js';
import { discussions, subjectOfDiscussion } from './discussion/discussion.js';
import { summarizerOf } from './latest.js';

/**
 * Nobody must be able to comment any more. The discussion itself goes last: after a crash, the same call continues.
 * @param session for a caller whose transaction removes what it is about
 * @param hosts of objects that stay: those that keep summaries are told
 */
export async function removeDiscussion(
  db: Db,
  discussion: string,
  session?: ClientSession,
  hosts: readonly CommentHost[] = [],
): Promise<void> {
  // The ids of all that belongs to a discussion begin with its own and a slash; `0` is the character behind the slash.
  const belongs = { _id: { $gte: `${discussion}/`, $lt: `${discussion}0` } };
  const options = session ? { session } : {};
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
