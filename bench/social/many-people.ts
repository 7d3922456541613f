/** People with any number of followers, in the form in which the model stores them. */
import type { Db } from 'mongodb';
import { FOLLOWERS_PER_PAGE, followerPages } from '../../src/models/social/network/follower.js';
import { type PersonDocument, people } from '../../src/models/social/network/person.js';
import { newPerson } from '../../src/models/social/network/profile.js';

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

/** @param stored whether the followers are stored as people, who read their news */
export async function storeStar(db: Db, id: string, followers: number, stored: boolean): Promise<void> {
  const pages = Math.ceil(followers / FOLLOWERS_PER_PAGE);
  await people(db).insertOne({
    ...personOf(id),
    follower_count: followers,
    follower_page: { number: Math.max(1, pages), taken: followers - (pages - 1) * FOLLOWERS_PER_PAGE },
  });
  for (let number = 1; number <= pages; number += 1) {
    const size = Math.min(FOLLOWERS_PER_PAGE, followers - (number - 1) * FOLLOWERS_PER_PAGE);
    const fans = Array.from({ length: size }, (_, at) => ({ id: `${id}-fan-${number}-${at}`, since: JOINED }));
    const page = String(number).padStart(PAGE_DIGITS, '0');
    await followerPages(db).insertOne({ _id: `${id}/${page}`, user_id: id, number, followers: fans });
    for (let at = 0; stored && at < fans.length; at += BATCH)
      await people(db).insertMany(
        fans.slice(at, at + BATCH).map((fan) => ({
          ...personOf(fan.id),
          circles: [{ id: 'stars', name: 'Stars' }],
          following: [{ id, circles: ['stars'], since: JOINED, page: number }],
        })),
      );
  }
}
