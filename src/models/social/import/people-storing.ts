/** Stores a batch of people. */
import type { ClientSession, Db } from 'mongodb';
import { searchKey } from '../../../shared/search-key.js';
import type { RowsStep } from '../../system/work/data-import.js';
import { people } from '../network/person.js';
import { newPerson } from '../network/profile.js';
import type { PersonRow } from './network-row.js';
import type { Batch } from './row-reading.js';
import { personIdOf } from './source.js';

/** Whoever is there stays as they are. Of two rows with one key, the first counts. */
export async function storePeople(
  db: Db,
  session: ClientSession,
  source: string,
  { rows, rejects }: Batch<PersonRow>,
  now: Date,
): Promise<RowsStep> {
  const byId = new Map(rows.toReversed().map(({ row }) => [personIdOf(source, row.key), row]));
  const there = await people(db)
    .find({ _id: { $in: [...byId.keys()] } }, { session, projection: { _id: 1 } })
    .toArray();
  for (const { _id } of there) byId.delete(_id);
  const added = [...byId].map(([_id, { name, about, place, interests }]) => ({
    _id,
    name,
    name_key: searchKey(name),
    about,
    place,
    interests: [...interests],
    ...newPerson(now),
    imported_from: source,
  }));
  if (added.length > 0) await people(db).insertMany(added, { session });
  return { imported: added.length, skipped: rows.length - added.length, rejects };
}
