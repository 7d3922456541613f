/** Moving from room to room. The character leaves only after its destination is known, and is back in its room if that is full. */
import type { Db } from 'mongodb';
import { failpoint } from '../../../shared/failpoint.js';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import { searchKey } from '../../../shared/search-key.js';
import { type Told, toldSince } from '../rooms/hearing.js';
import { changeOf } from '../world/change.js';
import { type CharacterDocument, characters } from '../world/character.js';
import { findItem } from '../world/item.js';
import { theLabel } from '../world/item-entry.js';
import { type Exit, type LocationDocument, locations } from '../world/location.js';
import { isPresent, type Player } from '../world/player.js';
import { type Act, type Actor, type Again, act, happeningBy, requireActor, transitOf } from './act.js';
import { goOn } from './going.js';
import { finishTelling, telling } from './telling.js';
import { mayBegin } from './turn.js';
import { wayTo } from './ways.js';

export type NoSuchExit = Refusal<'NoSuchExit', { readonly directions: readonly string[] }>;
export type ExitClosed = Refusal<'ExitClosed', { readonly needs: string | null }>;

/** What a move needs of the room that it leaves. */
type Seen = 'exits' | 'players';

/** @param direction of an exit, or another word for it, in any case */
export function moveCharacter(db: Db, asked: Act, direction: string) {
  return act<NoSuchExit | ExitClosed, Seen>(db, asked, ['exits', 'players'], (actor) =>
    move(db, asked, actor, direction),
  );
}

/** The exit in a direction, or one of another name for it. Without accents only if none is written like this. */
export function exitOf(exits: readonly Exit[], direction: string): Exit | undefined {
  const key = searchKey(direction);
  const isMeant = (word: string) => searchKey(word) === key;
  return (
    exitWritten(exits, direction) ??
    (key === '' ? undefined : exits.find((exit) => [exit.direction, ...exit.aliases].some(isMeant)))
  );
}

/** The same only if it is written like this. */
export function exitWritten(exits: readonly Exit[], direction: string): Exit | undefined {
  const wanted = direction.trim().toLowerCase();
  return exits.find((exit) => exit.direction === wanted) ?? exits.find(({ aliases }) => aliases.includes(wanted));
}

async function move(
  db: Db,
  asked: Act,
  actor: Actor<Seen>,
  direction: string,
): Promise<CharacterDocument | NoSuchExit | ExitClosed | Again> {
  const exit = exitOf(actor.location.exits, direction);
  if (!exit) return (await hasChanged(db, actor)) ? 'AGAIN' : noSuchExit(actor.location.exits, actor.inventory);
  const { needs, needs_name, to } = exit;
  if (needs !== null && !actor.inventory.some(({ id }) => id === needs)) return closed(db, needs, needs_name);
  if (to === actor.location._id) return goInACircle(db, asked, actor, exit);
  const destination = await locations(db).findOne({ _id: to }, { projection: { name: 1 } });
  if (!destination) return refuse('ExitClosed', 'This way leads nowhere', { needs: null });
  const from = await leave(db, asked, actor, exit, destination);
  if (!from) return 'AGAIN';
  failpoint('game.left');
  const transit = from.transits.find(({ call }) => call === asked.call);
  if (!transit) return 'AGAIN';
  const gone = await goOn(db, { source: { kind: 'LOCATION', id: from._id }, transit }, { from, answer: asked.answer });
  if (gone.isBack) asked.changed(from._id);
  if (gone.isBack) return refuse('ExitClosed', `${destination.name} is full`, { needs: null });
  return gone.character ?? requireActor(db, actor._id, asked.answer);
}

/** Through an exit that leads back. Nobody leaves the room: in it is only who is not on the way, which all guards build on. */
async function goInACircle(db: Db, asked: Act, actor: Actor, exit: Exit): Promise<CharacterDocument | Again> {
  const { direction } = exit;
  const here = { _id: actor.location._id, ...isPresent(actor._id, actor.moves), ...withExit(exit) };
  if (!(await locations(db).findOne(here, { projection: { _id: 1 } }))) return 'AGAIN';
  const happening = happeningBy(actor, asked, 'CAME', {
    text: `${actor.name} goes ${direction}, and comes back.`,
    own: `You go ${direction}, and are here again: ${actor.location.name}.`,
  });
  const transit = telling(asked, actor, happening);
  const { matchedCount } = await characters(db).updateOne(
    // Guard: it has not moved since, so a retry does not take the exits of another room for those of this one.
    { ...mayBegin(transit), _id: actor._id, leaving_since: { $exists: false }, moves: actor.moves },
    { $push: { transits: transit } },
  );
  failpoint('game.gone-around');
  return matchedCount === 1 ? finishTelling(db, asked, actor, transit) : 'AGAIN';
}

/** The condition that a room has an exit as it was read. */
const withExit = ({ direction, to, needs }: Pick<Exit, 'direction' | 'to' | 'needs'>) => ({
  exits: { $elemMatch: { direction, to, needs } },
});

const noSuchExit = (exits: readonly Exit[], inventory: Actor['inventory']): NoSuchExit => {
  const directions = exits.map((exit) => exit.direction);
  const named = exits.map((exit) => wayTo(exit, inventory)).join(', ');
  const ways = directions.length > 0 ? `you can go ${named}` : 'there is no way out';
  return refuse('NoSuchExit', `You cannot go there: ${ways}`, { directions });
};

/** The name may be newer than that in the room. */
async function closed(db: Db, needs: string, known: string | null): Promise<ExitClosed> {
  const name = (await findItem(db, needs))?.name ?? known ?? needs;
  return refuse('ExitClosed', `You need ${theLabel({ name, bonus: 0, quantity: 1 })} to go there`, { needs: name });
}

/** The first step. @returns the old room, or null if the character is not in it, or the exit has changed */
function leave(
  db: Db,
  asked: Act,
  actor: Actor<Seen>,
  { direction, to, needs }: Exit,
  destination: Pick<LocationDocument, 'name'>,
): Promise<Told | null> {
  const player: Player = actor.location.players.find(({ id }) => id === actor._id) ?? playerOf(actor);
  const happening = (kind: 'LEFT' | 'CAME', text: string, own: string) =>
    happeningBy(actor, asked, kind, { text, own });
  const left = happening('LEFT', `${actor.name} goes ${direction}.`, `You go ${direction}.`);
  const came = happening('CAME', `${actor.name} comes in.`, `You are here: ${destination.name}.`);
  const transit = {
    ...transitOf(asked),
    to: { kind: 'LOCATION' as const, id: to, inside: null, room: null },
    player,
    move: actor.moves + 1,
    tell: { room: to, happening: came },
    tell_back: happening('CAME', `${actor.name} comes back.`, 'You come back.'),
  };
  return locations(db).findOneAndUpdate(
    // Guard: the character is in the room, which is true only between two moves, its whole entry is as it was read, and so is the exit.
    {
      ...mayBegin(transit),
      _id: actor.location._id,
      players: { $elemMatch: entryOf(player) },
      ...withExit({ direction, to, needs }),
    },
    { ...changeOf(transit, left, { transits: transit }), $pull: { players: { id: actor._id } } },
    { returnDocument: 'after', projection: toldSince(actor.location.happened) },
  );
}

export const playerOf = ({ _id, name, class: kind, role, moves }: Actor): Player => ({
  id: _id,
  name,
  class: kind,
  role,
  is_online: false,
  move: moves,
});

/** The condition that an entry is as it was read: who has left since then, and has come back, has another number of moves. */
export const entryOf = (player: Player) => ({ ...player, move: player.move ?? { $exists: false } });

/** Whether the copy of the room is older than the room. */
async function hasChanged(db: Db, { location }: Actor): Promise<boolean> {
  const found = await locations(db).findOne({ _id: location._id }, { projection: { version: 1 } });
  return found !== null && found.version !== location.version;
}
