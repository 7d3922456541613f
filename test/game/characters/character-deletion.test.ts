/** Deleting a character while others change what it carries. */
import { beforeEach, describe, expect, it } from 'vitest';
import { performOnce } from '../../../src/database/index.js';
import { repairTransits } from '../../../src/models/game/acts/continuing.js';
import { goOn } from '../../../src/models/game/acts/going.js';
import { moveCharacter } from '../../../src/models/game/acts/movement.js';
import { type ItemInput, repairItems, saveItems } from '../../../src/models/game/building/item-saving.js';
import { createCharacter } from '../../../src/models/game/characters/character-creation.js';
import {
  deleteCharacter,
  deletionBrief,
  finishLeaving,
} from '../../../src/models/game/characters/character-deletion.js';
import { relocateItem } from '../../../src/models/game/moderation/moderation.js';
import { characters } from '../../../src/models/game/world/character.js';
import { locations } from '../../../src/models/game/world/location.js';
import { HOUR_MS } from '../../../src/shared/time.js';
import { useDatabase } from '../../support/database.js';
import { testAct } from '../../support/people.js';
import { openWorld, underWay, type World } from '../game-support.js';

const database = useDatabase();
let world: World;
const KEYS = Array.from({ length: 10 }, (_, at) => `thing-${at}`);

beforeEach(async () => {
  world = await openWorld(database.db, { hall: {} });
  for (const key of KEYS) await world.item(key, 'hall');
});

const inputsOf = (weight: number): ItemInput[] =>
  KEYS.map((key) => ({
    key,
    name: key,
    description: '',
    kind: 'THING',
    bonus: 0,
    quantity: 1,
    weight,
    isFixed: false,
    slots: [],
    place: 'hall',
  }));

const give = (key: string, to: string) => {
  const keeping = { call: world.nextCall(), act: { ...testAct(), at: world.later() }, changed: () => undefined };
  return relocateItem(database.db, key, { kind: 'Character', id: to }, keeping);
};

describe('a character that is deleted while editors change what it carries', () => {
  it('leaves the things with their latest details', async () => {
    for (let round = 1; round <= 3; round += 1) {
      const doomed = await world.character('Doomed');
      for (const key of KEYS) await give(key, doomed);
      await Promise.all([
        saveItems(database.db, inputsOf(100 + round), world.saving()),
        deleteCharacter(database.db, { id: doomed, owner: `user-${doomed}` }, world.creation()),
      ]);
      await repairItems(database.db, new Date(Date.UTC(9000, 0, 1))); // of those that were on their way
      const { inventory } = await world.at('hall');
      expect(inventory.map(({ weight }) => weight)).toEqual(KEYS.map(() => 100 + round));
    }
  });
});

describe('a deletion whose process died before it answered', () => {
  it('leaves another one alone that its person has created with the name, if it is retried', async () => {
    const id = await world.character('Anew');
    const died = new Error('The process died');
    const once = { scope: 'user-anew', operation: 'deleteCharacter', key: 'anew', input: id, keepMs: HOUR_MS };
    const remove = (answer: () => void) =>
      performOnce(
        database.db,
        once,
        new Date(),
        async (call, begunAt) => {
          const deletion = { ...world.creation(), call };
          const deleted = await deleteCharacter(database.db, { id, owner: 'user-anew', begunAt }, deletion);
          answer();
          return deleted;
        },
        deletionBrief,
      );
    const die = () => {
      throw died;
    };
    await expect(remove(die)).rejects.toThrow(died);
    await world.character('Anew');
    expect(await remove(() => undefined)).toEqual({ _id: id });
    expect(await characters(database.db).countDocuments({ _id: id })).toBe(1);
  });
});

describe('a deletion that another process has overtaken', () => {
  const rooms = async (id: string) =>
    (await locations(database.db).find({ 'players.id': id }).toArray()).map(({ _id }) => _id);

  it('leaves who has taken the name where it is', async () => {
    const fay = await world.character('Fay');
    await finishLeaving(database.db, fay, world.creation());
    expect(await rooms(fay)).toEqual(['hall']);
  });
  it('is answered as done if it is retried, and leaves who has taken the name where it is', async () => {
    const begunAt = new Date(Date.now() - 60_000);
    const retry = () => deleteCharacter(database.db, { id: 'gus', owner: 'user-gus', begunAt }, world.creation());
    expect(await retry()).toEqual({ _id: 'gus' });
    const gus = await world.character('Gus');
    expect(await retry()).toMatchObject({ __typename: 'CharacterNotFound' });
    expect(await rooms(gus)).toEqual(['hall']);
  });
  it('does so while somebody takes the name at that moment', async () => {
    for (let round = 1; round <= 5; round += 1) {
      const fay = await world.character('Fay', 'ROGUE', 'user-anna');
      const remove = () => deleteCharacter(database.db, { id: fay, owner: 'user-anna' }, world.creation());
      const take = async () => {
        for (;;) {
          const made = await createCharacter(database.db, 'user-bob', { name: 'Fay', class: 'MAGE' }, world.creation());
          if ('_id' in made) return;
        }
      };
      await Promise.all([remove(), remove(), take()]);
      expect(await rooms(fay)).toEqual(['hall']);
      await deleteCharacter(database.db, { id: fay, owner: 'user-bob' }, world.creation());
      expect(await rooms(fay)).toEqual([]);
    }
  });
  it('does not move who has taken the name, either', async () => {
    await world.rooms({ hall: { north: 'kitchen' }, kitchen: {} });
    const fay = await world.character('Fay');
    const player = (await world.at('hall')).players.find(({ id }) => id === fay);
    const to = { kind: 'LOCATION', id: 'kitchen', inside: null, room: null } as const;
    const { moves } = await world.of(fay);
    const transit = {
      ...underWay({ by: fay, until: new Date(Date.now() - 1), to, move: moves + 1 }),
      ...(player && { player }),
    };
    // The other Fay had come in when its process was paused.
    await locations(database.db).updateOne({ _id: 'kitchen' }, { $set: { players: player ? [player] : [] } });
    await expect(goOn(database.db, { source: { kind: 'LOCATION', id: 'hall' }, transit }, {})).rejects.toMatchObject({
      code: 'SERVER_BUSY',
    });
    expect(await world.of(fay)).toMatchObject({ moves, location: { _id: 'hall' } });
    await locations(database.db).updateOne({ _id: 'kitchen' }, { $set: { players: [] } });
  });
});

describe('a character that is deleted after its process died while it came into a room', () => {
  it('comes in and leaves the world once', async () => {
    await world.rooms({ hall: { north: 'kitchen' }, kitchen: {} });
    const ann = await world.character('Ann');
    await moveCharacter(database.db, world.act(ann), 'north');
    const fay = await world.character('Fay');
    const before = await world.of(fay);
    await moveCharacter(database.db, world.act(fay), 'north');
    const player = (await world.at('kitchen')).players.find(({ id }) => id === fay) ?? null;
    const came = (await world.at('kitchen')).happenings.at(-1);
    const to = { kind: 'LOCATION', id: 'kitchen', inside: null, room: null } as const;
    const transit = {
      ...underWay({ call: came?.call ?? '', by: fay, until: new Date(0), to, move: before.moves + 1 }),
      ...(player && { player: { ...player, move: before.moves } }),
      tell: came ? { room: 'kitchen', happening: came } : null,
    };
    await characters(database.db).replaceOne({ _id: fay }, before);
    await locations(database.db).updateOne({ _id: 'hall' }, { $push: { transits: transit }, $inc: { version: 1 } });
    await deleteCharacter(database.db, { id: fay, owner: `user-${fay}` }, world.creation());
    const texts = (await world.at('kitchen')).happenings
      .map(({ text }) => text)
      .filter((text) => text.startsWith('Fay'));
    expect(texts).toEqual(['Fay comes in.', 'Fay leaves the world.']);
  });
});

describe('a character that is deleted while something is on its way to it', () => {
  /** A process has taken a thing out of the hall. @param until the end of its turn */
  async function leaveTaking(by: string, until: Date): Promise<void> {
    const inventory = (await world.at('hall')).inventory.filter(({ id }) => id === 'thing-0');
    const to = { kind: 'CHARACTER', id: by, inside: null, room: null } as const;
    await locations(database.db).updateOne(
      { _id: 'hall' },
      {
        $pull: { inventory: { id: 'thing-0' } },
        $push: { transits: underWay({ by, until, items: inventory, to }) },
        $inc: { version: 1 },
      },
    );
  }
  const remove = (id: string) => deleteCharacter(database.db, { id, owner: `user-${id}` }, world.creation());

  it('leaves it to nobody who takes the name', async () => {
    const doomed = await world.character('Doomed');
    await leaveTaking(doomed, new Date(Date.UTC(2020, 0, 1)));
    await remove(doomed);
    await world.character('Doomed', 'MAGE', 'user-stranger');
    await repairTransits(database.db, new Date(), () => new Date());
    expect(await world.carried(doomed)).toEqual([]);
    expect((await world.lying('hall')).toSorted()).toEqual(KEYS);
  });
  it('waits for the process whose turn it is', async () => {
    const doomed = await world.character('Doomed');
    await leaveTaking(doomed, new Date(Date.now() + 60_000));
    await expect(remove(doomed)).rejects.toMatchObject({ code: 'SERVER_BUSY' });
    expect(await world.of(doomed)).toHaveProperty('leaving_since');
  });
});
