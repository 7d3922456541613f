/**
 * Publishing: the post and its delivery are stored in one transaction, so whoever gets the answer can rely on both. What follows (the
 * news of the readers) is carried out in the background.
 */
import type { ClientSession, Db } from 'mongodb';
import { commitConcernOf, inTransaction } from '../../../database/index.js';
import { findAssets } from '../../system/assets/asset.js';
import { claimAssets, noSuchAssets } from '../../system/assets/asset-claim.js';
import { deliverPost, type FanOutWay } from '../delivery/delivery.js';
import { type CircleNotFound, circleNotFound, notJoined, type ProfileNotFound } from '../network/circle.js';
import { profileNotFound } from '../network/following.js';
import { blocksNobody, findPerson, type PersonDocument, people } from '../network/person.js';
import { newPostId, type PostDocument, posts } from './post.js';
import { type PostInput, requireAudience, requireDetail } from './post-input.js';
import type { Audience } from './visibility.js';

/** From that many followers on, a public post is not copied into their news: they fetch it. See `docs/social.md` for the measures. */
export const PULLED_FOLLOWERS = 10_000;

export const fanOutWay = ({ follower_count }: Pick<PersonDocument, 'follower_count'>, audience: Audience): FanOutWay =>
  audience === 'PUBLIC' && follower_count > PULLED_FOLLOWERS ? 'READ' : 'WRITE';

export interface NewPost {
  readonly author: string;
  /** The owner of the wall. */
  readonly wall: string;
  readonly input: PostInput;
  /** A global id. The caller has checked that the author sees it. */
  readonly about: string | null;
  /** The id of the call, which a retry repeats. */
  readonly call: string;
  readonly now: Date;
}

/** @throws InputError */
export async function publishPost(
  db: Db,
  { author, wall, input, about, call, now }: NewPost,
): Promise<PostDocument | ProfileNotFound | CircleNotFound> {
  requireAudience(input);
  const { text, detail } = requireDetail(input, now);
  const { value } = await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
    const earlier = await posts(db).findOne({ call }, { session });
    if (earlier) return earlier;
    const person = await findPerson(db, author, session);
    if (!person) return notJoined();
    const missing = await findMissing(db, session, person, wall, input);
    if (missing) return missing;
    const way = fanOutWay(person, input.audience);
    const post: PostDocument = {
      _id: newPostId(author, wall, now),
      author_id: author,
      wall_id: wall,
      type: input.type,
      text,
      ...(detail && { detail }),
      ...(about !== null && { about }),
      audience: input.audience,
      circle_ids: [...new Set(input.circles)],
      posted: now,
      way,
      live: true,
      ...(wall !== author && { guest: true }),
      call,
    };
    if (detail?.asset_id !== undefined) await claimPhoto(db, session, detail.asset_id, author, now);
    if (way === 'READ' && !person.is_pulled)
      await people(db).updateOne({ _id: author }, { $set: { is_pulled: true } }, { session });
    await posts(db).insertOne(post, { session });
    await deliverPost(db, session, post, now);
    return post;
  });
  return value;
}

async function findMissing(
  db: Db,
  session: ClientSession,
  author: PersonDocument,
  wall: string,
  { circles }: PostInput,
): Promise<ProfileNotFound | CircleNotFound | null> {
  const own = new Set(author.circles.map(({ id }) => id));
  if (!circles.every((circle) => own.has(circle))) return circleNotFound();
  if (wall === author._id) return null;
  const isBlocked = author.blocked.some(({ id }) => id === wall);
  const owner =
    !isBlocked && (await people(db).findOne(blocksNobody(wall, author._id), { session, projection: { _id: 1 } }));
  return owner ? null : profileNotFound();
}

/** Whoever shows a picture could publish it: so only one's own. */
async function claimPhoto(db: Db, session: ClientSession, id: string, author: string, now: Date): Promise<void> {
  const [asset] = await findAssets(db, [id]);
  if (asset?.metadata.owner_id !== author) throw noSuchAssets('input.imageId');
  await claimAssets(db, session, [id], { field: 'input.imageId', now });
}
