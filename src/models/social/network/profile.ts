/** Profiles: what a person says of themselves, and how others find it. */
import type { Db } from 'mongodb';
import { beginningWith, commitConcernOf, inTransaction, openPosition, sealPosition } from '../../../database/index.js';
import { InputError } from '../../../shared/errors.js';
import { type Connection, encodePosition, type PageInput, requireFirst, toConnection } from '../../../shared/page.js';
import { searchKey } from '../../../shared/search-key.js';
import { findAssets } from '../../system/assets/asset.js';
import { claimAssets, noSuchAssets, releaseAssets } from '../../system/assets/asset-claim.js';
import { graphChange, type PersonDocument, people, present } from './person.js';
import { type ProfileTexts, requireProfileTexts } from './profile-texts.js';
import { findReader, type Reader, relationOf, relationTo, visitorReader } from './relation.js';

export interface ProfileInput extends ProfileTexts {
  /** The id of an asset. */
  readonly picture: string | null;
}

/** A profile, as somebody sees it. */
export interface Profile
  extends Pick<
    PersonDocument,
    '_id' | 'name' | 'about' | 'place' | 'interests' | 'picture_id' | 'joined' | 'follower_count'
  > {
  readonly following_count: number;
  /** The ids of the reader's circles that the person is in. */
  readonly myCircles: readonly string[];
  readonly followsMe: boolean;
  readonly blockedByMe: boolean;
}

const FIRST_MAX = 50;
const PREFIX_LENGTH_MAX = 100;

/** Joins the network, or changes the profile: the latest one counts. @throws InputError */
export async function saveProfile(
  db: Db,
  account: { readonly id: string; readonly name: string },
  given: ProfileInput,
  now: Date,
): Promise<void> {
  const { picture } = given;
  const { about, place, interests } = requireProfileTexts(given);
  await inTransaction(
    db,
    commitConcernOf.MAJORITY,
    async (session) => {
      const before = await people(db).findOne({ _id: account.id }, { session, projection: { picture_id: 1 } });
      if (picture !== null && picture !== before?.picture_id) {
        const [asset] = await findAssets(db, [picture]);
        if (asset?.metadata.owner_id !== account.id) throw noSuchAssets('input.pictureId');
        await claimAssets(db, session, [picture], { field: 'input.pictureId', now });
      }
      const name = { name: account.name, name_key: searchKey(account.name) };
      await people(db).updateOne(
        { _id: account.id },
        {
          $set: { about, place, interests: [...interests], ...name, ...(picture !== null && { picture_id: picture }) },
          ...(picture === null && { $unset: { picture_id: '' } }),
          $setOnInsert: { ...newPerson(now), ...graphChange([], { widens: true }) },
        },
        { session, upsert: true },
      );
      if (before?.picture_id && before.picture_id !== picture)
        await releaseAssets(db, [before.picture_id], now, session);
    },
    { retryDuplicateKeys: true }, // of two first calls
  );
}

/** What somebody begins with. */
export const newPerson = (joined: Date) => ({
  joined,
  circles: [],
  following: [],
  blocked: [],
  follower_count: 0,
  follower_page: { number: 1, taken: 0 },
});

const SHOWN = {
  name: 1,
  about: 1,
  place: 1,
  interests: 1,
  picture_id: 1,
  joined: 1,
  follower_count: 1,
  name_key: 1,
  left: 1,
};

/** @param reader its id; null for a visitor, of whom nobody is a relation */
const profileOf = (reader: string | null) => ({
  ...SHOWN,
  following_count: { $size: '$following' },
  ...relationTo(reader ?? ''),
});

type Found = Omit<PersonDocument, 'following' | 'blocked'> &
  Partial<Pick<PersonDocument, 'following' | 'blocked'>> & { readonly following_count: number };

/** @returns null if the person has left, or has blocked the reader. Whom the reader has blocked, the reader sees */
function asProfile(person: Found, reader: Reader, isForList: boolean): Profile | null {
  const { isBlocked } = relationOf(person, reader);
  const blockedByMe = reader.blocked.has(person._id);
  if (person.left) return null;
  if (isBlocked && (isForList || !blockedByMe || (person.blocked?.length ?? 0) > 0)) return null;
  return {
    ...person,
    myCircles: reader.following.get(person._id)?.circles ?? [],
    followsMe: (person.following?.length ?? 0) > 0,
    blockedByMe,
  };
}

/**
 * Profiles by id, as a reader sees them.
 * @param withBlocked whether to find those whom the reader has blocked
 * @returns null for those who have not joined, and where one of the two has blocked the other
 */
export async function findProfilesById(
  db: Db,
  readerId: string | null,
  ids: readonly string[],
  { withBlocked = false } = {},
): Promise<(Profile | null)[]> {
  const reader = readerId === null ? visitorReader : await findReader(db, readerId);
  const found = await people(db)
    .find<Found>({ _id: { $in: [...ids] }, ...present }, { projection: profileOf(readerId) })
    .toArray();
  const byId = new Map(found.map((person) => [person._id, asProfile(person, reader, !withBlocked)]));
  return ids.map((id) => byId.get(id) ?? null);
}

export const findProfile = async (db: Db, readerId: string | null, id: string): Promise<Profile | null> =>
  (await findProfilesById(db, readerId, [id]))[0] ?? null;

/** After the reader has blocked the person, the profile still says so. */
export const findBlockableProfile = async (db: Db, readerId: string, id: string): Promise<Profile | null> =>
  (await findProfilesById(db, readerId, [id], { withBlocked: true }))[0] ?? null;

/** Names of people in the network. Those who have left are missing. */
export async function findNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const found = await people(db)
    .find({ _id: { $in: [...ids] }, ...present }, { projection: { name: 1 } })
    .toArray();
  return new Map(found.map(({ _id, name }) => [_id, name]));
}

const LIST_ROUNDS_MAX = 20;
const LIST_ROUND_MIN = 20;

/**
 * By name. Those who are left out make room for others: a page is short only where so many in a row are left out, and continues after the
 * last one who was looked at, whom the cursor does not tell.
 * @throws InputError @throws LimitError @throws CursorError
 */
export async function findProfiles(
  db: Db,
  readerId: string,
  prefix: string,
  { first, after }: PageInput,
): Promise<Connection<Profile>> {
  requireFirst(first, FIRST_MAX);
  if (prefix.length > PREFIX_LENGTH_MAX)
    throw new InputError('namePrefix', `must have at most ${PREFIX_LENGTH_MAX} characters`);
  const key = searchKey(prefix);
  const list = `profiles/${key}`;
  let from = after
    ? ((await openPosition(db, list, after, ['string', 'string'])) as [string, string])
    : ([key, ''] as const);
  const reader = await findReader(db, readerId);
  const found: (Profile & Found)[] = [];
  const limit = Math.max(first + 1, LIST_ROUND_MIN);
  let isAtEnd = false;
  for (let round = 1; round <= LIST_ROUNDS_MAX && found.length <= first && !isAtEnd; round += 1) {
    const [name, id] = from;
    const range = { ...beginningWith(key), $gte: name };
    const some = await people(db)
      .find<Found>(
        { name_key: range, $or: [{ name_key: { $gt: name } }, { name_key: name, _id: { $gt: id } }] },
        { projection: profileOf(readerId) },
      )
      .sort({ name_key: 1, _id: 1 })
      .limit(limit)
      .toArray();
    for (const person of some) {
      const profile = asProfile(person, reader, true);
      if (profile) found.push({ ...person, ...profile });
    }
    const last = some.at(-1);
    if (last) from = [last.name_key, last._id];
    isAtEnd = some.length < limit;
  }
  const { edges, pageInfo } = toConnection(found.slice(0, first + 1), first, ({ name_key, _id }) =>
    encodePosition(list, [name_key, _id]),
  );
  const isShort = found.length <= first && !isAtEnd;
  return {
    edges,
    pageInfo: isShort ? { hasNextPage: true, endCursor: await sealPosition(db, list, [...from]) } : pageInfo,
  };
}
