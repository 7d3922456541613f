/** Stores the rows of a batch, with the models that editors use: what is there is changed, and stays where it is. */
import type { Db } from 'mongodb';
import { saveFolk } from '../building/folk-saving.js';
import { saveItems } from '../building/item-saving.js';
import { type Saving, saveLocations } from '../building/location-saving.js';
import { characters } from '../world/character.js';
import { characterIdOf } from '../world/character-name.js';
import { items } from '../world/item.js';
import { locations } from '../world/location.js';
import { findStart } from '../world/world.js';
import { itemInputOf } from './checked-row.js';
import type { FolkRow, ItemRow, LocationRow, RejectReason } from './rows/world-row.js';

/** What became of a row. */
export type Fate =
  /** It is new, or has changed something. */
  | 'STORED'
  /** Everything was like this before. */
  | 'THERE'
  /** What it is inside of may come later. */
  | 'LATER'
  | Refused;

export interface Refused {
  readonly reason: RejectReason;
  /** Several are separated by commas. */
  readonly field: string | null;
  /** The row is stored without what is wrong. */
  readonly isStoredInPart?: boolean;
}

/** Makes places of all locations that are new, so that exits may lead to those that come later in the file. */
export async function storePlaces(db: Db, rows: readonly LocationRow[], saving: Saving): Promise<void> {
  const there = await findKnown(
    db,
    'location',
    rows.map(({ key }) => key),
  );
  const made = rows.filter(({ key }) => !there.has(key));
  await saveLocations(
    db,
    made.map(({ key }) => ({ key, name: key, description: '', exits: [], isStart: false })),
    saving,
  );
}

/** The first location that is a start becomes the start of the world, if that has none. */
export async function storeLocations(db: Db, rows: readonly LocationRow[], saving: Saving): Promise<Fate[]> {
  const known = await findKnown(
    db,
    'location',
    rows.flatMap(({ exits }) => exits.map(({ to }) => to)),
  );
  const start = (await findStart(db)) ?? rows.find(({ isStart }) => isStart)?.key;
  const changed = new Set<string>();
  const noteChange = (room: string) => {
    changed.add(room);
    saving.changed(room);
  };
  const inputs = rows.map((row) => ({
    ...row,
    exits: row.exits.filter(({ to }) => known.has(to)),
    isStart: row.key === start,
  }));
  await saveLocations(db, inputs, { ...saving, changed: noteChange });
  return rows.map(({ key, exits }) => {
    const lost = exits.flatMap(({ to }, index) => (known.has(to) ? [] : [`exits.${index}.to`]));
    if (lost.length > 0) return { reason: 'UNKNOWN_LOCATION', field: lost.join(', '), isStoredInPart: true };
    return changed.has(key) ? 'STORED' : 'THERE';
  });
}

export async function storeFolk(db: Db, rows: readonly FolkRow[], saving: Saving): Promise<Fate[]> {
  const ids = rows.map(({ name }) => characterIdOf(name));
  const known = await findKnown(
    db,
    'location',
    rows.map(({ location }) => location),
  );
  const before = new Map(
    (
      await characters(db)
        .find({ _id: { $in: ids } }, { projection: { class: 1, role: 1, owner: 1 } })
        .toArray()
    ).map((each) => [each._id, each]),
  );
  const { rejected } = await saveFolk(db, rows, saving);
  return rows.map((row, index) => {
    const was = before.get(ids[index] ?? '');
    if (rejected.some((each) => each.index === index)) {
      const isLost = !was && !known.has(row.location);
      return isLost ? { reason: 'UNKNOWN_LOCATION', field: 'location' } : { reason: 'NOT_OF_THE_WORLD', field: 'name' };
    }
    return was?.class === row.class && was.role === row.role ? 'THERE' : 'STORED';
  });
}

/** A container may come after what is inside it. */
export async function storeItems(db: Db, rows: readonly ItemRow[], saving: Saving): Promise<Fate[]> {
  const before = await findEditions(db, rows);
  const places = await findPlaces(db, rows);
  const isPlaced: boolean[] = [];
  for (const { key, place } of rows) {
    const isThere =
      before.has(key) || ('key' in place ? places.has(place.key) : places.has(folkPlace(place.carriedBy)));
    isPlaced.push(isThere);
    if (isThere) places.add(key);
  }
  const placed = rows.filter((_row, index) => isPlaced[index]);
  const { rejected } = await saveItems(db, placed.map(itemInputOf), saving);
  const refusedKeys = new Set(rejected.map(({ index }) => placed[index]?.key));
  const after = await findEditions(db, placed);
  return rows.map(({ key, place }, index) => {
    if (!isPlaced[index]) return 'key' in place ? 'LATER' : UNKNOWN_PLACE;
    if (refusedKeys.has(key) && !after.has(key)) return { reason: 'NO_ROOM', field: 'place' };
    return before.get(key) === after.get(key) ? 'THERE' : 'STORED';
  });
}

export const UNKNOWN_PLACE: Refused = { reason: 'UNKNOWN_PLACE', field: 'place' };

const folkPlace = (name: string): string => `folk ${characterIdOf(name)}`; // no key has a space

async function findPlaces(db: Db, rows: readonly ItemRow[]): Promise<Set<string>> {
  const keys = rows.flatMap(({ place }) => ('key' in place ? [place.key] : []));
  const folk = rows.flatMap(({ place }) => ('key' in place ? [] : [characterIdOf(place.carriedBy)]));
  const found = await characters(db)
    .find({ _id: { $in: [...new Set(folk)] }, owner: null }, { projection: { _id: 1 } })
    .toArray();
  return new Set([
    ...(await findKnown(db, 'location', keys)),
    ...(await findKnown(db, 'container', keys)),
    ...found.map(({ _id }) => `folk ${_id}`),
  ]);
}

async function findKnown(db: Db, what: 'location' | 'container', keys: readonly string[]): Promise<Set<string>> {
  const _id = { $in: [...new Set(keys)] };
  const projection = { _id: 1 } as const;
  const found =
    what === 'location'
      ? await locations(db).find({ _id }, { projection }).toArray()
      : await items(db).find({ _id, kind: 'CONTAINER' }, { projection }).toArray();
  return new Set(found.map((each) => each._id));
}

async function findEditions(db: Db, rows: readonly ItemRow[]): Promise<Map<string, number>> {
  const found = items(db).find({ _id: { $in: rows.map(({ key }) => key) } }, { projection: { edition: 1 } });
  return new Map(await found.map(({ _id, edition }): [string, number] => [_id, edition]).toArray());
}
