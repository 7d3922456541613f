/** The latest comments that everybody sees, and the summaries of them that some objects keep. */
import type { ClientSession, Db } from 'mongodb';
import { type CommentHost, SUMMARY_MAX, type SummarizedComment } from '../commentable.js';
import { designs } from './designs/index.js';
import type { Comment } from './discussion/comment.js';
import { type Discussion, hostOf, subjectOfDiscussion } from './discussion/discussion.js';

/** As they were posted. One read in most cases, in whatever the session sees. */
export async function findLatestShown(
  db: Db,
  session: ClientSession,
  discussion: Discussion,
  limit: number,
): Promise<Comment[]> {
  const page = { order: 'NEWEST_FIRST', after: null, limit } as const;
  const found = await designs[discussion.design].list(db, discussion, page, session);
  return found.toReversed().map((comment) => ({ ...comment, discussion: discussion._id }));
}

/** The host of what a discussion is about, if it keeps summaries. */
export function summarizerOf(hosts: readonly CommentHost[], discussion: string): CommentHost | null {
  const host = hostOf(hosts, discussion);
  return host?.summarize ? host : null;
}

/** Call it in the transaction that has written the comments. @param discussion with the new count */
export async function summarize(db: Db, session: ClientSession, host: CommentHost, discussion: Discussion) {
  const latest = await findLatestShown(db, session, discussion, SUMMARY_MAX);
  const { id } = subjectOfDiscussion(discussion._id);
  await host.summarize?.(db, session, id, { count: discussion.count, latest: latest.map(summarized) });
}

/** The text of a hidden comment is for moderators and for its author. Nobody sees a held one. */
function summarized({ number, path, replies, author, posted, edited, text, state }: Comment): SummarizedComment {
  const seen = state === 'HELD' ? 'HIDDEN' : state;
  return {
    number,
    path,
    replies,
    author,
    posted,
    ...(edited && { edited }),
    text: seen === 'PUBLISHED' ? text : null,
    state: seen,
  };
}
