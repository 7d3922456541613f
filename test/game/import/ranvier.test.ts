import { describe, expect, it } from 'vitest';
import { convertRanvier } from '../../../src/models/game/import/ranvier/ranvier.js';
import { itemOf, locationOf, readLinesOf, refusalsOf, storedOf, waysOf } from './world-files.js';

const room = (id: string, more: object = {}) => ({ id, title: `Room ${id}`, description: 'Here.', ...more });
const item = (id: string, more: object = {}) => ({ id, name: `Item ${id}`, roomDesc: 'It lies here.', ...more });
const convert = (...rows: object[]) => convertRanvier(readLinesOf(rows));

describe('exits', () => {
  it('lead to rooms of the file, whether or not its areas are named', () => {
    const white = room('white', { exits: [{ roomId: 'limbo:black', direction: 'East' }] });
    expect(waysOf(convert(white, room('black')), 'white')).toEqual(['east > black']);
    const rows = convert({ area: 'limbo' }, white, room('black'), { area: 'other' }, room('white'));
    expect(waysOf(rows, 'limbo:white')).toEqual(['east > limbo:black']);
    expect(waysOf(rows, 'other:white')).toEqual([]);
  });

  it('follow from coordinates where no exit has the direction', () => {
    const rows = convert(
      room('a', { coordinates: [0, 0, 0], exits: [{ roomId: 'c', direction: 'north' }] }),
      room('b', { coordinates: [0, 1, 0] }),
      room('c', { coordinates: [0, 0, -1] }),
    );
    expect(waysOf(rows, 'a')).toEqual(['north > c', 'down > c']);
    expect(waysOf(rows, 'b')).toEqual(['south > a']);
  });

  it('need the key of a locked door both ways, are open if it is only closed, and are refused if nothing opens it', () => {
    const exits = ['b', 'c', 'd'].map((id) => ({ roomId: id, direction: id }));
    const back = { exits: [{ roomId: 'a', direction: 'back' }] };
    const rows = convert(
      room('a', { exits, doors: { c: { closed: true } } }),
      room('b', { ...back, doors: { a: { locked: true, lockedBy: 'key' } } }),
      room('c', back),
      room('d', { ...back, doors: { a: { locked: true } }, items: ['key'] }),
      item('key'),
    );
    expect(waysOf(rows, 'a')).toEqual(['b > b with key', 'c > c']);
    expect(waysOf(rows, 'b')).toEqual(['back > a with key']);
    expect(refusalsOf(rows)).toEqual([
      [1, 'LOCKED', 'exits.2'],
      [4, 'LOCKED', 'exits.0'],
    ]);
  });
});

describe('patterns', () => {
  it('are copied wherever they are, with what is inside', () => {
    const rows = convert(
      room('a', { items: ['chest', { id: 'x:coin', respawnChance: 5 }], npcs: ['rat', 'rat'] }),
      item('chest', { type: 'CONTAINER', items: ['coin'], metadata: { noPickup: true }, locked: true }),
      item('coin'),
      { id: 'rat', name: 'A Rat!', items: ['coin'] },
    );
    expect([...storedOf(rows).keys()]).toEqual([
      'a',
      'chest',
      'coin',
      'coin-2',
      'coin-3',
      'coin-4',
      'A Rat',
      'A Rat 2',
    ]);
    expect(itemOf(rows, 'chest')).toMatchObject({ kind: 'CONTAINER', isFixed: true, place: { key: 'a' } });
    expect(itemOf(rows, 'coin').place).toEqual({ key: 'chest' });
    expect(itemOf(rows, 'coin-2').place).toEqual({ key: 'a' });
    expect(itemOf(rows, 'coin-4').place).toEqual({ carriedBy: 'A Rat 2' });
    expect(refusalsOf(rows)).toEqual([[2, 'LOCKED_CONTAINER', 'locked']]);
  });

  it('that contain themselves end', () => {
    const rows = convert(room('a', { items: ['box'] }), item('box', { type: 'CONTAINER', items: ['box'] }));
    expect(storedOf(rows).size).toBe(7);
    expect(refusalsOf(rows)).toEqual([[2, 'UNKNOWN_ITEM', 'items.0']]);
  });

  it('are refused if they are nowhere, or unknown', () => {
    const rows = convert(room('a', { items: ['craft:rose'], npcs: ['cat'] }), item('axe'), { id: 'dog', name: 'Dog' });
    expect(refusalsOf(rows)).toEqual([
      [1, 'UNKNOWN_ITEM', 'items.0'],
      [1, 'UNKNOWN_FOLK', 'npcs.0'],
      [2, 'NOWHERE', null],
      [3, 'NOWHERE', null],
    ]);
  });
});

it('makes a vendor a shopkeeper, who has one piece of each at its price', () => {
  const goods = { sword: { cost: 30, currency: 'gold' }, vest: { cost: 5, currency: 'gems' } };
  const rows = convert(
    room('a', { npcs: ['wally'] }),
    item('sword', { type: 'WEAPON', metadata: { slot: 'wield', sellable: { value: 10, currency: 'gold' } } }),
    item('vest', { type: 'ARMOR', metadata: { slot: 'chest' } }),
    { id: 'wally', name: 'Wally', metadata: { vendor: { items: goods } } },
  );
  expect(storedOf(rows).get('Wally')).toMatchObject({ role: 'SHOPKEEPER', gold: 0, location: 'a' });
  expect(itemOf(rows, 'sword')).toMatchObject({
    price: 30,
    slots: ['RIGHT_HAND', 'LEFT_HAND'],
    place: { carriedBy: 'Wally' },
  });
  expect(refusalsOf(rows)).toEqual([
    [3, 'NOWHERE', null],
    [4, 'OTHER_CURRENCY', 'metadata.vendor.items.vest'],
  ]);
});

it('takes colors out of texts, shortens names, and refuses scripts', () => {
  const rows = convert(
    room('a', { description: 'A <b><yellow>sign</yellow></b>, 3 < 4.\n', script: 'x', npcs: ['n'] }),
    { id: 'n', name: 'Player-aggressive Training Dummy' },
  );
  expect(locationOf(rows, 'a').description).toBe('A sign, 3 < 4.');
  expect([...storedOf(rows).keys()]).toEqual(['a', 'Player-aggressive Training']);
  expect(refusalsOf(rows)).toEqual([[1, 'BY_PROGRAM', 'script']]);
});

it('rejects lines of no kind, of the wrong shape, and of a known id', () => {
  const rows = convert({ title: 'x' }, { id: 1, title: 'x' }, room('a'), room('a'));
  expect(refusalsOf(rows)).toEqual([
    [1, 'NO_KIND', null],
    [2, 'INVALID_FIELD', 'id'],
    [4, 'USED_TWICE', 'id'],
  ]);
});
