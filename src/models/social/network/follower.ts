/**
 * The followers of a person, in pages of FOLLOWERS_PER_PAGE, so that a million followers are a thousand documents to read, and no
 * document outgrows its bound. A page takes followers until it has taken as many; those who leave make no room, so that the order of the
 * pages stays that of time. Bucket pattern.
 */
import type { AnyBulkWriteOperation, ClientSession, Db } from 'mongodb';
import { defineCollection } from '../../../database/index.js';
import { groupBy } from '../../../shared/group-by.js';
import {
  type Connection,
  decodePosition,
  encodePosition,
  type PageInput,
  requireFirst,
  toConnection,
} from '../../../shared/page.js';
import { blocksNobody, findLeft, type PersonDocument, people } from './person.js';

export const FOLLOWERS_PER_PAGE = 1000;

export interface Follower {
  readonly id: string;
  readonly since: Date;
}

export interface FollowerPage {
  /** The person and the number, with PAGE_DIGITS digits, so that ids sort like numbers. */
  _id: string;
  user_id: string;
  number: number;
  /** The latest last. */
  followers: Follower[];
}

export const followerPages = defineCollection<FollowerPage>(
  'social.followers',
  [{ key: { user_id: 1, number: 1 } }], // readFollowerPages, findFollowers
  { shardKey: { user_id: 1 } },
);

const PAGE_DIGITS = 6;
const FIRST_MAX = 100;

const pageId = (person: string, number: number): string => `${person}/${String(number).padStart(PAGE_DIGITS, '0')}`;

/**
 * Notes a new follower, in the transaction in which the follower's document gets its entry.
 * @returns the number of the page for that entry; null if there is no such person, or the person has blocked the follower
 */
export async function addFollower(
  db: Db,
  session: ClientSession,
  person: string,
  follower: Follower,
): Promise<number | null> {
  const isFull = { $gte: ['$follower_page.taken', FOLLOWERS_PER_PAGE] };
  const counted = await people(db).findOneAndUpdate(
    // Guard: a block and a new follower conflict here, so that only one of the two can be committed without seeing the other.
    blocksNobody(person, follower.id),
    [
      {
        $set: {
          follower_count: { $add: ['$follower_count', 1] },
          follower_page: {
            number: { $cond: [isFull, { $add: ['$follower_page.number', 1] }, '$follower_page.number'] },
            taken: { $cond: [isFull, 1, { $add: ['$follower_page.taken', 1] }] },
          },
        },
      },
    ],
    { session, returnDocument: 'after', projection: { follower_page: 1 } },
  );
  if (!counted) return null;
  const { number } = counted.follower_page;
  await followerPages(db).updateOne(
    { _id: pageId(person, number), user_id: person },
    { $push: { followers: follower }, $setOnInsert: { number } },
    { session, upsert: true },
  );
  return number;
}

/** A follower to be. */
export interface NewFollower {
  /** Who is followed. */
  readonly person: string;
  readonly follower: Follower;
}

/** Where new followers have been noted. */
export interface NotedFollowers {
  pageOf(person: string, follower: string): number;
}

/**
 * The same for many at once: one write for each person, and one for each page. The caller has read, in the same transaction, that these
 * people are there, that none of them has blocked the follower, and that the follower is new.
 */
export async function addFollowers(
  db: Db,
  session: ClientSession,
  some: readonly NewFollower[],
): Promise<NotedFollowers> {
  const byPerson = groupBy(some, ({ person }) => person);
  const found = await people(db)
    .find({ _id: { $in: [...byPerson.keys()] } }, { session, projection: { follower_page: 1 } })
    .toArray();
  const places = new Map<string, number>();
  const counts: AnyBulkWriteOperation<PersonDocument>[] = [];
  const additions: AnyBulkWriteOperation<FollowerPage>[] = [];
  for (const { _id: person, follower_page } of found) {
    const followers = (byPerson.get(person) ?? []).map(({ follower }) => follower);
    let page = { ...follower_page };
    for (let at = 0; at < followers.length; ) {
      if (page.taken >= FOLLOWERS_PER_PAGE) page = { number: page.number + 1, taken: 0 };
      const { number } = page;
      const added = followers.slice(at, at + FOLLOWERS_PER_PAGE - page.taken);
      for (const { id } of added) places.set(`${person}/${id}`, number);
      additions.push({
        updateOne: {
          filter: { _id: pageId(person, number), user_id: person },
          update: { $push: { followers: { $each: added } }, $setOnInsert: { number } },
          upsert: true,
        },
      });
      page.taken += added.length;
      at += added.length;
    }
    // Guard: the transaction's snapshot. A block or a new follower at the same time makes one of the two conflict.
    const update = { $inc: { follower_count: followers.length }, $set: { follower_page: page } };
    counts.push({ updateOne: { filter: { _id: person }, update } });
  }
  if (counts.length > 0) {
    await people(db).bulkWrite(counts, { session, ordered: false });
    await followerPages(db).bulkWrite(additions, { session, ordered: false });
  }
  return {
    pageOf(person, follower) {
      const page = places.get(`${person}/${follower}`);
      if (page === undefined) throw new Error(`${person} is not there to be followed`);
      return page;
    },
  };
}

/** Somebody is followed no longer. */
export interface Leaving {
  /** Who is no longer followed. */
  readonly person: string;
  readonly follower: string;
  readonly page: number;
}

/** Call it in the transaction in which the entries are removed from the followers' documents. */
export async function removeFollowers(db: Db, session: ClientSession, leaving: readonly Leaving[]): Promise<void> {
  if (leaving.length === 0) return;
  const counts = leaving.map(({ person }) => ({
    updateOne: { filter: { _id: person }, update: { $inc: { follower_count: -1 } } },
  }));
  const removals = leaving.map(({ person, follower, page }) => ({
    updateOne: {
      filter: { _id: pageId(person, page), user_id: person },
      update: { $pull: { followers: { id: follower } } },
    },
  }));
  await people(db).bulkWrite(counts, { session });
  await followerPages(db).bulkWrite(removals, { session });
}

/** The pages after a number, the oldest followers first. */
export const readFollowerPages = (
  db: Db,
  person: string,
  after: number,
  limit: number,
  session?: ClientSession,
): Promise<FollowerPage[]> =>
  followerPages(db)
    .find({ user_id: person, number: { $gt: after } }, session ? { session } : {})
    .sort({ number: 1 })
    .limit(limit)
    .toArray();

/** The ids of the latest followers, of some pages, and whether these are all pages. */
export async function findLatestFollowers(
  db: Db,
  person: string,
  max: number,
  session?: ClientSession,
): Promise<{ readonly ids: readonly string[]; readonly areAll: boolean }> {
  const pagesMax = Math.ceil(max / FOLLOWERS_PER_PAGE);
  const pages = await followerPages(db)
    .find({ user_id: person }, { projection: { 'followers.id': 1 }, ...(session && { session }) })
    .sort({ number: -1 })
    .limit(pagesMax)
    .toArray();
  return { ids: pages.flatMap(({ followers }) => followers.map(({ id }) => id)), areAll: pages.length < pagesMax };
}

/** The latest first, without those who have left. @throws InputError @throws LimitError @throws CursorError */
export async function findFollowers(
  db: Db,
  person: string,
  { first, after }: PageInput,
): Promise<Connection<Follower>> {
  requireFirst(first, FIRST_MAX);
  const list = `followers/${person}`;
  const [number, ms, id] = after
    ? (decodePosition(list, after, ['number', 'number', 'string']) as [number, number, string])
    : [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, ''];
  const isAfter = (page: number, follower: Follower) =>
    page < number || follower.since.getTime() < ms || (follower.since.getTime() === ms && follower.id < id); // those of one moment, in the order of their ids
  const found: { readonly page: number; readonly follower: Follower }[] = [];
  const pages = followerPages(db)
    .find({ user_id: person, number: { $lte: number } }, { batchSize: 2 })
    .sort({ number: -1 });
  for await (const { number: page, followers } of pages) {
    const latestFirst = followers.toSorted(
      (one, other) => other.since.getTime() - one.since.getTime() || (one.id < other.id ? 1 : -1),
    );
    const left = await findLeft(
      db,
      followers.map(({ id: each }) => each),
    );
    for (const follower of latestFirst)
      if (isAfter(page, follower) && !left.has(follower.id)) found.push({ page, follower });
    if (found.length > first) break;
  }
  const { edges, pageInfo } = toConnection(found.slice(0, first + 1), first, ({ page, follower }) =>
    encodePosition(list, [page, follower.since.getTime(), follower.id]),
  );
  return { edges: edges.map(({ cursor, node }) => ({ cursor, node: node.follower })), pageInfo };
}
