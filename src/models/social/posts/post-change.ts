/** What becomes of posts: edited, deleted. */
import type { ClientSession, Db } from 'mongodb';
import { commitConcernOf, inTransaction } from '../../../database/index.js';
import { InputError } from '../../../shared/errors.js';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import { type Act, recordAct } from '../../people/audit.js';
import { releaseAssets } from '../../system/assets/asset-claim.js';
import { deliverRemoval } from '../delivery/delivery.js';
import { mayWriteOn } from '../network/block.js';
import { RUSH_ATTEMPTS_MAX } from '../network/person.js';
import { type PostDocument, partsOfPostId, posts } from './post.js';
import { requirePostText } from './post-input.js';

export type PostNotFound = Refusal<'PostNotFound'>;

export const postNotFound = (): PostNotFound =>
  refuse('PostNotFound', 'There is no such post, or you may not do this with it');

/**
 * Saving the same text again changes nothing. On the wall of somebody on the other side of a block it is refused, as posting and
 * commenting there are. It can still be deleted.
 * @throws InputError
 */
export async function editPost(
  db: Db,
  author: string,
  id: string,
  given: string,
  now: Date,
): Promise<PostDocument | PostNotFound> {
  const text = requirePostText('text', given);
  const own = { _id: id, author_id: author, live: true as const };
  const parts = partsOfPostId(id);
  if (parts?.author !== author) return postNotFound();
  const { wall } = parts;
  if (wall === author) return saveText(db, own, text, now);
  const { value } = await inTransaction(
    db,
    commitConcernOf.MAJORITY,
    async (session) =>
      (await mayWriteOn(db, session, wall, author)) ? saveText(db, own, text, now, session) : postNotFound(),
    { attemptsMax: RUSH_ATTEMPTS_MAX },
  );
  return value;
}

async function saveText(
  db: Db,
  own: Pick<PostDocument, '_id' | 'author_id' | 'live'>,
  text: string,
  now: Date,
  session?: ClientSession,
): Promise<PostDocument | PostNotFound> {
  const inSession = session ? { session } : {};
  const before = await posts(db).findOne(own, inSession);
  if (!before) return postNotFound();
  if (before.text === text) return before;
  if (before.type === 'STATUS' && text === '') throw new InputError('text', 'must not be empty');
  const edited = await posts(db).findOneAndUpdate(
    own, // guard: it is the author's, and not deleted; the latest text counts
    { $set: { text, edited: now } },
    { returnDocument: 'after', ...inSession },
  );
  return edited ?? postNotFound();
}

export interface Deleter {
  readonly id: string;
  /** For an editor, who may delete any post: the entry in the audit trail. */
  readonly act: Act | null;
  /** The author's name, for that entry. */
  readonly nameOf: (author: string) => Promise<string>;
}

/**
 * Leaves only who wrote it where and when, and by which call, so that neither a retry nor another import posts it once more. Deleting
 * again changes nothing.
 * @returns the id
 */
export async function deletePost(
  db: Db,
  id: string,
  { id: by, act, nameOf }: Deleter,
  now: Date,
): Promise<{ readonly _id: string } | PostNotFound> {
  const { value } = await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
    const post = await posts(db).findOne({ _id: id }, { session });
    const isTheirs = post?.author_id === by || post?.wall_id === by;
    if (!post || !(isTheirs || act)) return postNotFound();
    if (!post.live) return { _id: id };
    const { author_id, wall_id, type, audience, circle_ids, posted, way, call } = post;
    const left = { author_id, wall_id, type, audience, circle_ids, posted, way };
    await posts(db).replaceOne(
      { _id: id, live: true }, // guard: of two deletions, one conflicts and finds it deleted
      { ...left, text: '', deleted: now, ...(call !== undefined && { call }) },
      { session },
    );
    if (post.detail?.asset_id !== undefined) await releaseAssets(db, [post.detail.asset_id], now, session);
    await deliverRemoval(db, session, id, now);
    if (act && !isTheirs)
      await recordAct(db, session, act, { action: 'POST_DELETED', subject: id, detail: await nameOf(author_id) });
    return { _id: id };
  });
  return value;
}
