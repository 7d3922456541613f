/** How typed commands go on, and how the arrow keys go through those that were typed before. */
import { describe, expect, it } from 'vitest';
import { type Command, commonStart, complete, namesOn } from '../../../web/src/game/screen/completion.js';
import { newer, older, remember, shownLine, startHistory } from '../../../web/src/game/screen/history.js';
import { exit, item, screenOf, somebody } from './screens.js';

const commands: readonly Command[] = [
  {
    verb: 'take',
    aliases: ['get', 'pick up'],
    parts: [{ part: 'ITEM_IN_ROOM', after: [], isOptional: false }],
    description: 'Takes.',
  },
  {
    verb: 'put',
    aliases: [],
    parts: [
      { part: 'ITEM_CARRIED', after: [], isOptional: false },
      { part: 'CONTAINER', after: ['into', 'in'], isOptional: false },
    ],
    description: 'Puts.',
  },
  {
    verb: 'sell',
    aliases: [],
    parts: [{ part: 'ITEM_TO_SELL', after: [], isOptional: false }],
    description: 'Sells.',
  },
  {
    verb: 'look',
    aliases: ['l'],
    parts: [{ part: 'ITEM_SEEN', after: ['at'], isOptional: true }],
    description: 'Looks.',
  },
  { verb: 'go', aliases: [], parts: [{ part: 'DIRECTION', after: [], isOptional: false }], description: 'Goes.' },
  {
    verb: 'whisper',
    aliases: [],
    parts: [
      { part: 'SOMEBODY', after: ['to'], isOptional: false },
      { part: 'TEXT', after: [], isOptional: false },
    ],
    description: 'Whispers.',
  },
];

const lookAround: Command = { verb: 'look', aliases: [], parts: [], description: 'Looks around.' };

const screen = screenOf({
  inventory: [item('sealed letter', { price: 3 }), item('canvas backpack', { kind: 'CONTAINER' })],
  location: {
    exits: [exit('north'), exit('northeast')],
    players: [somebody('mira', { name: 'Mira' }), somebody('tim', { name: 'Tim' })],
    items: [
      item('brass lantern'),
      item('hat 1', { name: 'hat', label: '+1 hat' }),
      item('hat 3', { name: 'hat', label: '+3 hat' }),
      item('bell', { isFixed: true }),
    ],
  },
});
const names = namesOn(screen, []);
const lines = (text: string) => complete(text, commands, names).map(({ line }) => line);

describe('completion', () => {
  it('offers verbs, with a space if something follows', () => {
    expect(lines('')).toEqual(['take ', 'put ', 'sell ', 'look ', 'go ', 'whisper ']);
    expect(lines('ta')).toEqual(['take ']);
    expect(complete('lo', [...commands, lookAround], names).map(({ line }) => line)).toEqual(['look ']);
    expect(lines('pi')).toEqual(['pick up ']);
  });

  it('offers what fits a part: what can be taken lies in the room and is not fixed', () => {
    expect(lines('take ')).toEqual(['take brass lantern', 'take +1 hat', 'take +3 hat']);
    expect(lines('sell ')).toEqual(['sell sealed letter']);
    expect(lines('get the lan')).toEqual(['get the brass lantern']);
    expect(lines('TAKE BRASS')).toEqual(['TAKE brass lantern']);
  });

  it('goes on with a preposition, and the name after it', () => {
    expect(lines('put sealed letter ')).toEqual(['put sealed letter into ']);
    expect(lines('put sealed letter in ')).toEqual(['put sealed letter in canvas backpack']);
    expect(lines('look at bel')).toEqual(['look at bell']);
    expect(lines('whisper to ')).toEqual(['whisper to Tim']);
    expect(lines('whisper to Tim hel')).toEqual([]);
  });

  it('offers directions also without a verb', () => {
    expect(lines('nor')).toEqual(['north', 'northeast']);
    expect(lines('go north')).toEqual(['go northeast']);
  });

  it('finds what all of them begin with', () => {
    expect(commonStart(complete('nor', commands, names))).toBe('north');
    expect(commonStart([])).toBe('');
  });
});

describe('history', () => {
  const filled = ['look', 'north', 'take lantern'].reduce(remember, startHistory([]));

  it('goes back and forth, and returns to what was being typed', () => {
    const one = older(filled, 'dro');
    const two = older(one, shownLine(one));
    expect([shownLine(one), shownLine(two)]).toEqual(['take lantern', 'north']);
    expect(shownLine(older(older(two, ''), ''))).toBe('look');
    expect(shownLine(newer(newer(two)))).toBe('dro');
  });

  it('keeps a repeated line once', () => {
    expect(remember(remember(filled, 'look'), 'look').lines).toEqual(['look', 'north', 'take lantern', 'look']);
  });
});
