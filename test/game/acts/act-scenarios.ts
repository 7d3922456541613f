/** Acts during which the server dies: every item is in one place, and every character in one room. */
import { expect } from 'vitest';
import { dropItem } from '../../../src/models/game/acts/handling.js';
import { moveCharacter } from '../../../src/models/game/acts/movement.js';
import { putItemInto } from '../../../src/models/game/acts/packing.js';
import { characters } from '../../../src/models/game/world/character.js';
import { type LocationDocument, locations } from '../../../src/models/game/world/location.js';
import { freeStrayItems } from '../../../src/models/game/world/stray-items.js';
import { toGlobalId } from '../../../src/shared/global-id.js';
import { Died, dyingDatabase } from '../../commerce/orders/interruptions.js';
import type { WorkerScenario } from '../../crash/scenario.js';
import { letWorkersRun } from '../../crash/workers.js';
import {
  actOfTim,
  expectSettled,
  handTim,
  item,
  KEY,
  killed,
  letTurnsEnd,
  openWorld,
  TIM,
  whereabouts,
} from '../crash-game.js';

const KITCHEN = toGlobalId('Location', 'kitchen');
const BERT = toGlobalId('Character', 'bert');
const MUTED_UNTIL = new Date(Date.UTC(2099, 0, 1));

export const taking = killed({
  failpoints: { 'game.taken': 1, 'game.arrived': 1, 'game.told': 1, 'game.closed': 1 },
  mutation: `pickUpItem(characterId: "${TIM}", itemId: "${item('lamp')}", ${KEY}) { __typename }`,
  judge: async (db) => expect(await whereabouts(db)).toMatchObject({ lamp: 'tim', tim: 'hall' }),
});

export const dropping = killed({
  failpoints: { 'game.let-go': 1 },
  prepare: (world) => handTim(world, 'ring'),
  mutation: `dropItem(characterId: "${TIM}", itemId: "${item('ring')}", ${KEY}) { __typename }`,
  judge: async (db) => expect(await whereabouts(db)).toMatchObject({ ring: 'hall' }),
});

export const givingBack = killed({
  failpoints: { 'game.taken-back': 1 },
  prepare: async (world) => {
    await handTim(world, 'ring');
    await characters(world.db).updateOne({ _id: 'bert' }, { $set: { weight_max: 0 } });
  },
  mutation: `giveItem(characterId: "${TIM}", itemId: "${item('ring')}", toId: "${BERT}", ${KEY}) { __typename }`,
  answer: 'TooHeavy',
  judge: async (db) => expect(await whereabouts(db)).toMatchObject({ ring: 'tim' }),
});

/** Before repair gives the ring back, the pouch in which it was is dropped. */
export const givingBackOpen = killed({
  failpoints: { 'game.let-go': 1 },
  prepare: async (world) => {
    await handTim(world, 'pouch', { kind: 'CONTAINER' });
    await handTim(world, 'ring');
    await putItemInto(world.db, await actOfTim(world), 'ring', 'pouch');
    await characters(world.db).updateOne({ _id: 'bert' }, { $set: { weight_max: 0 } });
  },
  mutation: `giveItem(characterId: "${TIM}", itemId: "${item('ring')}", toId: "${BERT}", ${KEY}) { __typename }`,
  meanwhile: async (world) => {
    await dropItem(world.db, await actOfTim(world), 'pouch');
  },
  answer: 'TooHeavy',
  judge: async (db) => {
    expect(await whereabouts(db)).toMatchObject({ ring: 'tim', pouch: 'hall' });
    const tim = await characters(db).findOne({ _id: 'tim' });
    expect(tim?.inventory).toMatchObject([{ id: 'ring', inside_id: null }]);
  },
});

const north = `moveCharacter(characterId: "${TIM}", direction: "north", ${KEY}) { __typename }`;

export const moving = killed({
  failpoints: { 'game.left': 1, 'game.entered': 1, 'game.moved': 1, 'game.move-closed': 1 },
  mutation: north,
  judge: async (db) => expect(await whereabouts(db)).toMatchObject({ tim: 'kitchen' }),
});

/** The kitchen is full of people who are there only for this. */
const crowd: LocationDocument['players'] = Array.from({ length: 200 }, (_, at) => ({
  id: `extra ${at}`,
  name: 'Extra',
  class: 'ROGUE',
  role: 'FOLK',
  is_online: false,
}));

export const movingBack = killed({
  failpoints: { 'game.move-taken-back': 1 },
  prepare: async ({ db }) => {
    await locations(db).updateOne({ _id: 'kitchen' }, { $set: { players: crowd } });
  },
  mutation: north,
  answer: 'ExitClosed',
  judge: async (db) => {
    expect(await whereabouts(db)).toMatchObject({ tim: 'hall' });
    await locations(db).updateOne({ _id: 'kitchen' }, { $set: { players: [] } });
  },
});

/** Who has moved on since does not go around in another room. */
export const goingAround = killed({
  failpoints: { 'game.gone-around': 1 },
  mutation: `moveCharacter(characterId: "${TIM}", direction: "around", ${KEY}) { __typename }`,
  meanwhile: async (world) => {
    await moveCharacter(world.db, await actOfTim(world), 'north');
  },
  judge: async (db) => {
    expect(await whereabouts(db)).toMatchObject({ tim: 'kitchen' });
    const told = (await locations(db).find().toArray()).flatMap(({ happenings }) => happenings);
    expect(told.filter(({ text }) => text.startsWith('Tim goes around'))).toHaveLength(1);
  },
});

export const dressing = killed({
  failpoints: { 'game.dressed': 1 },
  prepare: (world) => handTim(world, 'hat', { kind: 'ARMOR', slots: ['HEAD'] }),
  mutation: `sendCommand(characterId: "${TIM}", text: "wear the hat", ${KEY}) { __typename }`,
  judge: async (db) =>
    expect(await characters(db).findOne({ _id: 'tim' })).toMatchObject({ armor: [{ id: 'hat', region: 'HEAD' }] }),
});

export const packing = killed({
  failpoints: { 'game.packed': 1 },
  prepare: async (world) => {
    await handTim(world, 'ring');
    await handTim(world, 'pouch', { kind: 'CONTAINER' });
  },
  mutation: `putItemInto(characterId: "${TIM}", itemId: "${item('ring')}", containerId: "${item('pouch')}", ${KEY}) { __typename }`,
  judge: async (db) => {
    const tim = await characters(db).findOne({ _id: 'tim' });
    expect(tim?.inventory).toContainEqual(expect.objectContaining({ id: 'ring', inside_id: 'pouch' }));
    expect(tim?.happenings.filter(({ text }) => text === 'You put the ring into the pouch.')).toHaveLength(1);
  },
});

export const buying = killed({
  failpoints: { 'game.sold': 1 },
  mutation: `buyItem(characterId: "${TIM}", shopkeeperId: "${BERT}", itemId: "${item('rope')}", ${KEY}) { __typename }`,
  judge: async (db) => {
    expect(await whereabouts(db)).toMatchObject({ rope: 'tim' });
    expect(await characters(db).findOne({ _id: 'tim' })).toMatchObject({ gold: 90 });
    expect(await characters(db).findOne({ _id: 'bert' })).toMatchObject({ gold: 1010 });
  },
});

export const speaking = killed({
  failpoints: { 'game.spoken': 1, 'game.noted': 1 },
  mutation: `speak(characterId: "${TIM}", text: "Once", ${KEY}) { __typename }`,
  judge: async (db) => {
    const tim = await characters(db).findOne({ _id: 'tim' });
    expect(tim?.happenings.filter(({ text }) => text === 'You say: Once')).toHaveLength(1);
  },
});

/** The copy of the room is older than the lamp's details. */
export const refreshing = killed({
  failpoints: { 'game.refreshed': 1 },
  prepare: async ({ db }) => {
    await characters(db).updateOne(
      { _id: 'tim' },
      { $set: { 'location.version': 0, 'location.inventory.$[lamp].edition': 0 } },
      { arrayFilters: [{ 'lamp.id': 'lamp' }] },
    );
  }, // the room is not marked as uncopied: the server would bring the copy up to date before the mutation comes
  mutation: `pickUpItem(characterId: "${TIM}", itemId: "${item('lamp')}", ${KEY}) { __typename }`,
  judge: async (db) => expect(await whereabouts(db)).toMatchObject({ lamp: 'tim' }),
});

export const relocatingItem = killed({
  failpoints: { 'game.taken-away': 1, 'game.recorded': 1 },
  mutation: `relocateItem(itemId: "${item('lamp')}", toId: "${KITCHEN}") { __typename }`,
  answer: 'Item',
  judge: async (db) => {
    expect(await whereabouts(db)).toMatchObject({ lamp: 'kitchen' });
    expect(await db.collection('audit').countDocuments({ action: 'RELOCATED', subject: 'lamp' })).toBe(1);
  },
});

export const relocatingCharacter = killed({
  failpoints: { 'game.taken-out': 1 },
  mutation: `relocateCharacter(characterId: "${BERT}", locationId: "${KITCHEN}") { __typename }`,
  answer: 'Character',
  judge: async (db) => {
    expect(await whereabouts(db)).toMatchObject({ bert: 'kitchen' });
    expect(await db.collection('audit').countDocuments({ action: 'RELOCATED', subject: 'bert' })).toBe(1);
  },
});

/** The copy of the room says otherwise about the character than the room. */
export const relocatingAgain = killed({
  failpoints: { 'game.relocation-refreshed': 1 },
  prepare: async ({ db }) => {
    await characters(db).updateOne(
      { _id: 'bert' },
      { $set: { 'location.version': 0, 'location.players.$[bert].is_online': true } },
      { arrayFilters: [{ 'bert.id': 'bert' }] },
    );
  }, // as above
  mutation: `relocateCharacter(characterId: "${BERT}", locationId: "${KITCHEN}") { __typename }`,
  judge: async (db) => expect(await whereabouts(db)).toMatchObject({ bert: 'kitchen' }),
});

export const creating = killed({
  failpoints: { 'game.created': 1 },
  mutation: `createCharacter(input: { name: "New", class: MAGE }, ${KEY}) { __typename }`,
  judge: async (db) => expect(await whereabouts(db)).toMatchObject({ new: 'hall' }),
});

export const muting = killed({
  failpoints: { 'game.muted': 1 },
  mutation: `muteCharacter(characterId: "${TIM}", until: "2099-01-01T00:00:00Z") { __typename }`,
  judge: async (db) => expect((await characters(db).findOne({ _id: 'tim' }))?.muted_until).toEqual(MUTED_UNTIL),
});

export const deleting = killed({
  failpoints: {
    'game.leaving': 1,
    'game.put-down': 1,
    'game.left-room': 1,
    'game.left-world': 1,
    'game.creation-settled': 1,
  },
  prepare: (world) => handTim(world, 'ring'),
  mutation: `deleteCharacter(id: "${TIM}") { __typename }`,
  answer: 'CharacterNotFound', // repair has deleted it
  judge: async (db) => {
    const found = await whereabouts(db);
    expect(found).toMatchObject({ ring: 'hall' });
    expect(found).not.toHaveProperty('tim');
    expect(await characters(db).findOne({ _id: 'tim' })).toBeNull();
  },
});

/** Repair dies as well, right after it has taken a transit over. */
export const takingOver: WorkerScenario<void> = {
  failpoints: { 'game.taken-over': 1 },
  leave: async (db) => {
    const world = await openWorld(db);
    const [lamp] = (await world.at('hall')).inventory;
    if (!lamp) throw new Error('There is no lamp');
    const transit = {
      call: 'left',
      by: 'tim',
      at: new Date(),
      until: new Date(0),
      items: [lamp],
      to: { kind: 'CHARACTER' as const, id: 'tim', inside: null, room: null },
      price: 0,
      tell: null,
      tell_back: null,
    };
    await locations(db).updateOne(
      { _id: 'hall' },
      {
        $pull: { inventory: { id: lamp.id } },
        $push: { transits: transit },
        $inc: { version: 1 },
        $set: { uncopied_since: new Date(0) },
      },
    );
  },
  judge: async (_product, db) => {
    await letTurnsEnd(db);
    await letWorkersRun(db);
    await expectSettled(db);
    expect(await whereabouts(db)).toMatchObject({ lamp: 'tim' });
  },
};

/** Tim has moved on before the hall is told: repair dies when it has told Tim in the kitchen. */
export const tellingDoer: WorkerScenario<void> = {
  failpoints: { 'game.doer-told': 1 },
  leave: async (db) => {
    const world = await openWorld(db);
    await handTim(world, 'ring');
    const dies = dropItem(dyingDatabase(db, 1), await actOfTim(world), 'ring');
    await expect(dies).rejects.toBeInstanceOf(Died);
    await moveCharacter(db, await actOfTim(world), 'north');
    await letTurnsEnd(db);
  },
  judge: async (_product, db) => {
    await letWorkersRun(db);
    await expectSettled(db);
    expect(await whereabouts(db)).toMatchObject({ ring: 'hall', tim: 'kitchen' });
    const tim = await characters(db).findOne({ _id: 'tim' });
    expect(tim?.happenings.filter(({ text }) => text === 'You drop the ring.')).toHaveLength(1);
  },
};

/** Earlier releases left items in containers that are not there. */
export const freeing: WorkerScenario<void> = {
  failpoints: { 'game.stray-freed': 1 },
  leave: async (db) => {
    const world = await openWorld(db);
    for (const key of ['ring', 'cup']) await handTim(world, key);
    await characters(db).updateOne({ _id: 'tim' }, { $set: { 'inventory.$[].inside_id': 'gone' } });
  },
  judge: async (_product, db) => {
    await freeStrayItems(db, { now: new Date(), changed: () => undefined });
    const tim = await characters(db).findOne({ _id: 'tim' });
    expect(tim?.inventory.map(({ inside_id }) => inside_id)).toEqual([null, null]);
  },
};
