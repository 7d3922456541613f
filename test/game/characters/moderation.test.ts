/** What those who keep the world do by hand. */
import { beforeEach, describe, expect, it } from 'vitest';
import { pickUpItem } from '../../../src/models/game/acts/handling.js';
import { speak } from '../../../src/models/game/acts/speech.js';
import { saveFolk } from '../../../src/models/game/building/folk-saving.js';
import { deleteCharacter } from '../../../src/models/game/characters/character-deletion.js';
import { mutes } from '../../../src/models/game/characters/mute.js';
import {
  type Keeping,
  muteCharacter,
  relocateCharacter,
  relocateItem,
  type Target,
} from '../../../src/models/game/moderation/moderation.js';
import { characters } from '../../../src/models/game/world/character.js';
import { auditTrail } from '../../../src/models/people/audit.js';
import { users } from '../../../src/models/people/user.js';
import { useDatabase } from '../../support/database.js';
import { addPerson, testAct } from '../../support/people.js';
import { openWorld, type World } from '../game-support.js';

const database = useDatabase();
let world: World;
let tim: string;

beforeEach(async () => {
  await auditTrail(database.db).deleteMany({});
  await mutes(database.db).deleteMany({});
  world = await openWorld(database.db, { hall: { north: 'kitchen' }, kitchen: { south: 'hall' } });
  await world.item('bag', 'hall', { kind: 'CONTAINER' });
  await world.item('coin', 'bag');
  await world.item('statue', 'hall', { isFixed: true });
  tim = await world.character('Tim');
});

const keeping = (): Keeping => ({
  call: world.nextCall(),
  act: { ...testAct(), at: world.later() },
  changed: () => undefined,
});
const entries = async () =>
  (
    await auditTrail(database.db)
      .find({ at: { $gt: new Date(0) } })
      .sort({ at: 1, _id: 1 })
      .toArray()
  ).map(({ action, subject, detail }) => ({ action, subject, detail }));
/** Of each entry, oldest first. */
const persons = async () =>
  (
    await auditTrail(database.db)
      .find({ at: { $gt: new Date(0) } })
      .sort({ at: 1, _id: 1 })
      .toArray()
  ).map(({ on_behalf_of }) => on_behalf_of);

describe('relocating an item', () => {
  it('moves it with what is inside, to a room, a character or a container, and is recorded', async () => {
    await relocateItem(database.db, 'bag', { kind: 'Location', id: 'kitchen' }, keeping());
    expect(await world.lying('kitchen')).toEqual(['bag', 'coin']);
    await relocateItem(database.db, 'bag', { kind: 'Character', id: tim }, keeping());
    expect(await world.carried(tim)).toEqual(['bag', 'coin']);
    await relocateItem(database.db, 'statue', { kind: 'Item', id: 'bag' }, keeping());
    expect((await world.of(tim)).inventory.at(-1)).toMatchObject({ id: 'statue', inside_id: 'bag' });
    expect(await entries()).toEqual([
      { action: 'RELOCATED', subject: 'bag', detail: 'kitchen' },
      { action: 'RELOCATED', subject: 'bag', detail: tim },
      { action: 'RELOCATED', subject: 'statue', detail: 'bag' },
    ]);
  });
  it.each([
    ['an item that is not there', 'x', { kind: 'Location', id: 'hall' }, 'NOT_FOUND'],
    ['to a place that is not there', 'bag', { kind: 'Location', id: 'x' }, 'NOT_FOUND'],
    ['into itself', 'bag', { kind: 'Item', id: 'bag' }, 'CONFLICT'],
    ['into what is no container', 'bag', { kind: 'Item', id: 'statue' }, 'CONFLICT'],
  ] as const)('fails for %s', async (_case, item, target, code) => {
    await expect(relocateItem(database.db, item, target, keeping())).rejects.toMatchObject({ code });
    expect(await world.lying('hall')).toEqual(['bag', 'coin', 'statue']);
    expect(await entries()).toEqual([]);
  });
  it('takes it back if there is no room, and records nothing', async () => {
    await characters(database.db).updateOne({ _id: tim }, { $set: { weight_max: 0 } });
    const relocated = relocateItem(database.db, 'bag', { kind: 'Character', id: tim }, keeping());
    await expect(relocated).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await world.lying('hall')).toSorted()).toEqual(['bag', 'coin', 'statue']);
    expect(await entries()).toEqual([]);
  });
});

describe('relocating a character', () => {
  it('puts it into another room with what it carries, and is recorded', async () => {
    await pickUpItem(database.db, world.act(tim), 'bag');
    expect(await relocateCharacter(database.db, tim, 'kitchen', keeping())).toMatchObject({
      location: { _id: 'kitchen' },
    });
    expect((await world.at('hall')).players).toEqual([]);
    expect((await world.at('kitchen')).players).toMatchObject([{ id: tim }]);
    expect(await world.carried(tim)).toEqual(['bag', 'coin']);
    expect(await entries()).toEqual([{ action: 'RELOCATED', subject: tim, detail: 'kitchen' }]);
  });
  it('keeps its class and role the same in the room, when they are saved at the same time', async () => {
    const bert = await world.folk('Bert', 'hall');
    for (let round = 0; round < 20; round += 1) {
      const role = round % 2 === 0 ? 'FOLK' : 'SHOPKEEPER';
      const input = { name: 'Bert', class: 'CLERIC' as const, role, gold: 0, location: 'hall' } as const;
      await Promise.all([
        saveFolk(database.db, [input], world.saving()),
        relocateCharacter(database.db, bert, round % 2 === 0 ? 'kitchen' : 'hall', keeping()).catch(() => null),
      ]);
      const character = await world.of(bert);
      const { players } = await world.at(character.location._id);
      expect(players.find(({ id }) => id === bert)).toMatchObject({ role: character.role, class: character.class });
    }
    await world.copy();
  });
  it('fails for one who is not there', async () => {
    await expect(relocateCharacter(database.db, 'x', 'hall', keeping())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(relocateCharacter(database.db, tim, 'x', keeping())).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('the audit trail names the person', () => {
  beforeEach(async () => {
    await users(database.db).deleteMany({});
    await addPerson(database.db, 'tim', [], 'user-tim'); // Ann is managed elsewhere: her id stands for her
    await addPerson(database.db, 'admin', [], 'user-admin');
  });
  const relocate = (kind: Target['kind'], id: string) => relocateItem(database.db, 'coin', { kind, id }, keeping());

  it('from whom an item is taken, or else to whom it is given', async () => {
    const [ann, bert] = [await world.character('Ann'), await world.folk('Bert', 'hall')];
    await relocate('Character', tim); // out of the room
    await relocate('Character', ann);
    await relocate('Character', bert);
    await relocate('Location', 'kitchen');
    await relocateItem(database.db, 'bag', { kind: 'Character', id: tim }, keeping());
    await relocate('Item', 'bag');
    await relocate('Location', 'hall');
    const [timsAddress, annsId] = ['tim@example.org', 'user-ann'];
    expect(await persons()).toEqual([
      timsAddress, // is given it
      timsAddress, // loses it to Ann
      annsId,
      undefined, // Bert belongs to the world
      timsAddress,
      timsAddress,
      timsAddress,
    ]);
  });
  it('whose character is put elsewhere, or muted', async () => {
    await relocateCharacter(database.db, tim, 'kitchen', keeping());
    await muteCharacter(database.db, tim, null, { ...testAct(), at: world.later() });
    expect(await persons()).toEqual(['tim@example.org', 'tim@example.org']);
  });
  it('unless it is the administrator, or nobody', async () => {
    const [own, bert] = [await world.character('Own', 'MAGE', 'user-admin'), await world.folk('Bert', 'hall')];
    for (const id of [own, bert]) {
      await relocateCharacter(database.db, id, 'kitchen', keeping());
      await muteCharacter(database.db, id, null, { ...testAct(), at: world.later() });
    }
    await relocate('Character', own);
    await relocate('Character', tim); // who gets it from the administrator
    expect(await persons()).toEqual([...Array(5).fill(undefined), 'tim@example.org']);
  });
});

describe('muting a character', () => {
  it('is recorded with its end, and so is its undoing', async () => {
    const until = new Date(Date.UTC(2099, 0, 1));
    expect(await muteCharacter(database.db, tim, until, testAct())).toMatchObject({ muted_until: until });
    expect(await muteCharacter(database.db, tim, null, testAct())).not.toHaveProperty('muted_until');
    await expect(muteCharacter(database.db, 'x', until, testAct())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await entries()).map(({ detail }) => detail)).toEqual([until.toISOString(), undefined]);
  });

  const until = new Date(Date.UTC(2099, 0, 1));
  const mute = (id: string) => muteCharacter(database.db, id, until, testAct());
  const isMuted = async (id: string) => {
    const said = await speak(database.db, { ...world.act(id), owner: (await world.of(id)).owner ?? '' }, 'hello', null);
    return !('_id' in said) && said.__typename === 'CharacterMuted';
  };

  it('is not undone by deleting the character and creating it again', async () => {
    await mute(tim);
    await deleteCharacter(database.db, { id: tim, owner: 'user-tim' }, world.creation());
    await world.character('Tim');
    expect(await isMuted(tim)).toBe(true);
  });
  it('holds for all characters of the person, and for nobody else, until it is undone', async () => {
    const [tom, ann] = [await world.character('Tom', 'MAGE', 'user-tim'), await world.character('Ann')];
    await mute(tim);
    const ted = await world.character('Ted', 'MAGE', 'user-tim');
    expect(await Promise.all([tim, tom, ted, ann].map(isMuted))).toEqual([true, true, true, false]);
    await muteCharacter(database.db, tom, null, testAct());
    const una = await world.character('Una', 'MAGE', 'user-tim');
    expect(await Promise.all([tim, tom, ted, una].map(isMuted))).toEqual([false, false, false, false]);
  });
  it('holds for one who is created at the same moment', async () => {
    for (const turn of Array.from({ length: 20 }).keys()) {
      const creating = world.character(`Ted ${turn}`, 'MAGE', 'user-tim');
      const muting = new Promise((done) => setTimeout(done, turn)).then(() => mute(tim)); // at other steps of the creation
      const [ted] = await Promise.all([creating, muting]);
      expect(await isMuted(ted), `muted after ${turn} ms`).toBe(true);
      await muteCharacter(database.db, tim, null, testAct());
      await deleteCharacter(database.db, { id: ted, owner: 'user-tim' }, world.creation());
    }
  });
  it('holds for one who is created after an earlier version has muted another one', async () => {
    await characters(database.db).updateOne({ _id: tim }, { $set: { muted_until: until } });
    expect(await isMuted(await world.character('Ted', 'MAGE', 'user-tim'))).toBe(true);
  });
  it('of one who belongs to the world is for this one alone', async () => {
    const [bert, bill] = [await world.folk('Bert', 'hall'), await world.folk('Bill', 'hall')];
    expect(await mute(bert)).toMatchObject({ muted_until: until });
    expect(await world.of(bill)).not.toHaveProperty('muted_until');
    expect(await mutes(database.db).countDocuments()).toBe(0);
  });
});
