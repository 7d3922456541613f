/** A world that is imported while the process dies: another one completes it, and everything is there once. */
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import type { Product, ProductClient } from '../../../harness/product.js';
import { waitFor } from '../../../harness/wait-for.js';
import { lines } from '../../content/import/import-support.js';
import { answerOrNull, type ServerScenario } from '../../crash/scenario.js';

const ROOMS = 150; // two batches of rooms, of folk and of items
const ROWS = 3 * ROOMS;

const IMPORT = `mutation ($file: Upload!, $input: ImportWorldInput!) {
  importWorld(file: $file, input: $input) { __typename }
}`;

async function begin(product: Product): Promise<null> {
  const numbers = Array.from({ length: ROOMS }, (_, n) => n);
  const rows = [
    ...numbers.map((n) => ({ item: `item-${n}`, name: 'thing', kind: 'CONTAINER', ...placeOf(n) })),
    ...numbers.map((n) => ({ folk: `Folk ${n}`, at: `room-${n}`, gold: n })),
    ...numbers.map((n) => ({
      location: `room-${n}`,
      name: 'Room',
      exits: [{ direction: 'on', to: `room-${(n + 1) % ROOMS}` }],
    })),
  ];
  await answerOrNull(product.upload(IMPORT, { input: { prefix: 'crashed' } }, new File([lines(rows)], 'world.jsonl')));
  return null;
}

/** Every other item is inside the next one, which comes later in the file. */
const placeOf = (n: number) => (n % 2 === 0 ? { place: `item-${n + 1}` } : { place: `room-${n}` });

const dies = (failpoint: string, pass: number): ServerScenario<null> => ({
  failpoints: { [failpoint]: pass },
  act: begin,
  async judge(_product: ProductClient, db: Db) {
    const work = await waitFor('the end of the import', 300_000, () =>
      db.collection('work').findOne({ kind: 'world-import', state: { $in: ['FINISHED', 'FAILED'] } }),
    );
    expect(work).toMatchObject({ state: 'FINISHED', done: ROWS, total: ROWS });
    // Of the batch that was interrupted, it is not known any more who has stored it.
    expect((work.imported ?? 0) + (work.skipped ?? 0)).toBe(ROWS);
    expect(work.rejected ?? 0).toBe(0);
    expect(await db.collection('audit').countDocuments({ action: 'WORLD_IMPORTED' })).toBe(1);
    const rooms = await db
      .collection<{ _id: string; inventory: { id: string; inside_id: string | null }[]; exits: object[] }>(
        'game.locations',
      )
      .find({ _id: /^crashed:/ })
      .toArray();
    expect(rooms).toHaveLength(ROOMS);
    expect(rooms.every(({ exits }) => exits.length === 1)).toBe(true);
    const placed = rooms.flatMap(({ inventory }) => inventory.map(({ id, inside_id }) => `${id} ${inside_id}`));
    expect(placed.toSorted()).toEqual(
      Array.from(
        { length: ROOMS },
        (_, n) => `crashed:item-${n} ${n % 2 === 0 ? `crashed:item-${n + 1}` : null}`,
      ).toSorted(),
    );
    expect(await db.collection('game.characters').countDocuments({ name: /^Folk / })).toBe(ROOMS);
  },
});

export const itemsStored = dies('game.import-stored', 7);
export const locationsRecorded = dies('game.import-recorded', 3);
