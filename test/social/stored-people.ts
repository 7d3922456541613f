/** Many people around one, in the form in which the model stores them: hundreds of calls would take long. */
import type { Db } from 'mongodb';
import { followerPages } from '../../src/models/social/network/follower.js';
import { type PersonDocument, people } from '../../src/models/social/network/person.js';
import { newPerson } from '../../src/models/social/network/profile.js';

const JOINED = new Date('2026-01-01T00:00:00Z');
const PAGE_DIGITS = 6;
const STARS = { id: 'stars', name: 'Stars' };

const personOf = (id: string): PersonDocument => ({
  _id: id,
  name: id,
  name_key: id,
  about: '',
  place: '',
  interests: [],
  ...newPerson(JOINED),
});

const pageOf = (user: string, number: number, ids: readonly string[]) => ({
  _id: `${user}/${String(number).padStart(PAGE_DIGITS, '0')}`,
  user_id: user,
  number,
  followers: ids.map((id) => ({ id, since: JOINED })),
});

/** People who follow a person who has joined and has no followers yet. @returns their ids */
export async function storeFollowers(db: Db, person: string, pages: number, perPage: number): Promise<string[]> {
  const all: string[] = [];
  for (let page = 1; page <= pages; page += 1) {
    const ids = Array.from({ length: perPage }, (_, at) => `fan-${page}-${at}`);
    await followerPages(db).insertOne(pageOf(person, page, ids));
    const following = [{ id: person, circles: [STARS.id], since: JOINED, page }];
    await people(db).insertMany(ids.map((id) => ({ ...personOf(id), circles: [STARS], following })));
    all.push(...ids);
  }
  const change = { follower_count: all.length, follower_page: { number: pages, taken: perPage } };
  await people(db).updateOne({ _id: person }, { $set: change });
  return all;
}

/** People in circles of a person who has joined and has none yet: in each of them, each. @returns their ids */
export async function storeMembers(
  db: Db,
  owner: string,
  circles: readonly string[],
  count: number,
): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, at) => `member-${at}`);
  const followed = { follower_count: 1, follower_page: { number: 1, taken: 1 } };
  await people(db).insertMany(ids.map((id) => ({ ...personOf(id), ...followed })));
  await followerPages(db).insertMany(ids.map((id) => pageOf(id, 1, [owner])));
  const following = ids.map((id) => ({ id, circles, since: JOINED, page: 1 }));
  const own = circles.map((id) => ({ id, name: id }));
  await people(db).updateOne({ _id: owner }, { $set: { circles: own, following } });
  return ids;
}
