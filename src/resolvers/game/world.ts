/** Building the world. */
import { randomUUID } from 'node:crypto';
import type { MutationResolvers } from '../../generated/resolvers.js';
import { type FolkInput, saveFolk } from '../../models/game/building/folk-saving.js';
import { type ItemInput, saveItems } from '../../models/game/building/item-saving.js';
import { type LocationInput, type Saving, saveLocations } from '../../models/game/building/location-saving.js';
import type { Context } from '../../server/context/context.js';

const saving = ({ rooms, now }: Context): Saving => ({ call: randomUUID(), now, changed: rooms.changed });

// The types generated for inputs have optional fields where the SDL has defaults, which are filled in.
export const Mutation: Pick<MutationResolvers, 'saveLocations' | 'saveItems' | 'saveFolk'> = {
  saveLocations: (_root, { locations }, context) =>
    saveLocations(context.db, locations as readonly LocationInput[], saving(context)),
  saveItems: (_root, { items }, context) => saveItems(context.db, items as readonly ItemInput[], saving(context)),
  saveFolk: (_root, { folk }, context) => saveFolk(context.db, folk as readonly FolkInput[], saving(context)),
};
