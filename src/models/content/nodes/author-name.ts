/**
 * Authors' names are stored with nodes and versions. A worker follows changes of the accounts: it compares the accounts' names with the
 * ones that were copied last, and copies a new one to all works. A deleted account's works keep the id, and get an empty name.
 *
 * The new name is stored here first, with a time until which works are searched: a write that began before the change may end after the
 * first search. A worker that dies is continued by the next run, because that time is removed last.
 */
import type { ClientSession, Db } from 'mongodb';
import { defineCollection } from '../../../database/index.js';
import { failpoint } from '../../../shared/failpoint.js';
import { MINUTE_MS } from '../../../shared/time.js';
import type { AuthorReference } from '../../people/author.js';
import { findUsersById } from '../../people/user.js';
import { asNode, nodes } from './node.js';
import { versions } from './node-version.js';

export interface AuthorDocument {
  /** The account. */
  _id: string;
  /** As copied to all works, or being copied. */
  name: string;
  /** While the name is being copied. */
  searched_until?: Date;
}

export const authors = defineCollection<AuthorDocument>('cms.authors', [
  { key: { searched_until: 1 }, partialFilterExpression: { searched_until: { $exists: true } } }, // copyNames
]);

/** Longer than any transaction of a write that read the account before its change. */
const SEARCHED_MS = 2 * MINUTE_MS;
const BATCH = 200;

/** Call it in the transaction that stores their works. */
export async function noteAuthors(db: Db, session: ClientSession, given: readonly AuthorReference[]): Promise<void> {
  const names = new Map(given.flatMap(({ _id, name }) => (_id === undefined ? [] : [[_id, name] as const])));
  if (names.size === 0) return;
  const ids = [...names.keys()];
  for await (const { _id } of authors(db).find({ _id: { $in: ids } }, { session, projection: { _id: 1 } }))
    names.delete(_id);
  const unknown = [...names].map(([_id, name]) => ({ _id, name }));
  if (unknown.length > 0) await authors(db).insertMany(unknown, { session });
}

/** Safe in any number of processes at once. @returns how many works got a new name */
export async function followNames(db: Db, now: Date): Promise<number> {
  await findRenamed(db, now);
  return copyNames(db, now);
}

/** Compares all authors with their accounts. */
async function findRenamed(db: Db, now: Date): Promise<void> {
  let after = '';
  for (;;) {
    const batch = await authors(db)
      .find({ _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(BATCH)
      .toArray();
    const accounts = await findUsersById(
      db,
      batch.map(({ _id }) => _id),
    );
    const names = new Map(accounts.map((account) => [account._id, account.name]));
    for (const { _id, name } of batch) {
      const present = names.get(_id) ?? '';
      if (present === name) continue;
      failpoint('author.rename-found');
      const searched_until = new Date(now.getTime() + SEARCHED_MS);
      await authors(db).updateOne({ _id, name }, { $set: { name: present, searched_until } }); // guard: no other worker has seen the change
    }
    const last = batch.at(-1);
    if (!last || batch.length < BATCH) return;
    after = last._id;
  }
}

async function copyNames(db: Db, now: Date): Promise<number> {
  let copied = 0;
  const due = await authors(db)
    .find({ searched_until: { $exists: true } })
    .sort({ searched_until: 1 })
    .limit(BATCH)
    .toArray();
  for (const { _id, name, searched_until } of due) {
    failpoint('author.rename-begun');
    copied += await renameInNodes(db, _id, name);
    failpoint('author.nodes-renamed');
    copied += await renameInVersions(db, _id, name);
    failpoint('author.versions-renamed');
    if (!searched_until || searched_until > now) continue;
    await authors(db).updateOne({ _id, name, searched_until }, { $unset: { searched_until: '' } }); // guard: not renamed again
  }
  return copied;
}

/** Other names than the present one: two ranges of the index, where `$ne` would be no range. */
const otherThan = (name: string) => [{ $lt: name }, { $gt: name }];

async function renameInNodes(db: Db, author: string, name: string): Promise<number> {
  let renamed = 0;
  for (const other of otherThan(name)) {
    for (;;) {
      const stale = { 'author._id': author, 'author.name': other };
      const batch = await nodes(db).find(stale).limit(BATCH).map(asNode).toArray();
      if (batch.length === 0) break;
      const replacements = batch.map(({ _id, parent_id, slug, revision, ...node }) => ({
        replaceOne: {
          filter: { _id, parent_id, slug, revision }, // guard: a node that was written meanwhile is read again
          replacement: { ...node, _id, parent_id, slug, revision: revision + 1, author: { ...node.author, name } },
        },
      }));
      failpoint('author.nodes-read');
      renamed += (await nodes(db).bulkWrite(replacements, { ordered: false })).modifiedCount;
    }
  }
  return renamed;
}

async function renameInVersions(db: Db, author: string, name: string): Promise<number> {
  let renamed = 0;
  for (const other of otherThan(name)) {
    for (;;) {
      const stale = { 'author._id': author, 'author.name': other };
      const batch = await versions(db)
        .find(stale, { projection: { _id: 1 } })
        .limit(BATCH)
        .toArray();
      if (batch.length === 0) break;
      const updates = batch.map(({ _id }) => ({
        updateOne: { filter: { _id, '_id.node': _id.node }, update: { $set: { 'author.name': name } } }, // the same for every worker
      }));
      failpoint('author.versions-read');
      renamed += (await versions(db).bulkWrite(updates, { ordered: false })).modifiedCount;
    }
  }
  return renamed;
}
