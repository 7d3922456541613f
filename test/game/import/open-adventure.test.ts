import { describe, expect, it } from 'vitest';
import { convertOpenAdventure } from '../../../src/models/game/import/open-adventure/open-adventure.js';
import { itemOf, locationOf, readLinesOf, refusalsOf, storedOf, waysOf } from './world-files.js';

const room = (id: string, long: string | null, travel: readonly object[] = [], short: string | null = null) => ({
  id,
  description: { long, short },
  travel,
});
const go = (to: string, verbs: readonly string[], cond?: readonly unknown[]) => ({
  verbs,
  ...(cond && { cond }),
  action: ['goto', to],
});
const motion = (id: string, ...words: string[]) => ({ id, words });
const thing = (id: string, inventory: string | null, locations: unknown, more: object = {}) => ({
  id,
  inventory,
  locations,
  descriptions: [`Here is ${id}.`],
  ...more,
});
const convert = (...rows: object[]) => convertOpenAdventure(readLinesOf(rows));
const motions = [motion('NORTH', 'north', 'n'), motion('MOT_6', 'fores'), motion('UP', 'upwar', 'up', 'u')];

describe('a room', () => {
  it('is named by its short text, or by its first sentence', () => {
    const rows = convert(
      room('A', 'You are standing in a hall.  It is cold.', [], "You're in Hall of Mists."),
      room('B', 'You are in a maze of\ntwisty passages.  All\nalike.'),
      room('C', 'x.', [], "You're in front of building."),
    );
    expect(['A', 'B', 'C'].map((key) => locationOf(rows, key).name)).toEqual([
      'Hall of Mists',
      'Maze of twisty passages',
      'In front of building',
    ]);
    expect(locationOf(rows, 'B').description).toBe('You are in a maze of twisty passages.  All alike.');
  });

  it('is refused without a text', () => {
    expect(refusalsOf(convert(room('A', null)))).toEqual([[1, 'NO_NAME', null]]);
  });

  it('is refused if it only ends the game, and so are the exits to it', () => {
    const rows = convert(
      room('NOWHERE', null),
      room('NECKBROKE', 'You are dead.', [go('NOWHERE', [])]),
      room('CLIFF', 'You are at a cliff.', [go('NECKBROKE', ['JUMP']), go('CLIFF', ['NORTH'])]),
    );
    expect(waysOf(rows, 'CLIFF')).toEqual(['north > CLIFF']);
    expect(refusalsOf(rows)).toEqual([
      [1, 'NO_NAME', null],
      [2, 'ENDS_THE_GAME', null],
      [3, 'ENDS_THE_GAME', 'travel.0'],
    ]);
  });
});

describe('the words of an exit', () => {
  it('are whole, with those that the file has cut', () => {
    const rows = convert(...motions, room('A', 'You are here.', [go('A', ['FORES', 'NORTH']), go('A', ['UPWAR'])]));
    expect(waysOf(rows, 'A')).toEqual(['north/forest/n/fores > A', 'up/upward/u/upwar > A']);
  });

  it('belong to the first exit that has them', () => {
    const rows = convert(
      room('A', 'Here.', [go('A', ['NORTH']), go('B', ['NORTH', 'EAST']), go('B', ['NORTH'])]),
      room('B', 'There.'),
    );
    expect(waysOf(rows, 'A')).toEqual(['north > A', 'east > B']);
    expect(refusalsOf(rows)).toEqual([[1, 'NOT_REACHED', 'travel.2']]);
  });

  it('are `onward` where the game moves whoever enters', () => {
    expect(waysOf(convert(room('A', 'You fall.', [go('B', [])]), room('B', 'Here.')), 'A')).toEqual(['onward > B']);
  });
});

describe('a condition', () => {
  it('is refused, and the next exit without one gets its words, whichever words that one has', () => {
    const rows = convert(
      room('A', 'Here.', [
        go('B', ['NORTH', 'HOLE'], ['pct', 30]),
        go('B', ['NORTH'], ['not', 'SNAKE', 'SNAKE_BLOCKS']),
        go('A', ['NORTH']),
      ]),
      room('B', 'There.'),
    );
    expect(waysOf(rows, 'A')).toEqual(['north/hole > A']);
    expect(refusalsOf(rows)).toEqual([
      [1, 'BY_CHANCE', 'travel.0'],
      [1, 'BY_STATE', 'travel.1'],
    ]);
  });

  it('to carry something is kept where nothing else leads on', () => {
    const speak = { verbs: ['NORTH'], action: ['speak', 'NO'] };
    const rows = convert(
      thing('LAMP', 'Lamp', 'A'),
      room('A', 'Here.', [go('B', ['NORTH'], ['carry', 'LAMP']), speak]),
      room('B', 'There.', [go('A', ['NORTH'], ['carry', 'LAMP']), go('B', ['NORTH'])]),
    );
    expect(waysOf(rows, 'A')).toEqual(['north > B with LAMP']);
    expect(waysOf(rows, 'B')).toEqual(['north > B']);
    expect(refusalsOf(rows)).toEqual([
      [2, 'SAYS_SOMETHING', 'travel.1'],
      [3, 'BY_CARRYING', 'travel.0'],
    ]);
  });

  it('to meet a creature is refused', () => {
    const rows = convert(
      thing('SNAKE', '*snake', 'A', { immovable: true }),
      room('A', 'Here.', [go('A', ['NORTH'], ['with', 'SNAKE']), { verbs: ['NORTH'], action: ['special', 1] }]),
    );
    expect(waysOf(rows, 'A')).toEqual([]);
    expect(refusalsOf(rows)).toEqual([
      [2, 'BY_CARRYING', 'travel.0'],
      [2, 'BY_PROGRAM', 'travel.1'],
    ]);
  });

  it('to have the grate open becomes a need of the keys, if the file has them', () => {
    const grate = room('A', 'Here.', [
      go('B', ['DOWN'], ['not', 'GRATE', 'GRATE_CLOSED']),
      { verbs: ['DOWN'], action: ['speak', 'GRATE_NOWAY'] },
    ]);
    const keys = thing('KEYS', 'Set of keys', 'A');
    expect(waysOf(convert(grate, room('B', 'There.'), keys), 'A')).toEqual(['down > B with KEYS']);
    expect(refusalsOf(convert(grate, room('B', 'There.')))).toEqual([
      [1, 'BY_STATE', 'travel.0'],
      [1, 'SAYS_SOMETHING', 'travel.1'],
    ]);
  });
});

describe('an object', () => {
  it('is fixed if it is immovable, and then it is seen from two rooms', () => {
    const grate = thing('GRATE', '*steel grate', ['A', 'B'], { immovable: true });
    const rows = convert(room('A', 'Here.'), room('B', 'There.'), grate);
    expect(itemOf(rows, 'GRATE')).toMatchObject({ name: 'steel grate', isFixed: true, place: { key: 'A' } });
    expect(itemOf(rows, 'GRATE-2')).toMatchObject({ name: 'steel grate', isFixed: true, place: { key: 'B' } });
  });

  it('that can be carried is in the first of two rooms only', () => {
    const rows = convert(room('A', 'Here.'), room('B', 'There.'), thing('LAMP', 'Brass lamp', ['A', 'B']));
    expect(itemOf(rows, 'LAMP')).toMatchObject({ name: 'brass lamp', isFixed: false, weight: 0, place: { key: 'A' } });
    expect(refusalsOf(rows)).toEqual([[3, 'USED_TWICE', 'locations.1']]);
  });

  it('is refused if it is in no room', () => {
    const rows = convert(room('NOWHERE', null), thing('AXE', 'Axe', 'NOWHERE'), thing('IT', null, 'NOWHERE'));
    expect(storedOf(rows).size).toBe(0);
    expect(refusalsOf(rows).slice(1)).toEqual([
      [2, 'NOWHERE', 'locations'],
      [3, 'NO_NAME', null],
    ]);
  });
});

it('rejects lines of no kind, of the wrong shape, and of a known id', () => {
  const rows = convert({ name: 'x' }, { id: 'A', travel: 'no' }, room('B', 'Here.'), room('B', 'There.'));
  expect(refusalsOf(rows)).toEqual([
    [1, 'NO_KIND', null],
    [2, 'INVALID_FIELD', 'description'],
    [4, 'USED_TWICE', 'id'],
  ]);
});
