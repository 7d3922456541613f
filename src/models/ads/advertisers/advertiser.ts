/**
 * Advertisers: the businesses whose campaigns are shown. Each has an owner, who sees and changes its campaigns.
 * Source pattern: online advertising networks (chapter 7), where the advertiser is a part of the campaign's id.
 */
import type { Db, Filter } from 'mongodb';
import { defineCollection, findNewestFirst } from '../../../database/index.js';
import { LimitError } from '../../../shared/errors.js';
import { type Connection, type PageInput, requireFirst } from '../../../shared/page.js';
import { requireVisible } from '../../../shared/visible-text.js';

export interface AdvertiserDocument {
  _id: string;
  name: string;
  /** The user who owns it. Null if the account was deleted. */
  owner: string | null;
  created_at: Date;
  /** Rises with each campaign. */
  campaigns_created?: number;
}

export const advertisers = defineCollection<AdvertiserDocument>(
  'ad.advertisers',
  [
    { key: { owner: 1, created_at: -1, _id: -1 } }, // findAdvertisers of one user
    { key: { created_at: -1, _id: -1 } }, // findAdvertisers of all users
  ],
  { retiredIndexes: ['owner_1__id_1'] },
);

const NAME_LENGTH_MAX = 100;
/** Where all advertisers of a user matter, this many are read. */
export const OWN_ADVERTISERS_MAX = 100;
const FIRST_MAX = 100;

export interface NewAdvertiser {
  /** Also identifies the call: a retry with the same id adds only one. */
  readonly id: string;
  readonly name: string;
  /** Null: nobody but editors sees it. */
  readonly owner: string | null;
}

/** @throws InputError @throws LimitError the owner has OWN_ADVERTISERS_MAX; calls at the same moment may exceed it slightly */
export async function addAdvertiser(
  db: Db,
  { id, name, owner }: NewAdvertiser,
  now: Date,
): Promise<AdvertiserDocument> {
  const fields = { name: requireVisible('input.name', name, NAME_LENGTH_MAX), owner, created_at: now };
  const known = await findAdvertiser(db, id);
  if (known) return known;
  const own = await advertisers(db)
    .find({ owner }, { projection: { _id: 1 } })
    .limit(OWN_ADVERTISERS_MAX)
    .toArray();
  if (owner !== null && own.length >= OWN_ADVERTISERS_MAX)
    throw new LimitError(`A user owns at most ${OWN_ADVERTISERS_MAX} advertisers`, OWN_ADVERTISERS_MAX);
  // Guard: `_id`. A retry of the call finds the advertiser that it added.
  const added = await advertisers(db).findOneAndUpdate(
    { _id: id },
    { $setOnInsert: fields },
    { upsert: true, returnDocument: 'after' },
  );
  return added ?? { _id: id, ...fields };
}

export function findAdvertiser(db: Db, id: string): Promise<AdvertiserDocument | null> {
  return advertisers(db).findOne({ _id: id });
}

export function findAdvertisersById(db: Db, ids: readonly string[]): Promise<AdvertiserDocument[]> {
  return advertisers(db)
    .find({ _id: { $in: [...ids] } })
    .toArray();
}

/** Newest first. @param owner null for those of all users @throws LimitError `first` exceeds 100 @throws CursorError */
export async function findAdvertisers(
  db: Db,
  owner: string | null,
  page: PageInput,
): Promise<Connection<AdvertiserDocument>> {
  requireFirst(page.first, FIRST_MAX);
  const filter = owner === null ? {} : { owner };
  const read = (within: Filter<AdvertiserDocument>, limit: number) =>
    advertisers(db).find(within).sort({ created_at: -1, _id: -1 }).limit(limit).toArray();
  return findNewestFirst({ list: `advertisers/${owner ?? ''}`, moment: 'created_at', filter, read }, page);
}
