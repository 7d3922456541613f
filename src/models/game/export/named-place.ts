/** Where items are, as a file names it. What a person carries is written as if it lay in the room: people are no part of the file. */
import type { ClientSession, Db } from 'mongodb';
import { holders } from '../acts/turn.js';
import { characters } from '../world/character.js';
import type { ItemEntry } from '../world/item-entry.js';
import { locations } from '../world/location.js';
import type { PlaceKind, PlaceOf, Transit } from '../world/transit.js';

type NamedPlace = { readonly place: string } | { readonly carriedBy: string };

/** In a snapshot, where each item is in one inventory, or on its way. Then it is still where it comes from, or where a new one goes. */
export async function findNamedPlaces(
  db: Db,
  session: ClientSession,
  ids: ReadonlySet<string>,
): Promise<Map<string, NamedPlace>> {
  const places = new Map<string, NamedPlace>();
  for (const kind of ['LOCATION', 'CHARACTER', 'ITEM'] as const) {
    const onTheirWay = holders(db, kind).find(
      { 'transits.call': { $gt: '' } },
      { session, projection: { transits: 1 } },
    );
    for await (const { _id, transits } of onTheirWay)
      for (const transit of transits) await placeOf(db, session, { kind, id: _id }, transit, ids, places);
  }
  const isIn = { 'inventory.id': { $in: [...ids] } };
  for await (const { _id, inventory } of locations(db).find(isIn, { session, projection: { inventory: 1 } }))
    note(places, ids, inventory, { place: _id });
  const projection = { inventory: 1, name: 1, owner: 1, 'location._id': 1 } as const;
  for await (const { name, owner, location, inventory } of characters(db).find(isIn, { session, projection }))
    note(places, ids, inventory, owner === null ? { carriedBy: name } : { place: location._id });
  return places;
}

async function placeOf(
  db: Db,
  session: ClientSession,
  source: PlaceOf<PlaceKind>,
  transit: Transit,
  ids: ReadonlySet<string>,
  places: Map<string, NamedPlace>,
): Promise<void> {
  if (!transit.items.some(({ id }) => ids.has(id))) return;
  const { kind, id } = source.kind === 'ITEM' && transit.to ? transit.to : source;
  const holder = kind === 'CHARACTER' ? await characters(db).findOne({ _id: id }, { session }) : null;
  const place = !holder
    ? { place: id }
    : holder.owner === null
      ? { carriedBy: holder.name }
      : { place: holder.location._id };
  const [outer] = transit.items;
  const inside = source.kind === 'ITEM' ? transit.to?.inside : outer?.inside_id;
  note(places, ids, transit.items, inside ? { place: inside } : place, outer?.id);
}

/** @param outer the item whose place this is, whatever it was inside of */
function note(
  places: Map<string, NamedPlace>,
  ids: ReadonlySet<string>,
  entries: readonly ItemEntry[],
  place: NamedPlace,
  outer?: string,
): void {
  for (const { id, inside_id } of entries)
    if (ids.has(id)) places.set(id, inside_id === null || id === outer ? place : { place: inside_id });
}
