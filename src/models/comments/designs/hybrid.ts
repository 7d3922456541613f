/**
 * The design HYBRID: documents of PAGE_SIZE comments each, in the order of their numbers. A list by time reads as many of them as its page
 * fills, and one more. Threads are sorted in memory, from the paths alone, and therefore bounded.
 * Source pattern: hybrid schema design of comments, where two writers could create the same page, and one could overfill it; here both
 * happen one after the other.
 */
import type { ClientSession, Db, Filter, FindCursor, WithId } from 'mongodb';
import { LimitError } from '../../../shared/errors.js';
import { groupBy } from '../../../shared/group-by.js';
import { below, type Comment, commentIdOf, comments, referenceOf, type StoredComment } from '../discussion/comment.js';
import type { Discussion } from '../discussion/discussion.js';
import { type CommentPageDocument, commentPages, pageIdOf } from './comment-page.js';
import { type Design, type DiscussionChange, type ListPage, replaceIn, storedOf } from './design.js';
import { writeReferences } from './references.js';

export const PAGE_SIZE = 100;
export const THREADED_MAX = 5000;
/** Pages that are read at once: those that so many comments fill, and one more, because the first one may be used up in part. */
export const pagesFor = (limit: number): number => Math.ceil(limit / PAGE_SIZE) + 1;

export const hybrid: Design = {
  find: async (db, discussion, numbers, session) => {
    const pages = await pagesOf(db, discussion, numbers, session);
    return findOn(db, discussion, pages, session);
  },

  list: (db, discussion, page, session) =>
    page.order === 'THREADED' ? listThreaded(db, discussion, page, session) : listByTime(db, discussion, page, session),

  finder: (db, discussion, { order, after, limit }) =>
    order === 'THREADED'
      ? outlineOf(db, discussion)
      : pagesFrom(db, discussion, {
          isNewest: order === 'NEWEST_FIRST',
          place: after === null ? null : Number(after),
          count: pagesFor(limit),
        }),

  write: async (db, session, discussion, added, changed) => {
    const pages = await pagesOf(
      db,
      discussion,
      changed.map(({ number }) => number),
      session,
    );
    const { _id, generation } = discussion;
    const byPage = groupBy(changed, ({ number }) => pageIdOf(_id, generation, pages.get(number) ?? 0));
    for (const [pageId, onPage] of byPage) {
      const { update, arrayFilters } = replaceIn(onPage);
      await commentPages(db).updateOne({ _id: pageId }, update, { session, arrayFilters });
    }
    const { page, references } = await addAll(db, session, discussion, added);
    await writeReferences(comments(db), session, references, changed);
    return page ? { page } : {};
  },

  isFull: () => false,
  isTooLong: () => false,
};

/** The page of each number. */
async function pagesOf(
  db: Db,
  { _id }: Discussion,
  numbers: readonly number[],
  session?: ClientSession,
): Promise<ReadonlyMap<number, number>> {
  if (numbers.length === 0) return new Map();
  const ids = numbers.map((number) => commentIdOf(_id, number));
  const found = await comments(db)
    .find({ _id: { $in: ids } }, { projection: { number: 1, page: 1 }, ...(session && { session }) })
    .toArray();
  return new Map(found.flatMap(({ number, page }) => (page === undefined ? [] : [[number, page]])));
}

/** Comments on known pages: only they are sent, not the whole pages. */
async function findOn(
  db: Db,
  { _id, generation }: Discussion,
  pages: ReadonlyMap<number, number>,
  session?: ClientSession,
): Promise<StoredComment[]> {
  if (pages.size === 0) return [];
  const ids = [...new Set(pages.values())].map((page) => pageIdOf(_id, generation, page));
  const wanted = { $filter: { input: '$comments', cond: { $in: ['$$this.number', [...pages.keys()]] } } };
  const found = await commentPages(db)
    .find({ _id: { $in: ids } }, { projection: { comments: wanted }, ...(session && { session }) })
    .toArray();
  return found.flatMap(({ comments }) => comments);
}

function pagesFrom(
  db: Db,
  { _id, generation }: Discussion,
  { isNewest, place, count }: { readonly isNewest: boolean; readonly place: number | null; readonly count: number },
  session?: ClientSession,
): FindCursor<WithId<CommentPageDocument>> {
  const where: Filter<CommentPageDocument> = { discussion: _id, generation };
  if (place !== null) Object.assign(where, isNewest ? { first: { $lt: place } } : { last: { $gt: place } });
  return commentPages(db)
    .find(where, { ...(session && { session }) })
    .sort(isNewest ? { first: -1 } : { last: 1 })
    .limit(count);
}

async function listByTime(
  db: Db,
  discussion: Discussion,
  { order, after, limit }: ListPage,
  session?: ClientSession,
): Promise<StoredComment[]> {
  const isNewest = order === 'NEWEST_FIRST';
  const listed: StoredComment[] = [];
  let place = after === null ? null : Number(after);
  for (;;) {
    const count = pagesFor(limit - listed.length);
    const pages = await pagesFrom(db, discussion, { isNewest, place, count }, session).toArray();
    for (const page of pages) {
      const inOrder = isNewest ? page.comments.toReversed() : page.comments;
      for (const comment of inOrder) {
        const isBehind = place === null || (isNewest ? comment.number < place : comment.number > place);
        if (comment.shown && isBehind) listed.push(comment);
        if (listed.length === limit) return listed;
      }
      place = isNewest ? page.first : page.last;
    }
    if (pages.length < count) return listed;
  }
}

/** The paths of all comments, page by page. */
const outlineOf = (db: Db, { _id, generation }: Discussion, session?: ClientSession) =>
  commentPages(db)
    .find(
      { discussion: _id, generation },
      {
        projection: { page: 1, 'comments.number': 1, 'comments.path': 1, 'comments.shown': 1 },
        ...(session && { session }),
      },
    )
    .sort({ last: 1 });

async function listThreaded(
  db: Db,
  discussion: Discussion,
  { after, limit, below: top }: ListPage,
  session?: ClientSession,
): Promise<StoredComment[]> {
  if (discussion.issued > THREADED_MAX)
    throw new LimitError(
      `A discussion in the design HYBRID is shown in threads up to ${THREADED_MAX} comments: an editor can move it to ONE_EACH`,
      THREADED_MAX,
    );
  const outline = await outlineOf(db, discussion, session).toArray();
  const [above, before] = below(top ?? '');
  const from = typeof after === 'string' ? after : above;
  const wanted = outline
    .flatMap(({ page, comments }) => comments.map(({ number, path, shown }) => ({ page, number, path, shown })))
    .filter(({ path, shown }) => shown && path > from && path < before)
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
    .slice(0, limit);
  const found = await findOn(db, discussion, new Map(wanted.map(({ number, page }) => [number, page])), session);
  return found.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

/** Fills the last page, then begins new ones. The turn of the discussion guards against a second writer. */
async function addAll(
  db: Db,
  session: ClientSession,
  { _id, generation, page: last }: Discussion,
  added: readonly Comment[],
): Promise<DiscussionChange & { references: ReturnType<typeof referenceOf>[] }> {
  let page = last ?? { number: 0, count: PAGE_SIZE };
  const references: ReturnType<typeof referenceOf>[] = [];
  for (let at = 0; at < added.length; ) {
    const isNew = page.count >= PAGE_SIZE;
    const number = page.number + (isNew ? 1 : 0);
    const some = added.slice(at, at + (isNew ? PAGE_SIZE : PAGE_SIZE - page.count));
    const stored = some.map(storedOf);
    const pageId = pageIdOf(_id, generation, number);
    const [first, final] = [stored[0]?.number ?? 0, stored.at(-1)?.number ?? 0];
    if (isNew)
      await commentPages(db).insertOne(
        { _id: pageId, discussion: _id, generation, page: number, first, last: final, comments: stored },
        { session },
      );
    else
      await commentPages(db).updateOne(
        { _id: pageId },
        { $push: { comments: { $each: stored } }, $set: { last: final } },
        { session },
      );
    references.push(...some.map((comment) => referenceOf(comment, number)));
    page = { number, count: (isNew ? 0 : page.count) + some.length };
    at += some.length;
  }
  return { ...(added.length > 0 && { page }), references };
}
