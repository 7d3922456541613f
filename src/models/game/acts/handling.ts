/** Taking, dropping and giving. */
import type { Db } from 'mongodb';
import { failpoint } from '../../../shared/failpoint.js';
import { refuse } from '../../../shared/outcome.js';
import { type Told, toldSince } from '../rooms/hearing.js';
import { changeOf } from '../world/change.js';
import { contentsOf, holdsExactly, type ItemEntry, theLabel } from '../world/item-entry.js';
import { locations } from '../world/location.js';
import { isPresent } from '../world/player.js';
import type { Destination, Transit } from '../world/transit.js';
import {
  type Act,
  type Actor,
  type Again,
  act,
  capital,
  findRoomOf,
  finish,
  happeningBy,
  type ItemFixed,
  type ItemGone,
  itemGone,
  type NoRoom,
  notCarried,
  type Outcome,
  shownLabel,
  type TooHeavy,
  transitOf,
} from './act.js';
import { declinedBy, type Handling, idsOf, letGo, nobodyThere, whyCannotCarry } from './letting-go.js';
import { mayBegin } from './turn.js';

/** Only what lies open: `takeItemOut` (`packing.ts`) is for what is inside a container. */
export const pickUpItem = (db: Db, asked: Act, itemId: string) =>
  act<Handling, 'inventory'>(db, asked, ['inventory'], (actor) => takeFromRoom(db, asked, actor, itemId, 'OPEN'));

/** @param where it lies open, or inside of something */
export async function takeFromRoom(
  db: Db,
  asked: Act,
  actor: Actor<'inventory'>,
  itemId: string,
  where: 'OPEN' | 'INSIDE',
): Promise<Outcome<ItemGone | ItemFixed | TooHeavy | NoRoom> | Again> {
  const lies = ({ id, inside_id }: ItemEntry) => id === itemId && (inside_id === null) === (where === 'OPEN');
  const seen = actor.location.inventory.some(lies) ? actor.location : await findRoomOf(db, actor);
  if (!seen) return 'AGAIN';
  const taken = contentsOf(seen.inventory, itemId);
  const [item] = taken;
  if (!item || !lies(item)) return itemGone(db, itemId, await findRoomOf(db, actor), item && shownLabel(item));
  if (taken.some(({ is_fixed }) => is_fixed)) return refuse('ItemFixed', `${capital(theLabel(item))} cannot be taken`);
  const cannot = whyCannotCarry(actor, taken); // before the room hears of it
  if (cannot) return cannot;
  const container = item.inside_id === null ? null : seen.inventory.find(({ id }) => id === item.inside_id);
  const room = await takeOutOfRoom(db, asked, actor, taken, container ?? null);
  if (!room) return explainLoss(db, actor, taken);
  failpoint('game.taken');
  const transit = room.transits.find(({ call }) => call === asked.call);
  if (!transit) return 'AGAIN';
  const finished = await finish(db, asked, { source: { kind: 'LOCATION', id: room._id }, transit }, actor, room);
  if ('_id' in finished) return finished;
  asked.changed(room._id);
  return declinedBy(finished, 'You');
}

/** The first step. @returns the room, or null if it is not as it was seen */
function takeOutOfRoom(
  db: Db,
  asked: Act,
  actor: Actor,
  taken: readonly ItemEntry[],
  container: ItemEntry | null,
): Promise<Told | null> {
  const what = theLabel(taken[0] as ItemEntry);
  const from = container ? ` out of ${theLabel(container)}` : '';
  const words = (third: string, own: string) => ({ text: `${actor.name} ${third}`, own: `You ${own}` });
  const transit: Transit = {
    ...transitOf(asked),
    items: [...taken],
    to: { kind: 'CHARACTER', id: actor._id, inside: null, room: null },
    tell_back: happeningBy(actor, asked, 'PUT', words(`puts ${what} back.`, `put ${what} back.`)),
  };
  const happening = happeningBy(actor, asked, 'TOOK', words(`takes ${what}${from}.`, `take ${what}${from}.`));
  return locations(db).findOneAndUpdate(
    // Guard: the character is there, and so is the item with exactly these contents. Of many who want it at once, one matches.
    {
      ...mayBegin(transit),
      _id: actor.location._id,
      ...isPresent(actor._id, actor.moves),
      $and: holdsExactly(taken),
    },
    { ...changeOf(transit, happening, { transits: transit }), $pull: { inventory: { id: { $in: idsOf(taken) } } } },
    { returnDocument: 'after', projection: toldSince(actor.location.happened) },
  );
}

/** Somebody was faster, or the contents have changed, or the character has left. */
async function explainLoss(db: Db, actor: Actor, taken: readonly ItemEntry[]): Promise<ItemGone | Again> {
  const [item] = taken as [ItemEntry];
  const room = await findRoomOf(db, actor);
  if (!room || room.inventory.some(({ id }) => id === item.id)) return 'AGAIN';
  return itemGone(db, item.id, room, capital(theLabel(item)));
}

export const dropItem = (db: Db, asked: Act, itemId: string) =>
  act<Handling>(db, asked, [], async (actor) => {
    const moved = contentsOf(actor.inventory, itemId);
    const [item] = moved;
    if (!item) return notCarried(db, itemId, await findRoomOf(db, actor));
    const what = theLabel(item);
    const happening = happeningBy(actor, asked, 'PUT', {
      text: `${actor.name} drops ${what}.`,
      own: `You drop ${what}.`,
    });
    const to: Destination = { kind: 'LOCATION', id: actor.location._id, inside: null, room: null };
    return letGo(db, asked, actor, moved, to, happening, 'The room');
  });

export const giveItem = (db: Db, asked: Act, itemId: string, toId: string) =>
  act<Handling>(db, asked, [], async (actor) => {
    const moved = contentsOf(actor.inventory, itemId);
    const [item] = moved;
    if (!item) return notCarried(db, itemId, await findRoomOf(db, actor));
    const room = await findRoomOf(db, actor);
    if (!room) return 'AGAIN';
    const other = room.players.find(({ id }) => id === toId && id !== actor._id);
    if (!other) return nobodyThere();
    const what = theLabel(item);
    const happening = happeningBy(actor, asked, 'PUT', {
      text: `${actor.name} gives ${what} to ${other.name}.`,
      own: `You give ${what} to ${other.name}.`,
      to: toId,
      to_text: `${actor.name} gives you ${what}.`,
    });
    const to: Destination = { kind: 'CHARACTER', id: toId, inside: null, room: room._id };
    return letGo(db, asked, actor, moved, to, happening, other.name);
  });
