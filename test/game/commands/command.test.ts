/** Typed commands: what they mean, and that they do the same as the mutations. */
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { runsOf } from '../../../harness/rounds.js';
import type { Act, AnyRefusal, Outcome } from '../../../src/models/game/acts/act.js';
import { equipItem, unequipItem } from '../../../src/models/game/acts/equipment.js';
import { dropItem, giveItem, pickUpItem } from '../../../src/models/game/acts/handling.js';
import { look } from '../../../src/models/game/acts/looking.js';
import { moveCharacter } from '../../../src/models/game/acts/movement.js';
import { putItemInto, takeItemOut } from '../../../src/models/game/acts/packing.js';
import { speak } from '../../../src/models/game/acts/speech.js';
import { buyItem, sellItem } from '../../../src/models/game/acts/trade.js';
import { commands } from '../../../src/models/game/commands/command.js';
import { sendCommand } from '../../../src/models/game/commands/sending.js';
import { characters } from '../../../src/models/game/world/character.js';
import { items } from '../../../src/models/game/world/item.js';
import { locations } from '../../../src/models/game/world/location.js';
import { useDatabase } from '../../support/database.js';
import { openWorld, type World } from '../game-support.js';

const database = useDatabase({ checked: false });
const other = useDatabase({ checked: false });
let world: World;

async function open(db: World['db']): Promise<World> {
  const opened = await openWorld(db, { hall: { north: 'kitchen' }, kitchen: { south: 'hall' } });
  await opened.folk('Bert', 'hall', 500);
  await opened.item('lamp', 'hall', { name: 'brass lantern', description: 'It shines.' });
  await opened.item('lamp2', 'hall', { name: 'silver lantern' });
  await opened.item('bag', 'hall', { name: 'backpack', kind: 'CONTAINER' });
  await opened.item('scroll', 'bag', { name: 'scroll in ink' });
  await opened.item('hat', 'hall', { name: "wizard's hat", kind: 'ARMOR', slots: ['HEAD'], bonus: 3 });
  await opened.item('sword', 'hall', { kind: 'WEAPON', slots: ['LEFT_HAND', 'RIGHT_HAND'] });
  await opened.item('rope', 'Bert', { price: 10 });
  await opened.character('Tim');
  await opened.character('Ann Marie');
  await opened.copy();
  return opened;
}

beforeEach(async () => {
  world = await open(database.db);
});

/** Of two that look alike, the first is gone, which Tim's copy still has; the second came later. */
async function takeOneOfTwo(): Promise<void> {
  await world.item('lamp3', 'hall', { name: 'brass lantern' });
  await pickUpItem(database.db, world.act('ann marie'), 'lamp');
}

const type = (text: string) => sendCommand(database.db, world.act('tim'), text);

describe('a command', () => {
  it.each([
    ['take the brass lantern', 'You take the brass lantern.'],
    ['TAKE Brass', 'You take the brass lantern.'],
    ['get +3 wizard’s hat'.replace('’', "'"), "You take the +3 wizard's hat."],
    ['take scroll', 'You take the scroll in ink out of the backpack.'],
    ['take the scroll in ink out of the backpack', 'You take the scroll in ink out of the backpack.'],
    ['n', 'You are here: The kitchen.'],
    ['go north', 'You are here: The kitchen.'],
    ['buy rope', 'You buy the rope from Bert for 10 gold.'],
    ['say  Hello  there', 'You say: Hello there'],
    ['"Hello', 'You say: Hello'],
    ['tell Ann Marie meet me', 'You whisper to Ann Marie: meet me'],
    ['whisper to Ann Marie: meet me', 'You whisper to Ann Marie: meet me'],
    ['tell marie meet me', 'You whisper to Ann Marie: meet me'],
    ['get wizard’s hat', "You take the +3 wizard's hat."],
    ['get wizards hat', "You take the +3 wizard's hat."],
    ['x brass lantern', 'It shines.'],
    ['look around', expect.stringMatching(/^The hall\. You can go north\./)],
    ['look at me', 'You carry nothing. You have 100 gold, and can carry 80 kg more.'],
    ['x myself', 'You carry nothing. You have 100 gold, and can carry 80 kg more.'],
    ['inventory', 'You carry nothing. You have 100 gold, and can carry 80 kg more.'],
  ])('%j is understood', async (text, heard) => {
    expect(await type(text)).toMatchObject({ _id: 'tim' });
    expect((await world.heard('tim')).at(-1)).toEqual(heard);
  });
  it.each([
    ['take lantern', /Which one/, ['take brass lantern', 'take silver lantern']],
    [
      'take unicorn',
      /no unicorn/,
      [
        'take brass lantern',
        'take silver lantern',
        'take backpack',
        "take +3 wizard's hat",
        'take sword',
        'take scroll in ink',
      ],
    ],
    ['tale lamp', /is not a command/, expect.arrayContaining(['take brass lantern'])],
    ['dance', /is not a command/, ['look', 'inventory', 'north']],
    ['take', /What do you want to take/, expect.arrayContaining(['take backpack'])],
    ['drop lantern', /You carry no lantern/, ['look', 'inventory']],
    ['take all', /One thing at a time/, expect.arrayContaining(['take sword'])],
    ['buy a unicorn', /No unicorn is for sale here/, ['buy rope']],
    ['tell Zoe hello', /Whom do you mean/, ['tell Bert hello', 'tell Ann Marie hello']],
    ['put', /What do you want to put/, ['look', 'inventory']],
    ['put in', /^Put in what\?$/, ['look', 'inventory']],
    ['put the lantern', /^Put the lantern into what\?$/, ['look', 'inventory']],
    ['give lantern to', /^Give lantern to whom\?$/, ['look', 'inventory']],
    ['inventory please', /^“inventory” takes nothing more$/, ['inventory']],
    ['HELP', /^The commands are look, go, .* enough$/, ['look', 'inventory']],
    ['help take', /^The commands are look, go, .* enough$/, ['look', 'inventory']],
    ['""', /is not a command/, ['look', 'inventory', 'north']],
    ['“ ”', /is not a command/, ['look', 'inventory', 'north']],
    ['constructor', /“constructor” is not a command/, ['look', 'inventory', 'north']],
    ['__proto__', /“__proto__” is not a command/, ['look', 'inventory', 'north']],
  ])('%j is answered with a sentence that helps', async (text, message, suggestions) => {
    const before = await world.of('tim');
    expect(await type(text)).toMatchObject({
      __typename: 'NotUnderstood',
      message: expect.stringMatching(message),
      suggestions,
    });
    expect(await world.of('tim')).toEqual(before);
  });
  it.each([
    ['wear', ["wear +3 wizard's hat"]],
    ['wield', ['wield sword']],
    ['remove', ['remove sword']],
    ['put', ['put sword into backpack', "put +3 wizard's hat into backpack"]],
    ['sell', ['look', 'inventory']],
    ['take', ['take brass lantern', 'take silver lantern', 'take scroll in ink']],
  ])('suggests for %j only what can be done', async (text, suggestions) => {
    await world.item('well', 'hall', { isFixed: true });
    for (const taken of ['take sword', 'take hat', 'take backpack', 'take scroll', 'drop scroll', 'wield sword'])
      await type(taken);
    expect(await type(text)).toMatchObject({ __typename: 'NotUnderstood', suggestions });
  });
  it('can be sent as it is suggested', async () => {
    for (const text of ['take', 'take unicorn', 'dance']) {
      const { suggestions } = (await type(text)) as unknown as { suggestions: string[] };
      for (const suggestion of suggestions)
        expect(await type(suggestion)).not.toMatchObject({ __typename: 'NotUnderstood' });
      world = await open(database.db);
    }
  });
  it.each([
    ['take lamp', ({ db }: World) => dropItem(db, world.act('ann marie'), 'ruby'), /^You take the ruby lamp/],
    ['look at ruby lamp', ({ db }: World) => dropItem(db, world.act('ann marie'), 'ruby'), /^Ruby, and red/],
    ['give coin to Zoe', () => world.character('Zoe'), /^You give the coin to Zoe/],
    ['take brass lantern', () => takeOneOfTwo(), /^You take the brass lantern/],
  ])('%j finds what the copy of the room lacks', async (text, change, heard) => {
    await world.item('ruby', 'hall', { name: 'ruby lamp', description: 'Ruby, and red.' });
    await world.item('coin', 'hall');
    await world.copy();
    await sendCommand(database.db, world.act('ann marie'), 'take ruby lamp');
    await type('take coin');
    await world.copy();
    await change(world);
    expect(await type(text)).toMatchObject({ _id: 'tim' });
    expect((await world.heard('tim')).at(-1)).toMatch(heard);
  });
  it('is done once for a call that is repeated', async () => {
    const asked = world.act('tim');
    await sendCommand(database.db, asked, 'take the brass lantern');
    expect(await sendCommand(database.db, asked, 'take the brass lantern')).toMatchObject({
      inventory: [{ id: 'lamp' }],
    });
  });
  it('takes no word of JavaScript for a direction', async () => {
    for (const text of ['go constructor', 'go to __proto__', 'walk toString'])
      expect(await type(text)).toMatchObject({ __typename: 'NoSuchExit' });
  });
  it('has an example that fits its parts', () => {
    for (const { verb, example } of commands) expect(example.startsWith(verb)).toBe(true);
  });
});

type Perform = (world: World, asked: Act) => Promise<Outcome<AnyRefusal>>;

/** Typed, it also finds what is inside of something. */
const takeAnywhere =
  (id: string): Perform =>
  async ({ db }, asked) => {
    const taken: Outcome<AnyRefusal> = await pickUpItem(db, asked, id);
    return '_id' in taken ? taken : takeItemOut(db, asked, id);
  };

const pairs: readonly (readonly [text: string, perform: Perform])[] = [
  ['take the brass lantern', takeAnywhere('lamp')],
  ['take backpack', takeAnywhere('bag')],
  ["take wizard's hat", takeAnywhere('hat')],
  ['take sword', takeAnywhere('sword')],
  ['take scroll out of backpack', ({ db }, asked) => takeItemOut(db, asked, 'scroll')],
  ['drop brass lantern', ({ db }, asked) => dropItem(db, asked, 'lamp')],
  ['drop backpack', ({ db }, asked) => dropItem(db, asked, 'bag')],
  ['put brass lantern into backpack', ({ db }, asked) => putItemInto(db, asked, 'lamp', 'bag')],
  ['put the scroll in the backpack', ({ db }, asked) => putItemInto(db, asked, 'scroll', 'bag')],
  ['put backpack into backpack', ({ db }, asked) => putItemInto(db, asked, 'bag', 'bag')],
  ['give brass lantern to Ann Marie', ({ db }, asked) => giveItem(db, asked, 'lamp', 'ann marie')],
  ['wear hat', ({ db }, asked) => equipItem(db, asked, 'hat', 'HEAD')],
  ['wield sword', ({ db }, asked) => equipItem(db, asked, 'sword', 'LEFT_HAND')],
  ['take off hat', ({ db }, asked) => unequipItem(db, asked, 'hat')],
  ['remove sword', ({ db }, asked) => unequipItem(db, asked, 'sword')],
  ['buy rope from Bert', ({ db }, asked) => buyItem(db, asked, 'bert', 'rope')],
  ['sell rope to Bert', ({ db }, asked) => sellItem(db, asked, 'bert', 'rope')],
  ['north', ({ db }, asked) => moveCharacter(db, asked, 'north')],
  ['s', ({ db }, asked) => moveCharacter(db, asked, 's')],
  ['say hello', ({ db }, asked) => speak(db, asked, 'hello', null)],
  ['tell Ann Marie psst', ({ db }, asked) => speak(db, asked, 'psst', 'ann marie')],
  ['look', ({ db }, asked) => look(db, asked, null)],
];

const indexOf = (text: string): number => pairs.findIndex(([typed]) => typed === text);

const TIMES: readonly string[] = ['move', 'moves']; // numbers that begin with the time of creation

/** All that is stored, without times. */
async function stored({ db }: World): Promise<unknown> {
  const all: unknown[] = [];
  for (const collection of [characters, items, locations])
    all.push(await db.collection(collection.collectionName).find({}).sort({ _id: 1 }).toArray());
  return JSON.parse(
    JSON.stringify(all, (key, value) =>
      TIMES.includes(key) || /^\d{4}-\d\d-\d\dT/.test(String(value)) ? 'a time' : value,
    ),
  );
}

describe('commands and mutations', () => {
  it('leave the same documents, and refuse the same', { timeout: 240_000 }, async () => {
    const choices = fc.array(fc.nat(pairs.length - 1), { minLength: 5, maxLength: 25 });
    const reached = new Set<string>();
    const refusals = new Set<string>();
    await fc.assert(
      fc.asyncProperty(choices, async (chosen) => {
        const [typed, called] = [await open(database.db), await open(other.db)];
        for (const at of chosen) {
          const [text, perform] = pairs[at] as (typeof pairs)[number];
          const outcome = await sendCommand(typed.db, typed.act('tim'), text);
          const same = await perform(called, called.act('tim'));
          expect('_id' in outcome, text).toBe('_id' in same);
          if ('_id' in outcome) reached.add(text);
          else if (outcome.__typename !== 'NotUnderstood' && !('_id' in same)) {
            expect(outcome.__typename, text).toBe(same.__typename);
            refusals.add(outcome.__typename);
          }
          await Promise.all([typed.copy(), called.copy()]);
          expect(await stored(typed)).toEqual(await stored(called));
        }
      }),
      {
        numRuns: runsOf(15),
        examples: [[['s', 'north', 'north', 'say hello'].map(indexOf)], [pairs.map((_, at) => at)]],
      },
    );
    expect(reached.size).toBeGreaterThan(8);
    expect(refusals).toContain('NoSuchExit');
  });
});
