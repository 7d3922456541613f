/**
 * Compares the news of a reader with what an author has posted, and corrects them: after the two have become related otherwise, and when
 * news are rebuilt.
 *
 * To remove a reference that belongs there loses news, so it must not rest on what was true a moment ago. A step reads the references,
 * the posts and the graph at one time, in a transaction that also writes the delivery of the pair: a change of the graph writes it too
 * (`deliverPairs`), so one of the two conflicts, and a post that comes later is not among the references that were read.
 */
import type { ClientSession, Db } from 'mongodb';
import { commitConcernOf, inTransaction } from '../../../database/index.js';
import { failpoint } from '../../../shared/failpoint.js';
import { deliveries, type PairDelivery, type TakenPair } from '../delivery/delivery.js';
import { findPerson } from '../network/person.js';
import { findRelations, readerOf } from '../network/relation.js';
import type { PostDocument } from '../posts/post.js';
import { isNewsFor } from '../posts/visibility.js';
import { type Place, readRange } from './list-page.js';
import { addReferences, findReferences, removeNews, removeReferences } from './news-page.js';

const POSTS_AT_ONCE = 200;
const EVER = { from: new Date(0), to: new Date(8.64e15) };

export interface Compared {
  /** Everything up to this post was compared. Null at the end. */
  readonly last: Place | null;
  /** References that were missing, or did not belong there. */
  readonly wrong: number;
}

/**
 * The next 200 posts of the author, from the newest on. At the end, the delivery is gone.
 * @param leaseMs for how long nobody else takes the next step
 * @returns null if it was taken by somebody else, or the two have become related otherwise
 */
export async function compareNext(db: Db, { _id, token }: TakenPair, leaseMs = 0): Promise<Compared | null> {
  const { value } = await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
    const held = await deliveries(db).findOne<PairDelivery>({ _id, token }, { session });
    if (!held) return null;
    const compared = await compareNews(db, session, held);
    await recordStep(db, session, held, compared, leaseMs);
    return compared;
  });
  return value;
}

async function recordStep(
  db: Db,
  session: ClientSession,
  { _id, token }: PairDelivery,
  { last, wrong }: Compared,
  leaseMs: number,
): Promise<void> {
  const held = { _id, token }; // guard: as it was read; whoever takes it meanwhile, or changes the relation, conflicts
  if (last === null) {
    await deliveries(db).deleteOne(held, { session });
    return;
  }
  const position = { $literal: { at: last.posted, id: last._id } };
  await deliveries(db).updateOne(
    held,
    [
      { $set: { position, due: { $add: ['$$NOW', leaseMs] }, attempts: 0, done: { $add: ['$done', wrong] } } },
      { $unset: 'failure' },
    ],
    { session },
  );
}

/** All that it reads is of the transaction's time. Repeating it changes nothing more. */
async function compareNews(
  db: Db,
  session: ClientSession,
  { reader_id, author_id, position }: PairDelivery,
): Promise<Compared> {
  const person = await findPerson(db, reader_id, session);
  if (!person) return { last: null, wrong: await removeNews(db, reader_id, session) };
  const after = position ? { posted: position.at, _id: position.id } : null;
  const found = await readRange(db, { author_id }, after, POSTS_AT_ONCE, session);
  const isLast = found.length < POSTS_AT_ONCE;
  const last = isLast ? null : (found.at(-1) ?? null);
  const reader = readerOf(reader_id, person);
  const relation = (await findRelations(db, reader, [author_id], session)).get(author_id);
  // A block between the reader and the owner of a wall is not asked for: it hides what is delivered, and shows it again when it is removed.
  const isDelivered = (post: PostDocument) =>
    relation !== undefined && post.live === true && post.way === 'WRITE' && isNewsFor(post, reader, relation);
  const belonging = found.filter(isDelivered);
  // Also what refers to no post: everything of the author between the posts that are compared here.
  const span = { from: last?.posted ?? EVER.from, to: after?.posted ?? EVER.to };
  const present = await findReferences(db, reader_id, author_id, span, session);
  const wanted = new Set(belonging.map(({ _id }) => _id));
  const compared = new Set(found.map(({ _id }) => _id));
  const isEdge = (at: Date) => at.getTime() === span.from.getTime() || at.getTime() === span.to.getTime();
  const extra = present.filter(({ id, at }) => !wanted.has(id) && (compared.has(id) || !isEdge(at)));
  const known = new Set(present.map(({ id }) => id));
  const missing = belonging.filter(({ _id }) => !known.has(_id));
  await removeReferences(db, reader_id, extra, session);
  failpoint('social.references-removed');
  await addReferences(
    db,
    missing.map(({ _id, posted }) => ({ reader: reader_id, post: { id: _id, at: posted, by: author_id } })),
    session,
  );
  return { last, wrong: missing.length + extra.length };
}
