/** Saving those who belong to the world, by name. One who exists stays where they are. */
import type { Db } from 'mongodb';
import { commitConcernOf, inTransaction } from '../../../database/index.js';
import { allRejected, checkEach, type RejectedItem } from '../../../shared/bulk-items.js';
import { InputError } from '../../../shared/errors.js';
import { failpoint } from '../../../shared/failpoint.js';
import { bringIn, newCharacter } from '../characters/character-creation.js';
import { changeOf } from '../world/change.js';
import {
  type CharacterDocument,
  characterIdOf,
  characters,
  findCharacter,
  requireCharacterName,
} from '../world/character.js';
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

/** @returns why not, or null */
async function saveOne(db: Db, input: FolkInput, { call, now, changed }: Saving): Promise<string | null> {
  const known = await findCharacter(db, characterIdOf(input.name));
  if (known && input.isNew) return `There is somebody named ${known.name} already`;
  if (known) return changeOne(db, known, input, { call, now, changed });
  const room = await findLocation(db, input.location);
  if (!room) return `There is no location ${input.location}`;
  const creation = { call: `${call}/${input.name}`, now, changed };
  const made = await bringIn(db, newCharacter({ ...input, owner: null }, room, creation), creation);
  return '_id' in made ? null : made.message;
}

async function changeOne(
  db: Db,
  { _id, owner, class: kind, role }: CharacterDocument,
  input: FolkInput,
  { now, changed }: Saving,
): Promise<string | null> {
  if (owner !== null) return `${input.name} is the character of a person`;
  if (kind === input.class && role === input.role) return null;
  const { value } = await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
    const $set = { class: input.class, role: input.role };
    const character = await characters(db).findOneAndUpdate(
      { _id, owner: null },
      { $set },
      { session, returnDocument: 'after' },
    );
    const room = character?.location._id ?? '';
    await locations(db).updateOne(
      { _id: room, 'players.id': _id }, // guard: the room shows it
      { $set: { 'players.$.class': input.class, 'players.$.role': input.role }, ...changeOf({ at: now }, null) },
      { session },
    );
    return room;
  });
  changed(value);
  return null;
}
