/**
 * People's names follow those of their accounts: they are stored with the profiles, because people are found by name. Posts store none,
 * so one update is enough: at once, when an account is renamed, and by a worker, if a process dies in between. Somebody whose account was
 * deleted keeps the name until everything is erased, but nobody sees it (`leaving.ts`).
 */
import type { Db } from 'mongodb';
import { searchKey } from '../../../shared/search-key.js';
import { findUsersById } from '../../people/user.js';
import { people } from './person.js';

/** Of one account, when its name has changed. Of two changes at once the earlier may come last: then the worker puts it right. */
export async function followName(db: Db, id: string): Promise<void> {
  const [account] = await findUsersById(db, [id]);
  if (account) await people(db).updateOne({ _id: id }, { $set: nameOf(account) });
}

const nameOf = ({ name }: { readonly name: string }) => ({ name, name_key: searchKey(name) });

const BATCH = 500;

/** Compares all people with their accounts. Safe in any number of processes at once. @returns how many names were changed */
export async function followNames(db: Db): Promise<number> {
  let changed = 0;
  for (let after = ''; ; ) {
    const batch = await people(db)
      .find({ _id: { $gt: after } }, { projection: { name: 1, imported_from: 1 } })
      .sort({ _id: 1 })
      .limit(BATCH)
      .toArray();
    const some = batch.filter(({ imported_from }) => imported_from === undefined);
    const accounts = await findUsersById(
      db,
      some.map(({ _id }) => _id),
    );
    const names = new Map(accounts.map(({ _id, name }) => [_id, name]));
    const updates = some.flatMap(({ _id, name: before }) => {
      const name = names.get(_id);
      // Guard: the name that was read. Whoever saves the profile meanwhile stores the present one.
      const filter = { _id, name: before };
      return name === undefined || name === before
        ? []
        : [{ updateOne: { filter, update: { $set: nameOf({ name }) } } }];
    });
    if (updates.length > 0) changed += (await people(db).bulkWrite(updates)).modifiedCount;
    const last = batch.at(-1);
    if (!last || batch.length < BATCH) return changed;
    after = last._id;
  }
}
