/**
 * What has to reach the news of readers: one document for each post on its way, and one for each pair of a reader and an author whose
 * relation has changed. Each is written in the transaction of the fact that it follows from, so no crash can lose it. `news/courier.ts`
 * carries them out, in steps, under a lease with a fencing token.
 */
import type { ClientSession, Db } from 'mongodb';
import { defineCollection } from '../../../database/index.js';
import type { WorkState } from '../../work.js';

export type FanOutWay = 'WRITE' | 'READ';

export const PRIORITY = { MEMBERS: 0, IMPORTED: 1 } as const;
export type Priority = (typeof PRIORITY)[keyof typeof PRIORITY];

interface Delivery {
  _id: string;
  state: WorkState;
  /** As long as it has not ended. */
  open?: true;
  /** What members do comes first, except in every tenth step: a backlog of what was imported delays nobody much, and does not stand still. */
  priority: Priority;
  /**
   * When it may take its next step: within a priority the oldest first, so that a post with many readers stalls none with few. It begins
   * with the time of the process, which is the database's or a little earlier (`Clock`), so it is due at once.
   */
  due: Date;
  /** The fencing token of whoever takes the next step. The filter of every write of the delivery has it. */
  token: number;
  /** How many times it was taken up since its last step. The pauses grow with it (`courier.ts`). */
  attempts: number;
  done: number;
  total?: number;
  created: Date;
  started?: Date;
  finished?: Date;
  /** Why the latest attempt failed. It is tried again. */
  failure?: string;
}

/** A new post, on its way into the news of its readers. Its id is that of the post. */
export interface PostDelivery extends Delivery {
  kind: 'POST';
  author_id: string;
  way: FanOutWay;
  is_public: boolean;
  /** The last page of followers, or the last reader, that has it. */
  position?: { page?: number; reader?: string };
}

/** A deleted post, on its way out of the news. Its id is that of the post, with an exclamation mark. */
export interface RemovalDelivery extends Delivery {
  kind: 'REMOVAL';
  post_id: string;
}

/** What an author has posted, to be compared with the news of a reader. */
export interface PairDelivery extends Delivery {
  kind: 'PAIR';
  reader_id: string;
  author_id: string;
  /** Everything up to this post was compared. */
  position?: { at: Date; id: string };
}

export type DeliveryDocument = PostDelivery | RemovalDelivery | PairDelivery;

const DAY_SECONDS = 86_400;
const KEPT_DAYS = 30;

export const deliveries = defineCollection<DeliveryDocument>('social.deliveries', [
  { key: { open: 1, priority: 1, due: 1 }, partialFilterExpression: { open: true } }, // takeDue
  // findOpenPosts, findAuthorsOnTheWay
  { key: { open: 1, kind: 1, author_id: 1, is_public: 1, _id: 1 }, partialFilterExpression: { open: true } },
  { key: { open: 1, reader_id: 1 }, partialFilterExpression: { open: true } }, // findOpenPairs
  { key: { finished: 1 }, expireAfterSeconds: KEPT_DAYS * DAY_SECONDS }, // MongoDB removes what ended long ago
]);

const REMOVAL_MARK = '!';
/** The id of the delivery that removes a post. */
export const removalOf = (post: string): string => `${post}${REMOVAL_MARK}`;
/** The post of a delivery, or of its removal. */
export const postOfDelivery = (id: string): string => (id.endsWith(REMOVAL_MARK) ? id.slice(0, -1) : id);

const begin = (now: Date) => ({
  state: 'WAITING' as const,
  open: true as const,
  due: now,
  attempts: 0,
  done: 0,
});

/** Of a post that nobody has to carry anywhere: its readers fetch it. */
const fetchedBy = (readers: number, now: Date) => ({
  state: 'FINISHED' as const,
  due: now,
  attempts: 0,
  done: readers,
  total: readers,
  started: now,
  finished: now,
});

interface Delivered {
  readonly _id: string;
  readonly author_id: string;
  readonly way: FanOutWay;
  readonly audience: string;
  readonly about?: string;
}

const toDelivery = ({ _id, author_id, way, audience }: Delivered, priority: Priority, now: Date) => ({
  _id,
  kind: 'POST' as const,
  author_id,
  way,
  is_public: audience === 'PUBLIC',
  priority,
  token: 0,
  created: now,
});

/**
 * In the transaction that stores the post. One that is fetched, and is about nothing that may have gone meanwhile, needs no courier.
 * @param followers of the author
 */
export async function deliverPost(
  db: Db,
  session: ClientSession,
  post: Delivered,
  followers: number,
  now: Date,
): Promise<void> {
  const isFetched = post.way === 'READ' && post.about === undefined;
  const progress = isFetched ? fetchedBy(followers, now) : begin(now);
  await deliveries(db).insertOne({ ...toDelivery(post, PRIORITY.MEMBERS, now), ...progress }, { session });
}

/** In the transaction that stores the posts. */
export async function deliverImported(
  db: Db,
  session: ClientSession,
  imported: readonly Delivered[],
  now: Date,
): Promise<void> {
  if (imported.length === 0) return;
  const all = imported.map((post) => ({ ...toDelivery(post, PRIORITY.IMPORTED, now), ...begin(now) }));
  await deliveries(db).insertMany(all, { session });
}

/** Some posts that are on their way: all, if there are fewer than `limit`. */
export async function findOpenPosts(
  db: Db,
  limit: number,
  session?: ClientSession,
): Promise<Pick<PostDelivery, '_id' | 'author_id' | 'is_public'>[]> {
  const found = deliveries(db)
    .find<PostDelivery>(
      { open: true, kind: 'POST' },
      { projection: { author_id: 1, is_public: 1 }, ...(session && { session }) },
    )
    .limit(limit);
  return found.toArray();
}

/** Those of these authors who have posts on their way. The database skips from one author to the next. */
export async function findAuthorsOnTheWay(
  db: Db,
  authors: readonly string[],
  isPublic: readonly boolean[],
  session?: ClientSession,
): Promise<string[]> {
  if (authors.length === 0) return [];
  const filter = {
    open: true as const,
    kind: 'POST' as const,
    author_id: { $in: [...authors] },
    is_public: { $in: [...isPublic] },
  };
  const found = deliveries(db).aggregate<{ _id: string }>(
    [{ $match: filter }, { $group: { _id: '$author_id' } }],
    session ? { session } : {},
  );
  return found.map(({ _id }) => _id).toArray();
}

/** The authors whose posts are being compared with the news of a reader. */
export function findOpenPairs(db: Db, reader: string, session?: ClientSession): Promise<string[]> {
  const found = deliveries(db).find<PairDelivery>(
    { open: true, reader_id: reader },
    { projection: { author_id: 1 }, ...(session && { session }) },
  );
  return found.map(({ author_id }) => author_id).toArray();
}

/**
 * In the transaction that deletes the post, or by a courier that has delivered it nevertheless. One that is under way begins again: its
 * courier, which may have taken its last look, cannot end it, because the token differs.
 */
export async function deliverRemoval(
  db: Db,
  session: ClientSession | undefined,
  post: string,
  now: Date,
): Promise<void> {
  await deliveries(db).updateOne(
    { _id: removalOf(post) },
    {
      $inc: { token: 1 },
      $set: begin(now),
      $setOnInsert: { kind: 'REMOVAL', post_id: post, priority: PRIORITY.MEMBERS, created: now },
    },
    { ...(session && { session }), upsert: true },
  );
}

export interface Pair {
  readonly reader: string;
  readonly author: string;
}

const pairId = ({ reader, author }: Pair): string => `${reader}<${author}`;

/**
 * In the transaction that changes how the two are related, so that a comparison at the same time conflicts (`news/comparison.ts`). What
 * was being compared begins again.
 */
export async function deliverPairs(
  db: Db,
  session: ClientSession | undefined,
  pairs: readonly Pair[],
  now: Date,
  priority: Priority = PRIORITY.MEMBERS,
): Promise<void> {
  if (pairs.length === 0) return;
  const changes = pairs.map((pair) => ({
    updateOne: {
      filter: { _id: pairId(pair) },
      update: {
        $inc: { token: 1 }, // whoever has taken it for the earlier relation cannot end it
        $min: { priority },
        $set: begin(now),
        $unset: { position: '', failure: '' },
        $setOnInsert: { kind: 'PAIR', reader_id: pair.reader, author_id: pair.author, created: now },
      } as object,
      upsert: true,
    },
  }));
  await deliveries(db).bulkWrite(changes, session ? { session } : {});
}

/** For a rebuild: takes a pair to compare it from the beginning, also if it was not on its way. No courier does so until `until`. */
export async function takePair(db: Db, pair: Pair, now: Date, until: Date): Promise<TakenPair> {
  const taken = await deliveries(db).findOneAndUpdate(
    { _id: pairId(pair) },
    {
      $inc: { token: 1 }, // guard: whoever has taken it before cannot end it
      $min: { priority: PRIORITY.MEMBERS },
      $set: { ...begin(until), state: 'RUNNING' },
      $unset: { position: '', failure: '' },
      $setOnInsert: { kind: 'PAIR', reader_id: pair.reader, author_id: pair.author, created: now },
    } as object,
    { upsert: true, returnDocument: 'after', projection: { token: 1 } },
  );
  if (!taken) throw new Error('An upsert returns its document');
  return taken;
}

export type TakenPair = Pick<PairDelivery, '_id' | 'token'>;

export const findDelivery = (db: Db, id: string): Promise<DeliveryDocument | null> =>
  deliveries(db).findOne({ _id: id });
