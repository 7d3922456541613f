/**
 * Deleting a character: what it carries is put down in its room, it leaves the room, then its document is deleted together with the
 * entry that counts its gold. From the first step on it does nothing any more, and repair continues what a process has left.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { ClientSession, Db } from 'mongodb';
import { type Brief, commitConcernOf, inTransaction, settleCalls } from '../../../database/index.js';
import { BusyError } from '../../../shared/errors.js';
import { failpoint } from '../../../shared/failpoint.js';
import { carry } from '../acts/carrying.js';
import { continueTransit } from '../acts/continuing.js';
import { endedBefore, type FoundTransit, findTransitTo, inTime, turnUntil } from '../acts/turn.js';
import { changeOf } from '../world/change.js';
import {
  briefOfCharacter,
  type CharacterDocument,
  type CharacterNotFound,
  characterNotFound,
  characters,
  findCharacter,
  isLongBefore,
} from '../world/character.js';
import { holdsExactly, type ItemEntry } from '../world/item-entry.js';
import { type LocationDocument, locations } from '../world/location.js';
import { doerOf } from '../world/player.js';
import type { Transit } from '../world/transit.js';
import { countGoneGold } from '../world/world.js';
import type { Creation } from './character-creation.js';

const ATTEMPTS_MAX = 40;
const PAUSE_MS = 25;

export interface Deleted {
  readonly id: string;
  /** The user. */
  readonly owner: string;
  /** Of a retry: when the call began. */
  readonly begunAt?: Date | null;
}

/** Its calls are settled when the character goes. */
export const deletionBrief: Brief<{ readonly _id: string } | CharacterNotFound> = {
  keep: (outcome) => outcome,
  recall: async (kept) => kept as { readonly _id: string } | CharacterNotFound,
};

/** @throws BusyError an act of the character is in progress for too long: it is deleted later */
export async function deleteCharacter(
  db: Db,
  { id, owner, begunAt }: Deleted,
  deletion: Creation,
): Promise<{ readonly _id: string } | CharacterNotFound> {
  const calledAt = begunAt ?? deletion.now;
  const found = await findCharacter(db, id);
  if (!found && begunAt) return { _id: id }; // the first attempt may have deleted it
  // A retry does not delete one that was created with the same name after the call.
  if (!found || isLongBefore(calledAt, found.created_at)) return characterNotFound();
  const { matchedCount } = await characters(db).updateOne(
    { _id: id, owner, created_at: found.created_at }, // guard: the owner's, and the one that was found. The first call sets the time
    [
      {
        $set: {
          leaving_since: { $min: ['$leaving_since', deletion.now] },
          leaving_call: { $ifNull: ['$leaving_call', { $literal: deletion.call }] },
        },
      },
    ],
  );
  if (matchedCount === 0) return characterNotFound();
  failpoint('game.leaving');
  await finishLeaving(db, id, deletion);
  return { _id: id };
}

/** @throws BusyError */
export async function finishLeaving(db: Db, id: string, deletion: Creation): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    if (attempt > 1) await pause(PAUSE_MS);
    const character = await findCharacter(db, id);
    if (!character?.leaving_since) return; // another process was faster, and somebody may have taken the name
    if (await leave(db, character, deletion)) return;
  }
  throw new BusyError('The character is in the middle of an act, and is deleted later');
}

/** @returns false if something is in the way */
async function leave(db: Db, character: CharacterDocument, deletion: Creation): Promise<boolean> {
  const { _id, transits, inventory } = character;
  const [open] = transits;
  if (open) return continueFirst(db, { source: { kind: 'CHARACTER', id: _id }, transit: open }, deletion);
  if (inventory.length > 0) return putDown(db, character, deletion);
  const room = await leaveRoom(db, character, deletion);
  if (room === 'AGAIN') return false;
  failpoint('game.left-world');
  const coming = await findTransitTo(db, _id); // otherwise whoever takes the name would get it
  if (coming) return continueFirst(db, coming, deletion);
  await settle(db, character);
  return removeCharacter(db, _id);
}

/**
 * Of calls whose process may have died before it answered: a retry of the creation would create the character again, and one of the deletion
 * would delete another one that its person has created with the name since.
 */
async function settle(db: Db, { _id, creation, leaving_call: deletion }: CharacterDocument): Promise<void> {
  await settleCalls(db, [
    ...(creation === undefined ? [] : [{ call: creation, kept: briefOfCharacter(_id) }]), // earlier versions have none
    ...(deletion === undefined ? [] : [{ call: deletion, kept: { _id } }]),
  ]);
  failpoint('game.creation-settled');
}

/** @returns false, because the character has to be read again */
async function continueFirst(db: Db, found: FoundTransit, { now }: Creation): Promise<false> {
  await continueTransit(db, found, endedBefore(now), now).catch(ifBusy);
  return false;
}

function ifBusy(error: unknown): void {
  if (!(error instanceof BusyError)) throw error;
}

/** Puts everything down, in one transit. @returns false, because it has to be read again */
async function putDown(
  db: Db,
  { _id, inventory, location, weight }: CharacterDocument,
  { call, now, changed }: Creation,
): Promise<false> {
  const open = inventory.filter(({ inside_id }) => inside_id === null);
  const entries: ItemEntry[] = [...open, ...inventory.filter(({ inside_id }) => inside_id !== null)];
  const transit: Transit = {
    call: `${call}/items`,
    by: null,
    at: now,
    until: turnUntil(now),
    items: entries,
    to: { kind: 'LOCATION', id: location._id, inside: null, room: null, is_unlimited: true },
    price: 0,
    tell: null,
    tell_back: null,
  };
  const { matchedCount } = await characters(db).updateOne(
    // Guard: it is leaving, and carries exactly what was read, with the details and in the containers that were read.
    {
      ...leavingOf(_id),
      $and: [{ inventory: { $size: entries.length } }, ...holdsExactly(entries)],
      transits: { $size: 0 },
    },
    { $set: { inventory: [], armor: [], weapons: [] }, $inc: { weight: -weight }, $push: { transits: transit } },
  );
  if (matchedCount === 0) return false;
  failpoint('game.put-down');
  await carry(db, { source: { kind: 'CHARACTER', id: _id }, transit }, {});
  changed(location._id);
  return false;
}

/** @returns AGAIN if it was in a room, or is on its way into one */
async function leaveRoom(db: Db, character: CharacterDocument, deletion: Creation): Promise<'OUT' | 'AGAIN'> {
  const { call, now, changed } = deletion;
  const { _id, name } = character;
  const text = `${name} leaves the world.`;
  const happening = { call: `${call}/left`, at: now, kind: 'LEFT' as const, who: doerOf(character), text, own: text };
  const { value } = await inTransaction<FoundTransit | Pick<LocationDocument, '_id'> | null>(
    db,
    commitConcernOf.MAJORITY,
    async (session) => {
      const { room, from } = await findWhereabouts(db, session, _id);
      const transit = from?.transits.find(({ player }) => player?.id === _id);
      // It may have come in, but its move is not over: whoever finishes that would let it come in again.
      if (from && transit) return { source: { kind: 'LOCATION' as const, id: from._id }, transit };
      // Guard: it is there and leaving, both at one time, so nobody who has taken the name meanwhile is taken out.
      if (room && (await characters(db).findOne(leavingOf(_id), { session, projection: { _id: 1 } })))
        await locations(db).updateOne(
          { _id: room._id, 'players.id': _id, $expr: inTime({ until: turnUntil(now) }) }, // and it is told when it happens
          { ...changeOf({ at: now }, happening), $pull: { players: { id: _id } } },
          { session },
        );
      return room;
    },
  );
  if (!value) return 'OUT';
  if ('transit' in value) {
    await continueFirst(db, value, deletion);
    return 'AGAIN';
  }
  failpoint('game.left-room');
  changed(value._id);
  return 'AGAIN';
}

interface Whereabouts {
  readonly room: Pick<LocationDocument, '_id'> | null;
  /** The room from which it is on its way. */
  readonly from: Pick<LocationDocument, '_id' | 'transits'> | null;
}

/** Read at one time: between two reads it may have come in, so that it would be in neither, and the room would show one who is gone. */
async function findWhereabouts(db: Db, session: ClientSession, id: string): Promise<Whereabouts> {
  const isUnderWay = { 'transits.call': { $gt: '' }, 'transits.player.id': id };
  return {
    room: await locations(db).findOne({ 'players.id': id }, { session, projection: { _id: 1 } }),
    from: await locations(db).findOne(isUnderWay, { session, projection: { transits: 1 } }),
  };
}

const leavingOf = (_id: string) => ({ _id, leaving_since: { $exists: true } });

/** @returns whether it is deleted */
async function removeCharacter(db: Db, id: string): Promise<boolean> {
  const { value } = await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
    const { room, from } = await findWhereabouts(db, session, id);
    if (room || from) return false; // of the same name, another one that is being deleted as well
    const gone = await characters(db).findOneAndDelete(
      { ...leavingOf(id), inventory: { $size: 0 }, transits: { $size: 0 } }, // guard: nothing is left of it
      { session },
    );
    if (gone) await countGoneGold(db, session, gone.gold - gone.gold_start);
    return gone !== null;
  });
  return value;
}

/** What repair needs: a clock, because each is told when it happens. */
export interface Repair extends Omit<Creation, 'now'> {
  readonly now: () => Date;
}

/** Finishes deletions that another process has left. @returns how many it found */
export async function repairLeaving(db: Db, before: Date, { now, ...repair }: Repair): Promise<number> {
  let count = 0;
  for await (const { _id } of characters(db).find({ leaving_since: { $lt: before } }, { projection: { _id: 1 } })) {
    await finishLeaving(db, _id, { ...repair, now: now(), call: `${repair.call}/${_id}` }).catch(ifBusy);
    count += 1;
  }
  return count;
}
