/** A small world for tests, through the models. */
import type { Db } from 'mongodb';
import type { Act } from '../../src/models/game/acts/act.js';
import { saveFolk } from '../../src/models/game/building/folk-saving.js';
import { type ItemInput, saveItems } from '../../src/models/game/building/item-saving.js';
import { type LocationInput, type Saving, saveLocations } from '../../src/models/game/building/location-saving.js';
import { type Creation, createCharacter } from '../../src/models/game/characters/character-creation.js';
import { repairCopies } from '../../src/models/game/rooms/room-copy.js';
import { type CharacterDocument, characters, findCharacter } from '../../src/models/game/world/character.js';
import { items } from '../../src/models/game/world/item.js';
import { findLocation, type LocationDocument, locations } from '../../src/models/game/world/location.js';
import type { CharacterClass, PlayerRole } from '../../src/models/game/world/player.js';
import type { Transit } from '../../src/models/game/world/transit.js';
import { worlds } from '../../src/models/game/world/world.js';

const END_OF_TIME = new Date(Date.UTC(9000, 0, 1));

/** A transit under way, with nothing in it. */
export const underWay = (fields: Partial<Transit> = {}): Transit => ({
  call: 'a call',
  by: null,
  at: new Date(),
  until: new Date(Date.now() + 60_000),
  items: [],
  to: null,
  price: 0,
  tell: null,
  tell_back: null,
  ...fields,
});

type Exits = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A world of its own for each test: empties the one before it. */
export async function openWorld(db: Db, rooms: Exits): Promise<World> {
  for (const collection of [characters, items, locations, worlds]) await collection(db).deleteMany({});
  const world = new World(db);
  await world.rooms(rooms);
  return world;
}

export class World {
  #calls = 0;
  #latest = 0;

  constructor(readonly db: Db) {}

  nextCall(): string {
    this.#calls += 1;
    return `call-${this.#calls}`;
  }

  /** Later than the last one by a millisecond at least. */
  later(): Date {
    this.#latest = Math.max(Date.now(), this.#latest + 1);
    return new Date(this.#latest);
  }

  saving(): Saving {
    return { call: this.nextCall(), now: () => new Date(), changed: () => undefined };
  }

  creation(): Creation {
    return { ...this.saving(), now: new Date() };
  }

  /** Rooms by key with the exits of each: `{ hall: { north: 'kitchen' } }`. The first one is the start. */
  async rooms(exitsByKey: Exits): Promise<void> {
    const bare = (key: string, at: number): LocationInput => ({
      key,
      name: `The ${key}`,
      description: '',
      exits: Object.entries(exitsByKey[key] ?? {}).map(([direction, to]) => ({
        direction,
        to,
        aliases: [direction.charAt(0)],
        description: '',
      })),
      isStart: at === 0,
    });
    const { rejected } = await saveLocations(this.db, Object.keys(exitsByKey).map(bare), this.saving());
    if (rejected.length > 0) throw new Error(JSON.stringify(rejected));
  }

  async item(key: string, place: string, fields: Partial<ItemInput> = {}): Promise<void> {
    const input: ItemInput = {
      key,
      name: key,
      description: '',
      kind: 'THING',
      bonus: 0,
      quantity: 1,
      weight: 100,
      isFixed: false,
      slots: [],
      place,
      ...fields,
    };
    const { rejected } = await saveItems(this.db, [input], this.saving());
    if (rejected.length > 0) throw new Error(JSON.stringify(rejected));
  }

  async folk(name: string, location: string, gold = 1000, role: PlayerRole = 'SHOPKEEPER'): Promise<string> {
    const { rejected } = await saveFolk(this.db, [{ name, class: 'CLERIC', role, gold, location }], this.saving());
    if (rejected.length > 0) throw new Error(JSON.stringify(rejected));
    return name.toLowerCase();
  }

  /** A character of a user of the same name. @returns its id */
  async character(
    name: string,
    kind: CharacterClass = 'WARRIOR',
    owner = `user-${name.toLowerCase()}`,
  ): Promise<string> {
    const made = await createCharacter(this.db, owner, { name, class: kind }, this.creation());
    if (!('_id' in made)) throw new Error(made.message);
    return made._id;
  }

  /** An act of a character, by its user. */
  act(characterId: string, call = this.nextCall()): Act {
    return { owner: `user-${characterId}`, characterId, call, now: new Date(), changed: () => undefined };
  }

  async of(id: string): Promise<CharacterDocument> {
    const character = await findCharacter(this.db, id);
    if (!character) throw new Error(`There is no character ${id}`);
    return character;
  }

  async at(id: string): Promise<LocationDocument> {
    const location = await findLocation(this.db, id);
    if (!location) throw new Error(`There is no location ${id}`);
    return location;
  }

  /** The ids of what a character carries. */
  async carried(id: string): Promise<string[]> {
    return (await this.of(id)).inventory.map((item) => item.id);
  }

  /** The ids of what lies in a location. */
  async lying(id: string): Promise<string[]> {
    return (await this.at(id)).inventory.map((item) => item.id);
  }

  /** Brings all copies of rooms up to date. */
  async copy(): Promise<void> {
    await repairCopies(this.db, END_OF_TIME);
  }

  /** What a character has seen and heard. */
  async heard(id: string): Promise<string[]> {
    return (await this.of(id)).happenings.map(({ text }) => text);
  }
}
