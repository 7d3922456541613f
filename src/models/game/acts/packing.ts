/** Containers: putting into them, and taking out. Within the own inventory it is one update, of which the room is told. */
import type { Db, Filter } from 'mongodb';
import { failpoint } from '../../../shared/failpoint.js';
import { refuse } from '../../../shared/outcome.js';
import { type CharacterDocument, characters } from '../world/character.js';
import { contentsOf, type ItemEntry, theLabel } from '../world/item-entry.js';
import type { Destination, Transit } from '../world/transit.js';
import {
  type Act,
  type Actor,
  type Again,
  act,
  type CannotContain,
  findRoomOf,
  happeningBy,
  type ItemGone,
  isHere,
  itemGone,
  type NoRoom,
  notCarried,
  type Outcome,
  shownLabel,
} from './act.js';
import { canStillHold, whyCannotHold } from './container.js';
import { takeFromRoom } from './handling.js';
import { cannotHold, type Handling, inOwn, letGo } from './letting-go.js';
import { finishTelling, telling } from './telling.js';
import { mayBegin } from './turn.js';

export const takeItemOut = (db: Db, asked: Act, itemId: string) =>
  act<Handling, 'inventory'>(db, asked, ['inventory'], async (actor) => {
    const own = actor.inventory.find(({ id }) => id === itemId);
    return own ? takeOutOfOwn(db, asked, actor, own) : takeFromRoom(db, asked, actor, itemId, 'INSIDE');
  });

/**
 * Puts an own item somewhere else in the own inventory, and off the body. Only the character itself is told, through the room, which gives
 * the happening its place among all others.
 * @param unchanged guard of the update: all is where it was read
 */
async function moveOwn(
  db: Db,
  asked: Act,
  actor: Actor,
  unchanged: Filter<CharacterDocument>,
  { id, insideId, transit }: { readonly id: string; readonly insideId: string | null; readonly transit: Transit },
): Promise<CharacterDocument | Again> {
  if (!(await isHere(db, actor))) return 'AGAIN';
  const { matchedCount } = await characters(db).updateOne(
    { ...unchanged, ...mayBegin(transit), 'location._id': actor.location._id },
    {
      $set: { 'inventory.$[item].inside_id': insideId },
      $pull: { armor: { id }, weapons: { id } },
      $push: { transits: transit },
    },
    { arrayFilters: [{ 'item.id': id }] },
  );
  if (matchedCount === 0) return 'AGAIN';
  failpoint('game.packed');
  return finishTelling(db, asked, actor, transit);
}

/** Only the character itself is told. */
const tellingSelf = (asked: Act, actor: Actor, kind: 'TOOK' | 'PUT', own: string): Transit =>
  telling(asked, actor, happeningBy(actor, asked, kind, { text: '', own, is_private: true }));

async function takeOutOfOwn(db: Db, asked: Act, actor: Actor, item: ItemEntry): Promise<Outcome<ItemGone> | Again> {
  if (item.inside_id === null) return refuse('ItemGone', `${shownLabel(item)} is in no container`, { with: null });
  const container = actor.inventory.find(({ id }) => id === item.inside_id);
  const own = `You take ${theLabel(item)} out of ${container ? theLabel(container) : 'its container'}.`;
  const unchanged = inOwn(actor, contentsOf(actor.inventory, item.id)); // guard: it is where it was read
  return moveOwn(db, asked, actor, unchanged, {
    id: item.id,
    insideId: null,
    transit: tellingSelf(asked, actor, 'TOOK', own),
  });
}

export const putItemInto = (db: Db, asked: Act, itemId: string, containerId: string) =>
  act<Handling>(db, asked, [], async (actor) => {
    const moved = contentsOf(actor.inventory, itemId);
    const [item] = moved;
    if (!item) return notCarried(db, itemId, await findRoomOf(db, actor));
    if (actor.inventory.some(({ id }) => id === containerId)) return putIntoOwn(db, asked, actor, moved, containerId);
    const room = await findRoomOf(db, actor);
    if (!room) return 'AGAIN';
    const container = room.inventory.find(({ id }) => id === containerId);
    if (!container) return itemGone(db, containerId, room);
    const cannot = whyCannotHold(room.inventory, containerId, moved);
    if (cannot) return cannotHold(cannot, container, item);
    const words = `${theLabel(item)} into ${theLabel(container)}.`;
    const happening = happeningBy(actor, asked, 'PUT', {
      text: `${actor.name} puts ${words}`,
      own: `You put ${words}`,
    });
    const to: Destination = { kind: 'LOCATION', id: room._id, inside: containerId, room: null };
    return letGo(db, asked, actor, moved, to, happening, container);
  });

async function putIntoOwn(
  db: Db,
  asked: Act,
  actor: Actor,
  moved: readonly ItemEntry[],
  containerId: string,
): Promise<Outcome<CannotContain | NoRoom> | Again> {
  const [item] = moved as [ItemEntry];
  const container = actor.inventory.find(({ id }) => id === containerId) as ItemEntry;
  const isThere = item.inside_id === containerId;
  const cannot = isThere ? null : whyCannotHold(actor.inventory, containerId, moved);
  if (cannot) return cannotHold(cannot, container, item);
  const own = `You put ${theLabel(item)} into ${theLabel(container)}.`;
  const itemGuard = inOwn(actor, moved);
  const unchanged = {
    ...itemGuard,
    $and: [...itemGuard.$and, ...(isThere ? [] : canStillHold(actor.inventory, containerId))],
  }; // guard: both are as they were read
  return moveOwn(db, asked, actor, unchanged, {
    id: item.id,
    insideId: containerId,
    transit: tellingSelf(asked, actor, 'PUT', own),
  });
}
