/** The sample world: its rooms, who is in them, and their items, a step each. */
import type { Db } from 'mongodb';
import type { SeedStep } from '../../seed.js';
import { type HeldWork, WorkFailure } from '../../work.js';
import { saveFolk } from '../building/folk-saving.js';
import { saveItems } from '../building/item-saving.js';
import { type SavedWorld, type Saving, saveLocations } from '../building/location-saving.js';
import { finishBegun } from '../import/begun-items.js';
import { itemInputOf } from '../import/checked-row.js';
import { items } from '../world/item.js';
import { locations } from '../world/location.js';
import { sampleRooms } from './sample-rooms.js';
import { sampleFolk, sampleItems } from './sample-things.js';
import { removeFolk, removeItems, removeRooms } from './taking-back.js';

export async function isWorldEmpty(db: Db): Promise<boolean> {
  const first = { projection: { _id: 1 }, sort: { _id: 1 } } as const;
  return !(await locations(db).findOne({}, first)) && !(await items(db).findOne({}, first));
}

/** @param changed called when a room has changed */
export const worldSteps = (changed: Saving['changed']): readonly SeedStep[] => {
  const saving = (held: HeldWork): Saving => ({ call: held.work._id, now: held.now, changed });
  return [
    {
      fill: async (held) => required(await saveLocations(held.db, sampleRooms, saving(held))),
      takeBack: async ({ db }) => ({ write: (session) => removeRooms(db, session) }),
    },
    {
      fill: async (held) => required(await saveFolk(held.db, sampleFolk, saving(held))),
      takeBack: async ({ db, now }) => ({ write: (session) => removeFolk(db, session, now()) }),
    },
    {
      fill: async (held) => {
        await finishBegun(held);
        return required(await saveItems(held.db, sampleItems.map(itemInputOf), saving(held)));
      },
      takeBack: async (held) => {
        await finishBegun(held);
        return { write: (session) => removeItems(held.db, session, held.now()) };
      },
    },
  ];
};

/** @throws WorkFailure something was not saved */
function required({ rejected: [first] }: SavedWorld): undefined {
  if (first) throw new WorkFailure(first.message);
}
