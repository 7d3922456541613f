/**
 * Posts, one document each: the truth from which walls, news and subscriptions follow. Who sees one is decided when it is read
 * (`visibility.ts`).
 *
 * The id begins with the author and the owner of the wall, and then has the time: a change event names only the id, and this tells whom
 * it concerns.
 */
import { randomBytes } from 'node:crypto';
import type { ClientSession, Db } from 'mongodb';
import { defineCollection } from '../../../database/index.js';
import type { CommentSummary } from '../../commentable.js';
import type { FanOutWay } from '../delivery/delivery.js';
import type { Audience } from './visibility.js';

export type PostType = 'STATUS' | 'PHOTO' | 'LINK' | 'CHECK_IN' | 'POLL';

export interface PollOption {
  text: string;
  votes: number;
}

/** What is specific to a type; the fields of the others are absent. */
export interface PostDetail {
  readonly asset_id?: string;
  /** Of the picture, for people who cannot see it. Absent if there is none. */
  readonly description?: string;
  readonly url?: string;
  readonly title?: string;
  readonly latitude?: number;
  readonly longitude?: number;
  readonly question?: string;
  readonly options?: PollOption[];
  readonly closes?: Date;
}

export interface PostDocument {
  _id: string;
  author_id: string;
  wall_id: string;
  type: PostType;
  text: string;
  detail?: PostDetail;
  /** The global id of what it is about. It goes with that, if that is a post. */
  about?: string;
  audience: Audience;
  circle_ids: string[];
  posted: Date;
  edited?: Date;
  /** How it reaches the news of its readers. */
  way: FanOutWay;
  /** Absent once it is deleted: then the text is gone, and only who wrote it where and when is left, and the call. */
  live?: true;
  /** On somebody else's wall. */
  guest?: true;
  deleted?: Date;
  /** Kept by the discussion, in the transactions of its comments. */
  comments?: CommentSummary;
  /** Reports that nobody has decided about. */
  reports?: { by: string; at: Date; reason: string }[];
  reported?: Date;
  /** The id of the keyed call, or of the imported row, that posted it. It stays when the post is deleted. */
  call?: string;
}

const NEWEST_FIRST = { posted: -1, _id: -1 } as const;

export const posts = defineCollection<PostDocument>('social.posts', [
  { key: { wall_id: 1, ...NEWEST_FIRST }, partialFilterExpression: { live: true } }, // findWallPosts
  { key: { guest: 1, wall_id: 1, ...NEWEST_FIRST }, partialFilterExpression: { guest: true } }, // findIncomingPosts
  { key: { author_id: 1, ...NEWEST_FIRST } }, // findPostsOfAuthor: for news that are compared, with deleted ones
  { key: { way: 1, author_id: 1, ...NEWEST_FIRST }, partialFilterExpression: { way: 'READ' } }, // findPulledPosts
  { key: { reported: 1, _id: 1 }, partialFilterExpression: { reported: { $exists: true } } }, // findReportedPosts
  { key: { 'reports.by': 1, _id: 1 }, partialFilterExpression: { reported: { $exists: true } } }, // findReportedBy
  { key: { wall_id: 1, deleted: 1 }, partialFilterExpression: { deleted: { $exists: true } } }, // remains.ts
  { key: { call: 1 }, partialFilterExpression: { call: { $exists: true } } }, // a retry of a call that posted, a row that was imported
  { key: { about: 1 }, partialFilterExpression: { about: { $exists: true } } }, // about.ts
  { key: { 'detail.asset_id': 1 }, partialFilterExpression: { 'detail.asset_id': { $exists: true } } }, // post-picture.ts
]);

const TIME_DIGITS = 9; // milliseconds in base 36, until the year 5188
const RADIX = 36;
const RANDOM_BYTES = 6;

export function newPostId(author: string, wall: string, posted: Date): string {
  const time = posted.getTime().toString(RADIX).padStart(TIME_DIGITS, '0');
  return `${author}/${wall}/${time}${randomBytes(RANDOM_BYTES).toString('base64url')}`;
}

/** @returns null for a text that is no id of a post */
export function partsOfPostId(id: string) {
  const [author, wall, rest] = id.split('/');
  if (!author || !wall || !rest) return null;
  return { author, wall, posted: new Date(Number.parseInt(rest.slice(0, TIME_DIGITS), RADIX)) };
}

/** In the order of lists: newest first. */
export const byAge = (
  one: { readonly posted: Date; readonly _id: string },
  other: { readonly posted: Date; readonly _id: string },
): number => {
  if (one._id === other._id) return 0;
  return other.posted.getTime() - one.posted.getTime() || (one._id < other._id ? 1 : -1);
};

/** Deleted ones, too. */
export const findPost = (db: Db, id: string, session?: ClientSession): Promise<PostDocument | null> =>
  posts(db).findOne({ _id: id }, session ? { session } : {});

/** Those with these ids that are not deleted, in any order. */
export const findPostsById = (db: Db, ids: readonly string[], session?: ClientSession): Promise<PostDocument[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : posts(db)
        .find({ _id: { $in: [...ids] }, live: true }, session ? { session } : {})
        .toArray();
