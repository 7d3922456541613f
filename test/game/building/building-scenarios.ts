/** Building during which the server dies. Saving the same again completes it. */
import { expect } from 'vitest';
import { characters } from '../../../src/models/game/world/character.js';
import { items } from '../../../src/models/game/world/item.js';
import { locations } from '../../../src/models/game/world/location.js';
import { killed, whereabouts } from '../crash-game.js';

const exits = '[{ direction: "down", to: "cellar", needs: "key" }]';

export const savingLocations = killed({
  failpoints: { 'game.location-saved': 1, 'game.start-marked': 1 },
  mutation: `saveLocations(locations: [{ key: "cellar", name: "Cellar", description: "", isStart: true }, { key: "attic", name: "Attic", description: "", exits: ${exits} }]) { __typename }`,
  answer: 'SaveWorldResult',
  judge: async (db) => {
    expect(await locations(db).countDocuments({ _id: { $in: ['cellar', 'attic'] } })).toBe(2);
    expect(await db.collection('game.world').findOne({})).toMatchObject({ start: 'cellar' });
  },
});

export const savingItems = killed({
  failpoints: { 'game.item-made': 1, 'game.item-saved': 1 },
  mutation:
    'saveItems(items: [{ key: "one", name: "one", place: "hall" }, { key: "two", name: "two", place: "bag" }]) { __typename }',
  answer: 'SaveWorldResult',
  judge: async (db) => expect(await whereabouts(db)).toMatchObject({ one: 'hall', two: 'hall' }),
});

export const changingItems = killed({
  failpoints: { 'game.item-changed': 1, 'game.item-applied': 1, 'game.need-named': 1, 'game.needs-named': 1 },
  prepare: async ({ db }) => {
    const exit = { direction: 'down', aliases: [], description: '', needs: 'lamp', needs_name: 'lamp', to: 'kitchen' };
    await locations(db).updateOne(
      { _id: 'hall' },
      { $push: { exits: exit }, $inc: { version: 1 }, $set: { uncopied_since: new Date(0) } },
    );
  },
  mutation: 'saveItems(items: [{ key: "lamp", name: "silver lamp", place: "hall" }]) { __typename }',
  answer: 'SaveWorldResult',
  judge: async (db) => {
    expect(await items(db).findOne({ _id: 'lamp' })).toMatchObject({ name: 'silver lamp', edition: 2 });
    const hall = await locations(db).findOne({ _id: 'hall' });
    expect(hall?.inventory.find(({ id }) => id === 'lamp')).toMatchObject({ name: 'silver lamp', edition: 2 });
    expect(hall?.exits.find(({ direction }) => direction === 'down')).toMatchObject({ needs_name: 'silver lamp' });
  },
});

export const savingFolk = killed({
  failpoints: { 'game.folk-saved': 1 },
  mutation:
    'saveFolk(folk: [{ name: "Cid", class: MAGE, location: "hall" }, { name: "Dee", class: MAGE, location: "hall" }]) { __typename }',
  answer: 'SaveWorldResult',
  judge: async (db) => {
    expect(await whereabouts(db)).toMatchObject({ cid: 'hall', dee: 'hall' });
    expect(await characters(db).countDocuments({ _id: { $in: ['cid', 'dee'] } })).toBe(2);
  },
});
