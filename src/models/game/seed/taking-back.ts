/**
 * Takes the sample world back, as far as nobody has used it since: items that lie where they lay, folk who have not traded, and the
 * rooms, if all of them are as they were, nobody and nothing is in any, and no other room leads there. Guard: the transaction's snapshot.
 * Whoever moves or changes something of it at the same time writes the same documents, and conflicts.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ClientSession, Db } from 'mongodb';
import { deleteInTransaction } from '../../../database/index.js';
import { holders } from '../acts/turn.js';
import { requireItem } from '../building/item-saving.js';
import { requireLocation } from '../building/location-saving.js';
import { itemInputOf } from '../import/checked-row.js';
import type { ItemRow, LocationRow } from '../import/rows/world-row.js';
import { changeOf } from '../world/change.js';
import { type CharacterDocument, characters } from '../world/character.js';
import { characterIdOf } from '../world/character-name.js';
import { items } from '../world/item.js';
import { type ItemEntry, weightOf } from '../world/item-entry.js';
import { type LocationDocument, locations } from '../world/location.js';
import { worlds } from '../world/world.js';
import { sampleRooms } from './sample-rooms.js';
import { sampleFolk, sampleItems } from './sample-things.js';

/** Where a sample lies: the document that has it, and the container there. */
interface Home {
  readonly holder: string;
  readonly inside: string | null;
}

const byId = (ids: Iterable<string>) => [...ids].map((_id) => ({ q: { _id }, limit: 1 as const }));

type Holder = Pick<LocationDocument | CharacterDocument, '_id' | 'inventory'>;

/** @returns how many stay */
export async function removeItems(db: Db, session: ClientSession, now: Date): Promise<number> {
  const keys = sampleItems.map(({ key }) => key);
  const found = await items(db)
    .find({ _id: { $in: keys } }, { session })
    .toArray();
  const isIn = { 'inventory.id': { $in: keys } };
  const rooms = await locations(db).find(isIn, { session }).toArray();
  const carriers = await characters(db).find(isIn, { session }).toArray();
  const holderOf = new Map(
    [...rooms, ...carriers].flatMap((each) => each.inventory.map(({ id }) => [id, each] as const)),
  );
  const there = new Map(found.map((each) => [each._id, each]));
  const inActs = await findInActs(db, session, keys);
  const removed = new Set<string>();
  // What is inside of something stands after it, so this is from the inside out.
  for (const row of sampleItems.toReversed()) {
    const item = there.get(row.key);
    const holder = holderOf.get(row.key);
    if (!item || !holder || item.transits.length > 0 || inActs.has(row.key)) continue;
    const { _id, edition: _edition, transits: _transits, changed_since: _since, ...details } = item;
    const isAsAdded = isDeepStrictEqual(details, requireItem(itemInputOf(row), row.key).details);
    if (isAsAdded && liesAtHome(row, holder) && isEmptied(row, holder, removed)) removed.add(row.key);
  }
  const takenFrom = (each: Holder) => each.inventory.filter(({ id }) => removed.has(id));
  for (const room of rooms) await takeFromRoom(db, session, room._id, takenFrom(room), now);
  for (const carrier of carriers) await takeFromCarrier(db, session, carrier._id, takenFrom(carrier));
  await deleteInTransaction(db, items.collectionName, byId(removed), session);
  return found.length - removed.size;
}

/**
 * Those that an act has brought to where they are, but is not over yet: if its process has died, the act would be finished later, and bring
 * what is gone once more.
 */
async function findInActs(db: Db, session: ClientSession, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const open = { 'transits.call': { $gt: '' }, 'transits.items.id': { $in: [...keys] } };
  const ids = new Set<string>();
  for (const kind of ['LOCATION', 'CHARACTER'] as const)
    for await (const { transits } of holders(db, kind).find(open, { session, projection: { transits: 1 } }))
      for (const { id } of transits.flatMap((transit) => transit.items)) ids.add(id);
  return ids;
}

const placeOf = new Map(sampleItems.map(({ key, place }) => [key, place]));

function homeOf({ place }: Pick<ItemRow, 'place'>): Home {
  if ('carriedBy' in place) return { holder: characterIdOf(place.carriedBy), inside: null };
  const around = placeOf.get(place.key);
  return around ? { holder: homeOf({ place: around }).holder, inside: place.key } : { holder: place.key, inside: null };
}

function liesAtHome(row: ItemRow, { _id, inventory }: Holder): boolean {
  const { holder, inside } = homeOf(row);
  return _id === holder && inventory.some(({ id, inside_id }) => id === row.key && inside_id === inside);
}

const isEmptied = ({ key }: ItemRow, { inventory }: Holder, removed: ReadonlySet<string>): boolean =>
  inventory.every(({ id, inside_id }) => inside_id !== key || removed.has(id));

async function takeFromRoom(
  db: Db,
  session: ClientSession,
  _id: string,
  taken: readonly ItemEntry[],
  now: Date,
): Promise<void> {
  if (taken.length === 0) return;
  const $pull = { inventory: { id: { $in: taken.map(({ id }) => id) } } };
  await locations(db).updateOne({ _id }, { ...changeOf({ at: now }, null), $pull }, { session });
}

async function takeFromCarrier(
  db: Db,
  session: ClientSession,
  _id: string,
  taken: readonly ItemEntry[],
): Promise<void> {
  if (taken.length === 0) return;
  const $pull = { inventory: { id: { $in: taken.map(({ id }) => id) } } };
  await characters(db).updateOne({ _id }, { $pull, $inc: { weight: -weightOf(taken) } }, { session });
}

/** @returns how many stay */
export async function removeFolk(db: Db, session: ClientSession, now: Date): Promise<number> {
  const ids = sampleFolk.map(({ name }) => characterIdOf(name));
  const found = await characters(db)
    .find({ _id: { $in: ids }, owner: null }, { session })
    .toArray();
  let kept = 0;
  for (const row of sampleFolk) {
    const one = found.find(({ _id }) => _id === characterIdOf(row.name));
    if (!one) continue;
    const { gold, role, class: kind, inventory, transits, location } = one;
    const isAsAdded =
      isDeepStrictEqual([gold, role, kind, location._id], [row.gold, row.role, row.class, row.location]) &&
      inventory.length === 0 &&
      transits.length === 0;
    const isRemoved = isAsAdded && (await takeOutOfRoom(db, session, row.location, one._id, now));
    if (isRemoved) await characters(db).deleteOne({ _id: one._id }, { session });
    else kept += 1;
  }
  return kept;
}

/** @returns false if they are on their way to another room, which would show somebody who is gone */
async function takeOutOfRoom(db: Db, session: ClientSession, room: string, id: string, now: Date): Promise<boolean> {
  const { matchedCount } = await locations(db).updateOne(
    { _id: room, 'players.id': id },
    { ...changeOf({ at: now }, null), $pull: { players: { id } } },
    { session },
  );
  return matchedCount === 1;
}

/** @returns how many stay: all of them, or none */
export async function removeRooms(db: Db, session: ClientSession): Promise<number> {
  const keys = new Set(sampleRooms.map(({ key }) => key));
  const found = await locations(db)
    .find({ _id: { $in: [...keys] } }, { session })
    .toArray();
  if (found.some((room) => !isUnused(room)) || (await isReached(db, session, keys))) return found.length;
  await deleteInTransaction(db, locations.collectionName, byId(keys), session);
  const isStart = { _id: 'world', start: { $in: [...keys] } } as const;
  const { deletedCount } = await worlds(db).deleteOne({ ...isStart, gold_gone: { $exists: false } }, { session });
  if (deletedCount === 0) await worlds(db).updateOne(isStart, { $set: { start: null } }, { session });
  return 0;
}

const rowOf = new Map(sampleRooms.map((row): [string, LocationRow] => [row.key, row]));

function isUnused({ _id, name, description, exits, players, inventory, transits }: LocationDocument): boolean {
  const row = rowOf.get(_id);
  if (!row || players.length + inventory.length + transits.length > 0) return false;
  const { isStart: _isStart, ...added } = requireLocation(row, _id);
  const bare = exits.map((exit) => ({ ...exit, needs_name: null }));
  return isDeepStrictEqual({ _id, name, description, exits: bare }, added);
}

/** Whether an exit of another room leads there. */
async function isReached(db: Db, session: ClientSession, keys: ReadonlySet<string>): Promise<boolean> {
  const all = locations(db).find({ _id: { $gt: '' } }, { session, projection: { 'exits.to': 1 } });
  for await (const { _id, exits } of all) if (!keys.has(_id) && exits.some(({ to }) => keys.has(to))) return true;
  return false;
}
