import { describe, expect, it } from 'vitest';
import { readOwnRow } from '../../../src/models/game/import/own-row.js';
import { RowError } from '../../../src/models/game/import/rows/world-row.js';

const itemWith = (more: object) => readOwnRow({ item: 'lamp', name: 'lamp', place: 'hall', ...more });
function errorOf(fields: object): unknown {
  try {
    readOwnRow(fields as Record<string, unknown>);
  } catch (error) {
    if (error instanceof RowError) return [error.reason, error.field];
    throw error;
  }
  return null;
}

it('reads a location, an item and somebody, with defaults', () => {
  expect(readOwnRow({ location: 'hall', name: 'Hall', exits: [{ direction: 'n', to: 'attic' }] })).toEqual({
    type: 'LOCATION',
    key: 'hall',
    name: 'Hall',
    description: '',
    exits: [{ direction: 'n', aliases: [], description: '', needs: null, to: 'attic' }],
    isStart: false,
  });
  expect(itemWith({})).toMatchObject({
    type: 'ITEM',
    kind: 'THING',
    quantity: 1,
    weight: 0,
    price: null,
    place: { key: 'hall' },
  });
  const ann = { type: 'FOLK', name: 'Ann', class: 'ROGUE', role: 'FOLK', gold: 0, location: 'hall' };
  expect(readOwnRow({ folk: 'Ann', at: 'hall' })).toEqual(ann);
});

describe('a weight', () => {
  it('is in grams, or in pounds, also fractions of them, and nothing if it is missing', () => {
    for (const [given, weight] of [
      [{ weight: 750 }, 750],
      [{ pounds: 0.25 }, 113],
      [{ pounds: 600 }, 272155],
      [{ pounds: 0 }, 0],
      [{}, 0],
    ] as const)
      expect(itemWith(given)).toMatchObject({ weight });
  });

  it('is refused in both, or as a fraction of a gram', () => {
    expect(errorOf({ item: 'a', name: 'a', place: 'b', weight: 1, pounds: 1 })).toEqual(['INVALID_FIELD', 'pounds']);
    expect(errorOf({ item: 'a', name: 'a', place: 'b', weight: 1.5 })).toEqual(['INVALID_FIELD', 'weight']);
  });
});

describe('a price', () => {
  it('is in gold, or in coins, which are rounded to gold, at least one piece', () => {
    for (const [quantity, unit, price] of [
      [5, 'gp', 5],
      [25, 'sp', 3],
      [1, 'cp', 1],
      [0, 'cp', 0],
      [2, 'pp', 20],
    ] as const)
      expect(itemWith({ cost: { quantity, unit } })).toMatchObject({ price });
    expect(itemWith({ price: 7 })).toMatchObject({ price: 7 });
  });

  it('is refused in other coins, or in both', () => {
    expect(errorOf({ item: 'a', name: 'a', place: 'b', cost: { quantity: 1, unit: 'euro' } })).toEqual([
      'INVALID_FIELD',
      'cost.unit',
    ]);
    expect(errorOf({ item: 'a', name: 'a', place: 'b', cost: { unit: 'gp' } })).toEqual([
      'INVALID_FIELD',
      'cost.quantity',
    ]);
    expect(errorOf({ item: 'a', name: 'a', place: 'b', cost: { quantity: 1, unit: 'gp' }, price: 1 })).toEqual([
      'INVALID_FIELD',
      'cost',
    ]);
  });
});

it('names the field that is wrong', () => {
  const cases: [object, unknown][] = [
    [{ name: 'x' }, ['NO_KIND', null]],
    [{ location: 'a', item: 'b' }, ['NO_KIND', 'item']],
    [{ location: 'a' }, ['INVALID_FIELD', 'name']],
    [{ location: 'a', name: 'A', isStart: 1 }, ['INVALID_FIELD', 'isStart']],
    [{ location: 'a', name: 'A', exits: {} }, ['INVALID_FIELD', 'exits']],
    [{ location: 'a', name: 'A', exits: [1] }, ['INVALID_FIELD', 'exits.0']],
    [{ location: 'a', name: 'A', exits: [{ to: 'b' }] }, ['INVALID_FIELD', 'exits.0.direction']],
    [{ item: 'a', name: 'A' }, ['INVALID_FIELD', 'place']],
    [{ item: 'a', name: 'A', place: 'x', carriedBy: 'Ann' }, ['INVALID_FIELD', 'carriedBy']],
    [{ item: 'a', name: 'A', place: 'x', kind: 'FOOD' }, ['INVALID_FIELD', 'kind']],
    [{ item: 'a', name: 'A', place: 'x', slots: ['HEAD', 'TAIL'] }, ['INVALID_FIELD', 'slots.1']],
    [{ folk: 'Ann' }, ['INVALID_FIELD', 'at']],
    [{ folk: 'Ann', at: 'x', role: 'PERSON' }, ['INVALID_FIELD', 'role']],
  ];
  for (const [fields, expected] of cases) expect(errorOf(fields)).toEqual(expected);
});
