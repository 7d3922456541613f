/** What an earlier attempt at words or at a look has told. They note no transit, so the lists of happenings say it. */
import type { Db, Document } from 'mongodb';
import { failpoint } from '../../../shared/failpoint.js';
import { isBehind, reachesBack, type Told } from '../rooms/hearing.js';
import { hearStage } from '../rooms/room-copy.js';
import { type CharacterDocument, characters, withCall } from '../world/character.js';
import type { HappeningKind } from '../world/happening.js';
import { findLocation } from '../world/location.js';

/** The acts that are nothing but a happening. Of others, a room may have been told what was then taken back. */
const TELLINGS: readonly HappeningKind[] = ['SAID', 'WHISPERED', 'LOOKED'];

/** The act, as far as it matters here. */
interface Asked {
  readonly call: string;
  readonly owner: string;
  readonly begunAt?: Date | null;
  readonly answer?: Document;
}

/** What there is to be found of an earlier attempt. */
interface Traces {
  /** The room in which the character is, if it was told there. */
  readonly told: Told | null;
  /** The character has heard itself, and has moved on since. */
  readonly isHeard: boolean;
  /** The lists have everything since the attempt. */
  readonly isComplete: boolean;
}

export async function findTraces(
  db: Db,
  { _id, location }: { readonly _id: string; readonly location: { readonly _id: string } },
  { call, begunAt }: Asked,
): Promise<Traces> {
  const [room, character] = await Promise.all([
    findLocation(db, location._id),
    characters(db).findOne({ _id }, { projection: { happenings: 1, heard_since: 1 } }),
  ]);
  const isTelling = (each: { readonly kind: HappeningKind; readonly call?: string }) =>
    each.call === call && TELLINGS.includes(each.kind);
  const heard = character?.happenings ?? [];
  const reaches = (since: Date) =>
    reachesBack(room?.happenings ?? [], since) &&
    reachesBack(heard, since) &&
    (!character?.heard_since || isBehind(character.heard_since, since));
  return {
    told: room?.happenings.some(isTelling) ? room : null,
    isHeard: heard.some(isTelling),
    isComplete: !begunAt || reaches(begunAt),
  };
}

/**
 * The last step of such an act.
 * @param told null if the character has heard it, or it is not known whether it was told
 * @returns null if it was noted before, or the character is gone
 */
export async function note(
  db: Db,
  { call, owner, answer = {} }: Asked,
  id: string,
  told: Told | null,
): Promise<CharacterDocument | null> {
  const teller = await characters(db).findOneAndUpdate(
    { _id: id, owner, calls: { $ne: call } }, // guard: noted once, and not by somebody who has taken the name
    [{ $set: withCall(call) }, ...(told ? [hearStage(told)] : [])],
    { returnDocument: 'after', projection: answer },
  );
  failpoint('game.noted');
  return teller;
}
