/** Items, and where they are. */
import type { ItemPlaceResolvers, ItemResolvers, QueryResolvers } from '../../generated/resolvers.js';
import { findCharacter } from '../../models/game/world/character.js';
import { findItems, toEntry } from '../../models/game/world/item.js';
import { labelOf } from '../../models/game/world/item-entry.js';
import { findLocation } from '../../models/game/world/location.js';
import { findPlace } from '../../models/game/world/place.js';
import { toGlobalId } from '../../shared/global-id.js';
import { mapConnection } from '../../shared/page.js';
import { typeName } from '../support/result-type.js';

export const Item: ItemResolvers = {
  id: ({ id }) => toGlobalId('Item', id),
  key: ({ id }) => id,
  label: labelOf,
  isFixed: ({ is_fixed }) => is_fixed,
  slot: ({ slot }) => slot ?? null,
  insideId: ({ inside_id }) => (inside_id === null ? null : toGlobalId('Item', inside_id)),
  place: async ({ id }, _args, { db }) => {
    const place = await findPlace(db, id);
    if (!place) return null;
    const container = place.inventory.find((each) => each.id === place.entry.inside_id);
    if (container) return { ...container, __typename: 'Item' as const };
    if (place.kind === 'CHARACTER') {
      const character = await findCharacter(db, place.id);
      return character && { ...character, __typename: 'Character' as const };
    }
    const location = await findLocation(db, place.id);
    return location && { ...location, __typename: 'Location' as const };
  },
};

export const ItemPlace: ItemPlaceResolvers = { __resolveType: typeName };

export const Query: Pick<QueryResolvers, 'allItems'> = {
  allItems: async (_root, { first, after }, { db }) =>
    mapConnection(await findItems(db, { first, after }), (item) => toEntry(item, null)),
};
