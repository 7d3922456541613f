/**
 * Publishing: the post and its delivery are stored in one transaction, so whoever gets the answer can rely on both. What follows (the
 * news of the readers) is carried out in the background.
 */
import type { ClientSession, Db } from 'mongodb';
import { type Attempt, type Brief, commitConcernOf, holdCall, inTransaction } from '../../../database/index.js';
import { InputError } from '../../../shared/errors.js';
import { refuse } from '../../../shared/outcome.js';
import { findAssets } from '../../system/assets/asset.js';
import { claimAssets, noSuchAssets } from '../../system/assets/asset-claim.js';
import { deliverPost, type FanOutWay } from '../delivery/delivery.js';
import { mayWriteOn } from '../network/block.js';
import { type CircleNotFound, circleNotFound, notJoined, type ProfileNotFound } from '../network/circle.js';
import { profileNotFound } from '../network/following.js';
import { findPerson, type PersonDocument, people, RUSH_ATTEMPTS_MAX } from '../network/person.js';
import { findPost, newPostId, type PostDocument, posts } from './post.js';
import type { PostNotFound } from './post-change.js';
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
  readonly about: {
    /** A global id. */
    readonly id: string;
    /** Whether the author sees it. Asked unless the call has published already: what the post is about may have gone since. */
    readonly isSeen: () => Promise<boolean>;
  } | null;
  /** Its call is repeated by a retry. */
  readonly attempt: Attempt;
  readonly now: Date;
}

export type PublishOutcome = PostDocument | ProfileNotFound | CircleNotFound | PostNotFound;

const wasDeleted = (): PostNotFound => refuse('PostNotFound', 'This post was published, and has been deleted since');

const unlessDeleted = (post: PostDocument | null): PostDocument | PostNotFound => (post?.live ? post : wasDeleted());

/** What a key remembers is the post's id: a retry gets the post as it is then, and the text of a deleted one is nowhere. */
export const briefOfPublishing = (db: Db): Brief<PublishOutcome> => ({
  keep: (outcome) => ('_id' in outcome ? { post: outcome._id } : outcome),
  recall: async (kept) => {
    const outcome = kept as { readonly post: string } | PublishOutcome;
    if ('post' in outcome) return unlessDeleted(await findPost(db, outcome.post));
    return '_id' in outcome ? unlessDeleted(await findPost(db, outcome._id)) : outcome; // kept by an earlier version
  },
});

/** Refused as `PostNotFound` is a retry whose post was deleted meanwhile. @throws InputError */
export async function publishPost(
  db: Db,
  { author, wall, input, about, attempt, now }: NewPost,
): Promise<PublishOutcome> {
  requireAudience(input);
  const { call } = attempt;
  const publish = async (session: ClientSession): Promise<PublishOutcome> => {
    const earlier = await posts(db).findOne({ call }, { session });
    if (earlier) return unlessDeleted(earlier);
    const { text, detail } = requireDetail(input, now); // a poll that was published may have closed since
    await holdCall(db, session, attempt); // guard: nobody has taken over, and nobody does until this ends
    const person = await findPerson(db, author, session);
    if (!person) return notJoined();
    const missing = await findMissing(db, session, person, wall, input);
    if (missing) return missing;
    if (about && !(await about.isSeen()))
      throw new InputError('input.aboutId', 'must name an object that you can see, and no comment');
    const way = fanOutWay(person, input.audience);
    const post: PostDocument = {
      _id: newPostId(author, wall, now),
      author_id: author,
      wall_id: wall,
      type: input.type,
      text,
      ...(detail && { detail }),
      ...(about && { about: about.id }),
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
    await deliverPost(db, session, post, person.follower_count, now);
    return post;
  };
  const { value } = await inTransaction(db, commitConcernOf.MAJORITY, publish, {
    attemptsMax: RUSH_ATTEMPTS_MAX, // a guest's document is also written by whoever follows the guest
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
  return (await mayWriteOn(db, session, wall, author._id)) ? null : profileNotFound();
}

/** Whoever shows a picture could publish it: so only one's own. */
async function claimPhoto(db: Db, session: ClientSession, id: string, author: string, now: Date): Promise<void> {
  const [asset] = await findAssets(db, [id]);
  if (asset?.metadata.owner_id !== author) throw noSuchAssets('input.imageId');
  await claimAssets(db, session, [id], { field: 'input.imageId', now });
}
