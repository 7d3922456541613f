import { describe, expect, it } from 'vitest';
import { completionsOf } from '../../../src/cli/play/completion.js';
import type { Screen, SeenItem } from '../../../src/cli/play/documents.js';
import { commands } from '../../../src/models/game/commands/command.js';

const thing = (name: string, more: Partial<SeenItem> = {}): SeenItem => ({
  id: name,
  name,
  label: name,
  kind: 'THING',
  insideId: null,
  slot: null,
  price: null,
  ...more,
});
const screen: Screen = {
  id: 'tim',
  name: 'Tim',
  gold: 100,
  location: {
    id: 'hall',
    name: 'Hall',
    description: '',
    exits: [{ direction: 'north', aliases: ['n'], needs: null }],
    players: [
      { id: 'tim', name: 'Tim', role: 'PERSON' },
      { id: 'ann', name: 'Ann', role: 'SHOPKEEPER' },
    ],
    items: [thing('bag', { kind: 'CONTAINER' }), thing('iron key', { insideId: 'bag' }), thing('lamp')],
  },
  inventory: [thing('hat'), thing('ring', { price: 8 })],
  happenings: [],
};
const complete = (line: string) => completionsOf(line, commands, screen, [thing('rope')]);

describe('completion', () => {
  it('offers verbs and directions', () => {
    expect(complete('no')).toEqual(['north']);
    expect(complete('inv')).toEqual(['inv', 'inventory']);
    expect(complete('')).toContain('take ');
  });

  it('offers what can stand there, and nothing else', () => {
    expect(complete('drop ')).toEqual(['drop hat', 'drop ring']);
    expect(complete('sell ')).toEqual(['sell ring ']);
    expect(complete('TAKE L')).toEqual(['TAKE lamp']);
    expect(complete('take the l')).toEqual(['take the lamp']);
    expect(complete('go ')).toContain('go north');
    expect(complete('buy r')).toEqual(['buy rope ']);
    expect(complete('tell ')).toEqual(['tell Ann ']);
    expect(complete('say hel')).toEqual([]);
    expect(complete('zzz ')).toEqual([]);
  });

  it('continues behind a whole name', () => {
    expect(complete('put hat ')).toEqual(['put hat in ', 'put hat inside ', 'put hat into ']);
    expect(complete('put hat into ')).toEqual(['put hat into bag']);
    expect(complete('take iron key f')).toEqual(['take iron key from ']);
    expect(complete('take iron key from the b')).toEqual(['take iron key from the bag']);
    expect(complete('give hat to ')).toEqual(['give hat to Ann']);
  });
});
