/**
 * New characters. A character is inserted with a transit that brings it into its first room (`acts/going.ts`), so a process that dies
 * leaves one that repair brings in, or removes if the room is full or the person has too many (`acts/admission.ts`).
 */
import type { Db } from 'mongodb';
import { isDuplicateKey, isServerError } from '../../../database/index.js';
import { BusyError } from '../../../shared/errors.js';
import { failpoint } from '../../../shared/failpoint.js';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import type { NoRoom } from '../acts/act.js';
import { continueTransit } from '../acts/continuing.js';
import { goOn } from '../acts/going.js';
import { endedBefore, inTimeToBegin, turnEnded, turnUntil } from '../acts/turn.js';
import { copyOf } from '../rooms/room-copy.js';
import {
  CHARACTERS_MAX,
  type CharacterDocument,
  characters,
  findCharacter,
  findOwnCharacters,
} from '../world/character.js';
import { characterIdOf, looksOf, requireCharacterName } from '../world/character-name.js';
import { findLocation, type LocationDocument } from '../world/location.js';
import { type CharacterClass, doerOf, type PlayerRole } from '../world/player.js';
import { findStart } from '../world/world.js';
import { asMuted, keepMuted } from './mute.js';

export type CharacterNameTaken = Refusal<'CharacterNameTaken'>;
export type TooManyCharacters = Refusal<'TooManyCharacters'>;

const GOLD_AT_START = 100;
const GRAMS_PER_STRENGTH = 5000;
const FOLK_WEIGHT_MAX = 2_000_000_000; // shopkeepers store what they buy

const BORN = {
  WARRIOR: { intrinsics: { strength: 16, dexterity: 12, intelligence: 8, charisma: 10 }, health: 30, mana: 0 },
  MAGE: { intrinsics: { strength: 8, dexterity: 11, intelligence: 17, charisma: 11 }, health: 16, mana: 30 },
  ROGUE: { intrinsics: { strength: 11, dexterity: 17, intelligence: 12, charisma: 9 }, health: 22, mana: 5 },
  CLERIC: { intrinsics: { strength: 12, dexterity: 9, intelligence: 12, charisma: 15 }, health: 24, mana: 20 },
} as const satisfies Record<CharacterClass, unknown>;

export interface NewCharacter {
  readonly name: string;
  readonly class: CharacterClass;
}

export interface Creation {
  /** The same for a retry with the same key. */
  readonly call: string;
  readonly now: Date;
  /** Told which room has changed. */
  readonly changed: (room: string) => void;
}

export type Created = CharacterDocument | CharacterNameTaken | TooManyCharacters | NoRoom;

/** Of a person. @throws InputError */
export async function createCharacter(
  db: Db,
  owner: string,
  input: NewCharacter,
  creation: Creation,
): Promise<Created> {
  const name = requireCharacterName('input.name', input.name);
  const known = await findCharacter(db, characterIdOf(name));
  if (known) return resume(db, known, creation);
  const alike = await characters(db).findOne({ looks: { $in: looksOf(name) } }, { projection: { name: 1 } });
  if (alike) return nameTaken(alike.name); // of two at the same moment neither finds the other: moderators see both
  if (await hasAll(db, owner)) return tooMany();
  const start = await findStart(db);
  const room = start === null ? null : await findLocation(db, start);
  if (!room) return refuse('NoRoom', 'Nobody can enter yet: editors have not chosen the room where characters begin');
  const made = newCharacter({ ...input, name, owner, role: 'PERSON', gold: GOLD_AT_START }, room, creation);
  const created = await bringIn(db, await asMuted(db, owner, made), creation);
  return '_id' in created ? keepMuted(db, owner, created) : created;
}

const hasAll = async (db: Db, owner: string | null): Promise<boolean> =>
  owner !== null && (await findOwnCharacters(db, owner)).length >= CHARACTERS_MAX;

const tooMany = (): TooManyCharacters =>
  refuse('TooManyCharacters', `You have ${CHARACTERS_MAX} characters: delete one first`);

interface Fields extends NewCharacter {
  readonly owner: string | null;
  readonly role: PlayerRole;
  readonly gold: number;
}

export function newCharacter(fields: Fields, room: LocationDocument, { call, now }: Creation): CharacterDocument {
  const { name, class: kind, owner, role, gold } = fields;
  const born = BORN[kind];
  const _id = characterIdOf(name);
  const who = doerOf({ _id, name, class: kind, role });
  const words = { text: `${name} comes into the world.`, own: `You come into the world. You are here: ${room.name}.` };
  return {
    _id,
    name,
    looks: looksOf(name),
    class: kind,
    role,
    owner,
    ...born,
    gold,
    gold_start: gold,
    armor: [],
    weapons: [],
    inventory: [],
    weight: 0,
    weight_max: owner === null ? FOLK_WEIGHT_MAX : born.intrinsics.strength * GRAMS_PER_STRENGTH,
    location: copyOf(room),
    moves: 0,
    happenings: [],
    offset: -room.happened,
    calls: [],
    transits: [
      {
        call,
        by: _id,
        at: now,
        until: turnUntil(now),
        items: [],
        to: { kind: 'LOCATION', id: room._id, inside: null, room: null },
        price: 0,
        tell: { room: room._id, happening: { call, at: now, kind: 'CAME', who, ...words } },
        tell_back: null,
        player: { ...who, is_online: false },
        move: firstMove(now),
      },
    ],
    created_at: now,
    creation: call,
  };
}

/** Later than all moves of those who had the name before: who acts for one of them, and was slow, finds that it is another character. */
const firstMove = (createdAt: Date): number => createdAt.getTime();

/** Stores a new character, and brings it into its room. */
export async function bringIn(db: Db, made: CharacterDocument, { changed }: Creation): Promise<Created> {
  const [transit] = made.transits;
  if (!transit) throw new Error('It has no way into its room');
  try {
    await insertInTime(db, made, transit.until);
  } catch (error) {
    if (isServerError(error, 'conversionFailed')) throw turnEnded();
    if (!isDuplicateKey(error)) throw error;
    return nameTaken(made.name); // another call was faster
  }
  failpoint('game.created');
  const source = { kind: 'CHARACTER', id: made._id } as const;
  const { isBack, isTooMany, character } = await goOn(db, { source, transit }, {});
  if (isTooMany) return tooMany();
  changed(made.location._id);
  if (isBack) return noRoom(db, made);
  return character ?? (await findCharacter(db, made._id)) ?? deletedMeanwhile();
}

/**
 * Guard: the name is free, and its turn is not nearly over. An insert has no condition, so it is an update of nothing, in which a late one
 * fails: a process that stood still would create a character again that a retry has created, and its person has deleted.
 */
async function insertInTime(db: Db, made: CharacterDocument, until: Date): Promise<void> {
  const whole = { $cond: [inTimeToBegin(until), { $literal: made }, { $toObjectId: 'too late' }] };
  await characters(db).updateOne({ _id: made._id, created_at: { $exists: false } }, [{ $replaceWith: whole }], {
    upsert: true,
  });
}

/** Why it could not come into its first room. */
async function noRoom(db: Db, { location: { _id, name } }: CharacterDocument): Promise<NoRoom> {
  const isFull = (await findLocation(db, _id)) !== null;
  const full = `${name}, where characters begin, is full: try again when somebody has moved on`;
  return refuse('NoRoom', isFull ? full : `${name} was removed at the same time`);
}

const nameTaken = (name: string): CharacterNameTaken =>
  refuse('CharacterNameTaken', `There is a character named ${name} already`);

/** A retry finds what the first attempt has created. */
async function resume(db: Db, known: CharacterDocument, creation: Creation): Promise<Created> {
  if (await finishCreation(db, known, creation)) {
    const character = await findCharacter(db, known._id);
    return character ?? ((await hasAll(db, known.owner)) ? tooMany() : noRoom(db, known));
  }
  const { call } = creation;
  return known.creation === call || known.calls.includes(call) ? known : nameTaken(known.name); // earlier versions noted only the latest calls
}

/**
 * Brings one into its room whom an earlier attempt of this call has left on the way there. It is removed if the room is full.
 * @returns false if it is not on the way @throws BusyError another process works on it
 */
export async function finishCreation(
  db: Db,
  { _id: id, location, transits }: CharacterDocument,
  { call, now, changed }: Creation,
): Promise<boolean> {
  const transit = transits.find((each) => each.call === call);
  if (!transit) return false;
  await continueTransit(db, { source: { kind: 'CHARACTER', id }, transit }, endedBefore(now), now);
  changed(location._id);
  return true;
}

const deletedMeanwhile = (): never => {
  throw new BusyError('The character was deleted at the same time');
};
