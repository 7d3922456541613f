/** Saving those who belong to the world, by name. One who exists stays where they are. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { commitConcernOf, inTransaction } from '../../../database/index.js';
import { allRejected, checkEach, type RejectedItem } from '../../../shared/bulk-items.js';
import { InputError } from '../../../shared/errors.js';
import { failpoint } from '../../../shared/failpoint.js';
import { bringIn, finishCreation, newCharacter } from '../characters/character-creation.js';
import { changeOf } from '../world/change.js';
import { type CharacterDocument, characters, findCharacter } from '../world/character.js';
import { characterIdOf, requireCharacterName } from '../world/character-name.js';
import { findLocation, locations } from '../world/location.js';
import type { CharacterClass, PlayerRole } from '../world/player.js';
import { GOLD_MAX } from './item-saving.js';
import { requireAtMost, requireBetween, requireKey } from './key.js';
import type { SavedWorld, Saving } from './location-saving.js';

export interface FolkInput {
  readonly name: string;
  readonly class: CharacterClass;
  readonly role: PlayerRole;
  readonly gold: number;
  readonly location: string;
  /** Somebody with this name is not changed. Default: they are. */
  readonly isNew?: boolean | undefined;
}

/** @throws LimitError more than 500 */
export async function saveFolk(db: Db, inputs: readonly FolkInput[], saving: Saving): Promise<SavedWorld> {
  requireAtMost(inputs.length);
  const checked = checkEach(inputs, (input, index) => requireFolk(input, `folk[${index}]`));
  const rejected: RejectedItem[] = [];
  for (const [index, input] of checked.accepted.entries()) {
    const message = await saveOne(db, input, saving);
    failpoint('game.folk-saved');
    if (message !== null) rejected.push({ index, code: 'BAD_USER_INPUT', message });
  }
  return { saved: checked.accepted.length - rejected.length, rejected: allRejected(checked, rejected) };
}

/** @throws InputError */
export function requireFolk(input: FolkInput, field: string): FolkInput {
  if (input.role === 'PERSON') throw new InputError(`${field}.role`, 'must be SHOPKEEPER or FOLK');
  return {
    ...input,
    name: requireCharacterName(`${field}.name`, input.name),
    gold: requireBetween(`${field}.gold`, input.gold, 0, GOLD_MAX),
    location: requireKey(`${field}.location`, input.location),
  };
}

/** @returns why not, or null @throws BusyError an earlier attempt of this call is not over */
async function saveOne(db: Db, input: FolkInput, { call, now, changed }: Saving): Promise<string | null> {
  const creation = { call: `${call}/${input.name}`, now: now(), changed };
  const known = await findCharacter(db, characterIdOf(input.name));
  if (known && (await finishCreation(db, known, creation)))
    return (await findCharacter(db, known._id)) ? null : `${known.location.name} is full`;
  if (known && input.isNew) return `There is somebody named ${known.name} already`;
  if (known) return changeOne(db, known, input, { call, now, changed });
  const room = await findLocation(db, input.location);
  if (!room) return `There is no location ${input.location}`;
  const made = await bringIn(db, newCharacter({ ...input, owner: null }, room, creation), creation);
  return '_id' in made ? null : made.message;
}

const ATTEMPTS_MAX = 20; // somebody on the way is in a room soon
const PAUSE_MS = 25;

/** @returns why not, or null */
async function changeOne(
  db: Db,
  known: CharacterDocument,
  { class: kind, role }: FolkInput,
  { now, changed }: Saving,
): Promise<string | null> {
  const { _id, owner, name } = known;
  if (owner !== null) return `${name} is the character of a person`;
  if (known.class === kind && known.role === role && (await isShown(db, known))) return null;
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    if (attempt > 1) await pause(PAUSE_MS);
    const room = await changeBoth(db, _id, { class: kind, role }, now());
    if (room === null) continue;
    changed(room);
    return null;
  }
  return `${name} is on the way into another room: save it again`;
}

/** Whether the room says the same as the character. */
const isShown = async (db: Db, { _id: id, class: kind, role, location }: CharacterDocument): Promise<boolean> =>
  (await locations(db).findOne(
    { _id: location._id, players: { $elemMatch: { id, class: kind, role } } },
    { projection: { _id: 1 } },
  )) !== null;

/**
 * Changes the character and its entry in the room. A character on its way takes its entry along, so it is waited for.
 * @returns the room; null, with nothing changed, if the character is on its way
 */
async function changeBoth(
  db: Db,
  _id: string,
  { class: kind, role }: Pick<FolkInput, 'class' | 'role'>,
  now: Date,
): Promise<string | null> {
  const { value } = await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
    const character = await characters(db).findOne(
      { _id, owner: null },
      { session, projection: { 'location._id': 1 } },
    );
    const room = character?.location._id ?? '';
    const { matchedCount } = await locations(db).updateOne(
      { _id: room, 'players.id': _id }, // guard: the character is there
      { $set: { 'players.$.class': kind, 'players.$.role': role }, ...changeOf({ at: now }, null) },
      { session },
    );
    if (matchedCount === 0) return null;
    await characters(db).updateOne({ _id }, { $set: { class: kind, role } }, { session }); // guard: the transaction
    return room;
  });
  return value;
}
