/** Locations and their copies through the API, and followed live. */
import { beforeAll, describe, expect, it } from 'vitest';
import { pickUpItem } from '../../../src/models/game/acts/handling.js';
import { speak } from '../../../src/models/game/acts/speech.js';
import { copyRoom, copyStage } from '../../../src/models/game/rooms/room-copy.js';
import { characters } from '../../../src/models/game/world/character.js';
import { shownHappenings } from '../../../src/models/game/world/happening.js';
import { locations } from '../../../src/models/game/world/location.js';
import { useDatabase } from '../../support/database.js';
import { useServer } from '../../support/server.js';
import { GameApi, type Gamer, itemId, locationId } from '../game-api.js';
import { World } from '../game-support.js';

const database = useDatabase();
const server = useServer(database);
let api: GameApi;
let world: World;
let editor: Gamer;
let tim: Gamer;

beforeAll(async () => {
  api = new GameApi(database, server);
  world = new World(database.db);
  await world.rooms({ hall: { north: 'kitchen' }, kitchen: { south: 'hall' } });
  await world.item('lamp', 'hall');
  editor = await api.account('Ed', 'EDITOR');
  tim = await api.gamer('Tim');
});

const MAP =
  '{ locations(first: 1) { edges { node { id key name isStart exits { direction toId toKey } players { id } items { id } } } pageInfo { hasNextPage } } }';

describe('the map', () => {
  it('is for editors', async () => {
    expect(await api.ask(MAP, {}, editor)).toEqual({
      locations: {
        edges: [
          {
            node: {
              id: locationId('hall'),
              key: 'hall',
              name: 'The hall',
              isStart: true,
              exits: [{ direction: 'north', toId: locationId('kitchen'), toKey: 'kitchen' }],
              players: [{ id: tim.character }],
              items: [{ id: itemId('lamp') }],
            },
          },
        ],
        pageInfo: { hasNextPage: true },
      },
    });
    expect((await api.send(MAP, {}, tim)).errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  });
  it('does not show players where exits lead', async () => {
    const query = 'query($id: ID!) { character(id: $id) { location { exits { direction toId } } } }';
    expect((await api.send(query, { id: tim.character }, tim)).errors?.[0]).toMatchObject({
      extensions: { code: 'FORBIDDEN' },
    });
  });
});

describe('following a location', () => {
  it('sends it after every change', async () => {
    const query =
      'subscription($id: ID!, $after: String) { locationChanged(id: $id, after: $after) { cursor reset location { name items { name } players { name } } } }';
    const events = api.connect(editor).iterate({ query, variables: { id: locationId('hall') } });
    type Event = { value: { data: { locationChanged: { location: { items: { name: string }[] } } } } };
    const items = async () =>
      ((await events.next()) as Event).value.data.locationChanged.location.items.map(({ name }) => name);
    expect(await items()).toEqual(['lamp']);
    await api.act(tim, 'pickUpItem', `itemId: "${itemId('lamp')}"`);
    expect(await items()).toEqual([]);
    await api.act(tim, 'dropItem', `itemId: "${itemId('lamp')}"`);
    expect(await items()).toEqual(['lamp']);
    await events.return?.();
  });
});

describe('a copy of a room', () => {
  it('is only ever replaced by a newer one', async () => {
    const ann = await world.character('Ann');
    await characters(database.db).updateOne(
      { _id: ann },
      { $set: { 'location.version': 1_000_000, 'location.name': 'Newer' } },
    );
    await copyRoom(database.db, 'hall');
    expect(await world.of(ann)).toMatchObject({ location: { name: 'Newer' } });
    await characters(database.db).updateOne({ _id: ann }, { $set: { 'location.version': 0 } });
    await copyRoom(database.db, 'hall');
    expect(await world.of(ann)).toMatchObject({ location: { name: 'The hall' } });
  });
  it('takes nothing back that an act has told its character since the room was read', async () => {
    const eve = await world.character('Eve');
    const read = await world.at('hall');
    await speak(database.db, world.act(eve), 'Hello', null);
    await characters(database.db).updateOne({ _id: eve }, [
      { $set: { 'location.version': 0 } }, // as if it had not been copied since before the room was read
      copyStage(read),
    ]);
    await copyRoom(database.db, 'hall');
    const numbers = (await world.of(eve)).happenings.map(({ number }) => number);
    expect(numbers).toEqual([...new Set(numbers)]);
  });
  it('is marked as behind until nobody is on the way into the room', async () => {
    await locations(database.db).updateOne({ _id: 'hall' }, { $set: { uncopied_since: new Date() } });
    await locations(database.db).updateOne(
      { _id: 'hall' },
      { $push: { players: { id: 'coming', name: 'Coming', class: 'MAGE', role: 'PERSON', is_online: false } } },
    );
    expect(await copyRoom(database.db, 'hall')).toBe(false);
    expect(await world.at('hall')).toHaveProperty('uncopied_since');
    await locations(database.db).updateOne({ _id: 'hall' }, { $pull: { players: { id: 'coming' } } });
    expect(await copyRoom(database.db, 'hall')).toBe(true);
    expect(await world.at('hall')).not.toHaveProperty('uncopied_since');
  });
});

async function happen(count: number): Promise<void> {
  const $each = Array.from({ length: count }, (_, at) => {
    return { call: `call ${at}`, at: new Date(), kind: 'SAID' as const, who: null, text: `${at}`, own: '' };
  });
  const $inc = { version: 1, happened: count };
  await locations(database.db).updateOne({ _id: 'hall' }, { $push: { happenings: { $each } }, $inc });
}

describe('the happenings of a character', () => {
  it('are the last hundred, and the numbers tell that some are lost', async () => {
    const bob = await world.character('Bob');
    const { offset, location } = await world.of(bob);
    const before = offset + location.happened;
    await happen(130);
    await copyRoom(database.db, 'hall');
    const character = await world.of(bob);
    const happenings = shownHappenings(character);
    expect(happenings.map(({ number }) => number)).toEqual(Array.from({ length: 100 }, (_, at) => before + 31 + at));
    expect(happenings.at(-1)?.text).toBe('129');
  });
  it('stay in their place, in the room and in the character, until there are 150', async () => {
    const dan = await world.character('Dan');
    const sizes = async () => ({
      room: (await world.at('hall')).happenings.length,
      character: (await world.of(dan)).happenings.length,
    });
    const afterMore = async (count: number) => {
      await happen(count);
      await copyRoom(database.db, 'hall');
      return sizes();
    };
    const before = await sizes();
    expect(await afterMore(150 - before.room)).toMatchObject({ room: 150 });
    const { room, character } = await afterMore(1);
    expect(room).toBe(100);
    expect(await afterMore(150 - character)).toMatchObject({ character: 150 });
    expect(await afterMore(1)).toMatchObject({ character: 100 });
  });
  it('start with an act of the character at once, however far the copy is behind', async () => {
    const cid = await world.character('Cid');
    await pickUpItem(database.db, world.act(cid), 'lamp');
    expect((await world.heard(cid)).at(-1)).toBe('You take the lamp.');
  });
});
