/** What a character can name in a command. */
import type { Actor, RoomPart } from '../acts/act.js';
import { type ItemEntry, labelOf } from '../world/item-entry.js';
import type { Player } from '../world/player.js';
import type { Command, CommandPart } from './command.js';
import { type Named, namedItem, namedPlayer } from './naming.js';

export interface Sight {
  readonly actor: Actor<RoomPart>;
  /** Of each shopkeeper in the room. */
  readonly goods: ReadonlyMap<string, readonly ItemEntry[]>;
}

export type Thing = ItemEntry | Player;

export const others = ({ _id, location }: Actor<RoomPart>): Player[] => location.players.filter(({ id }) => id !== _id);

const self = ({ _id, location }: Actor<RoomPart>): Named<Player>[] =>
  location.players
    .filter(({ id }) => id === _id)
    .map((player) => ({ names: [player.name, 'me', 'myself'], value: player }));

/** What stands for a part of a command. */
export function candidatesOf(part: CommandPart, { actor, goods }: Sight): Named<Thing>[] {
  const { inventory, location } = actor;
  const seen = [...inventory, ...location.inventory];
  switch (part) {
    case 'ITEM_IN_ROOM':
      return location.inventory.filter(({ inside_id }) => inside_id === null).map(namedItem);
    case 'ITEM_CARRIED':
      return inventory.map(namedItem);
    case 'ITEM_TO_SELL':
      return inventory.filter(({ price }) => price !== null).map(namedItem);
    case 'ITEM_INSIDE':
      return seen.filter(({ inside_id }) => inside_id !== null).map(namedItem);
    case 'CONTAINER':
      return seen.filter(({ kind }) => kind === 'CONTAINER').map(namedItem);
    case 'ITEM_SEEN':
      return [...seen.map(namedItem), ...others(actor).map(namedPlayer), ...self(actor)];
    case 'ITEM_FOR_SALE':
      return [...goods.values()].flat().map(namedItem);
    case 'SOMEBODY':
      return others(actor).map(namedPlayer);
    case 'SHOPKEEPER':
      return others(actor)
        .filter(({ role }) => role === 'SHOPKEEPER')
        .map(namedPlayer);
    default:
      return [];
  }
}

/** The shopkeepers who have such a thing for sale, or who might buy it. */
export const tradersOf = (act: 'BUY' | 'SELL', thing: Thing, sight: Sight): Named<Thing>[] =>
  candidatesOf('SHOPKEEPER', sight).filter(
    ({ value: { id } }) => act === 'SELL' || goodsOf(sight, id).some(({ value }) => looksLike(value, thing)),
  );

export const goodsOf = ({ goods }: Sight, shopkeeper: string): Named<ItemEntry>[] =>
  (goods.get(shopkeeper) ?? []).map(namedItem);

const looksLike = (one: ItemEntry, other: Thing): boolean => !('is_online' in other) && labelOf(one) === labelOf(other);

/** What lies in a container, or in one that looks like it. */
export const insideOf = (container: Thing, { actor }: Sight): Named<ItemEntry>[] => {
  const seen = [...actor.inventory, ...actor.location.inventory];
  const alike = new Set(seen.filter((each) => looksLike(each, container)).map(({ id }) => id));
  return seen.filter(({ inside_id }) => inside_id !== null && alike.has(inside_id)).map(namedItem);
};

/** Taking also finds what is inside of something: then it is taken out. Selling finds what has no price: then the shopkeeper refuses it. */
export function partsOfFirst({ act, parts }: Command): CommandPart[] {
  if (act === 'TAKE') return ['ITEM_IN_ROOM', 'ITEM_INSIDE'];
  if (act === 'SELL') return ['ITEM_TO_SELL', 'ITEM_CARRIED'];
  return [parts[0]?.part ?? 'ITEM_SEEN'];
}
