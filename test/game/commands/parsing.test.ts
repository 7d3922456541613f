/** Which things and people typed commands mean. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runsOf } from '../../../harness/rounds.js';
import { commands } from '../../../src/models/game/commands/command.js';
import { parseCommand } from '../../../src/models/game/commands/parsing.js';
import type { Sight } from '../../../src/models/game/commands/sight.js';
import { type ItemEntry, labelOf } from '../../../src/models/game/world/item-entry.js';
import type { Player } from '../../../src/models/game/world/player.js';

const item = (id: string, fields: Partial<ItemEntry> = {}): ItemEntry => ({
  id,
  inside_id: null,
  edition: 1,
  name: id,
  description: '',
  kind: 'THING',
  bonus: 0,
  quantity: 1,
  weight: 100,
  price: null,
  is_fixed: false,
  slots: [],
  ...fields,
});
const bag = (id: string, inside: string | null = null) => item(id, { kind: 'CONTAINER', inside_id: inside });
const player = (name: string, role: Player['role'] = 'PERSON'): Player => ({
  id: name,
  name,
  class: 'ROGUE',
  role,
  is_online: true,
});

interface Seen {
  readonly here?: readonly ItemEntry[];
  readonly carried?: readonly ItemEntry[];
  readonly people?: readonly string[];
  readonly exits?: readonly string[];
  /** By the name of the shopkeeper. */
  readonly shops?: Readonly<Record<string, readonly ItemEntry[]>>;
}

const sightOf = ({ here = [], carried = [], people = [], exits = [], shops = {} }: Seen): Sight =>
  ({
    actor: {
      _id: 'Tim',
      armor: [],
      weapons: [],
      inventory: carried,
      location: {
        inventory: here,
        players: [
          ...['Tim', ...people].map((name) => player(name)),
          ...Object.keys(shops).map((name) => player(name, 'SHOPKEEPER')),
        ],
        exits: exits.map((direction) => ({ direction, aliases: [] })),
      },
    },
    goods: new Map(Object.entries(shops)),
  }) as unknown as Sight;

const bags = sightOf({
  here: [
    bag('green bag'),
    bag('white bag'),
    bag('old box'),
    item('ruby stone', { inside_id: 'green bag' }),
    item('jade stone', { inside_id: 'white bag' }),
    item('pebble 1', { name: 'pebble', inside_id: 'green bag' }),
    item('pebble 2', { name: 'pebble', inside_id: 'white bag' }),
    item('letter', { name: 'letter from home' }),
  ],
});
const shops = sightOf({
  carried: [item('cup', { price: 4 }), item('key', { name: 'key to the vault', price: 2 })],
  people: ['Zoe'],
  shops: {
    Dora: [item('cord 1', { name: 'cord', price: 30 }), item('coat', { name: 'coat of arms', price: 9 })],
    Emil: [item('cord 2', { name: 'cord', price: 10 })],
  },
});
const axes = sightOf({
  here: [
    item('axe 1', { name: 'axe', bonus: 3 }),
    item('axe 2', { name: 'axe' }),
    item('axe 3', { name: 'Axe' }),
    item('coin 1', { name: 'coin', quantity: 20 }),
    item('coin 2', { name: 'coin' }),
    item('big iron key'),
    bag('box'),
    item('iron key', { inside_id: 'box' }),
  ],
  carried: [item('lamp'), item('İncir'), bag('red bag'), item('hat', { kind: 'ARMOR', slots: ['HEAD'] })],
  people: ['Ann', 'the Ann', 'José María'],
  exits: ['échelle', 'north'],
});
/** Editors have made a thing of the bag. */
const emptied = sightOf({ carried: [item('red bag'), item('coin', { inside_id: 'red bag' }), item('lamp')] });
const candles = sightOf({
  carried: [item('candles', { name: 'tallow candles', quantity: 6 }), item('glass'), item('box', { name: 'glas box' })],
});

const several = sightOf({
  carried: ['torches', 'berries', 'knives', 'gloves', 'axe', 'cookie', 'glasses'].map((name) => item(name)),
});

describe('a typed command', () => {
  it.each([
    ['take stone from the white bag', bags, { act: 'TAKE_OUT', item: 'jade stone' }],
    ['take pebble from white bag', bags, { act: 'TAKE_OUT', item: 'pebble 2' }],
    ['get the pebble out of the green bag', bags, { act: 'TAKE_OUT', item: 'pebble 1' }],
    ['take letter from home', bags, { act: 'TAKE', item: 'letter' }],
    ['buy cord from Emil', shops, { act: 'BUY', item: 'cord 2', shopkeeper: 'Emil' }],
    ['buy the cord of dora', shops, { act: 'BUY', item: 'cord 1', shopkeeper: 'Dora' }],
    ['buy coat of arms', shops, { act: 'BUY', item: 'coat', shopkeeper: 'Dora' }],
    ['buy coat of arms from Dora', shops, { act: 'BUY', item: 'coat', shopkeeper: 'Dora' }],
    ['sell key to the vault to Emil', shops, { act: 'SELL', item: 'key', shopkeeper: 'Emil' }],
    ['take axe', axes, { item: 'axe 2' }],
    ['take the Axe', axes, { item: 'axe 3' }],
    ['take +3 axe', axes, { item: 'axe 1' }],
    ['take coin', axes, { item: 'coin 2' }],
    ['take 20 coin', axes, { item: 'coin 1' }],
    ['take 20 coins', axes, { item: 'coin 1' }],
    ['drop candle', candles, { act: 'DROP', item: 'candles' }],
    ['drop glass', candles, { act: 'DROP', item: 'glass' }],
    ['drop torch', several, { act: 'DROP', item: 'torches' }],
    ['drop berry', several, { act: 'DROP', item: 'berries' }],
    ['drop knife', several, { act: 'DROP', item: 'knives' }],
    ['drop glove', several, { act: 'DROP', item: 'gloves' }],
    ['drop axes', several, { act: 'DROP', item: 'axe' }],
    ['drop cookies', several, { act: 'DROP', item: 'cookie' }],
    ['drop glass', several, { act: 'DROP', item: 'glasses' }],
    ['take iron key', axes, { act: 'TAKE_OUT', item: 'iron key' }],
    ['give lamp to ann', axes, { act: 'GIVE', item: 'lamp', to: 'Ann' }],
    ['give lamp to the ann', axes, { to: 'the Ann' }],
    ['give ann the lamp', axes, { act: 'GIVE', item: 'lamp', to: 'Ann' }],
    ['put İncir into red bag', axes, { act: 'PUT', item: 'İncir', container: 'red bag' }],
    ['put incir IN the red bag', axes, { act: 'PUT', item: 'İncir', container: 'red bag' }],
    ['tell jose maria hello there', axes, { act: 'SAY', text: 'hello there', to: 'José María' }],
    ['tell the Ann: hello', axes, { text: 'hello', to: 'the Ann' }],
    ['whisper to María, hello', axes, { text: 'hello', to: 'José María' }],
    ['say to ann hello', axes, { act: 'SAY', text: 'hello', to: 'Ann' }],
    ['l at lamp', axes, { act: 'LOOK', at: { id: 'lamp' } }],
    ['take coin out of red bag', emptied, { act: 'TAKE_OUT', item: 'coin' }],
    ['echelle', axes, { act: 'GO', direction: 'échelle' }],
    ['ne', sightOf({ exits: ['né', 'northeast'] }), { act: 'GO', direction: 'northeast' }],
    ['né', sightOf({ exits: ['né', 'northeast'] }), { act: 'GO', direction: 'né' }],
    ['go ne', sightOf({ exits: ['né'] }), { act: 'GO', direction: 'né' }],
    ['put hat on', axes, { act: 'EQUIP', item: 'hat', slot: 'HEAD' }],
    ['put the lamp down', axes, { act: 'DROP', item: 'lamp' }],
    ['pick the +3 axe up', axes, { act: 'TAKE', item: 'axe 1' }],
  ])('%j means what it names', (text, sight, plan) => {
    expect(parseCommand(text, sight)).toMatchObject(plan);
  });

  it.each([
    [
      'take ruby stone from the white bag',
      bags,
      'There is no ruby stone in the white bag',
      ['take ruby stone out of green bag'],
    ],
    ['take jade stone from the nothing', bags, 'You see no nothing here', ['take jade stone out of white bag']],
    [
      'take pebble from bag',
      bags,
      'Which one do you mean: green bag, white bag?',
      ['take pebble out of green bag', 'take pebble out of white bag'],
    ],
    ['take from white bag', bags, 'What do you want to take from white bag?', ['take jade stone out of white bag']],
    ['buy cord', shops, 'From whom?', ['buy cord from Dora', 'buy cord from Emil']],
    ['buy coat of arms from Emil', shops, 'Emil sells no coat of arms', ['buy cord from Emil', 'buy coat of arms']],
    ['buy cord from Zoe', shops, 'Zoe sells no cord', ['buy cord from Dora']],
    ['buy from Emil', shops, 'What do you want to buy from Emil?', ['buy cord from Emil']],
    ['sell cup', shops, 'To whom?', ['sell cup to Dora', 'sell cup to Emil']],
    ['sell', shops, 'What do you want to sell?', ['sell cup to Dora', 'sell key to the vault to Emil']],
    ['look at zzz', axes, 'You see no zzz here', ['look lamp']],
    ['look in the zzz', axes, 'You see no zzz here', ['look lamp']],
    ['put on zzz', axes, 'You carry no zzz', ['wear hat']],
    ['take off zzz', axes, 'You carry no zzz', ['look']],
    ['give to ann', axes, 'What do you want to give to ann?', ['give lamp to Ann']],
    ['x', axes, 'What do you want to examine?', ['look lamp']],
    ['look at', axes, 'What do you want to look at?', ['look lamp']],
    ['go', axes, 'Where do you want to go?', ['go échelle', 'go north']],
    ['tell', axes, 'Whom do you want to tell?', ['tell José María hello']],
    ['say', axes, 'What do you want to say?', ['say hello']],
    [
      'look at Ann',
      sightOf({ people: ['Ann Lee', 'Ann Ray'] }),
      'Which one do you mean: Ann Lee, Ann Ray?',
      ['look Ann Lee', 'look Ann Ray'],
    ],
    ['north north', axes, '“north” takes nothing more', ['north']],
    ['n lamp', axes, '“n” takes nothing more', ['n']],
    ['drop it', axes, 'What do you mean by “it”?', ['drop lamp']],
    ['put lamp into that', axes, 'What do you mean by “that”?', ['put lamp into red bag']],
    ['take José', axes, 'You cannot take José María', ['take big iron key']],
    ['take coin from ann', axes, 'You cannot take anything from Ann', ['take iron key out of box']],
    ['take the lamp', axes, 'You have the lamp already', ['take big iron key']],
    ['take ring out of the red bag', emptied, 'There is no ring in the red bag', ['look', 'inventory']],
    ['say to Zoe hello', axes, 'Whom do you mean?', ['tell Ann hello']],
    ['take all', sightOf({}), 'There is nothing here for that', ['look', 'inventory']],
    ['give lamp to everybody', sightOf({ carried: [item('lamp')] }), 'Nobody else is here', ['look', 'inventory']],
    ['drop all', sightOf({}), 'You carry nothing', ['look', 'inventory']],
    ['sell lamp', sightOf({ carried: [item('lamp', { price: 1 })] }), 'Nobody here trades', ['look', 'inventory']],
  ])('%j is answered with what is missing', (text, sight, message, suggestions) => {
    expect(parseCommand(text, sight)).toMatchObject({ message, suggestions: expect.arrayContaining(suggestions) });
  });
});

const word = fc.constantFrom(
  'axe',
  'Axe',
  'áxe',
  'bag',
  'the',
  'coin',
  'from',
  'to',
  'in',
  'of',
  'red',
  "wizard's",
  'İ',
  '20',
);
const name = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
const things = fc
  .uniqueArray(
    fc.record({
      id: fc.uuid(),
      name,
      kind: fc.constantFrom<ItemEntry['kind']>('THING', 'CONTAINER'),
      bonus: fc.integer({ min: -1, max: 3 }),
      quantity: fc.constantFrom(1, 1, 20),
      price: fc.constantFrom(null, 5),
      isInside: fc.boolean(),
    }),
    { maxLength: 8, selector: ({ id }) => id },
  )
  .map((made) =>
    made.map(({ isInside, ...fields }, at): ItemEntry => {
      const before = made.slice(0, at).find(({ kind }) => kind === 'CONTAINER');
      return item(fields.id, { ...fields, inside_id: isInside && before ? before.id : null });
    }),
  );
const shopkeeper = fc.constantFrom('Dora', 'the Dora', 'Emil Dora');
const seen = fc.record({
  here: things,
  carried: things,
  people: fc.uniqueArray(fc.constantFrom('Ann', 'the Ann', 'Ann Lee', 'José', 'To Ann')),
  exits: fc.uniqueArray(fc.constantFrom('échelle', 'echelle', 'north')),
  shops: fc.dictionary(shopkeeper, things),
});

describe('whatever is there', () => {
  it('is suggested only in commands that are understood', () => {
    const words = fc.constantFrom(
      '',
      ' axe',
      ' bag',
      ' all',
      ' axe from bag',
      ' coin into bag',
      ' axe to Ann',
      ' Ann hello',
    );
    const verbs = fc.constantFrom(...commands.flatMap(({ verb, aliases }) => [verb, ...aliases]));
    fc.assert(
      fc.property(seen, verbs, words, (around, verb, rest) => {
        const sight = sightOf(around);
        const answer = parseCommand(`${verb}${rest}`, sight);
        if ('act' in answer) return;
        expect(answer.suggestions.length).toBeGreaterThan(0);
        for (const suggestion of answer.suggestions) expect(parseCommand(suggestion, sight)).toHaveProperty('act');
      }),
      { numRuns: runsOf(300) },
    );
  });
  it('can be looked at, and given to, by what is shown of it', () => {
    fc.assert(
      fc.property(seen, (around) => {
        const sight = sightOf(around);
        const all = [...around.carried, ...around.here];
        for (const each of all) {
          const plan = parseCommand(`examine ${labelOf(each)}`, sight);
          const meant = all.find(({ id }) => 'act' in plan && plan.act === 'LOOK' && plan.at?.id === id);
          expect(meant && labelOf(meant), labelOf(each)).toBe(labelOf(each));
        }
        for (const each of around.people) {
          expect(parseCommand(`tell ${each} hello`, sight)).toEqual({ act: 'SAY', text: 'hello', to: each });
          expect(parseCommand(`examine ${each}`, sight)).toMatchObject({ at: { id: each } });
        }
      }),
      { numRuns: runsOf(300) },
    );
  });
});
