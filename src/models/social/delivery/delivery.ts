/**
 * What has to reach the news of readers: one document for each post on its way, and one for each pair of a reader and an author whose
 * relation has changed. Each is written in the transaction of the fact that it follows from, so no crash can lose it. `news/courier.ts`
 * carries them out, in steps, under a lease with a fencing token.
 */
import type { ClientSession, Db } from 'mongodb';
import { defineCollection } from '../../../database/index.js';
import type { WorkState } from '../../work.js';

export type FanOutWay = 'WRITE' | 'READ';

interface Delivery {
  _id: string;
  state: WorkState;
  /** As long as it has not ended. */
  open?: true;
  /** When it may take its next step: the oldest first, so that a post with many readers stalls none with few. */
  due: Date;
  /** The fencing token of whoever takes the next step. The filter of every write of the delivery has it. */
  token: number;
  /** How many times it was taken up since its last step. */
  attempts: number;
  done: number;
  total?: number;
  created: Date;
  started?: Date;
  finished?: Date;
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
  { key: { open: 1, due: 1 }, partialFilterExpression: { open: true } }, // takeDue
  { key: { open: 1, kind: 1, created: -1 }, partialFilterExpression: { open: true } }, // findOpenPosts
  { key: { open: 1, reader_id: 1 }, partialFilterExpression: { open: true } }, // findOpenPairs
  { key: { finished: 1 }, expireAfterSeconds: KEPT_DAYS * DAY_SECONDS }, // MongoDB removes what ended long ago
]);

const begin = (now: Date) => ({
  state: 'WAITING' as const,
  open: true as const,
  due: now,
  token: 0,
  attempts: 0,
  done: 0,
  created: now,
});

/** In the transaction that stores the post. */
export async function deliverPost(
  db: Db,
  session: ClientSession,
  post: {
    readonly _id: string;
    readonly author_id: string;
    readonly way: FanOutWay;
    readonly audience: string;
  },
  now: Date,
): Promise<void> {
  const { _id, author_id, way, audience } = post;
  const is_public = audience === 'PUBLIC';
  await deliveries(db).insertOne({ _id, kind: 'POST', author_id, way, is_public, ...begin(now) }, { session });
}

/** Posts that are on their way, the latest first. */
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
    .sort({ created: -1 })
    .limit(limit);
  return found.toArray();
}

/** The authors whose posts are being compared with the news of a reader. */
export function findOpenPairs(db: Db, reader: string, session?: ClientSession): Promise<string[]> {
  const found = deliveries(db).find<PairDelivery>(
    { open: true, reader_id: reader },
    { projection: { author_id: 1 }, ...(session && { session }) },
  );
  return found.map(({ author_id }) => author_id).toArray();
}

/** In the transaction that deletes the post. */
export async function deliverRemoval(db: Db, session: ClientSession, post: string, now: Date): Promise<void> {
  await deliveries(db).updateOne(
    { _id: `${post}!` }, // guard: a repeat finds it
    { $setOnInsert: { kind: 'REMOVAL', post_id: post, ...begin(now) } },
    { session, upsert: true },
  );
}

export interface Pair {
  readonly reader: string;
  readonly author: string;
}

/** In the transaction that changes how the two are related. What was being compared starts again. */
export async function deliverPairs(db: Db, session: ClientSession, pairs: readonly Pair[], now: Date): Promise<void> {
  if (pairs.length === 0) return;
  const changes = pairs.map(({ reader, author }) => ({
    updateOne: {
      filter: { _id: `${reader}<${author}` },
      update: {
        // The token: a step that is being taken for the earlier relation cannot be recorded.
        $inc: { token: 1 },
        $set: { state: 'WAITING', open: true, due: now, attempts: 1, done: 0 },
        $unset: { position: '', finished: '' },
        $setOnInsert: { kind: 'PAIR', reader_id: reader, author_id: author, created: now },
      } as object,
      upsert: true,
    },
  }));
  await deliveries(db).bulkWrite(changes, { session });
}

export const findDelivery = (db: Db, id: string): Promise<DeliveryDocument | null> =>
  deliveries(db).findOne({ _id: id });
