/** What the room is told: by acts that are nothing else, and by those within the character's own document. */
import type { Db } from 'mongodb';
import { failpoint } from '../../../shared/failpoint.js';
import { reachesBack, type Told, toldSince } from '../rooms/hearing.js';
import { hearStage } from '../rooms/room-copy.js';
import { changeOf } from '../world/change.js';
import { type CharacterDocument, characters, withCall } from '../world/character.js';
import type { RoomHappening } from '../world/happening.js';
import { findLocation, locations } from '../world/location.js';
import type { Transit } from '../world/transit.js';
import { type Act, type Actor, type Again, finish, transitOf } from './act.js';
import { inTime, turnUntil } from './turn.js';

/**
 * An act that is nothing but a happening. The character notes the call last. It is the only act that notes no transit, because most acts
 * are words: what an earlier attempt has told, the lists of happenings tell.
 * @param other a character who must be in the room as well
 */
export async function tellRoom(
  db: Db,
  asked: Act,
  actor: Actor,
  { happening, other = null }: { readonly happening: RoomHappening; readonly other?: string | null },
): Promise<CharacterDocument | Again> {
  if (asked.begunAt && (await mayHaveTold(db, actor, happening, asked.begunAt))) return note(db, asked, actor, null);
  const location = await locations(db).findOneAndUpdate(
    // Guard: both are in the room; a retry does not repeat it, and does not work at the same time.
    {
      _id: actor.location._id,
      'happenings.call': { $ne: asked.call },
      $and: [{ 'players.id': actor._id }, ...(other === null ? [] : [{ 'players.id': other }])],
      $expr: inTime({ until: turnUntil(asked.now) }),
    },
    changeOf({ at: asked.now }, happening),
    { returnDocument: 'after', projection: toldSince(actor.location.happened) },
  );
  failpoint('game.spoken');
  const told: Told | null = location ?? (await findTold(db, actor, asked.call));
  return told ? note(db, asked, actor, told) : 'AGAIN';
}

/** The last step. */
async function note(
  db: Db,
  { call, answer = {} }: Act,
  { _id }: Actor,
  told: Told | null,
): Promise<CharacterDocument | Again> {
  const teller = await characters(db).findOneAndUpdate(
    { _id, calls: { $ne: call } }, // guard: noted once
    [{ $set: withCall(call) }, ...(told ? [hearStage(told)] : [])],
    { returnDocument: 'after', projection: answer },
  );
  return teller ?? 'AGAIN';
}

/**
 * Whether an earlier attempt may have told it where no guard finds it: the character has heard it, and has moved on since; or so much has
 * happened that it is not known any more. Then it is not told again: better not than twice.
 */
async function mayHaveTold(
  db: Db,
  { _id, location }: Actor,
  { call, kind, own }: RoomHappening,
  begunAt: Date,
): Promise<boolean> {
  const [room, character] = await Promise.all([findLocation(db, location._id), findHeard(db, _id)]);
  if (!room || !character) return false;
  if (room.happenings.some((happening) => happening.call === call)) return false; // the guard finds it
  const { happenings } = character;
  if (![room.happenings, happenings].every((each) => reachesBack(each, begunAt))) return true;
  return happenings.some(
    ({ at, who, ...heard }) => at >= begunAt && who?.id === _id && heard.kind === kind && heard.text === own,
  );
}

const findHeard = (db: Db, id: string): Promise<Pick<CharacterDocument, 'happenings'> | null> =>
  characters(db).findOne({ _id: id }, { projection: { happenings: 1 } });

/** A transit with nothing in it but what the room is told. */
export const telling = (asked: Act, actor: Actor, happening: RoomHappening): Transit => ({
  ...transitOf(asked),
  tell: { room: actor.location._id, happening },
});

/** @param transit of `telling`, which the character holds */
export async function finishTelling(
  db: Db,
  asked: Act,
  actor: Actor,
  transit: Transit,
): Promise<CharacterDocument | Again> {
  const finished = await finish(db, asked, { source: { kind: 'CHARACTER', id: actor._id }, transit }, actor);
  return '_id' in finished ? finished : 'AGAIN';
}

/** The room, if an earlier attempt of the call was heard there. */
async function findTold(db: Db, { location }: Actor, call: string) {
  const room = await findLocation(db, location._id);
  return room?.happenings.some((happening) => happening.call === call) ? room : null;
}
