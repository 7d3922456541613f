/** The answer of an act has what is asked for, whichever part of the character's document that is. */
import { beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../../support/database.js';
import { useServer } from '../../support/server.js';
import { GameApi, type Gamer, itemId } from '../game-api.js';
import { World } from '../game-support.js';

const database = useDatabase();
const server = useServer(database);

const selections = [
  'id name gold',
  'location { id name }',
  'location { description }',
  'location { exits { direction } }',
  'location { players { id isOnline } }',
  'location { items { id } }',
  'inventory { id slot }',
  'armor { slot item { id } }',
  'weapons { slot item { id } }',
  'happenings { number }',
  'happenings { number text }',
  'happenings { at kind }',
  'happenings { who { id } }',
  'happenings { who { id isOnline } }',
  '...Screen',
];
const FRAGMENT = `fragment Screen on Character { location { ...Room } happenings { who { isOnline } } inventory { id } }
  fragment Room on Location { players { name } items { name } }`;

const acts = [
  'pickUpItem(characterId: $id, itemId: $lamp)',
  'putItemInto(characterId: $id, itemId: $lamp, containerId: $bag)',
  'takeItemOut(characterId: $id, itemId: $lamp)',
  'pickUpItem(characterId: $id, itemId: $sword)',
  'equipItem(characterId: $id, itemId: $sword, slot: RIGHT_HAND)',
  'giveItem(characterId: $id, itemId: $lamp, toId: $other)',
  'speak(characterId: $id, text: "Hello")',
  'look(characterId: $id)',
  'moveCharacter(characterId: $id, direction: "north")',
  'sendCommand(characterId: $id, text: "go south")',
  'dropItem(characterId: $id, itemId: $sword)',
];

describe('the answer of an act', () => {
  let world: World;
  let api: GameApi;
  let gamer: Gamer;
  let other: Gamer;

  beforeAll(async () => {
    world = new World(database.db);
    api = new GameApi(database, server);
    await world.rooms({ hall: { north: 'kitchen' }, kitchen: { south: 'hall' } });
    gamer = await api.gamer('Tim');
    other = await api.gamer('Ann');
    await world.item('bag', 'hall', { kind: 'CONTAINER' });
    await api.type(gamer, 'take bag');
  });

  it.each(selections.map((selection, at) => [selection, at] as const))(
    'has %s, as a query has it',
    async (selection, at) => {
      const [lamp, sword] = [`lamp-${at}`, `sword-${at}`];
      const variables = {
        id: gamer.character,
        other: other.character,
        lamp: itemId(lamp),
        bag: itemId('bag'),
        sword: itemId(sword),
      };
      const fragment = selection.startsWith('...') ? FRAGMENT : '';
      await world.item(lamp, 'hall');
      await world.item(sword, 'hall', { kind: 'WEAPON', slots: ['RIGHT_HAND'] });
      await world.copy();
      for (const act of acts) {
        const used = [...act.matchAll(/\$(\w+)/g)].map(([, name]) => name as keyof typeof variables);
        const declared = used.map((name) => `$${name}: ID!`).join(', ');
        const { done } = await api.ask<{ done: unknown }>(
          `mutation(${declared}) { done: ${act} { ... on Character { ${selection} } ... on Refusal { message } } } ${fragment}`,
          Object.fromEntries(used.map((name) => [name, variables[name]])),
          gamer,
        );
        const query = `query($id: ID!) { now: character(id: $id) { ${selection} } } ${fragment}`;
        const { now } = await api.ask<{ now: unknown }>(query, { id: gamer.character }, gamer);
        expect(done, act).toEqual(now);
      }
    },
  );
});
