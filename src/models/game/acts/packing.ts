/** Containers: putting into them, and taking out. Within the own inventory it is one update. */
import type { Db, Document } from 'mongodb';
import { refuse } from '../../../shared/outcome.js';
import { noticeStages } from '../rooms/room-copy.js';
import { CALLS_KEPT, characters } from '../world/character.js';
import type { RoomHappening } from '../world/happening.js';
import { contentsOf, type ItemEntry, theLabel } from '../world/item-entry.js';
import type { Destination } from '../world/transit.js';
import {
  type Act,
  type Actor,
  type Again,
  act,
  type CannotContain,
  findRoomOf,
  happeningBy,
  type ItemGone,
  itemGone,
  type NoRoom,
  type Outcome,
  shownLabel,
} from './act.js';
import { canStillHold, whyCannotHold } from './container.js';
import { takeFromRoom } from './handling.js';
import { cannotHold, type Handling, inOwn, letGo } from './letting-go.js';

export const takeItemOut = (db: Db, asked: Act, itemId: string) =>
  act<Handling>(db, asked, async (actor) => {
    const own = actor.inventory.find(({ id }) => id === itemId);
    return own ? takeOutOfOwn(db, asked, actor, own) : takeFromRoom(db, asked, actor, itemId, 'INSIDE');
  });

/** Stages that put an own item somewhere else in the own inventory, and off the body. */
function moveOwn(asked: Act, id: string, insideId: string | null, happening: RoomHappening): Document[] {
  const isOther = { $ne: ['$$each.id', { $literal: id }] };
  const entry = { $mergeObjects: ['$$each', { inside_id: { $literal: insideId } }] };
  const without = (list: string) => ({ $filter: { input: list, as: 'each', cond: isOther } });
  return [
    {
      $set: {
        inventory: { $map: { input: '$inventory', as: 'each', in: { $cond: [isOther, '$$each', entry] } } },
        armor: without('$armor'),
        weapons: without('$weapons'),
        calls: { $slice: [{ $concatArrays: ['$calls', [{ $literal: asked.call }]] }, -CALLS_KEPT] },
      },
    },
    ...noticeStages(happening),
  ];
}

async function takeOutOfOwn(db: Db, asked: Act, actor: Actor, item: ItemEntry): Promise<Outcome<ItemGone> | Again> {
  if (item.inside_id === null) return refuse('ItemGone', `${shownLabel(item)} is in no container`, { with: null });
  const container = actor.inventory.find(({ id }) => id === item.inside_id);
  const own = `You take ${theLabel(item)} out of ${container ? theLabel(container) : 'its container'}.`;
  const changed = await characters(db).findOneAndUpdate(
    inOwn(actor, contentsOf(actor.inventory, item.id)), // guard: it is where it was read
    moveOwn(asked, item.id, null, happeningBy(actor, asked, 'TOOK', { text: own, own })),
    { returnDocument: 'after' },
  );
  return changed ?? 'AGAIN';
}

export const putItemInto = (db: Db, asked: Act, itemId: string, containerId: string) =>
  act<Handling>(db, asked, async (actor) => {
    const moved = contentsOf(actor.inventory, itemId);
    const [item] = moved;
    if (!item) return itemGone(db, itemId, await findRoomOf(db, actor));
    if (actor.inventory.some(({ id }) => id === containerId)) return putIntoOwn(db, asked, actor, moved, containerId);
    const room = await findRoomOf(db, actor);
    if (!room) return 'AGAIN';
    const container = room.inventory.find(({ id }) => id === containerId);
    if (!container) return itemGone(db, containerId, room);
    const cannot = whyCannotHold(room.inventory, containerId, moved);
    if (cannot) return cannotHold(cannot, container);
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
  if (cannot) return cannotHold(cannot, container);
  const own = `You put ${theLabel(item)} into ${theLabel(container)}.`;
  const unchanged = inOwn(actor, moved);
  const changed = await characters(db).findOneAndUpdate(
    { ...unchanged, $and: [...unchanged.$and, ...(isThere ? [] : canStillHold(actor.inventory, containerId))] }, // guard: both are as they were read
    moveOwn(asked, item.id, containerId, happeningBy(actor, asked, 'PUT', { text: own, own })),
    { returnDocument: 'after' },
  );
  return changed ?? 'AGAIN';
}
