/** What the room is told: by acts that are nothing else, and by those within the character's own document. */
import type { Db } from 'mongodb';
import { failpoint } from '../../../shared/failpoint.js';
import { type Told, toldSince } from '../rooms/hearing.js';
import { hearStage } from '../rooms/room-copy.js';
import { changeOf } from '../world/change.js';
import { type CharacterDocument, characters, withCall } from '../world/character.js';
import type { RoomHappening } from '../world/happening.js';
import { findLocation, locations } from '../world/location.js';
import type { Transit } from '../world/transit.js';
import { type Act, type Actor, type Again, finish, transitOf } from './act.js';

/**
 * An act that is nothing but a happening. The character notes the call last.
 * @param other a character who must be in the room as well
 */
export async function tellRoom(
  db: Db,
  asked: Act,
  actor: Actor,
  { happening, other = null }: { readonly happening: RoomHappening; readonly other?: string | null },
): Promise<CharacterDocument | Again> {
  const location = await locations(db).findOneAndUpdate(
    // Guard: both are in the room; a retry does not repeat it.
    {
      _id: actor.location._id,
      'happenings.call': { $ne: asked.call },
      $and: [{ 'players.id': actor._id }, ...(other === null ? [] : [{ 'players.id': other }])],
    },
    changeOf({ at: asked.now }, happening),
    { returnDocument: 'after', projection: toldSince(actor.location.happened) },
  );
  failpoint('game.spoken');
  const told: Told | null = location ?? (await findTold(db, actor, asked.call));
  if (!told) return 'AGAIN';
  const teller = await characters(db).findOneAndUpdate(
    { _id: actor._id, calls: { $ne: asked.call } }, // guard: noted once
    [{ $set: withCall(asked.call) }, hearStage(told)],
    { returnDocument: 'after', projection: asked.answer ?? {} },
  );
  return teller ?? 'AGAIN';
}

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
