/** Batched loading of people and votes, for the fields of lists. The keys name the reader as well, for whom each answer is. */
import type DataLoader from 'dataloader';
import type { Db } from 'mongodb';
import { batched, batchedForAll } from '../../shared/batched-loader.js';
import { groupBy } from '../../shared/group-by.js';
import { findCirclesById, type OwnCircle } from './network/circle.js';
import { findLeft } from './network/person.js';
import { findNames, findProfilesById, type Profile } from './network/profile.js';
import { findHiddenFrom, type HiddenPeople } from './network/relation.js';
import { findVotes } from './posts/poll.js';

/** Something as a reader sees it. */
export interface SeenKey {
  readonly id: string;
  /** Null for a visitor. */
  readonly reader: string | null;
}

export const seenKey = (key: SeenKey): string => JSON.stringify([key.id, key.reader]);

export interface SocialLoaders {
  /** By `seenKey`. Null where the reader does not see one. */
  readonly profile: DataLoader<string, Profile | null>;
  /** By `seenKey` of a circle of the reader. Null where there is none. */
  readonly circle: DataLoader<string, OwnCircle | null>;
  /** By `seenKey` of a post: the number of the option. */
  readonly vote: DataLoader<string, number | null>;
  /** By the id of a reader: whose comments the reader does not see. */
  readonly hiddenFrom: DataLoader<string, HiddenPeople>;
  /** By the id of a person: whether they have left, and are not erased yet. */
  readonly hasLeft: DataLoader<string, boolean>;
  /** By the id of a person. Empty for those who have left. */
  readonly socialName: DataLoader<string, string>;
}

/** One question for each reader. */
const perReader =
  <T>(find: (reader: string | null, ids: readonly string[]) => Promise<readonly T[]>) =>
  async (keys: readonly string[]): Promise<T[]> => {
    const wanted = keys.map((key) => {
      const [id, reader] = JSON.parse(key) as [string, string | null];
      return { key, id, reader };
    });
    const found = new Map<string, T>();
    for (const some of groupBy(wanted, ({ reader }) => reader ?? '').values()) {
      const ids = some.map(({ id }) => id);
      const values = await find(some[0]?.reader ?? null, ids);
      for (const [at, { key }] of some.entries()) found.set(key, values[at] as T);
    }
    return keys.map((key) => found.get(key) as T);
  };

const socialNames = batchedForAll((db) => async (ids) => {
  const names = await findNames(db, ids);
  return ids.map((id) => names.get(id) ?? '');
});

export const makeSocialLoaders = (db: Db): SocialLoaders => ({
  profile: batched(perReader((reader, ids) => findProfilesById(db, reader, ids))),
  circle: batched(
    perReader(async (reader, ids) => (reader === null ? ids.map(() => null) : findCirclesById(db, reader, ids))),
  ),
  vote: batched(
    perReader(async (reader, ids) => {
      const found = reader === null ? new Map<string, number>() : await findVotes(db, reader, ids);
      return ids.map((id) => found.get(id) ?? null);
    }),
  ),
  hiddenFrom: batched((ids) => Promise.all(ids.map((id) => findHiddenFrom(db, id)))),
  hasLeft: batched(async (ids) => {
    const left = await findLeft(db, ids);
    return ids.map((id) => left.has(id));
  }),
  socialName: socialNames(db),
});
