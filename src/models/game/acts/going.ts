/**
 * The steps that put a character into a room, after it has left another one or was created (`transit.ts`). Whether they were done, the number
 * of the character's moves tells: it rises with the last one, and no other move begins before, because a room's entry has the number of the
 * move by which the character came, and only who has that number may leave.
 */
import type { Db, Document } from 'mongodb';
import { failpoint } from '../../../shared/failpoint.js';
import type { Told } from '../rooms/hearing.js';
import { enterStages } from '../rooms/room-copy.js';
import { changeOf } from '../world/change.js';
import { type CharacterDocument, characters, withCall } from '../world/character.js';
import { findLocation, hasRoomFor, type LocationDocument, locations, PLAYERS_MAX } from '../world/location.js';
import type { Player } from '../world/player.js';
import type { Transit } from '../world/transit.js';
import { isAdmitted } from './admission.js';
import { record } from './carrying.js';
import { type FoundTransit, holders, inTime, inTurn, isOwn, turnEnded } from './turn.js';

export interface Gone {
  /** The room was full, or is gone: the character is where it was. A new one, which was nowhere, is removed. */
  readonly isBack: boolean;
  /** The reason was that its person has too many. */
  readonly isTooMany?: boolean;
  readonly character: CharacterDocument | null;
}

interface Known {
  /** The old room, as the first step has left it. */
  readonly from?: Told;
  /** Another process may have done some of the steps. */
  readonly isResumed?: boolean;
  /** The projection of the character. Default: the whole. */
  readonly answer?: Document | undefined;
}

/** @throws BusyError the turn has ended */
export async function goOn(
  db: Db,
  found: FoundTransit,
  { from, isResumed = false, answer = {} }: Known,
): Promise<Gone> {
  const { source, transit } = found;
  const { player, move = 0, to, call } = transit;
  if (!player || !to) throw turnEnded();
  if (isResumed && (await hasMoved(db, player.id, move))) return finishMoved(db, found, null);
  const isTooMany = source.kind === 'CHARACTER' && !(await mayComeIn(db, to.id, player));
  const room = isTooMany ? null : await enter(db, to.id, transit, player);
  if (!room) {
    await takeBack(db, found, player);
    return { isBack: true, isTooMany, character: null };
  }
  failpoint('game.entered');
  const old = from ?? (source.kind === 'LOCATION' ? await findLocation(db, source.id) : null);
  const character = await characters(db).findOneAndUpdate(
    // Guard: each move is done once, and not after its turn: somebody else may have taken the name. A new character has made none.
    { _id: player.id, moves: source.kind === 'CHARACTER' ? 0 : move - 1, $expr: inTime(transit) },
    [
      {
        $set: {
          moves: move,
          ...(transit.by === player.id && withCall(call)),
        },
      },
      ...enterStages(old, room, call),
    ],
    { returnDocument: 'after', projection: answer },
  );
  if (!character && !(await hasMoved(db, player.id, move))) throw turnEnded();
  failpoint('game.moved');
  return finishMoved(db, found, character);
}

/**
 * The last steps of a move that is done.
 * @param character null if that was found: by this move, or by one after it was taken back
 * @throws BusyError another process has finished it, or taken it back
 */
async function finishMoved(db: Db, found: FoundTransit, character: CharacterDocument | null): Promise<Gone> {
  if (!character && !(await isOwn(db, found))) throw turnEnded();
  await record(db, found.transit);
  await close(db, found);
  failpoint('game.move-closed');
  return { isBack: false, character };
}

const hasMoved = async (db: Db, id: string, move: number): Promise<boolean> =>
  (await characters(db).findOne({ _id: id, moves: { $lt: move } }, { projection: { _id: 1 } })) === null;

/** Whether a new character is in its first room already, or may enter it. @throws BusyError that is not decided yet */
const mayComeIn = async (db: Db, room: string, { id }: Player): Promise<boolean> =>
  (await locations(db).findOne({ _id: room, 'players.id': id }, { projection: { _id: 1 } })) !== null ||
  isAdmitted(db, id);

/** @returns null if there is no room for the character */
async function enter(db: Db, id: string, transit: Transit, player: Player): Promise<LocationDocument | null> {
  const entered = await locations(db).findOneAndUpdate(
    // Guard: there is room, and the character has not come in yet.
    {
      _id: id,
      ...hasRoomFor('players', 1, PLAYERS_MAX),
      'players.id': { $ne: player.id },
      $expr: inTime(transit),
    },
    changeOf(transit, transit.tell?.happening ?? null, { players: { ...player, move: transit.move ?? 0 } }),
    { returnDocument: 'after' },
  );
  if (entered) return entered;
  const found = await findLocation(db, id);
  if (found?.players.some((each) => each.id === player.id)) return found;
  if (found && found.players.length < PLAYERS_MAX) throw turnEnded();
  return null;
}

/** The character is in the old room again. A new one, which was in none, is removed. */
async function takeBack(db: Db, { source, transit }: FoundTransit, player: Player): Promise<void> {
  const { call, tell_back } = transit;
  const own = inTurn({ source, transit }); // guard: no other process can let the character come in
  const back = { ...changeOf(transit, tell_back, { players: player }), $pull: { transits: { call } } };
  const holder = holders(db, source.kind);
  const isBack =
    source.kind === 'CHARACTER'
      ? (await holder.deleteOne(own)).deletedCount === 1
      : (await holder.updateOne(own, back as Document)).matchedCount === 1;
  if (!isBack) throw turnEnded();
  failpoint('game.move-taken-back');
}

/** Guard: this one, and not that of a later attempt of the same call. */
async function close(db: Db, { source, transit: { call, until } }: FoundTransit): Promise<void> {
  await holders(db, source.kind).updateOne({ _id: source.id }, { $pull: { transits: { call, until } } });
}
