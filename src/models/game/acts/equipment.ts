/** Armor that is worn, and weapons that are wielded: part of the character's document. The room is told. */
import type { Db } from 'mongodb';
import { failpoint } from '../../../shared/failpoint.js';
import { refuse } from '../../../shared/outcome.js';
import { type CharacterDocument, characters } from '../world/character.js';
import { type ItemEntry, type Slot, theLabel } from '../world/item-entry.js';
import type { Transit } from '../world/transit.js';
import {
  type Act,
  type Actor,
  type Again,
  act,
  type CannotEquip,
  capital,
  findRoomOf,
  happeningBy,
  type ItemGone,
  isHere,
  notCarried,
  type Outcome,
} from './act.js';
import { finishTelling, telling } from './telling.js';
import { mayBegin } from './turn.js';

const HANDS: readonly Slot[] = ['LEFT_HAND', 'RIGHT_HAND', 'BOTH_HANDS'];
export const isHand = (slot: Slot): boolean => HANDS.includes(slot);

/** Where a character wears or wields an item. */
export const slotOf = ({ armor, weapons }: Pick<CharacterDocument, 'armor' | 'weapons'>, id: string): Slot | null =>
  armor.find((each) => each.id === id)?.region ?? weapons.find((each) => each.id === id)?.hand ?? null;

export const equipItem = (db: Db, asked: Act, itemId: string, slot: Slot) =>
  act<ItemGone | CannotEquip>(db, asked, [], async (actor) => {
    const item = actor.inventory.find(({ id }) => id === itemId);
    if (!item) return notCarried(db, itemId, await findRoomOf(db, actor));
    return whyCannotEquip(actor, item, slot) ?? putOn(db, asked, actor, item, slot);
  });

function whyCannotEquip(actor: Actor, item: ItemEntry, slot: Slot): CannotEquip | null {
  if (!item.slots.includes(slot)) return refuse('CannotEquip', misfit(item, slot), { item: null });
  if (slotOf(actor, item.id)) return refuse('CannotEquip', `You have put on ${theLabel(item)} already`, { item });
  const taken = isHand(slot)
    ? actor.weapons.find(({ hand }) => hand === slot || hand === 'BOTH_HANDS' || slot === 'BOTH_HANDS')
    : actor.armor.find(({ region }) => region === slot && slot !== 'BODY');
  const other = taken && actor.inventory.find(({ id }) => id === taken.id);
  return other ? refuse('CannotEquip', `You must take off ${theLabel(other)} first`, { item: other }) : null;
}

/** Who wields a lamp has named no place. */
function misfit(item: ItemEntry, slot: Slot): string {
  const isForOther = item.slots.some((each) => isHand(each) === isHand(slot));
  const way = isHand(slot) ? 'wielded' : 'worn';
  return `${capital(theLabel(item))} cannot be ${isForOther ? 'put there' : way}`;
}

/** Guard: the place is still free. */
const isFree = (slot: Slot) => {
  if (slot === 'BODY') return {};
  if (slot === 'BOTH_HANDS') return { 'weapons.0': { $exists: false } };
  return isHand(slot) ? { 'weapons.hand': { $nin: [slot, 'BOTH_HANDS' as const] } } : { 'armor.region': { $ne: slot } };
};

/** The character as it was read: where it was, and nobody else who has taken the name. The moves of two are never the same. */
const unmoved = ({ _id, moves }: Actor) => ({ _id, moves, leaving_since: { $exists: false } });

async function putOn(
  db: Db,
  asked: Act,
  actor: Actor,
  item: ItemEntry,
  slot: Slot,
): Promise<Outcome<CannotEquip> | Again> {
  const what = theLabel(item);
  const verb = isHand(slot) ? 'wield' : 'put on';
  const transit = dressing(
    asked,
    actor,
    `${actor.name} ${isHand(slot) ? 'wields' : 'puts on'} ${what}.`,
    `You ${verb} ${what}.`,
  );
  const worn = isHand(slot) ? { weapons: { id: item.id, hand: slot } } : { armor: { id: item.id, region: slot } };
  if (!(await isHere(db, actor))) return 'AGAIN';
  const { matchedCount } = await characters(db).updateOne(
    // Guard: it is carried, it is nowhere on the body, the place is free, and the character has not moved since it was read.
    {
      ...mayBegin(transit),
      ...unmoved(actor),
      'inventory.id': item.id,
      $and: [{ 'armor.id': { $ne: item.id } }, { 'weapons.id': { $ne: item.id } }, isFree(slot)],
    },
    // Out of its container, if it is in one.
    { $set: { 'inventory.$[item].inside_id': null }, $push: { ...worn, transits: transit } as never },
    { arrayFilters: [{ 'item.id': item.id }] },
  );
  return matchedCount === 1 ? tellOfDress(db, asked, actor, transit) : 'AGAIN';
}

export const unequipItem = (db: Db, asked: Act, itemId: string) =>
  act<ItemGone>(db, asked, [], async (actor) => {
    const item = actor.inventory.find(({ id }) => id === itemId);
    if (!item || !slotOf(actor, itemId))
      return item
        ? refuse('ItemGone', `You have not put on ${theLabel(item)}`, { with: null })
        : notCarried(db, itemId, await findRoomOf(db, actor));
    const what = theLabel(item);
    const isWeapon = actor.weapons.some(({ id }) => id === itemId);
    const transit = isWeapon
      ? dressing(asked, actor, `${actor.name} puts ${what} away.`, `You put ${what} away.`)
      : dressing(asked, actor, `${actor.name} takes off ${what}.`, `You take off ${what}.`);
    if (!(await isHere(db, actor))) return 'AGAIN';
    const { matchedCount } = await characters(db).updateOne(
      // Guard: it is still worn or wielded, and the character has not moved since it was read.
      {
        ...mayBegin(transit),
        ...unmoved(actor),
        $or: [{ 'armor.id': itemId }, { 'weapons.id': itemId }],
      },
      { $pull: { armor: { id: itemId }, weapons: { id: itemId } }, $push: { transits: transit } },
    );
    return matchedCount === 1 ? tellOfDress(db, asked, actor, transit) : 'AGAIN';
  });

const dressing = (asked: Act, actor: Actor, text: string, own: string): Transit =>
  telling(asked, actor, happeningBy(actor, asked, 'DRESSED', { text, own }));

function tellOfDress(db: Db, asked: Act, actor: Actor, transit: Transit): Promise<CharacterDocument | Again> {
  failpoint('game.dressed');
  return finishTelling(db, asked, actor, transit);
}
