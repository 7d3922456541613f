/** What the game stores about an account, and what becomes of it. */
import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { BusyError } from '../../shared/errors.js';
import { type ErasureRule, type PersonalData, type PersonalRow, rowsIn } from '../personal-data.js';
import { deleteCharacter } from './characters/character-deletion.js';
import { type CharacterDocument, characters } from './world/character.js';
import { locations } from './world/location.js';

const files = {
  'characters.jsonl': 'Your characters in the text game, with what they carry and what they have seen and heard last',
} as const;

async function* rows(db: Db, accountId: string): AsyncGenerator<PersonalRow, undefined> {
  yield* rowsIn('characters.jsonl', characters(db).find({ owner: accountId }).sort({ _id: 1 }), characterRow);
}

const characterRow = ({
  name,
  class: kind,
  intrinsics,
  health,
  mana,
  gold,
  armor,
  weapons,
  inventory,
  location,
  happenings,
  muted_until,
  created_at,
}: CharacterDocument) => ({
  name,
  class: kind,
  created: created_at,
  intrinsics,
  health,
  mana,
  gold,
  armor,
  weapons,
  inventory: inventory.map(({ id, name: item, quantity }) => ({ id, name: item, quantity })),
  location: location.name,
  happenings: happenings.map(({ at, text }) => ({ at, text })),
  muted_until,
});

async function erase(db: Db, accountId: string, now: Date): Promise<number> {
  let erased = 0;
  for await (const { _id } of characters(db).find({ owner: accountId }, { projection: { _id: 1 } })) {
    const deletion = { call: randomUUID(), now, changed: () => undefined };
    await deleteCharacter(db, { id: _id, owner: accountId }, deletion).catch((error: unknown) => {
      if (!(error instanceof BusyError)) throw error; // the next run deletes it
    });
    erased += 1;
  }
  return erased;
}

const erasure: readonly ErasureRule[] = [
  {
    data: 'Characters in the text game',
    collections: [characters],
    becomes: 'ERASED',
    reason: 'What they carried stays in the room where they were. Their gold is gone',
  },
  {
    data: 'What characters have said and done, in the memory of the others',
    collections: [locations, characters],
    becomes: 'KEPT',
    reason: 'It names the character, not the person. The last 100 sentences of a room, and of a character, are kept',
  },
];

export const personalData: PersonalData = { files, rows, erase, erasure };
