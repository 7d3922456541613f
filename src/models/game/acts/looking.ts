/**
 * Looking: the answer is a happening that only the character has. It goes through the room as all others, which gives it its place among
 * them. It is told of the room itself, not of the character's copy, which may be older than what the live screen shows.
 */
import type { Db } from 'mongodb';
import { type CharacterDocument, findCharacter } from '../world/character.js';
import { type ItemEntry, labelOf, theLabel } from '../world/item-entry.js';
import type { Room } from '../world/location.js';
import {
  type Act,
  type Actor,
  act,
  capital,
  findRoomOf,
  happeningBy,
  type ItemGone,
  itemGone,
  type NobodyThere,
  type RoomContents,
} from './act.js';
import { nobodyThere } from './letting-go.js';
import { tellRoom } from './telling.js';
import { goodsOf } from './trade.js';
import { wayTo } from './ways.js';

/** What a character looks at. Null for the room. */
export type Sight = { readonly kind: 'Item' | 'Character'; readonly id: string } | null;

export const look = (db: Db, asked: Act, at: Sight) =>
  act<ItemGone | NobodyThere>(db, { ...asked, isTelling: true }, [], async (actor) => {
    const room = await findRoomOf(db, actor, 'name', 'description', 'exits');
    if (!room) return 'AGAIN';
    const seen = await describe(db, actor, room, at);
    if (typeof seen !== 'string') return seen;
    const happening = happeningBy(actor, asked, 'LOOKED', { text: '', own: seen, is_private: true });
    return tellRoom(db, asked, actor, { happening });
  });

type Around = RoomContents & Pick<Room, 'name' | 'description' | 'exits'>;

async function describe(db: Db, actor: Actor, room: Around, at: Sight): Promise<string | ItemGone | NobodyThere> {
  if (at === null) return describeRoom(room, actor);
  if (at.kind === 'Character' && at.id === actor._id) return describeSelf(actor);
  if (at.kind === 'Character') {
    if (!room.players.some(({ id }) => id === at.id)) return nobodyThere();
    const other = await findCharacter(db, at.id);
    return other ? describePerson(other) : nobodyThere();
  }
  const around = [...actor.inventory, ...room.inventory];
  const item = around.find(({ id }) => id === at.id);
  return item ? describeItem(item, around) : itemGone(db, at.id, room);
}

const LISTED_MAX = 20;

/** For example `a lamp, a scroll and 20 arrows`. Of many, only the first. */
function listed(labels: readonly string[]): string {
  const shown = labels.slice(0, LISTED_MAX - 1);
  const named = labels.length > LISTED_MAX ? [...shown, `${labels.length - shown.length} more`] : labels;
  return named.length < 2 ? named.join('') : `${named.slice(0, -1).join(', ')} and ${named.at(-1)}`;
}

function describeRoom({ name, description, exits, players, inventory }: Around, actor: Actor): string {
  const others = players.filter(({ id }) => id !== actor._id).map((each) => each.name);
  const open = inventory.filter(({ inside_id }) => inside_id === null).map(labelOf);
  return [
    `${name}.`,
    description,
    exits.length > 0
      ? `You can go ${listed(exits.map((exit) => wayTo(exit, actor.inventory)))}.`
      : 'There is no way out.',
    open.length > 0 ? `Here: ${listed(open)}.` : '',
    others.length > 0 ? `With you: ${listed(others)}.` : '',
  ]
    .filter(Boolean)
    .join(' ');
}

function describeSelf({ inventory, gold, weight, weight_max }: Actor): string {
  const open = inventory.filter(({ inside_id }) => inside_id === null).map(labelOf);
  const carried = open.length > 0 ? `You carry: ${listed(open)}.` : 'You carry nothing.';
  const left = Math.max(0, weight_max - weight); // what is carried may have become heavier
  return `${carried} You have ${gold} gold, and can carry ${left / 1000} kg more.`;
}

function describePerson(person: CharacterDocument): string {
  const { name, class: kind, inventory, armor, weapons, role } = person;
  const worn = inventory.filter(({ id }) => [...armor, ...weapons].some((each) => each.id === id)).map(labelOf);
  const goods = role === 'SHOPKEEPER' ? goodsOf(person).map((item) => `${labelOf(item)} for ${item.price} gold`) : [];
  return [
    `${name} is a ${kind.toLowerCase()}.`,
    worn.length > 0 ? `${name} has ${listed(worn)}.` : '',
    goods.length > 0 ? `For sale: ${listed(goods)}.` : '',
  ]
    .filter(Boolean)
    .join(' ');
}

function describeItem(item: ItemEntry, around: readonly ItemEntry[]): string {
  const inside = around.filter(({ inside_id }) => inside_id === item.id).map(labelOf);
  const empty = item.kind === 'CONTAINER' ? 'It is empty.' : '';
  return [
    item.description || `${capital(theLabel(item))}: there is nothing more to see.`,
    inside.length > 0 ? `In it: ${listed(inside)}.` : empty,
  ]
    .filter(Boolean)
    .join(' ');
}
