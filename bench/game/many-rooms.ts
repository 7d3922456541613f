/** Worlds of any size, in the form in which the model stores them. Deterministic. */
import type { Db } from 'mongodb';
import { newCharacter } from '../../src/models/game/characters/character-creation.js';
import { copyOf } from '../../src/models/game/rooms/room-copy.js';
import { type CharacterDocument, characters } from '../../src/models/game/world/character.js';
import { characterIdOf } from '../../src/models/game/world/character-name.js';
import type { RoomHappening } from '../../src/models/game/world/happening.js';
import { type ItemDocument, items, toEntry } from '../../src/models/game/world/item.js';
import { type ItemEntry, weightOf } from '../../src/models/game/world/item-entry.js';
import { type Exit, type LocationDocument, locations } from '../../src/models/game/world/location.js';
import { doerOf, type PlayerRole } from '../../src/models/game/world/player.js';

const BEGIN = new Date('2026-01-01T00:00:00Z');
const BATCH = 2000;
/** About as long as the descriptions of text games: 500 characters. */
const ROOM_TEXT =
  'You are in a hall with pillars of green stone. Somebody has lit the torches on the walls, and left not long ago. '.repeat(
    4,
  );
const ITEM_TEXT = 'It has been carried around for a long time, and looks like it. Who knows whose it was?';
const GRAMS = 50;
const PRICE = 1;
const GOLD = 1_000_000_000;
/** One of so many persons stands in a shop at first. */
export const SHOP_PERSONS = 5;

export const roomKey = (number: number): string => `room-${number}`;
export const itemKey = (number: number): string => `item-${number}`;
export const personName = (number: number): string => `Player ${number}`;
export const personId = (number: number): string => characterIdOf(personName(number));
/** In a list by name, each is next to a person. */
export const shopkeeperName = (number: number): string => `${personName(SHOP_PERSONS * number)} Keeper`;
export const shopkeeperId = (number: number): string => characterIdOf(shopkeeperName(number));
export const ownerOf = (character: string): string => `user of ${character}`;

export function makeItem(_id: string, kind: ItemEntry['kind'] = 'THING'): ItemDocument {
  return {
    _id,
    edition: 1,
    name: `lamp ${_id}`,
    description: ITEM_TEXT,
    kind,
    bonus: 0,
    quantity: 1,
    weight: GRAMS,
    price: PRICE,
    is_fixed: false,
    slots: [],
    transits: [],
  };
}

export const entriesOf = (made: readonly ItemDocument[]): ItemEntry[] => made.map((item) => toEntry(item, null));

export function makeExit(direction: string, to: string): Exit {
  const description = `A path leads ${direction}.`;
  return { direction, aliases: [direction.charAt(0)], description, needs: null, needs_name: null, to };
}

/** Nobody who is there has done it. */
const happenedBefore = (number: number): RoomHappening => {
  const who = doerOf({ _id: 'somebody', name: 'Somebody', class: 'WARRIOR', role: 'PERSON' });
  const text = `Somebody takes the lamp item-${number}.`;
  return { call: `before-${number}`, at: BEGIN, kind: 'TOOK', who, text, own: `You take the lamp item-${number}.` };
};

interface RoomFields {
  readonly exits?: Exit[];
  readonly inventory?: ItemEntry[];
  /** How much has happened before. */
  readonly happened?: number;
}

export function makeRoom(_id: string, { exits = [], inventory = [], happened = 0 }: RoomFields): LocationDocument {
  const text = { name: `The hall ${_id}`, description: ROOM_TEXT };
  const happenings = Array.from({ length: happened }, (_, at) => happenedBefore(at));
  return { _id, ...text, exits, players: [], inventory, version: 1, happened, happenings, transits: [] };
}

/** Somebody who has arrived in a room. The room shows them; their copy of it is made when all are there (`finishRoom`). */
export function makeCharacter(
  name: string,
  room: LocationDocument,
  { inventory = [], role = 'PERSON' }: { readonly inventory?: ItemEntry[]; readonly role?: PlayerRole },
): CharacterDocument {
  const owner = role === 'PERSON' ? ownerOf(characterIdOf(name)) : null;
  const made = newCharacter({ name, class: 'WARRIOR', owner, role, gold: GOLD }, room, {
    call: '',
    now: BEGIN,
    changed: () => undefined,
  });
  room.players.push({ ...doerOf(made), is_online: false });
  return { ...made, inventory, weight: weightOf(inventory), weight_max: GOLD, transits: [], moves: 1 };
}

/** Gives those in the room their copies of it, and what has happened. */
export function finishRoom(room: LocationDocument, present: readonly CharacterDocument[]): void {
  for (const character of present) {
    character.location = copyOf(room);
    character.happenings = room.happenings.map(({ at, kind, who, text }, index) => {
      return { number: index + 1, at, kind, who, text };
    });
    character.offset = room.happenings.length - room.happened;
  }
}

export interface MadeWorld {
  readonly locations: readonly LocationDocument[];
  readonly items: readonly ItemDocument[];
  readonly characters: readonly CharacterDocument[];
}

export async function storeWorld(db: Db, made: MadeWorld): Promise<void> {
  const options = { ordered: false, writeConcern: { w: 1 } } as const;
  for (const batch of batches(made.locations)) await locations(db).insertMany(batch, options);
  for (const batch of batches(made.items)) await items(db).insertMany(batch, options);
  for (const batch of batches(made.characters)) await characters(db).insertMany(batch, options);
}

function* batches<T>(all: readonly T[]): Generator<T[]> {
  for (let first = 0; first < all.length; first += BATCH) yield all.slice(first, first + BATCH);
}

// ---- a map

const LYING = 8; // in each room
const FOR_SALE = 20; // by each shopkeeper
const HAPPENED = 20; // in each room
/** In each so many rooms is one person, and one shopkeeper. */
const ROOMS_PER_PERSON = 2;
export const ROOMS_PER_SHOPKEEPER = SHOP_PERSONS * ROOMS_PER_PERSON;
/** 8 that lie there, and a tenth of what a shopkeeper sells. */
export const ITEMS_PER_ROOM = LYING + FOR_SALE / ROOMS_PER_SHOPKEEPER;

export const personsIn = (rooms: number): number => rooms / ROOMS_PER_PERSON;
export const shopkeepersIn = (rooms: number): number => rooms / ROOMS_PER_SHOPKEEPER;

/** Rooms in a square with ways in four directions, over its edges, too. */
export function makeMap(rooms: number): MadeWorld {
  const side = Math.round(Math.sqrt(rooms));
  const made = {
    locations: [] as LocationDocument[],
    items: [] as ItemDocument[],
    characters: [] as CharacterDocument[],
  };
  const add = (count: number): ItemEntry[] => {
    const some = Array.from({ length: count }, (_, at) => makeItem(itemKey(made.items.length + at)));
    made.items.push(...some);
    return entriesOf(some);
  };
  for (let number = 0; number < rooms; number += 1) {
    const to = (by: number) => roomKey((number + by + rooms) % rooms);
    const exits = [
      makeExit('north', to(-side)),
      makeExit('south', to(side)),
      makeExit('east', to(1)),
      makeExit('west', to(-1)),
    ];
    const room = makeRoom(roomKey(number), { exits, inventory: add(LYING), happened: HAPPENED });
    const present: CharacterDocument[] = [];
    if (number % ROOMS_PER_PERSON === 0) present.push(makeCharacter(personName(number / ROOMS_PER_PERSON), room, {}));
    if (number % ROOMS_PER_SHOPKEEPER === 0) {
      const name = shopkeeperName(number / ROOMS_PER_SHOPKEEPER);
      present.push(makeCharacter(name, room, { role: 'SHOPKEEPER', inventory: add(FOR_SALE) }));
    }
    finishRoom(room, present);
    made.locations.push(room);
    made.characters.push(...present);
  }
  return made;
}
