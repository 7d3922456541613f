/** Work that an administrator starts again from time to time. Its id is the next number of its kind, so that two who start it at once start it once. */
import type { Db } from 'mongodb';
import type { WorkDocument } from '../../work.js';
import { backgroundWork } from './background-work.js';

const NUMBER_DIGITS = 6; // fixed width, so that ids sort like numbers

/** The latest work of a kind. Null if there is none: what ended 30 days ago is removed. */
export async function findLatestWork(db: Db, kind: string): Promise<WorkDocument | null> {
  const [latest] = await backgroundWork(db)
    .find({ _id: { $gte: `${kind}.`, $lt: `${kind}/` } }) // the slash follows the dot
    .sort({ _id: -1 })
    .limit(1)
    .toArray();
  return latest ?? null;
}

/** The id of the work that comes after the latest one. */
export function nextWorkId(kind: string, latest: WorkDocument | null): string {
  const number = latest ? Number(latest._id.slice(kind.length + 1)) + 1 : 1;
  return `${kind}.${String(number).padStart(NUMBER_DIGITS, '0')}`;
}
