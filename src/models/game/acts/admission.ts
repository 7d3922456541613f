/**
 * How many characters a person may have. Calls at the same time may each have found room for one more, so a new character is stored first,
 * and comes into the world only after it has seen that there are not too many: of all that have seen that, the last one has seen the others.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { CHARACTERS_MAX, type CharacterDocument, characters } from '../world/character.js';
import { turnEnded } from './turn.js';

const ATTEMPTS_MAX = 100;
const PAUSE_MS = 20; // those that are too many go soon

/** @returns false if the new character has to go again @throws BusyError others that have to go are still there */
export async function isAdmitted(db: Db, id: string): Promise<boolean> {
  const owner = (await characters(db).findOne({ _id: id }, { projection: { owner: 1 } }))?.owner ?? null;
  if (owner === null) return true; // the world has as many as it likes
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    if (attempt > 1) await pause(PAUSE_MS);
    const own = await findInOrder(db, owner);
    if (own.length <= CHARACTERS_MAX) return true;
    if (own.indexOf(id) >= CHARACTERS_MAX) return false;
  }
  throw turnEnded();
}

/** Those who are in the world first, then new ones, by name: so all of these agree on who has to go. */
async function findInOrder(db: Db, owner: string): Promise<string[]> {
  const own: Pick<CharacterDocument, '_id' | 'moves'>[] = await characters(db)
    .find({ owner }, { projection: { moves: 1 } })
    .sort({ _id: 1 })
    .toArray();
  const isNew = ({ moves }: Pick<CharacterDocument, 'moves'>) => moves === 0;
  return [...own.filter((each) => !isNew(each)), ...own.filter(isNew)].map(({ _id }) => _id);
}
