/** Removing a discussion for good, with what it is about. */
import type { ClientSession, Db } from 'mongodb';
import { failpoint } from '../../shared/failpoint.js';
import { commentCases } from './comment-case.js';
import { commentPages } from './designs/comment-page.js';
import { comments } from './discussion/comment.js';
import { discussions } from './discussion/discussion.js';

/**
 * Nobody must be able to comment any more. The discussion itself goes last: after a crash, the same call continues.
 * @param session for a caller whose transaction removes what it is about
 */
export async function removeDiscussion(db: Db, discussion: string, session?: ClientSession): Promise<void> {
  // The ids of all that belongs to a discussion begin with its own and a slash; `0` is the character behind the slash.
  const belongs = { _id: { $gte: `${discussion}/`, $lt: `${discussion}0` } };
  const options = session ? { session } : {};
  await commentCases(db).deleteMany(belongs, options);
  failpoint('discussion.cases-removed');
  await comments(db).deleteMany(belongs, options);
  failpoint('discussion.comments-removed');
  await commentPages(db).deleteMany(belongs, options);
  failpoint('discussion.pages-removed');
  await discussions(db).deleteOne({ _id: discussion }, options);
  failpoint('discussion.removed');
}
