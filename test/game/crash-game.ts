/** Shared by the scenarios of the game. The world is set up directly; what is tested goes through the API. */
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import { type Answer, administrator, type Product, type ProductClient } from '../../harness/product.js';
import { waitFor } from '../../harness/wait-for.js';
import type { Act } from '../../src/models/game/acts/act.js';
import { createCharacter } from '../../src/models/game/characters/character-creation.js';
import { characters } from '../../src/models/game/world/character.js';
import { items } from '../../src/models/game/world/item.js';
import { locations } from '../../src/models/game/world/location.js';
import { toGlobalId } from '../../src/shared/global-id.js';
import { answerOrNull, type ServerScenario } from '../crash/scenario.js';
import { letTimePass, letWorkersRun } from '../crash/workers.js';
import { World } from './game-support.js';

export const KEY = 'idempotencyKey: "the key"';
export const TIM = toGlobalId('Character', 'tim');
export const item = (key: string): string => toGlobalId('Item', key);

/** Exits called `around` lead into the hall, also from there. A hall with a lamp, a hat and a bag, a kitchen, a shopkeeper with a rope, and the administrator's character Tim. */
export async function openWorld(db: Db): Promise<World> {
  const world = new World(db);
  await world.rooms({ hall: { north: 'kitchen', around: 'hall' }, kitchen: { south: 'hall', around: 'hall' } });
  await world.folk('Bert', 'hall');
  await world.item('lamp', 'hall', { price: 8 });
  await world.item('bag', 'hall', { kind: 'CONTAINER' });
  await world.item('rope', 'Bert', { price: 10 });
  const user = await db.collection<{ _id: string; email: string }>('users').findOne({ email: administrator.email });
  const made = await createCharacter(db, user?._id ?? '', { name: 'Tim', class: 'WARRIOR' }, world.creation());
  expect(made).toMatchObject({ _id: 'tim' });
  await world.copy();
  return world;
}

/** An act of Tim, whose owner is the administrator. */
export const actOfTim = async (world: World): Promise<Act> => ({
  ...world.act('tim'),
  owner: (await world.of('tim')).owner ?? '',
});

/** Gives Tim something, directly. */
export async function handTim(world: World, key: string, fields: object = {}): Promise<void> {
  await world.folk('Giver', 'hall', 0, 'FOLK');
  await world.item(key, 'Giver', fields);
  const { inventory, weight } = await world.of('giver');
  await characters(world.db).updateOne({ _id: 'giver' }, { $set: { inventory: [], weight: 0 } });
  await characters(world.db).updateOne(
    { _id: 'tim' },
    { $push: { inventory: { $each: inventory } }, $inc: { weight } },
  );
}

/** @returns null when the process died */
export const mutate = (product: ProductClient, mutation: string): Promise<Answer<{ answer: Outcome }> | null> =>
  answerOrNull(product.request<{ answer: Outcome }>(`mutation { answer: ${mutation} }`));

export interface Outcome {
  readonly __typename: string;
}

const isOpen = { 'transits.call': { $gt: '' } };

/** Ends the turns of dead processes, as time would: then others may take their acts over. */
export async function letTurnsEnd(db: Db): Promise<void> {
  for (const { collectionName } of [locations, characters, items])
    await db.collection(collectionName).updateMany(isOpen, { $set: { 'transits.$[].until': new Date(0) } });
}

/** Nothing is on its way, and every copy is equal to its room. */
export async function expectSettled(db: Db): Promise<void> {
  for (const collection of [locations, characters, items])
    expect(await db.collection(collection.collectionName).countDocuments(isOpen)).toBe(0);
  await waitFor('copies of rooms', 10_000, async () =>
    (await locations(db).findOne({ uncopied_since: { $exists: true } })) === null ? true : null,
  );
}

/** Tim, and where things are. */
export async function whereabouts(db: Db): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {};
  for (const { _id, players, inventory } of await locations(db).find({}).toArray()) {
    for (const { id } of players) found[id] = `${found[id] ?? ''}${_id}`;
    for (const { id } of inventory) found[id] = `${found[id] ?? ''}${_id}`;
  }
  for (const { _id, inventory } of await characters(db).find({}).toArray())
    for (const { id } of inventory) found[id] = `${found[id] ?? ''}${_id}`;
  return found;
}

interface Kill {
  readonly failpoints: Readonly<Record<string, number>>;
  readonly prepare?: (world: World) => Promise<void>;
  readonly mutation: string;
  /** What happens before it is repaired. */
  readonly meanwhile?: (world: World) => Promise<void>;
  /** What a retry is answered. Default: the character. */
  readonly answer?: string;
  readonly judge: (db: Db) => Promise<void>;
}

/** A server dies during a mutation. What it left is repaired, then a retry with the same key finds it done once, or does it. */
export const killed = ({
  failpoints,
  prepare,
  mutation,
  meanwhile,
  answer = 'Character',
  judge,
}: Kill): ServerScenario<void> => ({
  failpoints,
  act: async (product: Product, db: Db) => {
    const world = await openWorld(db);
    await prepare?.(world);
    expect(await mutate(product, mutation)).toBeNull();
    await meanwhile?.(world);
  },
  judge: async (product, db) => {
    await letTimePass(db);
    await letTurnsEnd(db);
    await letWorkersRun(db);
    await expectSettled(db);
    const again = await mutate(product, mutation);
    expect(again?.errors).toBeUndefined();
    expect(again?.data?.answer.__typename).toBe(answer);
    await letWorkersRun(db);
    await expectSettled(db);
    await judge(db);
  },
});
