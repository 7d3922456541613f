/** What a room is told by an act whose process died: once, also where the room has forgotten it, or the character has moved on. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Act } from '../../../src/models/game/acts/act.js';
import { carry } from '../../../src/models/game/acts/carrying.js';
import { repairTransits } from '../../../src/models/game/acts/continuing.js';
import { equipItem } from '../../../src/models/game/acts/equipment.js';
import { pickUpItem } from '../../../src/models/game/acts/handling.js';
import { look } from '../../../src/models/game/acts/looking.js';
import { moveCharacter } from '../../../src/models/game/acts/movement.js';
import { speak } from '../../../src/models/game/acts/speech.js';
import { deleteCharacter, repairLeaving } from '../../../src/models/game/characters/character-deletion.js';
import { sendCommand } from '../../../src/models/game/commands/sending.js';
import { relocateCharacter } from '../../../src/models/game/moderation/moderation.js';
import { CLOCKS_DIFFER_MS, characters } from '../../../src/models/game/world/character.js';
import { HAPPENINGS_KEPT, type RoomHappening } from '../../../src/models/game/world/happening.js';
import { locations } from '../../../src/models/game/world/location.js';
import { DAY_MS } from '../../../src/shared/time.js';
import { Died, dyingDatabase } from '../../commerce/orders/interruptions.js';
import { useDatabase } from '../../support/database.js';
import { testAct } from '../../support/people.js';
import { openWorld, underWay, type World } from '../game-support.js';

const database = useDatabase();
let world: World;
let tim: string;

beforeEach(async () => {
  const rooms = { hall: { north: 'kitchen', around: 'hall' }, kitchen: { south: 'hall', around: 'hall' } };
  world = await openWorld(database.db, rooms);
  tim = await world.character('Tim');
});

const TEXT = 'Tim says: hello';
const say = (asked: Act) => speak(database.db, asked, 'hello', null);
const retry = (asked: Act) => say({ ...asked, now: new Date(), begunAt: asked.now });
const told = async (room: string) => (await world.at(room)).happenings.filter(({ text }) => text === TEXT).length;

/** The process has died between the two steps: the room was told, the character has noted nothing. */
async function leave(tell: (asked: Act) => Promise<unknown>): Promise<Act> {
  const before = await world.of(tim);
  const asked = world.act(tim);
  await tell(asked);
  await characters(database.db).replaceOne({ _id: tim }, before);
  return asked;
}

const leaveSaying = () => leave(say);

/** So much has happened in the room meanwhile that it has forgotten what was before. */
async function beBusy(lines = HAPPENINGS_KEPT): Promise<void> {
  const line: RoomHappening = { call: 'other', at: new Date(), kind: 'SAID', who: null, text: 'Noise', own: '' };
  await locations(database.db).updateOne(
    { _id: 'hall' },
    { $set: { happenings: Array(HAPPENINGS_KEPT).fill(line) }, $inc: { happened: lines, version: 1 } },
  );
}

describe('words that were said before their process died', () => {
  it('are noted by a retry, and not said again', async () => {
    const asked = await leaveSaying();
    expect(await retry(asked)).toMatchObject({ calls: expect.arrayContaining([asked.call]) });
    expect(await told('hall')).toBe(1);
    expect(await world.heard(tim)).toContain('You say: hello');
  });
  it('are not said again in a room into which the character has moved on', async () => {
    const asked = await leaveSaying();
    await moveCharacter(database.db, world.act(tim), 'north');
    expect(await retry(asked)).toMatchObject({ calls: expect.arrayContaining([asked.call]) });
    expect([await told('hall'), await told('kitchen')]).toEqual([1, 0]);
  });
  it('are not said again after the room has forgotten them', async () => {
    const asked = await leaveSaying();
    await beBusy();
    expect(await retry(asked)).toMatchObject({ calls: expect.arrayContaining([asked.call]) });
    expect(await told('hall')).toBe(0);
  });
  it('are not said again in another room where the character has missed the end of the old one', async () => {
    const asked = await leaveSaying();
    await characters(database.db).updateOne({ _id: tim }, { $set: { 'happenings.0.at': new Date(0) } });
    await beBusy(HAPPENINGS_KEPT + 20);
    await moveCharacter(database.db, world.act(tim), 'north');
    expect(await retry(asked)).toMatchObject({ calls: expect.arrayContaining([asked.call]) });
    expect(await told('kitchen')).toBe(0);
  });
  it('are not said again in another room by a process whose clock is behind that of the first', async () => {
    const before = await world.of(tim);
    const asked = { ...world.act(tim), now: new Date(Date.now() + CLOCKS_DIFFER_MS - 1000) };
    await say(asked);
    await characters(database.db).replaceOne({ _id: tim }, before);
    await beBusy(HAPPENINGS_KEPT + 20);
    await moveCharacter(database.db, world.act(tim), 'north');
    await say({ ...asked, now: new Date(), begunAt: asked.now });
    expect(await told('kitchen')).toBe(0);
  });
  it.each(['tell Ann hello', 'whisper', 'look at Ann', '"hello'])(
    'are noted after they were forgotten, although they would be refused now: %s',
    async (typed) => {
      const ann = await world.character('Ann');
      const type = (asked: Act) =>
        typed === 'whisper' ? speak(database.db, asked, 'hello', ann) : sendCommand(database.db, asked, typed);
      await world.copy();
      const asked = await leave(type);
      await moveCharacter(database.db, world.act(ann), 'north');
      await characters(database.db).updateOne({ _id: tim }, { $set: { muted_until: new Date(Date.now() + DAY_MS) } });
      await beBusy(2 * HAPPENINGS_KEPT);
      await world.copy();
      expect(await type({ ...asked, begunAt: asked.now })).toMatchObject({
        calls: expect.arrayContaining([asked.call]),
      });
    },
  );
  it('are not taken for what they are not, where an exit has the same name as a command', async () => {
    await world.rooms({ hall: { xanadu: 'kitchen' }, kitchen: { south: 'hall' } });
    await world.copy();
    const asked = world.act(tim); // its process died before anything was done
    await beBusy(2 * HAPPENINGS_KEPT);
    await world.copy();
    await sendCommand(database.db, { ...asked, begunAt: asked.now }, 'x');
    expect((await world.of(tim)).location._id).toBe('kitchen');
  });
  it('are noted although the character was muted meanwhile', async () => {
    const asked = await leaveSaying();
    await characters(database.db).updateOne({ _id: tim }, { $set: { muted_until: new Date(Date.now() + DAY_MS) } });
    expect(await retry(asked)).toMatchObject({ calls: expect.arrayContaining([asked.call]) });
  });
  it('are noted if typed, and are not understood as words of another room', async () => {
    const type = (asked: Act) => sendCommand(database.db, asked, 'say hello');
    const asked = await leave(type);
    await moveCharacter(database.db, world.act(tim), 'north');
    await type({ ...asked, begunAt: asked.now });
    expect([await told('hall'), await told('kitchen')]).toEqual([1, 0]);
  });
  it.each([
    ['stays', null],
    ['moves on, too', 'north'],
  ])('are noted although who heard a whisper has gone, and who whispered %s', async (_case, way) => {
    const ann = await world.character('Ann');
    const whisper = (asked: Act) => speak(database.db, asked, 'hello', ann);
    const asked = await leave(whisper);
    await moveCharacter(database.db, world.act(ann), 'north');
    if (way) await moveCharacter(database.db, world.act(tim), way);
    if (way) await moveCharacter(database.db, world.act(ann), 'south');
    expect(await whisper({ ...asked, begunAt: asked.now })).toMatchObject({
      calls: expect.arrayContaining([asked.call]),
    });
    expect((await world.heard(tim)).filter((text) => text === 'You whisper to Ann: hello')).toHaveLength(1);
  });
});

describe('words that were not said before their process died', () => {
  it('are said by a retry, also if the character has said the same with another key', async () => {
    const asked = world.act(tim);
    await say(world.act(tim));
    await retry(asked);
    expect(await told('hall')).toBe(2);
  });
  it('are said by a retry, where the character is then', async () => {
    const asked = world.act(tim);
    await moveCharacter(database.db, world.act(tim), 'north');
    await retry(asked);
    expect([await told('hall'), await told('kitchen')]).toEqual([0, 1]);
  });
  it.each([
    ['another one has looked', 'north', 'kitchen'],
    ['another one has looked, and the character went in a circle', 'around', 'hall'],
  ])('are said by a retry although %s', async (_case, way, room) => {
    const ann = await world.character('Ann');
    const asked = world.act(tim);
    await look(database.db, world.act(ann), null);
    await moveCharacter(database.db, world.act(tim), way);
    await retry(asked);
    expect(await told(room)).toBe(1);
  });
  it('are answered as said where the oldest happening may have been told late', async () => {
    const asked = world.act(tim);
    const late = { call: 'late', at: new Date(asked.now.getTime() - 12_000), kind: 'LEFT' as const, who: null };
    const happenings = Array.from({ length: HAPPENINGS_KEPT }, () => ({ ...late, text: 'Ann leaves.', own: '' }));
    await locations(database.db).updateOne({ _id: 'hall' }, { $set: { happenings } });
    expect(await retry(asked)).toMatchObject({ _id: tim });
    expect(await told('hall')).toBe(0);
  });
  it('are not said by a process that was paused for longer than its turn', async () => {
    const late = { ...world.act(tim), now: new Date(Date.UTC(2020, 0, 1)) };
    await expect(say(late)).rejects.toMatchObject({ code: 'SERVER_BUSY' });
    expect(await told('hall')).toBe(0);
  });
});

describe('the retry of an act of a character that was deleted', () => {
  it('does not reach a new one with its name', async () => {
    const asked = { ...world.act(tim), now: new Date(Date.now() - CLOCKS_DIFFER_MS - 1000) };
    await deleteCharacter(database.db, { id: tim, owner: 'user-tim' }, world.creation());
    await world.character('Tim');
    const again = { ...asked, now: new Date(), begunAt: asked.now };
    expect(await moveCharacter(database.db, again, 'north')).toMatchObject({ __typename: 'CharacterNotFound' });
    expect((await world.of(tim)).location._id).toBe('hall');
  });
});

describe('a process that stood still for longer than its turn', () => {
  it('does not remove the transit before the room was told', async () => {
    const happening: RoomHappening = {
      ...{ call: 'late', at: new Date(0), kind: 'CAME', who: null, text: 'Tim comes back.', own: 'You come back.' },
    };
    const transit = underWay({ call: 'late', by: tim, until: new Date(0), tell: { room: 'hall', happening } });
    await characters(database.db).updateOne({ _id: tim }, { $push: { transits: transit } });
    const left = { source: { kind: 'CHARACTER', id: tim }, transit } as const;
    await expect(carry(database.db, left, {})).rejects.toMatchObject({ code: 'SERVER_BUSY' });
    await repairTransits(database.db, new Date(), () => new Date());
    const told = (await world.at('hall')).happenings.find(({ text }) => text === 'Tim comes back.');
    expect(told?.at.getTime()).toBeGreaterThan(happening.at.getTime());
    expect((await world.of(tim)).transits).toEqual([]);
  });
});

describe('a process at work on a transit', () => {
  it('is not overtaken by one whose clock is ahead', async () => {
    const transit = underWay({ call: 'slow', by: tim, until: new Date(Date.now() + 4000) });
    await characters(database.db).updateOne({ _id: tim }, { $push: { transits: transit } });
    const ahead = new Date(Date.now() + CLOCKS_DIFFER_MS);
    expect(await repairTransits(database.db, ahead, () => ahead)).toBe(1);
    expect((await world.of(tim)).transits).toEqual([transit]);
    await characters(database.db).updateOne({ _id: tim }, { $set: { transits: [] } });
  });
});

describe('what is told late', () => {
  const later = new Date(Date.now() + DAY_MS);
  const repaired = { changed: () => undefined, now: () => later };
  const dies = (work: Promise<unknown>) => expect(work).rejects.toBeInstanceOf(Died);
  const lastAt = async (room: string) => {
    const last = (await world.at(room)).happenings.at(-1);
    return { text: last?.text, at: last?.at };
  };

  it('of a character that an editor has put elsewhere has the time at which it comes in', async () => {
    const keeping = { call: world.nextCall(), act: testAct(), changed: () => undefined };
    await dies(relocateCharacter(dyingDatabase(database.db, 1), tim, 'kitchen', keeping));
    await locations(database.db).updateOne({ _id: 'hall' }, { $set: { 'transits.$[].until': new Date(0) } });
    await repairTransits(database.db, new Date(), repaired.now);
    expect(await lastAt('kitchen')).toEqual({ text: 'Tim appears.', at: later });
  });
  it('of a character that could not be put elsewhere has the time at which it is back', async () => {
    const keeping = { call: world.nextCall(), act: testAct(), changed: () => undefined };
    await dies(relocateCharacter(dyingDatabase(database.db, 1), tim, 'kitchen', keeping));
    await locations(database.db).updateOne(
      { _id: 'hall' },
      { $set: { 'transits.$[].until': new Date(0), 'transits.$[].to.id': 'gone' } },
    );
    await repairTransits(database.db, new Date(), repaired.now);
    expect(await lastAt('hall')).toEqual({ text: 'Tim is back.', at: later });
  });
  it('of a character that is deleted has the time at which it leaves its room', async () => {
    await dies(deleteCharacter(dyingDatabase(database.db, 1), { id: tim, owner: 'user-tim' }, world.creation()));
    expect(await repairLeaving(database.db, later, { ...repaired, call: 'repair' })).toBe(1);
    expect(await lastAt('hall')).toEqual({ text: 'Tim leaves the world.', at: later });
  });
});

describe('what a transit has told before its process died', () => {
  it('is not told again after the room has forgotten it', async () => {
    await world.item('hat', 'hall', { kind: 'ARMOR', slots: ['HEAD'] });
    await pickUpItem(database.db, world.act(tim), 'hat');
    await equipItem(database.db, world.act(tim), 'hat', 'HEAD');
    const { happenings } = await world.at('hall');
    const tell = { room: 'hall', happening: happenings.at(-1) as RoomHappening };
    const left = underWay({ call: tell.happening.call, by: tim, at: tell.happening.at, until: new Date(0), tell });
    await characters(database.db).updateOne({ _id: tim }, { $push: { transits: left } });
    await beBusy();
    const { happened } = await world.at('hall');
    expect(await repairTransits(database.db, new Date(), () => new Date())).toBe(1);
    expect((await world.at('hall')).happened).toBe(happened);
    expect((await world.of(tim)).transits).toEqual([]);
  });
});
