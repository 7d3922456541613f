/**
 * What holds in the game once repair has run. Every item is in one place, and every character in one room, at every moment, if what is
 * on its way counts as a place.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ClientSession, Collection, Db, Filter } from 'mongodb';
import { inSnapshotBatches, type Visited } from '../../database/collections/snapshot-batches.js';
import { inSnapshot } from '../../database/index.js';
import type { Violation } from '../domain.js';
import { hasArrived } from './acts/carrying.js';
import { holders, placeKinds } from './acts/turn.js';
import { copyOf } from './rooms/room-copy.js';
import { type CharacterDocument, characters } from './world/character.js';
import { items } from './world/item.js';
import { containersAround, DEPTH_MAX, endOpen, type ItemEntry, weightOf } from './world/item-entry.js';
import { type LocationDocument, locations } from './world/location.js';
import { doerOf } from './world/player.js';
import { goldGone } from './world/world.js';

type Found = Omit<Violation, 'domain'>;

/** Each item is in exactly one inventory, or on its way, with the details of its document. */
export async function* findItemViolations(db: Db, visited: Visited): AsyncIterable<Found> {
  for await (const { documents, session } of inSnapshotBatches(db, items(db), { visited })) {
    const ids = documents.map(({ _id }) => _id);
    const places = await findEntries(db, ids, session);
    for (const { _id: subject, edition, changed_since } of documents) {
      const found = places.get(subject) ?? [];
      if (found.length !== 1)
        yield { invariant: 'an item is in exactly one place', subject, expected: 1, found: found.length };
      const [entry] = found;
      if (entry && entry.edition !== edition && !changed_since)
        yield { invariant: 'an entry has the details of its item', subject, expected: edition, found: entry.edition };
    }
  }
}

/** Ten times as long as a server takes to find what another one has left, at most. By the server's clock. */
const STUCK_AFTER_S = 600;

/** Acts end: they are finished, or taken back. */
export async function* findStuckActs(db: Db): AsyncIterable<Found> {
  const age = { $floor: { $divide: [{ $subtract: ['$$NOW', { $min: '$transits.until' }] }, 1000] } };
  for (const kind of placeKinds)
    for await (const { _id, seconds } of holders(db, kind).aggregate<{ _id: string; seconds: number }>([
      { $match: { 'transits.call': { $gt: '' } } },
      { $project: { seconds: age } },
      { $match: { seconds: { $gt: STUCK_AFTER_S } } },
    ]))
      yield {
        invariant: 'an act ends',
        subject: `${_id}, seconds without progress`,
        expected: STUCK_AFTER_S,
        found: seconds,
      };
}

/** The entries of items, wherever they are. Of a transit only if the items have not arrived: then they are somewhere else as well. */
async function findEntries(
  db: Db,
  ids: readonly string[],
  session: ClientSession,
): Promise<ReadonlyMap<string, readonly ItemEntry[]>> {
  const wanted = new Set(ids);
  const inPlaces = new Map<string, ItemEntry[]>();
  const onTheirWay = new Map<string, ItemEntry>();
  const add = (entry: ItemEntry) => inPlaces.set(entry.id, [...(inPlaces.get(entry.id) ?? []), entry]);
  for (const kind of ['LOCATION', 'CHARACTER'] as const) {
    const isIn = { 'inventory.id': { $in: [...ids] } };
    for await (const { inventory = [] } of holders(db, kind).find(isIn, { session, projection: { inventory: 1 } }))
      for (const entry of inventory) if (wanted.has(entry.id)) add(entry);
  }
  for (const kind of placeKinds) {
    const open = holders(db, kind).find({ 'transits.call': { $gt: '' } }, { session, projection: { transits: 1 } });
    for await (const { transits } of open)
      for (const entry of transits.flatMap((transit) => transit.items))
        if (wanted.has(entry.id)) onTheirWay.set(entry.id, entry);
  }
  for (const [id, entry] of onTheirWay) if (!inPlaces.has(id)) add(entry);
  return inPlaces;
}

/**
 * A location holds no more of anybody or anything than once, only what exists, and containers that are there. A character leaves its room
 * before its document is deleted, and gets into one after it is stored.
 */
export async function* findLocationViolations(db: Db, visited: Visited): AsyncIterable<Found> {
  for await (const { documents, session } of inSnapshotBatches<LocationDocument>(db, locations(db), { visited })) {
    const present = documents.flatMap(({ players }) => players.map(({ id }) => id));
    const nobody = await findUnknown(characters(db), present, session);
    for (const { _id, players, inventory } of documents) {
      for (const { id } of players)
        if (nobody.has(id))
          yield { invariant: 'a room shows characters that exist', subject: `${_id} ${id}`, expected: 1, found: 0 };
      const single = new Set(players.map(({ id }) => id)).size;
      if (single !== players.length)
        yield { invariant: 'a character is in a room once', subject: _id, expected: single, found: players.length };
      yield* wrongContainers(_id, inventory);
    }
    yield* entriesWithoutItem(db, documents, session);
  }
}

/**
 * An item's document is stored with its first transit, and deleted with it, or together with its entry. So there is one to each entry in an
 * inventory or a transit, even if the transit has brought its items already. The transit in an item's own document needs no check.
 */
async function* entriesWithoutItem(
  db: Db,
  documents: readonly Pick<LocationDocument, '_id' | 'inventory' | 'transits'>[],
  session: ClientSession,
): AsyncIterable<Found> {
  const entries = documents.map(({ _id, inventory, transits }) => {
    const all = [inventory, ...transits.map((transit) => transit.items)].flat();
    return { _id, ids: new Set(all.map(({ id }) => id)) };
  });
  const nothing = await findUnknown(
    items(db),
    entries.flatMap(({ ids }) => [...ids]),
    session,
  );
  for (const { _id, ids } of entries)
    for (const id of ids)
      if (nothing.has(id)) yield { invariant: 'an entry has an item', subject: `${_id} ${id}`, expected: 1, found: 0 };
}

/** Those that are the id of no document. */
async function findUnknown<T extends { _id: string }>(
  collection: Collection<T>,
  ids: readonly string[],
  session: ClientSession,
): Promise<ReadonlySet<string>> {
  const unknown = new Set(ids);
  const known = { _id: { $in: [...unknown] } } as Filter<T>;
  for await (const { _id } of collection.find<{ _id: string }>(known, { session, projection: { _id: 1 } }))
    unknown.delete(_id);
  return unknown;
}

function* wrongContainers(subject: string, inventory: readonly ItemEntry[]): Iterable<Found> {
  const single = new Set(inventory.map(({ id }) => id)).size;
  if (single !== inventory.length)
    yield { invariant: 'an item is in an inventory once', subject, expected: single, found: inventory.length };
  for (const { id, inside_id } of inventory) {
    if (inside_id === null) continue;
    const around = depthAround(inventory, inside_id);
    if (around === 0 || around > DEPTH_MAX)
      yield {
        invariant: 'a container is there, and not too deep',
        subject: `${subject} ${id}`,
        expected: DEPTH_MAX,
        found: around,
      };
  }
}

/** 0 if a container is missing, or they form a circle. */
function depthAround(inventory: readonly ItemEntry[], id: string): number {
  const around = containersAround(inventory, id);
  return endOpen(around) ? around.length : 0;
}

/** Each character is in exactly one room, as its copy says, and what it carries adds up. */
export async function* findCharacterViolations(db: Db, visited: Visited): AsyncIterable<Found> {
  for await (const { documents, session } of inSnapshotBatches<CharacterDocument>(db, characters(db), { visited })) {
    const ids = documents.map(({ _id }) => _id);
    const rooms = await locations(db)
      .find({ 'players.id': { $in: ids } }, { session })
      .toArray();
    const underWay = await findUnderWay(db, session);
    const shown = await locations(db)
      .find({ _id: { $in: documents.map(({ location }) => location._id) } }, { session })
      .toArray();
    for (const character of documents) {
      yield* wrongRoom(character, rooms, underWay);
      yield* wrongBelongings(character);
      yield* wrongCopy(character, shown, underWay);
    }
    yield* entriesWithoutItem(db, documents, session);
  }
}

/** Those who are on their way into a room. */
async function findUnderWay(db: Db, session: ClientSession): Promise<ReadonlySet<string>> {
  const underWay = new Set<string>();
  for (const kind of ['LOCATION', 'CHARACTER'] as const) {
    const open = holders(db, kind).find({ 'transits.call': { $gt: '' } }, { session, projection: { transits: 1 } });
    for await (const { transits } of open) for (const { player } of transits) if (player) underWay.add(player.id);
  }
  return underWay;
}

function* wrongRoom(
  character: CharacterDocument,
  rooms: readonly LocationDocument[],
  underWay: ReadonlySet<string>,
): Iterable<Found> {
  const { _id: subject, location, leaving_since } = character;
  const own = rooms.filter(({ players }) => players.some(({ id }) => id === subject));
  if (leaving_since || (underWay.has(subject) && own.length <= 1)) return;
  if (own.length !== 1)
    yield { invariant: 'a character is in exactly one room', subject, expected: 1, found: own.length };
  else if (own[0]?._id !== location._id)
    yield {
      invariant: 'a character is where its copy says',
      subject: `${subject} ${location._id}`,
      expected: 1,
      found: 0,
    };
  for (const { players } of own)
    for (const { is_online: _online, move = character.moves, ...shown } of players)
      if (shown.id === subject && !(move === character.moves && isDeepStrictEqual(shown, doerOf(character))))
        yield { invariant: 'a room shows a character as it is', subject, expected: 0, found: 1 };
}

function* wrongBelongings({
  _id: subject,
  inventory,
  weight,
  gold,
  armor,
  weapons,
}: CharacterDocument): Iterable<Found> {
  const expected = weightOf(inventory);
  if (weight !== expected) yield { invariant: 'weight = sum of what is carried', subject, expected, found: weight };
  if (gold < 0) yield { invariant: 'gold is not negative', subject, expected: 0, found: gold };
  const lost = [...armor, ...weapons].filter(({ id }) => !inventory.some((item) => item.id === id)).length;
  if (lost > 0) yield { invariant: 'what is worn is carried', subject, expected: 0, found: lost };
  yield* wrongContainers(subject, inventory);
}

/** A copy of the newest version is equal to the room. An older one is no violation while the room is marked as not copied yet. */
function* wrongCopy(
  { _id, location }: CharacterDocument,
  rooms: readonly LocationDocument[],
  underWay: ReadonlySet<string>,
): Iterable<Found> {
  const room = rooms.find((each) => each._id === location._id);
  if (!room) yield { invariant: 'the room of a copy exists', subject: `${_id} ${location._id}`, expected: 1, found: 0 };
  if (!room || underWay.has(_id)) return;
  const subject = `${_id} in ${room._id}`;
  if (location.version !== room.version && !room.uncopied_since)
    yield { invariant: 'a copy has the version of its room', subject, expected: room.version, found: location.version };
  if (location.version === room.version && !isDeepStrictEqual(location, copyOf(room)))
    yield { invariant: 'a copy is equal to its room', subject, expected: 0, found: 1 };
}

/** All gold is what characters were created with, less what deleted ones took along. Read at one cluster time. */
export async function* findGoldViolations(db: Db, visited: Visited): AsyncIterable<Found> {
  // A database without collections has no cluster time to read at.
  if (!(await characters(db).findOne({ _id: { $gt: '' } })) && (await goldGone(db)) === 0) return;
  const { value } = await inSnapshot(db, async (session) => {
    let [found, expected, count] = [0, 0, 0];
    for await (const { gold, gold_start } of characters(db).find(
      { _id: { $gt: '' } },
      { session, projection: { gold: 1, gold_start: 1 } },
    )) {
      found += gold;
      expected += gold_start;
      count += 1;
    }
    return {
      found: found + (await goldOnItsWay(db, session)),
      expected: expected - (await goldGone(db, session)),
      count,
    };
  });
  const { found, expected, count } = value;
  if (found !== expected) yield { invariant: 'gold is conserved', subject: 'characters', expected, found };
  await visited(count);
}

/** What a buyer has paid, and the seller has not got: the items have arrived, but the transit is still open. */
async function goldOnItsWay(db: Db, session: ClientSession): Promise<number> {
  let gold = 0;
  const open = characters(db).find({ 'transits.call': { $gt: '' } }, { session, projection: { transits: 1 } });
  for await (const { transits } of open)
    for (const transit of transits)
      if (transit.price > 0 && (await hasArrived(db, transit, session))) gold += transit.price;
  return gold;
}
