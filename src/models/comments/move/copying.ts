/**
 * Copying a discussion into another design: what each design needs for it. Those who follow the discussion are not told of copies
 * (`comment-feed.ts`): they are updates that name only fields, they replace pages, or they are in pages marked as copied.
 */
import type { ClientSession, Db } from 'mongodb';
import { commentPages, pageIdOf } from '../designs/comment-page.js';
import { PAGE_SIZE } from '../designs/hybrid.js';
import { type CommentDesign, commentIdOf, comments, type StoredComment } from '../discussion/comment.js';
import type { Discussion } from '../discussion/discussion.js';

/** Where copies go: not read before the discussion has this design and generation. */
export interface Target {
  readonly discussion: string;
  readonly generation: number;
}

export type LastPage = NonNullable<Discussion['page']>;

/** What is left behind, and how far its removal has come. */
export interface Left extends Target {
  readonly design: CommentDesign;
  /** The highest number that it has. */
  readonly upTo: number;
  /** The last number, or page, that was removed. */
  readonly removed: number;
}

export interface Copying {
  /** Stores copies of the next comments. @param last the last page so far @returns the last page then */
  copy(
    db: Db,
    session: ClientSession,
    target: Target,
    copies: readonly StoredComment[],
    last?: LastPage,
  ): Promise<LastPage | undefined>;
  /** Stores comments again that were copied before. */
  copyAgain(db: Db, session: ClientSession, target: Target, copies: readonly StoredComment[]): Promise<void>;
  /** Removes a part of what a discussion has left in this design. @returns up to where, or null if nothing is left */
  remove(db: Db, session: ClientSession, left: Left): Promise<number | null>;
}

const REMOVED_TOGETHER = 500;
const PAGES_REMOVED_TOGETHER = 20;

/** The fields that a reference does not have. */
const CONTENT = {
  path: '',
  edited: '',
  text: '',
  shown: '',
  was_shown: '',
  replies: '',
  children: '',
  revision: '',
  count: '',
};

const oneEach: Copying = {
  copy: async (db, session, target, copies) => {
    await oneEach.copyAgain(db, session, target, copies);
    return undefined;
  },
  // The documents are there as references, and what is added to them is not read as long as the discussion has its old design.
  copyAgain: async (db, session, { discussion }, copies) => {
    const updates = copies.map((comment) => ({
      updateOne: { filter: { _id: commentIdOf(discussion, comment.number) }, update: { $set: comment } },
    }));
    if (updates.length > 0) await comments(db).bulkWrite(updates, { session });
  },
  remove: async (db, session, { discussion, upTo, removed }) => {
    const next = Math.min(removed + REMOVED_TOGETHER, upTo);
    const ids = numbersBetween(removed, next).map((number) => commentIdOf(discussion, number));
    if (ids.length > 0) await comments(db).updateMany({ _id: { $in: ids } }, { $unset: CONTENT as never }, { session });
    return next < upTo ? next : null;
  },
};

const embedded: Copying = {
  // All are stored with the new design, in one update (`comment-move.ts`), and removed likewise.
  copy: async () => undefined,
  copyAgain: async () => undefined,
  remove: async () => null,
};

const hybrid: Copying = {
  copy: async (db, session, { discussion, generation }, copies, last) => {
    // Of a move that failed.
    if (!last) await commentPages(db).deleteMany({ discussion, generation }, { session });
    let page = last ?? { number: 0, count: PAGE_SIZE };
    for (let at = 0; at < copies.length; ) {
      const isNew = page.count >= PAGE_SIZE;
      const number = page.number + (isNew ? 1 : 0);
      const some = copies.slice(at, at + (isNew ? PAGE_SIZE : PAGE_SIZE - page.count));
      const _id = pageIdOf(discussion, generation, number);
      const before = isNew ? [] : ((await commentPages(db).findOne({ _id }, { session }))?.comments ?? []);
      const all = [...before, ...some];
      const [first, final] = [all[0]?.number ?? 0, all.at(-1)?.number ?? 0];
      const stored = { discussion, generation, page: number, first, last: final, comments: all, copied: true as const };
      await commentPages(db).replaceOne({ _id }, stored, { session, upsert: true });
      await placeReferences(db, session, discussion, some, number);
      page = { number, count: all.length };
      at += some.length;
    }
    return page.number > 0 ? page : undefined;
  },
  copyAgain: async (db, session, { discussion, generation }, copies) => {
    for (const comment of copies) {
      const { number } = comment;
      const holds = { discussion, generation, last: { $gte: number } };
      const page = await commentPages(db).findOne(holds, { session, sort: { last: 1 } });
      if (!page) throw new Error(`No page has a copy of ${commentIdOf(discussion, number)}`);
      const all = page.comments.map((copy) => (copy.number === number ? comment : copy));
      await commentPages(db).replaceOne({ _id: page._id }, { ...page, comments: all }, { session });
      await placeReferences(db, session, discussion, [comment], page.page); // a write has replaced the document
    }
  },
  remove: async (db, session, { discussion, generation, upTo, removed }) => {
    const next = removed + PAGES_REMOVED_TOGETHER;
    const ids = numbersBetween(removed, next).map((page) => pageIdOf(discussion, generation, page));
    await commentPages(db).deleteMany({ _id: { $in: ids } }, { session });
    return next * PAGE_SIZE < upTo ? next : null;
  },
};

const numbersBetween = (above: number, upTo: number): number[] =>
  Array.from({ length: upTo - above }, (_, at) => above + 1 + at);

/** In the other designs, nobody reads the field. */
async function placeReferences(
  db: Db,
  session: ClientSession,
  discussion: string,
  some: readonly StoredComment[],
  page: number,
): Promise<void> {
  const ids = some.map(({ number }) => commentIdOf(discussion, number));
  await comments(db).updateMany({ _id: { $in: ids } }, { $set: { page } }, { session });
}

export const copying: Readonly<Record<CommentDesign, Copying>> = {
  ONE_EACH: oneEach,
  EMBEDDED: embedded,
  HYBRID: hybrid,
};
