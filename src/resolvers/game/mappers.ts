/** What the resolvers of each type get as their parent. `npm run generate` maps the type `Item` to `ItemMapper`. */
import type { Crowd } from '../../models/game/rooms/crowd.js';
import type { CharacterDocument } from '../../models/game/world/character.js';
import type { Happening } from '../../models/game/world/happening.js';
import type { ItemEntry, Slot } from '../../models/game/world/item-entry.js';
import type { Exit, Room } from '../../models/game/world/location.js';
import type { Player } from '../../models/game/world/player.js';

/** An item, and where the character who carries it wears or wields it. */
export type ItemMapper = ItemEntry & { readonly slot?: Slot | null };
export type CharacterMapper = CharacterDocument;
/** A location itself, or a character's copy of it. */
export type LocationMapper = Room;
export type ExitMapper = Exit;
/** Of a happening, whether the player is online is found out when it is asked for. */
export type PlayerMapper = Omit<Player, 'is_online'> & { readonly is_online: boolean | (() => boolean) };
/** With the answer to who in the room is online. */
export type HappeningMapper = Happening & { readonly isOnline: (id: string) => boolean };
export type ItemPlaceMapper =
  | (CharacterMapper & { readonly __typename: 'Character' })
  | (LocationMapper & { readonly __typename: 'Location' })
  | (ItemMapper & { readonly __typename: 'Item' });
export type DeletedCharacterMapper = { readonly _id: string };
export type LocationCrowdMapper = Crowd;
