/** The sample world: filled in once, playable, and taken back as far as nobody has used it. */
import { afterEach, describe, expect, it } from 'vitest';
import { visitOnly } from '../../../src/database/collections/snapshot-batches.js';
import { sendCommand } from '../../../src/models/game/commands/sending.js';
import {
  findCharacterViolations,
  findGoldViolations,
  findItemViolations,
  findLocationViolations,
} from '../../../src/models/game/invariants.js';
import { sampleRooms } from '../../../src/models/game/seed/sample-rooms.js';
import { sampleFolk, sampleItems } from '../../../src/models/game/seed/sample-things.js';
import { worldSteps } from '../../../src/models/game/seed/world-seed.js';
import { characters } from '../../../src/models/game/world/character.js';
import { items } from '../../../src/models/game/world/item.js';
import { locations } from '../../../src/models/game/world/location.js';
import { findStart, worlds } from '../../../src/models/game/world/world.js';
import { useDatabase } from '../../support/database.js';
import { contentsOf, repeated, useSeed } from '../../system/work/seed-support.js';
import { underWay, World } from '../game-support.js';

const database = useDatabase();
const seed = useSeed(database, 'game');
const steps = () => worldSteps(() => undefined);

afterEach(async () => {
  for (const each of [locations, items, characters, worlds]) await each(database.db).deleteMany({});
});

async function expectSound(): Promise<void> {
  for (const find of [findItemViolations, findLocationViolations, findCharacterViolations, findGoldViolations])
    for await (const violation of find(database.db, visitOnly)) expect(violation).toBeNull();
}

const counts = () => Promise.all([locations, characters, items].map((each) => each(database.db).countDocuments()));
const all = [sampleRooms.length, sampleFolk.length, sampleItems.length];

describe('the sample world', () => {
  it('fills an empty world, also if each step is repeated, as after a crash', async () => {
    for (const given of [undefined, repeated(steps())]) {
      const done = await seed.fill(given);
      expect(done).toMatchObject({ state: 'FINISHED', done: 3, total: 3 });
      expect(await counts()).toEqual(all);
      expect(await findStart(database.db)).toBe('saltmere:landing');
      await expectSound();
      for (const each of [locations, items, characters, worlds]) await each(database.db).deleteMany({});
    }
  });

  it('leaves the world as it was before when it is undone, also if each step is repeated', async () => {
    const before = await contentsOf(database.db, seed.domain);
    for (const given of [undefined, repeated(steps())]) {
      const undone = await seed.undo(await seed.fill(given), given);
      expect(undone).toMatchObject({ state: 'UNDONE', done: 0 });
      expect(undone.kept).toBeUndefined();
      expect(await contentsOf(database.db, seed.domain)).toEqual(before);
    }
  });

  it('can be played to its end by typed commands', async () => {
    await seed.fill();
    const world = new World(database.db);
    await world.character('Tim');
    const way = [
      'north',
      'east',
      'buy the brass lantern',
      'west',
      'north',
      'west',
      'take the small brass key out of the biscuit tin',
      'back door',
      'take the oar',
      'south',
      'west',
      'west',
      'row',
      'take the iron key from the sea chest',
      'look at the log of the Marigold',
      'north',
      'east',
      'east',
      'east',
      'door',
      'up',
      "take the keeper's hat",
      "wear the keeper's hat",
      'look at the great lamp',
    ];
    for (const text of way) {
      const outcome = await sendCommand(database.db, world.act('tim'), text);
      expect(outcome, text).toHaveProperty('_id', 'tim');
      await world.copy();
    }
    expect((await world.of('tim')).location.name).toBe('Lamp room');
    expect((await world.heard('tim')).at(-1)).toContain('begins, very faintly, to shine');
    await expectSound();
  });
});

describe('undoing the sample world', () => {
  it('keeps what was moved, traded or changed, and the rooms while somebody is in one', async () => {
    const filled = await seed.fill();
    const world = new World(database.db);
    await world.character('Tim');
    for (const text of ['north', 'take the lucky penny from the dry fountain', 'east', 'buy the brass lantern']) {
      expect(await sendCommand(database.db, world.act('tim'), text), text).toHaveProperty('_id', 'tim');
      await world.copy();
    }
    await items(database.db).updateOne({ _id: 'saltmere:rum' }, { $set: { name: 'flask of tea' } });
    const undone = await seed.undo(filled);
    expect(undone).toMatchObject({ state: 'UNDONE', kept: 2 + 2 + 1 + sampleRooms.length });
    expect((await items(database.db).find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id)).toEqual(
      ['barrel', 'lantern', 'lucky-penny', 'rum'].map((key) => `saltmere:${key}`),
    );
    expect((await characters(database.db).find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id)).toEqual([
      'bettina roe',
      'tim',
    ]);
    expect(await world.carried('tim')).toEqual(['saltmere:lucky-penny', 'saltmere:lantern']);
  });

  it('keeps what an act has brought that is not over, and who is on the way', async () => {
    const filled = await seed.fill();
    const [penny, bettina] = ['saltmere:lucky-penny', 'bettina roe'];
    const lies = { 'inventory.id': penny };
    const lying = (await locations(database.db).findOne(lies))?.inventory.filter(({ id }) => id === penny) ?? [];
    await locations(database.db).updateOne(lies, { $push: { transits: underWay({ items: lying }) } });
    const stands = { 'players.id': bettina };
    const player = (await locations(database.db).findOne(stands))?.players.find(({ id }) => id === bettina);
    await locations(database.db).updateOne(stands, {
      $pull: { players: { id: bettina } },
      $push: { transits: underWay({ call: 'another', move: 2, ...(player && { player }) }) },
    });
    await seed.undo(filled);
    expect(await items(database.db).findOne({ _id: penny })).not.toBeNull();
    expect(await characters(database.db).findOne({ _id: bettina })).not.toBeNull();
    await expectSound();
  });
});
