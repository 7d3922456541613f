/** What leaves a character's inventory, and what the one says who should get it. */
import type { Db } from 'mongodb';
import { failpoint } from '../../../shared/failpoint.js';
import { refuse } from '../../../shared/outcome.js';
import { CARRIED_MAX, type CharacterDocument, characters } from '../world/character.js';
import type { RoomHappening } from '../world/happening.js';
import { holdsExactly, type ItemEntry, labelOf, theLabel, weightOf } from '../world/item-entry.js';
import type { Destination, Transit } from '../world/transit.js';
import {
  type Act,
  type Actor,
  type Again,
  type CannotContain,
  capital,
  finish,
  type ItemFixed,
  type ItemGone,
  isHere,
  type NobodyThere,
  type NoRoom,
  type Outcome,
  type TooHeavy,
  transitOf,
} from './act.js';
import type { Declined } from './carrying.js';
import type { whyCannotHold } from './container.js';
import { mayBegin } from './turn.js';

export type Handling = ItemGone | ItemFixed | TooHeavy | NoRoom | CannotContain | NobodyThere;

export const idsOf = (entries: readonly ItemEntry[]): string[] => entries.map(({ id }) => id);

/** @param whose as in `declinedBy` */
export function tooHeavy(given: number, whose: string): TooHeavy {
  const left = Math.max(0, given);
  const problem = whose === 'You' ? 'That is too heavy' : `${whose} cannot carry that`;
  return refuse('TooHeavy', `${problem}: ${left / 1000} kg more can be carried`, { left });
}

export const tooMany = (whose: string): NoRoom =>
  refuse('NoRoom', whose === 'You' ? 'You carry too many things' : `${whose} has no space for it`);

/** Why a character cannot carry these as well, as far as is known before it gets them. */
export function whyCannotCarry(
  { inventory, weight, weight_max }: Pick<CharacterDocument, 'inventory' | 'weight' | 'weight_max'>,
  more: readonly ItemEntry[],
): TooHeavy | NoRoom | null {
  if (inventory.length + more.length > CARRIED_MAX) return tooMany('You');
  const left = weight_max - weight;
  return weightOf(more) > left ? tooHeavy(left, 'You') : null;
}

/** The refusal for what a destination says. @param whose the other one's name, or `You` */
export function declinedBy(declined: Declined, whose: string): TooHeavy | NoRoom | Again {
  if (declined.why === 'HEAVY') return tooHeavy(declined.left, whose);
  return declined.why === 'FULL' ? tooMany(whose) : 'AGAIN';
}

/** Guard of an update: the character still carries these, has not moved since it was read, and is not being deleted. */
export const inOwn = (actor: Actor, entries: readonly ItemEntry[]) => ({
  _id: actor._id,
  moves: actor.moves,
  leaving_since: { $exists: false },
  $and: holdsExactly(entries),
});

/** @param moved what should have come into the container */
export function cannotHold(
  cannot: ReturnType<typeof whyCannotHold>,
  container: ItemEntry,
  moved: ItemEntry,
): CannotContain | NoRoom {
  const label = capital(theLabel(container));
  if (cannot === 'FULL') return refuse('NoRoom', `${label} is full`);
  if (cannot === 'ITSELF') return refuse('CannotContain', `${capital(theLabel(moved))} cannot be put into itself`);
  if (cannot === 'TOO_DEEP') return refuse('CannotContain', 'Too many containers would be inside each other');
  return refuse('CannotContain', `${label} is no container`);
}

export const nobodyThere = (): NobodyThere => refuse('NobodyThere', 'Nobody of this name is here');

/**
 * Takes items out of the own inventory, and lets them go to their destination.
 * @param receiver the container, or what to call the destination in a refusal
 */
export async function letGo(
  db: Db,
  asked: Act,
  actor: Actor,
  moved: readonly ItemEntry[],
  to: Destination,
  happening: RoomHappening,
  receiver: ItemEntry | string,
): Promise<Outcome<Handling> | Again> {
  const transit = { ...transitOf(asked), items: [...moved], to, tell: { room: actor.location._id, happening } };
  if (!(await isHere(db, actor))) return 'AGAIN';
  if (!(await takeOffAndOut(db, actor, transit, actor.location._id))) return 'AGAIN';
  failpoint('game.let-go');
  const finished = await finish(db, asked, { source: { kind: 'CHARACTER', id: actor._id }, transit }, actor);
  if ('_id' in finished) return finished;
  if (finished.why === 'GONE' || finished.why === 'ELSEWHERE') return nobodyThere();
  if (finished.why === 'NO_CONTAINER' || finished.why === 'TOO_DEEP')
    return typeof receiver === 'string' ? 'AGAIN' : cannotHold(finished.why, receiver, moved[0] as ItemEntry);
  return declinedBy(finished, typeof receiver === 'string' ? receiver : capital(labelOf(receiver)));
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
    { ...inOwn(actor, transit.items), ...mayBegin(transit), 'location._id': room },
    {
      $pull: { inventory: { id: { $in: ids } }, armor: off, weapons: off },
      $push: { transits: transit },
      $inc: { weight: -weightOf(transit.items) },
    },
  );
  return matchedCount === 1;
}
