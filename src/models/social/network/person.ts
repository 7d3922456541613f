/**
 * People in the network, one document each, with the id of their account: the profile, the circles with the people in them, and the
 * blocks. Who follows a person is kept in pages beside it (`follower.ts`).
 *
 * `following` is the truth of the graph: somebody is followed as long as the entry names a circle. Pages and counts of followers change
 * in the same transaction. Invariants: `follower_count` is the number of entries in all pages; everybody in `following` has the person
 * in a page, and nobody else; of two people of whom one has blocked the other, neither follows the other.
 */
import { randomBytes } from 'node:crypto';
import type { ClientSession, Db } from 'mongodb';
import { defineCollection } from '../../../database/index.js';

export interface Circle {
  /** Unique in its person. It stays when the name changes. */
  readonly id: string;
  readonly name: string;
}

/** Somebody who is followed. */
export interface Followed {
  readonly id: string;
  /** The circles of the person that they are in: at least one. */
  readonly circles: readonly string[];
  readonly since: Date;
  /** The number of their page that holds the follower. */
  readonly page: number;
}

export interface PersonDocument {
  /** The account. */
  _id: string;
  /** As in the account, whose changes it follows (`name-following.ts`). */
  name: string;
  /** For `findProfiles`: see `searchKey`. */
  name_key: string;
  about: string;
  place: string;
  interests: string[];
  picture_id?: string;
  joined: Date;
  circles: Circle[];
  /** In the order in which they were first added to a circle. */
  following: Followed[];
  blocked: { id: string; at: Date }[];
  follower_count: number;
  /** The page that takes the next follower, and how many it has taken. */
  follower_page: { number: number; taken: number };
  /** How many times the person has begun to write on the walls of others: `mayWriteOn` says what for. */
  guest_writes?: number;
  /** Some posts are not copied into the news of the followers, who fetch them (`fan-out.ts`). */
  is_pulled?: true;
  /** The account was deleted: nobody sees the person any more, nor what is on the wall, until all of it is erased. */
  left?: true;
  /** The source of an imported person, to whom no account belongs. */
  imported_from?: string;
  /**
   * The last change of the graph around this person, for those who follow it live: whom it concerns besides the person, and a value
   * that differs each time. `widens`: nobody sees less than before.
   */
  graph_change?: { people: string[]; change: string; widens?: true };
}

export const people = defineCollection<PersonDocument>('social.users', [
  { key: { name_key: 1, _id: 1 } }, // findProfiles
  { key: { 'blocked.id': 1 } }, // findHiddenFrom: who has blocked a person
  { key: { 'graph_change.people': 1 }, partialFilterExpression: { graph_change: { $exists: true } } }, // leaving.ts
  { key: { is_pulled: 1, _id: 1 }, partialFilterExpression: { is_pulled: true } }, // findPulled
  { key: { left: 1, _id: 1 }, partialFilterExpression: { left: true } }, // findLeft
  { key: { picture_id: 1 }, partialFilterExpression: { picture_id: { $exists: true } } }, // post-picture.ts
]);

/** For feeds: all that they read of people. */
export const graphChanges = {
  collectionName: people.collectionName,
  fields: ['graph_change', 'name', 'left'],
} as const;

export const CIRCLES_MAX = 100;
export const FOLLOWING_MAX = 5000;
export const BLOCKED_MAX = 1000;
/** Several processes at once let people follow the same person, or vote in the same poll: each waits some five seconds for its turn. */
export const RUSH_ATTEMPTS_MAX = 40;

const ID_BYTES = 9;
/** Of circles, and of changes. */
export const newId = (): string => randomBytes(ID_BYTES).toString('base64url');

/**
 * What a change of the graph leaves for those who follow it.
 * @param others whom it concerns besides the person @param widens whether nobody sees less than before
 */
export const graphChange = (others: readonly string[], { widens = false } = {}) => ({
  graph_change: { people: [...others], change: newId(), ...(widens && { widens: true as const }) },
});

/** Of queries: only those who have not left. */
export const present = { left: { $exists: false } } as const;

/** Null also for somebody who has left. */
export function findPerson(db: Db, id: string, session?: ClientSession): Promise<PersonDocument | null> {
  return people(db).findOne({ _id: id, ...present }, session ? { session } : {});
}

/** Those of these people who have left and are not erased yet. They are few, so a look into their index is short for any number of ids. */
export async function findLeft(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const found = people(db).find(
    { _id: { $in: [...ids] }, left: true },
    { projection: { _id: 1 }, hint: { left: 1, _id: 1 } },
  );
  return new Set((await found.toArray()).map(({ _id }) => _id));
}

/** Of queries: whether there is such a person whom the other has not blocked, nor the other way around. */
export const blocksNobody = (id: string, other: string) => ({ _id: id, ...present, 'blocked.id': { $ne: other } });
