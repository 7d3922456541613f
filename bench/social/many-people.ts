/** People with any number of followers, in the form in which the model stores them. */
import type { Db } from 'mongodb';
import { FOLLOWERS_PER_PAGE, followerPages } from '../../src/models/social/network/follower.js';
import { type PersonDocument, people } from '../../src/models/social/network/person.js';
import { newPerson } from '../../src/models/social/network/profile.js';
import { PULLED_FOLLOWERS } from '../../src/models/social/posts/publishing.js';

const PAGE_DIGITS = 6;
const BATCH = 1000;
const JOINED = new Date('2026-01-01T00:00:00Z');

export const personOf = (id: string): PersonDocument => ({
  _id: id,
  name: id,
  name_key: id,
  about: '',
  place: '',
  interests: [],
  ...newPerson(JOINED),
});

async function storeAuthor(db: Db, id: string, names: readonly string[]): Promise<void> {
  const pages = Math.max(1, Math.ceil(names.length / FOLLOWERS_PER_PAGE));
  await people(db).insertOne({
    ...personOf(id),
    follower_count: names.length,
    follower_page: { number: pages, taken: names.length - (pages - 1) * FOLLOWERS_PER_PAGE },
  });
  for (let number = 1; number <= pages; number += 1) {
    const some = names.slice((number - 1) * FOLLOWERS_PER_PAGE, number * FOLLOWERS_PER_PAGE);
    const page = String(number).padStart(PAGE_DIGITS, '0');
    const followers = some.map((name) => ({ id: name, since: JOINED }));
    await followerPages(db).insertOne({ _id: `${id}/${page}`, user_id: id, number, followers });
  }
}

/** @param stored whether the followers are stored as people, who read their news */
export async function storeStar(db: Db, id: string, followers: number, stored: boolean): Promise<void> {
  const fans = Array.from({ length: followers }, (_, at) => `${id}-fan-${at}`);
  await storeAuthor(db, id, fans);
  for (let first = 0; stored && first < fans.length; first += BATCH)
    await people(db).insertMany(
      fans.slice(first, first + BATCH).map((fan, at) => ({
        ...personOf(fan),
        circles: [{ id: 'stars', name: 'Stars' }],
        following: [{ id, circles: ['stars'], since: JOINED, page: Math.floor((first + at) / FOLLOWERS_PER_PAGE) + 1 }],
      })),
    );
}

/** The followers of the authors `star-<size>`. Beyond `COPIED_MAX`, they fetch the posts and need not be stored. */
export const STAR_SIZES = [1, 100, 10_000, 1_000_000] as const;
export const COPIED_MAX = PULLED_FOLLOWERS;

export async function storeStars(db: Db): Promise<void> {
  for (const size of STAR_SIZES) await storeStar(db, `star-${size}`, size, size <= COPIED_MAX);
}

/** What decides whether posts are copied or fetched. */
export async function setFollowerCount(db: Db, id: string, count: number): Promise<void> {
  await people(db).updateOne({ _id: id }, { $set: { follower_count: count } });
}

/**
 * Authors, and the people who follow them: an author with n followers has the first n people.
 * @param sizes how many authors have how many followers
 */
export async function storeGraph(
  db: Db,
  sizes: readonly (readonly [authors: number, followers: number])[],
): Promise<{ id: string; followers: number }[]> {
  const authors = sizes.flatMap(([count, followers]) =>
    Array.from({ length: count }, (_, at) => ({ id: `author-${followers}-${at}`, followers })),
  );
  for (const { id, followers } of authors) {
    const names = Array.from({ length: followers }, (_, at) => `reader-${at}`);
    await storeAuthor(db, id, names);
  }
  const most = Math.max(...authors.map(({ followers }) => followers));
  const pageOf = (reader: number) => Math.floor(reader / FOLLOWERS_PER_PAGE) + 1;
  for (let first = 0; first < most; first += BATCH)
    await people(db).insertMany(
      Array.from({ length: Math.min(BATCH, most - first) }, (_, at) => ({
        ...personOf(`reader-${first + at}`),
        circles: [{ id: 'all', name: 'All' }],
        following: authors
          .filter(({ followers }) => followers > first + at)
          .map(({ id }) => ({ id, circles: ['all'], since: JOINED, page: pageOf(first + at) })),
      })),
    );
  return authors;
}
