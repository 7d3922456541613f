/** What the names of characters of earlier versions look like. */
import type { Db } from 'mongodb';
import { characters } from '../world/character.js';
import { looksOf } from '../world/character-name.js';

const BATCH_MAX = 100;

/** @returns of how many it was missing */
export async function findLooks(db: Db): Promise<number> {
  const lacking = { looks: { $exists: false } };
  for (let count = 0; ; ) {
    const found = await characters(db)
      .find(lacking, { projection: { name: 1 }, limit: BATCH_MAX })
      .toArray();
    if (found.length === 0) return count;
    await characters(db).bulkWrite(
      found.map(({ _id, name }) => ({
        updateOne: { filter: { _id, name }, update: { $set: { looks: looksOf(name) }, $unset: { look: '' } } }, // guard: of this name
      })),
      { ordered: false },
    );
    count += found.length;
  }
}
