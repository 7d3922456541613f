/** What the game stores about an account, and what becomes of it. */
import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { BusyError } from '../../shared/errors.js';
import { failpoint } from '../../shared/failpoint.js';
import { type ErasureRule, type PersonalData, type PersonalRow, rowsIn } from '../personal-data.js';
import { deleteCharacter } from './characters/character-deletion.js';
import { mutes } from './characters/mute.js';
import { type CharacterDocument, characters } from './world/character.js';
import { locations } from './world/location.js';

const files = {
  'characters.jsonl': 'Your characters in the text game, with what they carry and what they have seen and heard last',
  'mutes.jsonl': 'Until when your characters in the text game may not speak',
} as const;

async function* rows(db: Db, accountId: string): AsyncGenerator<PersonalRow, undefined> {
  yield* rowsIn('characters.jsonl', characters(db).find({ owner: accountId }).sort({ _id: 1 }), characterRow);
  yield* rowsIn('mutes.jsonl', mutes(db).find({ _id: accountId }), ({ until }) => ({ until }));
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
    failpoint('erasure.character-deleted');
    erased += 1;
  }
  const { deletedCount } = await mutes(db).deleteOne({ _id: accountId }); // guard: none needed, nobody has this account any more
  return erased + deletedCount;
}

const erasure: readonly ErasureRule[] = [
  {
    data: 'Characters in the text game',
    collections: [characters],
    becomes: 'ERASED',
    reason: 'What they carried stays in the room where they were. Their gold is gone',
  },
  {
    data: 'Until when characters in the text game may not speak',
    collections: [mutes],
    becomes: 'ERASED',
    reason: 'There are no characters any more that it could keep from speaking',
  },
  {
    data: 'What characters have said and done, in the memory of the others',
    collections: [locations, characters],
    becomes: 'KEPT',
    reason: 'It names the character, not the person. The last 100 sentences of a room, and of a character, are kept',
  },
];

export const personalData: PersonalData = { files, rows, erase, erasure };
