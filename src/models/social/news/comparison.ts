/** Compares the news of a reader with what an author has posted, and corrects them: after the two have become related otherwise. */
import type { Db } from 'mongodb';
import { failpoint } from '../../../shared/failpoint.js';
import type { Pair } from '../delivery/delivery.js';
import { findReader, findRelations } from '../network/relation.js';
import type { PostDocument } from '../posts/post.js';
import { isNewsFor } from '../posts/visibility.js';
import { type Place, readRange } from './list-page.js';
import { addReferences, findReferences, removeReferences } from './news-page.js';

const POSTS_AT_ONCE = 200;
const EVER = { from: new Date(0), to: new Date(8.64e15) };

export interface Compared {
  /** Everything up to this post was compared. Null at the end. */
  readonly last: Place | null;
  /** References that were missing, or did not belong there. */
  readonly wrong: number;
}

/** The next 200 posts of the author, from the newest on. Repeating it changes nothing more. */
export async function compareNews(db: Db, { reader: readerId, author }: Pair, after: Place | null): Promise<Compared> {
  const found = await readRange(db, { author_id: author }, after, POSTS_AT_ONCE);
  const isLast = found.length < POSTS_AT_ONCE;
  const last = isLast ? null : (found.at(-1) ?? null);
  const belonging = await findBelonging(db, readerId, author, found);
  // Also what refers to no post: everything of the author between the posts that are compared here.
  const span = { from: last?.posted ?? EVER.from, to: after?.posted ?? EVER.to };
  const present = await findReferences(db, readerId, author, span);
  const wanted = new Map(belonging.map((post) => [post._id, post]));
  const compared = new Set(found.map(({ _id }) => _id));
  const isEdge = (at: Date) => at.getTime() === span.from.getTime() || at.getTime() === span.to.getTime();
  const extra = present.filter(({ id, at }) => !wanted.has(id) && (compared.has(id) || !isEdge(at)));
  const known = new Set(present.map(({ id }) => id));
  const missing = belonging.filter(({ _id }) => !known.has(_id));
  await removeReferences(db, readerId, extra);
  failpoint('social.references-removed');
  await addReferences(
    db,
    missing.map(({ _id, posted }) => ({ reader: readerId, post: { id: _id, at: posted, by: author } })),
  );
  return { last, wrong: missing.length + extra.length };
}

/**
 * Those that are delivered to the reader. A block between the reader and the owner of a wall is not asked for: it hides what is
 * delivered, and shows it again when it is removed.
 */
async function findBelonging(
  db: Db,
  readerId: string,
  author: string,
  found: readonly PostDocument[],
): Promise<PostDocument[]> {
  const reader = await findReader(db, readerId);
  const relation = (await findRelations(db, reader, [author])).get(author);
  if (!relation) return [];
  return found.filter((post) => post.live && post.way === 'WRITE' && isNewsFor(post, reader, relation));
}
