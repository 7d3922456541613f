/** Taking, dropping, putting into containers and taking out, giving. */
import type { Db, Document } from 'mongodb';
import { failpoint } from '../../../shared/failpoint.js';
import { refuse } from '../../../shared/outcome.js';
import { noticeStages } from '../rooms/room-copy.js';
import { changeOf } from '../world/change.js';
import { CALLS_KEPT, characters } from '../world/character.js';
import type { RoomHappening } from '../world/happening.js';
import { contentsOf, holdsExactly, type ItemEntry, labelOf, theLabel, weightOf } from '../world/item-entry.js';
import { type LocationDocument, locations } from '../world/location.js';
import type { Destination, Transit } from '../world/transit.js';
import {
  type Act,
  type Actor,
  type Again,
  act,
  type CannotContain,
  capital,
  findRoomOf,
  finish,
  happeningBy,
  type ItemFixed,
  type ItemGone,
  itemGone,
  type NobodyThere,
  type NoRoom,
  type Outcome,
  shownLabel,
  type TooHeavy,
  transitOf,
} from './act.js';
import type { Declined } from './carrying.js';
import { canStillHold, whyCannotHold } from './container.js';

type Handling = ItemGone | ItemFixed | TooHeavy | NoRoom | CannotContain | NobodyThere;

/** Only what lies open: `takeItemOut` is for what is inside a container. */
export const pickUpItem = (db: Db, asked: Act, itemId: string) =>
  act<Handling>(db, asked, (actor) => takeFromRoom(db, asked, actor, itemId, 'OPEN'));

export const takeItemOut = (db: Db, asked: Act, itemId: string) =>
  act<Handling>(db, asked, async (actor) => {
    const own = actor.inventory.find(({ id }) => id === itemId);
    return own ? takeOutOfOwn(db, asked, actor, own) : takeFromRoom(db, asked, actor, itemId, 'INSIDE');
  });

async function takeFromRoom(
  db: Db,
  asked: Act,
  actor: Actor,
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
  const left = actor.weight_max - actor.weight;
  if (weightOf(taken) > left) return tooHeavy(left);
  const container = item.inside_id === null ? null : seen.inventory.find(({ id }) => id === item.inside_id);
  const room = await takeOutOfRoom(db, asked, actor, taken, container ?? null);
  if (!room) return explainLoss(db, actor, taken);
  failpoint('game.taken');
  const since = actor.location.happened;
  const transit = room.transits.find(({ call }) => call === asked.call);
  if (!transit) return 'AGAIN';
  const finished = await finish(db, { kind: 'LOCATION', id: room._id }, transit, { location: room, since });
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
): Promise<LocationDocument | null> {
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
    { _id: actor.location._id, 'players.id': actor._id, $and: holdsExactly(taken) },
    { ...changeOf(transit, happening, { transits: transit }), $pull: { inventory: { id: { $in: idsOf(taken) } } } },
    { returnDocument: 'after' },
  );
}

/** Somebody was faster, or the contents have changed, or the character has left. */
async function explainLoss(db: Db, actor: Actor, taken: readonly ItemEntry[]): Promise<ItemGone | Again> {
  const [item] = taken as [ItemEntry];
  const room = await findRoomOf(db, actor);
  if (!room || room.inventory.some(({ id }) => id === item.id)) return 'AGAIN';
  return itemGone(db, item.id, room, capital(theLabel(item)));
}

const idsOf = (entries: readonly ItemEntry[]): string[] => entries.map(({ id }) => id);

const tooHeavy = (left: number): TooHeavy =>
  refuse('TooHeavy', `That is too heavy: ${Math.max(0, left) / 1000} kg more can be carried`, {
    left: Math.max(0, left),
  });

/** The refusal for what a destination says. @param whose the other one's name, or `You` */
export function declinedBy(declined: Declined, whose: string): TooHeavy | NoRoom | Again {
  if (declined.why === 'HEAVY') return tooHeavy(declined.left);
  if (declined.why === 'FULL')
    return refuse('NoRoom', whose === 'You' ? 'You carry too many things' : `${whose} has no room for it`);
  return 'AGAIN';
}

// ---- within the own inventory: one update

const inOwn = (actor: Actor, entries: readonly ItemEntry[]) => ({
  _id: actor._id,
  leaving_since: { $exists: false },
  $and: holdsExactly(entries),
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
  const others = item.inside_id === containerId ? [] : actor.inventory;
  const cannot = whyCannotHold(
    others.length > 0 ? others : actor.inventory.filter(({ id }) => id !== item.id),
    containerId,
    moved,
  );
  if (cannot) return cannotHold(cannot, container);
  const own = `You put ${theLabel(item)} into ${theLabel(container)}.`;
  const unchanged = inOwn(actor, moved);
  const changed = await characters(db).findOneAndUpdate(
    { ...unchanged, $and: [...unchanged.$and, ...canStillHold(actor.inventory, containerId)] }, // guard: both are as they were read
    moveOwn(asked, item.id, containerId, happeningBy(actor, asked, 'PUT', { text: own, own })),
    { returnDocument: 'after' },
  );
  return changed ?? 'AGAIN';
}

function cannotHold(cannot: ReturnType<typeof whyCannotHold>, container: ItemEntry): CannotContain | NoRoom {
  const label = capital(theLabel(container));
  if (cannot === 'FULL') return refuse('NoRoom', `${label} is full`);
  if (cannot === 'ITSELF') return refuse('CannotContain', `${label} cannot be put into itself`);
  if (cannot === 'TOO_DEEP') return refuse('CannotContain', 'Too many containers would be inside each other');
  return refuse('CannotContain', `${label} is no container`);
}

// ---- out of the own inventory

export const dropItem = (db: Db, asked: Act, itemId: string) =>
  act<Handling>(db, asked, async (actor) => {
    const moved = contentsOf(actor.inventory, itemId);
    const [item] = moved;
    if (!item) return itemGone(db, itemId, await findRoomOf(db, actor));
    const what = theLabel(item);
    const happening = happeningBy(actor, asked, 'PUT', {
      text: `${actor.name} drops ${what}.`,
      own: `You drop ${what}.`,
    });
    const to: Destination = { kind: 'LOCATION', id: actor.location._id, inside: null, room: null };
    return letGo(db, asked, actor, moved, to, happening, null);
  });

export const giveItem = (db: Db, asked: Act, itemId: string, toId: string) =>
  act<Handling>(db, asked, async (actor) => {
    const moved = contentsOf(actor.inventory, itemId);
    const [item] = moved;
    if (!item) return itemGone(db, itemId, await findRoomOf(db, actor));
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
    return letGo(db, asked, actor, moved, to, happening, null);
  });

export const nobodyThere = (): NobodyThere => refuse('NobodyThere', 'Nobody of this name is here');

/** Takes items out of the own inventory, and lets them go to their destination. */
async function letGo(
  db: Db,
  asked: Act,
  actor: Actor,
  moved: readonly ItemEntry[],
  to: Destination,
  happening: RoomHappening,
  container: ItemEntry | null,
): Promise<Outcome<Handling> | Again> {
  const transit = { ...transitOf(asked), items: [...moved], to, tell: { room: actor.location._id, happening } };
  if (!(await takeOffAndOut(db, actor, transit, actor.location._id))) return 'AGAIN';
  failpoint('game.let-go');
  const finished = await finish(db, { kind: 'CHARACTER', id: actor._id }, transit, { since: actor.location.happened });
  if ('_id' in finished) return finished;
  if (finished.why === 'GONE' || finished.why === 'ELSEWHERE') return nobodyThere();
  if (finished.why === 'NO_CONTAINER' || finished.why === 'TOO_DEEP')
    return container ? cannotHold(finished.why, container) : 'AGAIN';
  const declined = declinedBy(
    finished,
    container ? capital(labelOf(container)) : to.kind === 'LOCATION' ? 'The room' : 'The other',
  );
  return declined;
}

/**
 * The first step of what a character gives away.
 * @param room the character must be there
 * @returns false if the inventory has changed, or the character is elsewhere
 */
export async function takeOffAndOut(db: Db, actor: Actor, transit: Transit, room: string): Promise<boolean> {
  const ids = idsOf(transit.items);
  const off = { id: { $in: ids } };
  const { matchedCount } = await characters(db).updateOne(
    // Guard: the item with exactly these contents is still carried, by a character in this room.
    { ...inOwn(actor, transit.items), moves: actor.moves, 'location._id': room },
    {
      $pull: { inventory: { id: { $in: ids } }, armor: off, weapons: off },
      $push: { transits: transit },
      $inc: { weight: -weightOf(transit.items) },
    },
  );
  return matchedCount === 1;
}
