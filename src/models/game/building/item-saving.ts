/** Saving items by key. A new one gets its first place by a transit from its own document; one that exists stays where it is. */
import { isDeepStrictEqual } from 'node:util';
import type { Db } from 'mongodb';
import { isDuplicateKey } from '../../../database/index.js';
import { allRejected, checkEach, type RejectedItem } from '../../../shared/bulk-items.js';
import { InputError } from '../../../shared/errors.js';
import { failpoint } from '../../../shared/failpoint.js';
import { requireVisible } from '../../../shared/visible-text.js';
import { carry, type Declined } from '../acts/carrying.js';
import { isHand } from '../acts/equipment.js';
import { turnUntil } from '../acts/turn.js';
import { changeOf } from '../world/change.js';
import { characters } from '../world/character.js';
import { characterIdOf } from '../world/character-name.js';
import { findItem, type ItemDocument, items, toEntry } from '../world/item.js';
import type { ItemDetails, ItemKind, Slot } from '../world/item-entry.js';
import { findLocation, locations } from '../world/location.js';
import { findPlace } from '../world/place.js';
import type { Destination, Transit } from '../world/transit.js';
import { requireAtMost, requireBetween, requireDescription, requireKey } from './key.js';
import type { SavedWorld, Saving } from './location-saving.js';

/** The key of a location or a container, or else the name of somebody of the world; or that name for sure. */
type NamedPlace = string | { readonly carriedBy: string };

export interface ItemInput {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly kind: ItemKind;
  readonly bonus: number;
  readonly quantity: number;
  readonly weight: number;
  readonly price?: number | null | undefined;
  readonly isFixed: boolean;
  readonly slots: readonly Slot[];
  readonly place: NamedPlace;
  /** One with this key is not changed. Default: it is. */
  readonly isNew?: boolean | undefined;
}

const NAME_MAX = 100;
const DESCRIPTION_MAX = 2000;
const BONUS_MAX = 20;
const QUANTITY_MAX = 1000;
const WEIGHT_MAX = 1_000_000;
export const GOLD_MAX = 1_000_000_000;

type Details = Omit<ItemDetails, 'edition'>;

interface Checked {
  readonly _id: string;
  readonly details: Details;
  readonly place: NamedPlace;
  readonly isNew: boolean;
}

/** @throws LimitError more than 500 */
export async function saveItems(db: Db, inputs: readonly ItemInput[], saving: Saving): Promise<SavedWorld> {
  requireAtMost(inputs.length);
  const checked = checkEach(inputs, (input, index) => requireItem(input, `items[${index}]`));
  const rejected: RejectedItem[] = [];
  for (const [index, each] of checked.accepted.entries()) {
    const message = await saveItem(db, each, saving);
    failpoint('game.item-saved');
    if (message !== null) rejected.push({ index, code: 'BAD_USER_INPUT', message });
  }
  return { saved: checked.accepted.length - rejected.length, rejected: allRejected(checked, rejected) };
}

/** @throws InputError */
export function requireItem(input: ItemInput, field: string): Checked {
  const { key, kind, slots, place, isNew = false } = input;
  const fits = kind === 'ARMOR' ? (slot: Slot) => !isHand(slot) : kind === 'WEAPON' ? isHand : () => false;
  if (!slots.every(fits))
    throw new InputError(`${field}.slots`, 'must be of the body for armor, of hands for weapons, else empty');
  return {
    _id: requireKey(`${field}.key`, key),
    place,
    isNew,
    details: {
      name: requireVisible(`${field}.name`, input.name, NAME_MAX),
      description: requireDescription(`${field}.description`, input.description, DESCRIPTION_MAX),
      kind,
      bonus: requireBetween(`${field}.bonus`, input.bonus, -BONUS_MAX, BONUS_MAX),
      quantity: requireBetween(`${field}.quantity`, input.quantity, 1, QUANTITY_MAX),
      weight: requireBetween(`${field}.weight`, input.weight, 0, WEIGHT_MAX),
      price: input.price == null ? null : requireBetween(`${field}.price`, input.price, 0, GOLD_MAX),
      is_fixed: input.isFixed,
      slots: [...new Set(slots)],
    },
  };
}

/** @returns why not, or null */
async function saveItem(db: Db, checked: Checked, saving: Saving): Promise<string | null> {
  const { _id, details, place, isNew } = checked;
  const known = await findItem(db, _id);
  if (known && isNew) return keyTaken(_id);
  if (known) {
    await changeDetails(db, known, details, saving);
    return null;
  }
  const to = await findDestination(db, place);
  if (!to)
    return `There is no location, no container and nobody of the world named ${typeof place === 'string' ? place : place.carriedBy}`;
  return putNew(db, checked, to, saving);
}

const keyTaken = (key: string): string => `There is an item with the key ${key} already`;

async function findDestination(db: Db, place: NamedPlace): Promise<Destination | null> {
  if (typeof place !== 'string') return findFolk(db, place.carriedBy);
  if (await findLocation(db, place)) return { kind: 'LOCATION', id: place, inside: null, room: null };
  const container = await findPlace(db, place);
  if (container?.entry.kind === 'CONTAINER')
    return { kind: container.kind, id: container.id, inside: place, room: null };
  return findFolk(db, place);
}

async function findFolk(db: Db, name: string): Promise<Destination | null> {
  const id = characterIdOf(name);
  const folk = await characters(db).findOne({ _id: id, owner: null }, { projection: { _id: 1 } });
  return folk && { kind: 'CHARACTER', id, inside: null, room: null };
}

async function putNew(
  db: Db,
  { _id, details, isNew }: Checked,
  to: Destination,
  { call, now, changed }: Saving,
): Promise<string | null> {
  const at = now();
  // Until exits that need it have its name, it counts as changed.
  const item: ItemDocument = { _id, edition: 1, ...details, changed_since: at, transits: [] };
  const transit: Transit = {
    call: `${call}/${_id}`,
    by: null,
    at,
    until: turnUntil(at),
    items: [toEntry(item, null)],
    to,
    price: 0,
    tell: null,
    tell_back: null,
  };
  try {
    await items(db).insertOne({ ...item, transits: [transit] });
  } catch (error) {
    if (isDuplicateKey(error)) return isNew ? keyTaken(_id) : null; // another call was faster
    throw error;
  }
  failpoint('game.item-made');
  const { declined } = await carry(db, { source: { kind: 'ITEM', id: _id }, transit }, {});
  if (declined) return whyDeclined(declined);
  if (to.kind === 'LOCATION') changed(to.id);
  await applyDetails(db, item, changed);
  return null;
}

export function whyDeclined({ why }: Declined): string {
  if (why === 'HEAVY') return 'It is too heavy there';
  if (why === 'NO_CONTAINER' || why === 'TOO_DEEP') return 'It cannot be put into this container';
  return why === 'FULL' ? 'There is no room left' : 'The place is gone';
}

// ---- items that exist

async function changeDetails(db: Db, known: ItemDocument, details: Details, { now, changed }: Saving): Promise<void> {
  const { _id, edition, transits: _transits, changed_since: _since, ...before } = known;
  if (isDeepStrictEqual(before, details)) return;
  const item = await items(db).findOneAndUpdate(
    { _id, edition }, // guard: nobody else has changed it; otherwise that one's details count
    { $set: { ...details, changed_since: now() }, $inc: { edition: 1 } },
    { returnDocument: 'after' },
  );
  failpoint('game.item-changed');
  if (item) await applyDetails(db, item, changed);
}

/** Copies the details into the entry of the item, wherever it is. @returns false if it is on its way */
async function applyDetails(db: Db, item: ItemDocument, changed: Saving['changed']): Promise<boolean> {
  const { _id, edition } = item;
  const place = await findPlace(db, _id);
  if (!place) return false;
  if (place.entry.edition < edition) {
    const { inside_id: _where, ...details } = toEntry(item, null); // where it is may change at the same time
    const fields = Object.entries(details).map(([name, value]) => [`inventory.$.${name}`, value]);
    const isOlder = { _id: place.id, inventory: { $elemMatch: { id: _id, edition: place.entry.edition } } }; // guard: it is still there
    const $set = Object.fromEntries(fields);
    const weight = item.weight - place.entry.weight;
    const { matchedCount } =
      place.kind === 'LOCATION'
        ? await locations(db).updateOne(isOlder, { $set, ...changeOf({ at: item.changed_since ?? new Date(0) }, null) })
        : await characters(db).updateOne(isOlder, { $set, $inc: { weight } });
    if (matchedCount === 0) return false;
    if (place.kind === 'LOCATION') changed(place.id);
  }
  failpoint('game.item-applied');
  await nameNeeds(db, item, changed);
  failpoint('game.needs-named');
  await items(db).updateOne({ _id, edition }, { $unset: { changed_since: '' } }); // guard: it has not been changed again
  return true;
}

/** The exits that need the item say its name. */
async function nameNeeds(
  db: Db,
  { _id, name, changed_since }: ItemDocument,
  changed: Saving['changed'],
): Promise<void> {
  const outdated = { exits: { $elemMatch: { needs: _id, needs_name: { $ne: name } } } };
  const found = locations(db).find({ 'exits.needs': _id, ...outdated }, { projection: { _id: 1 } });
  for await (const { _id: room } of found) {
    await locations(db).updateOne(
      { _id: room, ...outdated }, // guard: an exit still needs it
      { $set: { 'exits.$[exit].needs_name': name }, ...changeOf({ at: changed_since ?? new Date(0) }, null) },
      { arrayFilters: [{ 'exit.needs': _id }] },
    );
    failpoint('game.need-named');
    changed(room);
  }
}

/** Finishes changes of items that another process has left. @returns how many it found */
export async function repairItems(db: Db, before: Date): Promise<number> {
  let count = 0;
  for await (const item of items(db).find({ changed_since: { $lt: before } })) {
    await applyDetails(db, item, () => undefined);
    count += 1;
  }
  return count;
}
