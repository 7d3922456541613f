/** Reading discussions: the same for every design. */
import type { Db } from 'mongodb';
import { type Explanation, inSnapshot, readExplanation } from '../../database/index.js';
import { groupBy } from '../../shared/group-by.js';
import {
  type Connection,
  decodePosition,
  encodePosition,
  type PageInput,
  requireFirst,
  toConnection,
} from '../../shared/page.js';
import type { ListPage } from './designs/design.js';
import { designs } from './designs/index.js';
import {
  type Comment,
  type CommentOrder,
  commentIdOf,
  numbersOf,
  partsOfId,
  pathWithSlug,
  placeBefore,
} from './discussion/comment.js';
import { type Discussion, findDiscussion, findDiscussions } from './discussion/discussion.js';

const DISCUSSION_FIRST_MAX = 200;
const FIRST_DEFAULT = 50;

/** A page is read on, at least so many comments at a time, if its reader does not see all authors. */
const REFILL_MIN = 50;
/** Beyond it, the page has fewer than asked for, and ends where the next one begins. */
const ROUNDS_MAX = 20;

/** Accounts whose comments a reader does not see: a set of ids, or what decides in the place of one. */
export type HiddenAuthors = Pick<ReadonlySet<string>, 'has'>;

/** What is left out for one reader: the comments of these accounts. Replies to them by others stay. */
export interface Unseen {
  readonly hiddenAuthors?: HiddenAuthors | undefined;
}

export interface DiscussionPage extends PageInput, Unseen {
  readonly order: CommentOrder;
}

/** Whether a reader who does not see these accounts' comments sees this one. */
export const isSeen = ({ author }: Pick<Comment, 'author'>, hiddenAuthors: Unseen['hiddenAuthors']): boolean =>
  author._id === undefined || !hiddenAuthors?.has(author._id);

/** The comments below one, threaded. @throws InputError @throws LimitError @throws CursorError */
export const findReplies = (
  db: Db,
  { discussion, path }: Comment,
  page: PageInput & Unseen,
): Promise<Connection<Comment>> => findDiscussionPage(db, discussion, { ...page, order: 'THREADED' }, path);

/**
 * What everybody sees of a discussion.
 * @param below only the comments below this path @throws InputError @throws LimitError @throws CursorError
 */
export async function findDiscussionPage(
  db: Db,
  id: string,
  { order, first, after, hiddenAuthors }: DiscussionPage,
  below?: string,
): Promise<Connection<Comment>> {
  const limit = requireFirst(first, DISCUSSION_FIRST_MAX) + 1;
  const isThreaded = order === 'THREADED';
  const list = listOf(id, order, below);
  const [place = null] = after ? decodePosition(list, after, [isThreaded ? 'string' : 'number']) : [];
  // All reads at one time: between them, the discussion may change its design.
  const { value: found } = await inSnapshot(db, async (session) => {
    const discussion = await findDiscussion(db, id, session);
    if (!discussion) return { seen: [], stopped: null };
    return readSeen({ order, after: place, limit, below }, hiddenAuthors, async (page) =>
      (await designs[discussion.design].list(db, discussion, page, session)).map(within(discussion)),
    );
  });
  const cursorOf = ({ number, path }: Comment) => encodePosition(list, [isThreaded ? path : number]);
  const page = toConnection(found.seen, first, cursorOf);
  return found.stopped ? { ...page, pageInfo: { hasNextPage: true, endCursor: cursorOf(found.stopped) } } : page;
}

/**
 * Reads on until the page is full, or the list ends. With all authors seen, that is one read.
 * @returns those that the reader sees, and if there were too many others, the one that was read last
 */
async function readSeen(
  page: ListPage,
  hiddenAuthors: Unseen['hiddenAuthors'],
  read: (page: ListPage) => Promise<Comment[]>,
): Promise<{ readonly seen: readonly Comment[]; readonly stopped: Comment | null }> {
  const seen: Comment[] = [];
  let { after, limit } = page;
  for (let round = 1; ; round += 1) {
    const some = await read({ ...page, after, limit });
    seen.push(...some.filter((comment) => isSeen(comment, hiddenAuthors)));
    const last = some.at(-1);
    if (!last || some.length < limit || seen.length >= page.limit) return { seen, stopped: null };
    if (round === ROUNDS_MAX) return { seen, stopped: last };
    after = page.order === 'THREADED' ? last.path : last.number;
    limit = Math.max(page.limit, REFILL_MIN);
  }
}

/** The cursor of a threaded list that begins with this comment. */
export const cursorBefore = ({ discussion, path }: Comment): string =>
  encodePosition(listOf(discussion, 'THREADED'), [placeBefore(path)]);

const listOf = (discussion: string, order: CommentOrder, below = ''): string =>
  `comments/${discussion}/${order}/${below}`;

const within =
  ({ _id }: Discussion) =>
  (comment: Omit<Comment, 'discussion'>): Comment => ({ ...comment, discussion: _id });

/** How the database finds the first page of a discussion, of the default size. Null if nobody has commented yet. */
export async function explainDiscussion(db: Db, id: string, order: CommentOrder): Promise<Explanation | null> {
  const discussion = await findDiscussion(db, id);
  if (!discussion) return null;
  const finder = designs[discussion.design].finder(db, discussion, { order, after: null, limit: FIRST_DEFAULT + 1 });
  return readExplanation(await finder.explain('executionStats'));
}

/** The comments with these ids, in any state; null for those that do not exist. Two or three reads for each discussion. */
export async function findCommentsById(db: Db, ids: readonly string[]): Promise<(Comment | null)[]> {
  const parts = ids.flatMap((id) => partsOfId(id) ?? []);
  const byDiscussion = groupBy(parts, ({ discussion }) => discussion);
  if (byDiscussion.size === 0) return ids.map(() => null);
  const { value: found } = await inSnapshot(db, async (session) => {
    const stored = new Map<string, Comment>();
    for (const discussion of await findDiscussions(db, [...byDiscussion.keys()], session)) {
      const numbers = (byDiscussion.get(discussion._id) ?? []).map(({ number }) => number);
      for (const comment of await designs[discussion.design].find(db, discussion, numbers, session))
        stored.set(commentIdOf(discussion._id, comment.number), within(discussion)(comment));
    }
    return stored;
  });
  return ids.map((id) => found.get(id) ?? null);
}

/** In any state. */
export async function findCommentBySlug(db: Db, id: string, slug: string): Promise<Comment | null> {
  const path = pathWithSlug(slug);
  const number = path && numbersOf(path).at(-1);
  if (!number) return null;
  const [comment] = await findCommentsById(db, [commentIdOf(id, number)]);
  return comment?.path === path ? comment : null;
}
