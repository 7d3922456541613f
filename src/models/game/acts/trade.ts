/** Buying and selling. The price goes the other way in the same transit: the one who gets the item pays with the same update. */
import type { Db } from 'mongodb';
import { failpoint } from '../../../shared/failpoint.js';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import { type CharacterDocument, characters, findCharacter } from '../world/character.js';
import { contentsOf, type ItemEntry, theLabel } from '../world/item-entry.js';
import type { Transit } from '../world/transit.js';
import {
  type Act,
  type Actor,
  type Again,
  act,
  capital,
  findRoomOf,
  finish,
  happeningBy,
  type ItemGone,
  isHere,
  itemGone,
  type NobodyThere,
  type NoRoom,
  type NotEnoughGold,
  notCarried,
  type Outcome,
  type TooHeavy,
  transitOf,
} from './act.js';
import type { Declined } from './carrying.js';
import { declinedBy, nobodyThere, takeOffAndOut, whyCannotCarry } from './letting-go.js';

export type NotForSale = Refusal<'NotForSale'>;
type Trade = NobodyThere | ItemGone | NotForSale | NotEnoughGold | TooHeavy | NoRoom;

/** A shopkeeper in the room of a character. */
async function findShopkeeper(db: Db, actor: Actor, id: string): Promise<CharacterDocument | NobodyThere> {
  const found = await findCharacter(db, id);
  if (found?.location._id !== actor.location._id) return nobodyThere();
  return found.role === 'SHOPKEEPER' ? found : refuse('NobodyThere', `${found.name} is no shopkeeper`);
}

/** What a shopkeeper has for sale. @returns null if there is none in the room of the user's character */
export async function findGoods(
  db: Db,
  owner: string,
  characterId: string,
  shopkeeperId: string,
): Promise<ItemEntry[] | null> {
  const actor = await findCharacter(db, characterId);
  const shopkeeper = actor?.owner === owner ? await findShopkeeper(db, actor, shopkeeperId) : null;
  return shopkeeper && '_id' in shopkeeper ? goodsOf(shopkeeper) : null;
}

/** What has a price, lies open, and is empty: the price of a container is without what is inside. */
export function goodsOf({ inventory }: Pick<CharacterDocument, 'inventory'>): ItemEntry[] {
  const filled = new Set(inventory.map(({ inside_id }) => inside_id));
  return inventory.filter(({ id, price, inside_id }) => price !== null && inside_id === null && !filled.has(id));
}

export const buyItem = (db: Db, asked: Act, shopkeeperId: string, itemId: string) =>
  act<Trade>(db, asked, [], async (actor): Promise<Outcome<Trade> | Again> => {
    const shopkeeper = await findShopkeeper(db, actor, shopkeeperId);
    if (!('_id' in shopkeeper)) return shopkeeper;
    const sold = contentsOf(shopkeeper.inventory, itemId);
    const [item] = sold;
    if (!item) return itemGone(db, itemId, await findRoomOf(db, actor));
    const price = goodsOf(shopkeeper).find(({ id }) => id === itemId)?.price ?? null;
    const until = item.price !== null && sold.length > 1 ? ' while something is inside' : '';
    if (price === null) return refuse('NotForSale', `${capital(theLabel(item))} is not for sale${until}`);
    if (actor.gold < price) return notEnoughGold('You have', price);
    const cannot = whyCannotCarry(actor, sold);
    if (cannot) return cannot;
    const what = theLabel(item);
    const transit: Transit = {
      ...transitOf(asked),
      items: sold,
      price,
      to: { kind: 'CHARACTER', id: actor._id, inside: null, room: actor.location._id },
      tell: {
        room: actor.location._id,
        happening: happeningBy(actor, asked, 'TRADED', {
          text: `${actor.name} buys ${what} from ${shopkeeper.name}.`,
          own: `You buy ${what} from ${shopkeeper.name} for ${price} gold.`,
          to: shopkeeperId,
          to_text: `${actor.name} buys ${what} for ${price} gold.`,
        }),
      },
    };
    if (!(await areHere(db, actor, shopkeeper))) return 'AGAIN';
    return trade(db, asked, actor, shopkeeper, transit, 'You', () => itemGone(db, itemId, null, capital(what)));
  });

export const sellItem = (db: Db, asked: Act, shopkeeperId: string, itemId: string) =>
  act<Trade>(db, asked, [], async (actor): Promise<Outcome<Trade> | Again> => {
    const shopkeeper = await findShopkeeper(db, actor, shopkeeperId);
    if (!('_id' in shopkeeper)) return shopkeeper;
    const sold = contentsOf(actor.inventory, itemId);
    const [item] = sold;
    if (!item) return notCarried(db, itemId, await findRoomOf(db, actor));
    const what = theLabel(item);
    if (item.price === null) return refuse('NotForSale', `${shopkeeper.name} does not buy ${what}`);
    if (sold.length > 1)
      return refuse('NotForSale', `${shopkeeper.name} does not pay for what is inside: empty ${what} first`);
    const price = Math.floor(item.price / 2);
    if (shopkeeper.gold < price) return notEnoughGold(`${shopkeeper.name} has`, price);
    const transit: Transit = {
      ...transitOf(asked),
      items: sold,
      price,
      to: { kind: 'CHARACTER', id: shopkeeperId, inside: null, room: actor.location._id },
      tell: {
        room: actor.location._id,
        happening: happeningBy(actor, asked, 'TRADED', {
          text: `${actor.name} sells ${what} to ${shopkeeper.name}.`,
          own: `You sell ${what} to ${shopkeeper.name} for ${price} gold.`,
          to: shopkeeperId,
          to_text: `${actor.name} sells you ${what} for ${price} gold.`,
        }),
      },
    };
    if (!(await areHere(db, actor, shopkeeper))) return 'AGAIN';
    return trade(db, asked, actor, actor, transit, shopkeeper.name, async () => 'AGAIN');
  });

const areHere = async (db: Db, actor: Actor, shopkeeper: Actor): Promise<boolean> =>
  (await isHere(db, actor)) && (await isHere(db, shopkeeper));

/** @param seller gives the item @param buyer's name, or `You` @param lost what it means that the seller does not have it any more */
async function trade(
  db: Db,
  asked: Act,
  actor: Actor,
  seller: Actor,
  transit: Transit,
  buyer: string,
  lost: () => Promise<ItemGone | Again>,
): Promise<Outcome<Trade> | Again> {
  if (!(await takeOffAndOut(db, seller, transit, seller.location._id))) {
    const now = await characters(db).findOne({ _id: seller._id }, { projection: { inventory: 1 } });
    return now?.inventory.some(({ id }) => id === transit.items[0]?.id) ? 'AGAIN' : lost();
  }
  failpoint('game.sold');
  const finished = await finish(db, asked, { source: { kind: 'CHARACTER', id: seller._id }, transit }, actor);
  return '_id' in finished ? finished : declinedTrade(finished, buyer, transit.price);
}

function declinedTrade(declined: Declined, buyer: string, price: number): Trade | Again {
  if (declined.why === 'POOR') return notEnoughGold(buyer === 'You' ? 'You have' : `${buyer} has`, price);
  if (declined.why === 'GONE' || declined.why === 'ELSEWHERE') return buyer === 'You' ? 'AGAIN' : nobodyThere();
  return declinedBy(declined, buyer);
}

const notEnoughGold = (who: string, price: number): NotEnoughGold =>
  refuse('NotEnoughGold', `${who} less than ${price} gold`, { price });
