/** Finds the discussion of an entry of the site. */
import { cursorBefore, findCommentBySlug, findDiscussionPage } from '../../../models/comments/comment-list.js';
import { type Comment, numbersOf, slugOf } from '../../../models/comments/discussion/comment.js';
import { findDiscussion } from '../../../models/comments/discussion/discussion.js';
import type { NodeDocument } from '../../../models/content/nodes/node.js';
import { discussionOfNode } from '../../../models/content/nodes/node-comments.js';
import { findUsersById } from '../../../models/people/user.js';
import { toGlobalId } from '../../../shared/global-id.js';
import { NO_CONNECTION } from '../../../shared/page.js';
import { renderMarkdown } from '../../../shared/rendering/markdown.js';
import type { CommentView, DiscussionView, DraftView, ThreadView } from './pages/views.js';
import type { SiteServices } from './sitemap-find.js';

const COMMENTS_PER_PAGE = 100;

/** Which part of a discussion is shown, and how. */
export interface DiscussionQuery {
  /** A cursor. */
  readonly after: string | null;
  /** The slug of a comment that must be on the page. */
  readonly comment: string | null;
  readonly isHeld: boolean;
  readonly draft: DraftView | null;
}

/** From the beginning. */
export const WHOLE: DiscussionQuery = { after: null, comment: null, isHeld: false, draft: null };

export interface FoundDiscussion {
  /** What the view depends on, besides the query. */
  readonly version: readonly unknown[];
  readonly hasComments: boolean;
  view(): DiscussionView;
}

/** @returns null for a closed one without comments @throws CursorError */
export async function findDiscussionOf(
  { db }: SiteServices,
  node: NodeDocument,
  path: string,
  query: DiscussionQuery,
): Promise<FoundDiscussion | null> {
  const id = discussionOfNode(node._id);
  const count = (await findDiscussion(db, id))?.count ?? 0;
  if (count === 0 && node.comment_policy === 'NOBODY') return null;
  const { page, isFromBeginning } =
    count === 0 ? { page: NO_CONNECTION, isFromBeginning: true } : await findPage(db, id, query);
  const comments = page.edges.map((edge) => edge.node);
  const authorOf = await findAuthors(db, comments);
  const { hasNextPage, endCursor } = page.pageInfo;
  return {
    version: [
      count,
      node.comment_policy,
      page.pageInfo,
      comments.map((each) => [each.number, each.revision, authorOf(each)]),
    ],
    hasComments: count > 0,
    view: () => ({
      on: toGlobalId('ContentNode', node._id),
      path,
      policy: node.comment_policy,
      count,
      threads: threadsOf(comments, (comment) => commentView(comment, authorOf(comment))),
      isFromBeginning,
      more: hasNextPage && endCursor !== null ? `${path}?after=${encodeURIComponent(endCursor)}` : null,
      isHeld: query.isHeld,
      draft: query.draft && atPlace(query.draft, comments),
    }),
  };
}

/** From the beginning, if the comment is on that page, otherwise from the comment on. */
async function findPage(db: SiteServices['db'], id: string, { after, comment }: DiscussionQuery) {
  const pageAfter = (cursor: string | null) =>
    findDiscussionPage(db, id, { order: 'THREADED', first: COMMENTS_PER_PAGE, after: cursor });
  const page = await pageAfter(after);
  const isFromBeginning = after === null;
  const wanted = comment === null ? null : await findCommentBySlug(db, id, comment);
  const isHere = wanted === null || page.edges.some(({ node }) => node.number === wanted.number);
  if (isHere || !wanted.shown) return { page, isFromBeginning };
  return { page: await pageAfter(cursorBefore(wanted)), isFromBeginning: false };
}

/** What replies to a comment that is not there is shown where a new one is written. */
const atPlace = (draft: DraftView, comments: readonly Comment[]): DraftView =>
  comments.some(({ path, state }) => slugOf(path) === draft.replyTo && state === 'PUBLISHED')
    ? draft
    : { ...draft, replyTo: null };

/** The present names of those who have an account. */
async function findAuthors(
  db: SiteServices['db'],
  comments: readonly Comment[],
): Promise<(comment: Comment) => string> {
  const ids = new Set(comments.flatMap(({ author }) => (author.name === '' && author._id) || []));
  const users = ids.size === 0 ? [] : await findUsersById(db, [...ids]);
  const names = new Map(users.map(({ _id, name }) => [_id, name]));
  return ({ author }) => author.name || names.get(author._id ?? '') || 'Deleted account';
}

const commentView = (comment: Comment, author: string): CommentView => ({
  name: comment.number.toString(36),
  slug: slugOf(comment.path),
  author,
  postedAt: comment.posted,
  editedAt: comment.edited ?? null,
  html: comment.state === 'PUBLISHED' && comment.text !== null ? renderMarkdown(comment.text) : null,
  state: comment.state,
  replyCount: comment.replies,
});

/** @param comments in the order of their threads. Those whose parent is not among them are at the top */
export function threadsOf(comments: readonly Comment[], viewOf: (comment: Comment) => CommentView): ThreadView[] {
  const top: ThreadView[] = [];
  const repliesTo = new Map<number, ThreadView[]>();
  for (const comment of comments) {
    const replies: ThreadView[] = [];
    repliesTo.set(comment.number, replies);
    const siblings = repliesTo.get(numbersOf(comment.path).at(-2) ?? 0) ?? top;
    siblings.push({ comment: viewOf(comment), replies });
  }
  return top;
}
