/**
 * The personal data of an account: what each domain stores about it, for the person to download (`system/personal-data`), and what
 * becomes of it once the account is deleted (`people/erasure.ts`).
 */
import type { ClientSession, Collection, Db, Document, Filter, UpdateFilter } from 'mongodb';
import type { CollectionPlan } from '../database/index.js';
import { failpoint } from '../shared/failpoint.js';
import type { CommentHost } from './commentable.js';

/** A line of a file, as plain JSON. Secrets, such as hashes of passwords, are left out. */
export interface PersonalRow {
  /** One of the domain's `files`. */
  readonly file: string;
  readonly row: object;
}

/** What becomes of one kind of data when its account is deleted. */
export interface ErasureRule {
  /** In words, for people. */
  readonly data: string;
  /** Where it is. A test looks for accounts in collections that no rule names. */
  readonly collections: readonly Pick<CollectionPlan, 'collectionName'>[];
  /** Anonymized data stays, but nothing in it leads to the person. */
  readonly becomes: 'ERASED' | 'KEPT' | 'ANONYMIZED';
  /** In words, for people. */
  readonly reason: string;
}

/** What a domain declares. It works while the domain is off: it gets nothing but the database. */
export interface PersonalData {
  /** The names of the files that `rows` writes, and what is in each, for people. No other domain has a file of the same name. */
  readonly files: Readonly<Record<string, string>>;
  /** All that is stored about an account: file by file, in the order of an index, read as it is taken. */
  rows(db: Db, accountId: string): AsyncIterable<PersonalRow>;
  /** The ids of the pictures that belong to the account. */
  assets?(db: Db, accountId: string): AsyncIterable<string>;
  /**
   * Hides what nobody may see from the deletion of the account on, until it is erased: one small write, in the transaction that deletes
   * the account.
   */
  leave?(db: Db, session: ClientSession, accountId: string): Promise<void>;
  /**
   * Erases or anonymizes what the deleted account has left, in batches. It is repeated, also after it has found nothing, because a
   * write that began before the deletion may end after it.
   * @param commentHosts those that keep summaries of comments
   * @returns how many items it has changed, or must wait for: 0 if nothing was left
   */
  erase?(db: Db, accountId: string, now: Date, commentHosts: readonly CommentHost[]): Promise<number>;
  /** Copies the present name of the account to where the domain shows it. What a process that dies has left follows within some time. */
  followName?(db: Db, accountId: string): Promise<void>;
  readonly erasure: readonly ErasureRule[];
}

/** That of one domain, on or off. */
export interface PersonalDataOfDomain extends PersonalData {
  readonly domain: string;
}

/** The rows of one file. */
export async function* rowsIn<T>(
  file: string,
  found: AsyncIterable<T>,
  rowOf: (document: T) => object,
): AsyncGenerator<PersonalRow, undefined> {
  for await (const document of found) yield { file, row: rowOf(document) };
}

const CHANGED_AT_ONCE = 200;

/**
 * Changes all documents that match, a batch at a time. The change makes them no longer match, so that a repetition continues.
 * @returns how many were changed
 */
export async function changeMatching<D extends Document & { readonly _id: string }>(
  collection: Collection<D>,
  filter: Filter<D>,
  change: UpdateFilter<D>,
): Promise<number> {
  for (let changed = 0; ; ) {
    const batch = await collection
      .find(filter, { projection: { _id: 1 } })
      .limit(CHANGED_AT_ONCE)
      .toArray();
    if (batch.length === 0) return changed;
    const updates = batch.map(({ _id }) => ({ updateOne: { filter: { ...filter, _id }, update: change } })); // guard: it still matches
    const { modifiedCount } = await collection.bulkWrite(updates as never, { ordered: false });
    failpoint('erasure.batch-changed');
    changed += modifiedCount;
  }
}
