/** What the room is told: by acts that are nothing else, and by those within the character's own document. */
import type { Db } from 'mongodb';
import { failpoint } from '../../../shared/failpoint.js';
import { type Told, toldSince } from '../rooms/hearing.js';
import { changeOf } from '../world/change.js';
import type { CharacterDocument } from '../world/character.js';
import type { RoomHappening } from '../world/happening.js';
import { locations } from '../world/location.js';
import { isPresent, type Player } from '../world/player.js';
import type { Transit } from '../world/transit.js';
import { type Act, type Actor, type Again, finish, transitOf } from './act.js';
import { findTraces, note } from './told.js';
import { inTimeToBegin, turnUntil } from './turn.js';

/**
 * An act that is nothing but a happening: words, or a look. The character notes the call last. It is the only act that notes no transit,
 * because most acts are words: what an earlier attempt has told, the lists of happenings say (`begin`).
 * @param other a character who must be in the room as well, as it was seen there
 */
export async function tellRoom(
  db: Db,
  asked: Act,
  actor: Actor,
  { happening, other = null }: { readonly happening: RoomHappening; readonly other?: Player | null },
): Promise<CharacterDocument | Again> {
  const location = await locations(db).findOneAndUpdate(
    // Guard: both are in the room; a retry does not repeat it, and does not work at the same time.
    {
      _id: actor.location._id,
      'happenings.call': { $ne: asked.call },
      $and: [isPresent(actor._id, actor.moves), ...(other ? [isPresent(other.id, other.move)] : [])],
      $expr: inTimeToBegin(turnUntil(asked.now)),
    },
    changeOf({ at: asked.now }, happening),
    { returnDocument: 'after', projection: toldSince(actor.location.happened) },
  );
  failpoint('game.spoken');
  const told: Told | null = location ?? (await findTraces(db, actor, asked)).told;
  return (told && (await note(db, asked, actor._id, told))) ?? 'AGAIN';
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
