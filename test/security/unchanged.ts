/** Whether something has changed the database. */
import type { Db } from 'mongodb';

/** A hash of each collection's documents, by the database server itself. */
async function hashes(db: Db): Promise<Readonly<Record<string, string>>> {
  const { collections } = await db.command({ dbHash: 1 });
  return collections;
}

/** @returns the names of the collections whose documents are not the same after `work` */
export async function changesOf(db: Db, work: () => Promise<unknown>): Promise<string[]> {
  const before = await hashes(db);
  await work();
  const after = await hashes(db);
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => before[name] !== after[name]);
}
