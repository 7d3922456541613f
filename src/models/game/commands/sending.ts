/** Carries out typed commands, by the same functions as the mutations. */
import type { Db } from 'mongodb';
import { InputError } from '../../../shared/errors.js';
import {
  type Act,
  type Actor,
  type AnyRefusal,
  begin,
  finishBegun,
  type Outcome,
  type RoomPart,
  refresh,
  roomParts,
} from '../acts/act.js';
import { equipItem, unequipItem } from '../acts/equipment.js';
import { dropItem, giveItem, pickUpItem } from '../acts/handling.js';
import { look } from '../acts/looking.js';
import { moveCharacter } from '../acts/movement.js';
import { putItemInto, takeItemOut } from '../acts/packing.js';
import { speak } from '../acts/speech.js';
import { buyItem, goodsOf, sellItem } from '../acts/trade.js';
import { characters } from '../world/character.js';
import { isTelling, type Plan, parseCommand } from './parsing.js';
import type { Sight } from './sight.js';

const TEXT_MAX = 600;

/** @throws InputError */
export async function sendCommand(db: Db, asked: Act, text: string): Promise<Outcome<AnyRefusal>> {
  const typed = text.trim();
  if (typed.length < 1 || typed.length > TEXT_MAX)
    throw new InputError('text', `must have 1 to ${TEXT_MAX} characters`);
  await finishBegun(db, asked);
  for (let isRefreshed = false; ; ) {
    const begun = await begin(db, asked, roomParts);
    if (!('actor' in begun)) return begun;
    const plan = parseCommand(typed, await sightOf(db, begun.actor));
    const outcome = 'act' in plan ? await perform(db, asked, plan) : await unlessTold(db, asked, typed, plan);
    // The live screen shows what the copy of the room may not have yet, or not any more.
    if (isRefreshed || !isAbsence(outcome) || !(await refresh(db, begun.actor))) return outcome;
    isRefreshed = true;
  }
}

/** Words that are not understood, unless they may have been, and said, by an earlier attempt. */
async function unlessTold<R extends AnyRefusal>(
  db: Db,
  asked: Act,
  typed: string,
  refusal: R,
): Promise<Outcome<AnyRefusal>> {
  if (!asked.begunAt || !isTelling(typed)) return refusal;
  const begun = await begin(db, { ...asked, isTelling: true }, []);
  return 'actor' in begun ? refusal : begun;
}

const absences: readonly unknown[] = ['NotUnderstood', 'ItemGone', 'NobodyThere'];

/** Whether something was not found. Nothing was changed then. */
const isAbsence = (outcome: Outcome<AnyRefusal>): boolean =>
  '__typename' in outcome && absences.includes(outcome.__typename);

/** What the shopkeepers in the room sell is in their documents. */
async function sightOf(db: Db, actor: Actor<RoomPart>): Promise<Sight> {
  const ids = actor.location.players.filter(({ role }) => role === 'SHOPKEEPER').map(({ id }) => id);
  if (ids.length === 0) return { actor, goods: new Map() };
  const found = characters(db).find({ _id: { $in: ids } }, { projection: { inventory: 1 } });
  return { actor, goods: new Map((await found.toArray()).map((each) => [each._id, goodsOf(each)])) };
}

function perform(db: Db, asked: Act, plan: Plan): Promise<Outcome<AnyRefusal>> {
  switch (plan.act) {
    case 'TAKE':
      return pickUpItem(db, asked, plan.item);
    case 'TAKE_OUT':
      return takeItemOut(db, asked, plan.item);
    case 'DROP':
      return dropItem(db, asked, plan.item);
    case 'REMOVE':
      return unequipItem(db, asked, plan.item);
    case 'PUT':
      return putItemInto(db, asked, plan.item, plan.container);
    case 'GIVE':
      return giveItem(db, asked, plan.item, plan.to);
    case 'EQUIP':
      return equipItem(db, asked, plan.item, plan.slot);
    case 'GO':
      return moveCharacter(db, asked, plan.direction);
    case 'LOOK':
      return look(db, asked, plan.at);
    case 'SAY':
      return speak(db, asked, plan.text, plan.to);
    case 'BUY':
      return buyItem(db, asked, plan.shopkeeper, plan.item);
    case 'SELL':
      return sellItem(db, asked, plan.shopkeeper, plan.item);
  }
}
