import { expect, it } from 'vitest';
import { convertArchitext } from '../../../src/models/game/import/architext/architext.js';
import { linesOf } from '../../../src/models/game/import/architext/json-lines.js';
import type { SourceRow } from '../../../src/models/game/import/rows/world-row.js';
import { itemOf, locationOf, refusalsOf, storedOf, waysOf } from './world-files.js';

const room = (alias: string, items: readonly object[] = [], more: object = {}) => ({
  alias,
  name: `Room ${alias}`,
  description: 'Here.',
  items,
  ...more,
});
const exit = (from: string, to: string, name: string, more: object = {}) => ({
  name,
  room: from,
  destination: to,
  is_open: true,
  ...more,
});
function convert(world: object): SourceRow[] {
  const rows = convertArchitext(JSON.stringify(world, null, 1));
  if (!rows) throw new Error('It is no world');
  return rows;
}

it('has rooms, exits and items, and begins in the first room', () => {
  const rows = convert({
    starting_room: room('0', [{ name: 'a lamp', description: 'Bright.', visible: 'takable' }, { name: 'a wall' }]),
    other_rooms: [room('1')],
    exits: [exit('0', '1', 'A White Door'), exit('1', '0', 'up through the well stairs back to the cloister')],
  });
  expect(locationOf(rows, 'room-0')).toMatchObject({ name: 'Room 0', description: 'Here.', isStart: true });
  expect(locationOf(rows, 'room-1').isStart).toBe(false);
  expect(waysOf(rows, 'room-0')).toEqual(['white door/a white door > room-1']);
  expect(waysOf(rows, 'room-1')).toEqual(['up through the well stairs > room-0']);
  expect(itemOf(rows, 'room-0.item-1')).toMatchObject({ name: 'a lamp', isFixed: false, place: { key: 'room-0' } });
  expect(itemOf(rows, 'room-0.item-2')).toMatchObject({ isFixed: true });
  expect(refusalsOf(rows)).toEqual([]);
});

it('needs a key for a closed exit, if the key can be carried', () => {
  const rows = convert({
    starting_room: room('0', [{ name: 'a golden key', visible: 'takable' }]),
    exits: [
      exit('0', '0', 'door', { is_open: false, key_names: ['A golden key'] }),
      exit('0', '0', 'gate', { is_open: false, key_names: ['an iron key'] }),
      exit('0', '0', 'Door'),
      exit('0', '7', 'hole'),
      exit('7', '0', 'hole'),
    ],
  });
  expect(waysOf(rows, 'room-0')).toEqual(['door > room-0 with room-0.item-1']);
  expect(refusalsOf(rows).map(([, ...why]) => why)).toEqual([
    ['LOCKED', 'exits.1'],
    ['NOT_REACHED', 'exits.2'],
    ['UNKNOWN_LOCATION', 'exits.3'],
    ['UNKNOWN_LOCATION', 'exits.4.room'],
  ]);
});

it('refuses programs, and what is nowhere, with their lines', () => {
  const world = {
    starting_room: room('0', [{ name: 'a box', custom_verbs: [{ names: ['open'] }] }], { custom_verbs: [{}] }),
    other_rooms: [room('0'), { name: 'x' }],
    saved_items: [{ name: 'a key' }],
  };
  const rows = convert(world);
  expect(storedOf(rows).size).toBe(2);
  expect(refusalsOf(rows)).toEqual([
    [19, 'BY_PROGRAM', 'starting_room.custom_verbs.0'],
    [10, 'BY_PROGRAM', 'starting_room.items.0.custom_verbs.0'],
    [23, 'USED_TWICE', 'other_rooms.0.alias'],
    [29, 'INVALID_FIELD', 'other_rooms.1.alias'],
    [34, 'NOWHERE', 'saved_items.0'],
  ]);
  const lines = JSON.stringify(world, null, 1).split('\n');
  expect(lines[34 - 1]).toContain('{');
  expect(lines[34]).toContain('a key');
});

it('is null for anything else', () => {
  for (const text of ['{', '[]', '{}', '{"other_rooms": []}', '{"starting_room": 1, "exits": 2}'])
    expect(convertArchitext(text)).toBeNull();
});

it('finds the lines of values, whatever is inside of texts', () => {
  const json = '{"a": [1,\n {"b{": "x\\"]}\n".length}, 3],\n"c": {"d": []}}'.replace('\n".length', '"');
  expect([...linesOf(json)]).toEqual([
    ['', 1],
    ['a', 1],
    ['a.0', 1],
    ['a.1', 2],
    ['a.1.b{', 2],
    ['a.2', 2],
    ['c', 3],
    ['c.d', 3],
  ]);
});
