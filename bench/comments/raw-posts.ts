/** The commands by which posts are stored, sent with the driver alone: nothing is read, checked or counted, and nobody waits. */
import type { ClientSession, Db } from 'mongodb';
import { type CommentPageDocument, commentPages, pageIdOf } from '../../src/models/comments/designs/comment-page.js';
import { storedOf } from '../../src/models/comments/designs/design.js';
import { PAGE_SIZE } from '../../src/models/comments/designs/hybrid.js';
import {
  type Comment,
  type CommentDesign,
  commentIdOf,
  comments,
  referenceOf,
} from '../../src/models/comments/discussion/comment.js';
import { discussions } from '../../src/models/comments/discussion/discussion.js';

/** In one transaction. @param some comments with numbers that follow each other */
export async function postRaw(
  db: Db,
  session: ClientSession,
  design: CommentDesign,
  some: readonly Comment[],
): Promise<void> {
  const [first, last] = [some[0], some.at(-1)];
  if (!first || !last) return;
  const { discussion } = first;
  const created = { design, generation: 1 };
  await discussions(db).findOneAndUpdate(
    { _id: discussion },
    { $inc: { turn: 1 }, $setOnInsert: { ...created, ...(design === 'EMBEDDED' && { comments: [] }) } },
    { session, upsert: true, returnDocument: 'after', projection: { comments: 0 } },
  );
  await stores[design](db, session, some);
  const { number: issued, posted: last_posted } = last;
  await discussions(db).updateOne(
    { _id: discussion },
    { $set: { issued, count: issued, bytes: issued, last_posted } },
    { session },
  );
}

type Store = (db: Db, session: ClientSession, some: readonly Comment[]) => Promise<unknown>;

const stores: Readonly<Record<CommentDesign, Store>> = {
  ONE_EACH: (db, session, some) =>
    comments(db).insertMany(
      some.map((comment) => ({ _id: commentIdOf(comment.discussion, comment.number), ...comment })),
      { session },
    ),
  EMBEDDED: async (db, session, some) => {
    const $each = some.map(storedOf);
    await discussions(db).updateOne(
      { _id: some[0]?.discussion ?? '' },
      { $push: { comments: { $each } } },
      { session },
    );
    await comments(db).insertMany(
      some.map((comment) => referenceOf(comment)),
      { session },
    );
  },
  HYBRID: async (db, session, some) => {
    for (const page of pagesOf(some)) {
      const { _id, comments: stored, last } = page;
      if (page.first % PAGE_SIZE === 1) await commentPages(db).insertOne(page, { session });
      else
        await commentPages(db).updateOne(
          { _id },
          { $push: { comments: { $each: stored } }, $set: { last } },
          { session },
        );
    }
    await comments(db).insertMany(
      some.map((comment) => referenceOf(comment, pageOf(comment))),
      { session },
    );
  },
};

const pageOf = ({ number }: Comment): number => Math.ceil(number / PAGE_SIZE);

function pagesOf(some: readonly Comment[]): CommentPageDocument[] {
  const pages: CommentPageDocument[] = [];
  for (const comment of some) {
    const { discussion, number } = comment;
    let page = pages.at(-1);
    if (page?.page !== pageOf(comment)) {
      const _id = pageIdOf(discussion, 1, pageOf(comment));
      page = { _id, discussion, generation: 1, page: pageOf(comment), first: number, last: number, comments: [] };
      pages.push(page);
    }
    page.comments.push(storedOf(comment));
    page.last = number;
  }
  return pages;
}
