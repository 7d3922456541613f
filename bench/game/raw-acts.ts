/**
 * The commands of acts, written by hand for the raw driver: the same reads, and the same guarded updates of the same documents, with
 * all that the caller knows already, and without anything around them.
 */
import type { Db, Document } from 'mongodb';
import { type RoomPart, roomParts } from '../../src/models/game/acts/act.js';
import { copyOf } from '../../src/models/game/rooms/room-copy.js';
import { characters } from '../../src/models/game/world/character.js';
import type { ItemEntry } from '../../src/models/game/world/item-entry.js';
import { locations } from '../../src/models/game/world/location.js';

const KEPT = 100;
const CALLS_KEPT = 50;
const TURN_MS = 10_000;
const after = { returnDocument: 'after' } as const;
/** Of the room, the numbers alone: the caller knows what has happened. */
const numbers = { returnDocument: 'after', projection: { version: 1, happened: 1 } } as const;

export interface RawAct {
  readonly call: string;
  readonly characterId: string;
  readonly room: string;
}

/** @param parts of the room that the act needs */
function readActor(db: Db, id: string, parts: readonly RoomPart[] = []) {
  const unread = roomParts.filter((part) => !parts.includes(part)).map((part) => [`location.${part}`, 0]);
  return characters(db).findOne({ _id: id }, { projection: { happenings: 0, ...Object.fromEntries(unread) } });
}

/** As the room hears it, and as the one who acts does. */
function happening({ call, characterId }: RawAct, kind: string, text: string) {
  const who = { id: characterId, name: characterId, class: 'WARRIOR', role: 'PERSON' };
  return { call, at: new Date(), kind, who, text, own: text };
}

const transit = ({ call, characterId }: RawAct, items: readonly ItemEntry[], more: Document) => ({
  call,
  by: characterId,
  at: new Date(),
  until: new Date(Date.now() + TURN_MS),
  items,
  to: null,
  price: 0,
  tell: null,
  tell_back: null,
  ...more,
});

const heard = (told: Document, more: Document = {}, inc: Document = {}): Document => ({
  $push: { happenings: { $each: [told], $slice: -KEPT }, ...more },
  $inc: { version: 1, happened: 1, ...inc },
  $min: { uncopied_since: told.at },
});

/** The character hears what has happened, and sees the effect of its act. */
function seen(
  { call }: RawAct,
  { happened }: { readonly happened: number },
  { at, kind, who, text }: ReturnType<typeof happening>,
  more: { push?: Document; inc?: Document; pull?: Document } = {},
) {
  return {
    $set: { 'location.happened': happened },
    $push: {
      happenings: { $each: [{ number: happened, at, kind, who, text }], $slice: -KEPT },
      calls: { $each: [call], $slice: -CALLS_KEPT },
      ...more.push,
    },
    ...(more.inc && { $inc: more.inc }),
    ...(more.pull && { $pull: more.pull }),
  } as Document;
}

const isHeld = ({ id, inside_id, edition }: ItemEntry) => ({ inventory: { $elemMatch: { id, inside_id, edition } } });
const isNotFull = { 'inventory.99': { $exists: false } };

function found<T>(document: T | null): T {
  if (document === null) throw new Error('A guard of the raw driver did not match');
  return document;
}

export async function rawTake(db: Db, act: RawAct, item: ItemEntry): Promise<void> {
  await readActor(db, act.characterId, ['inventory']);
  const told = happening(act, 'TOOK', `${act.characterId} takes the ${item.name}.`);
  const to = { kind: 'CHARACTER', id: act.characterId, inside: null, room: null };
  const room = await locations(db).findOneAndUpdate(
    { _id: act.room, 'players.id': act.characterId, ...isHeld(item) },
    {
      ...heard(told, { transits: transit(act, [item], { to, tell_back: told }) }),
      $pull: { inventory: { id: item.id } },
    },
    numbers,
  );
  found(
    await characters(db).findOneAndUpdate(
      {
        _id: act.characterId,
        leaving_since: { $exists: false },
        ...isNotFull,
        'inventory.id': { $ne: item.id },
        $expr: { $lte: [{ $add: ['$weight', item.weight] }, '$weight_max'] },
      },
      seen(act, found(room), told, {
        push: { inventory: item },
        inc: { weight: item.weight },
        pull: { 'location.inventory': { id: item.id } },
      }),
      after,
    ),
  );
  await locations(db).updateOne({ _id: act.room }, { $pull: { transits: { call: act.call } } });
}

export async function rawDrop(db: Db, act: RawAct, item: ItemEntry): Promise<void> {
  await readActor(db, act.characterId);
  const told = happening(act, 'PUT', `${act.characterId} drops the ${item.name}.`);
  const to = { kind: 'LOCATION', id: act.room, inside: null, room: null };
  const off = { id: item.id };
  await characters(db).updateOne(
    { _id: act.characterId, leaving_since: { $exists: false }, 'location._id': act.room, ...isHeld(item) },
    {
      $pull: { inventory: off, armor: off, weapons: off },
      $push: { transits: transit(act, [item], { to, tell: { room: act.room, happening: told } }) as never },
      $inc: { weight: -item.weight },
    },
  );
  const room = await locations(db).findOneAndUpdate(
    { _id: act.room, 'inventory.199': { $exists: false }, 'inventory.id': { $ne: item.id } },
    heard(told, { inventory: item }),
    numbers,
  );
  found(
    await characters(db).findOneAndUpdate(
      { _id: act.characterId, 'transits.call': act.call },
      seen(act, found(room), told, {
        push: { 'location.inventory': item },
        pull: { transits: { call: act.call } },
      }),
      after,
    ),
  );
}

export async function rawMove(db: Db, act: RawAct, direction: string, toRoom: string): Promise<void> {
  const actor = found(await readActor(db, act.characterId, ['exits', 'players']));
  await locations(db).findOne({ _id: toRoom }, { projection: { name: 1 } });
  const left = happening(act, 'LEFT', `${act.characterId} goes ${direction}.`);
  const came = happening(act, 'CAME', `${act.characterId} comes in.`);
  const player = { ...left.who, is_online: false };
  const to = { kind: 'LOCATION', id: toRoom, inside: null, room: null };
  const moving = { to, player, move: actor.moves + 1, tell: { room: toRoom, happening: came }, tell_back: came };
  found(
    await locations(db).findOneAndUpdate(
      {
        _id: act.room,
        'players.id': act.characterId,
        exits: { $elemMatch: { direction, to: toRoom, needs: null } },
      },
      { ...heard(left, { transits: transit(act, [], moving) }), $pull: { players: { id: act.characterId } } },
      numbers,
    ),
  );
  const room = await locations(db).findOneAndUpdate(
    { _id: toRoom, 'players.199': { $exists: false }, 'players.id': { $ne: act.characterId } },
    heard(came, { players: player }),
    after,
  );
  found(
    await characters(db).findOneAndUpdate(
      { _id: act.characterId, moves: actor.moves },
      { ...seen(act, found(room), came, { inc: { moves: 1 } }), $set: { location: copyOf(found(room)) } },
      after,
    ),
  );
  await locations(db).updateOne({ _id: act.room }, { $pull: { transits: { call: act.call } } });
}

interface RawTrade {
  readonly shopkeeper: string;
  readonly seller: string;
  readonly item: ItemEntry;
  readonly price: number;
}

/** Buying from a shopkeeper, or selling to them: the one who acts is the buyer, or the seller. */
export async function rawTrade(db: Db, act: RawAct, { shopkeeper, seller, item, price }: RawTrade): Promise<void> {
  const buyer = seller === shopkeeper ? act.characterId : shopkeeper;
  await readActor(db, act.characterId);
  await characters(db).findOne({ _id: shopkeeper });
  const told = happening(act, 'TRADED', `${act.characterId} trades the ${item.name} with ${shopkeeper}.`);
  const to = { kind: 'CHARACTER', id: buyer, inside: null, room: act.room };
  const off = { id: item.id };
  await characters(db).updateOne(
    { _id: seller, leaving_since: { $exists: false }, 'location._id': act.room, ...isHeld(item) },
    {
      $pull: { inventory: off, armor: off, weapons: off },
      $push: { transits: transit(act, [item], { to, price, tell: { room: act.room, happening: told } }) as never },
      $inc: { weight: -item.weight },
    },
  );
  const noted = { calls: { $each: [act.call], $slice: -CALLS_KEPT } };
  await characters(db).findOneAndUpdate(
    {
      _id: buyer,
      leaving_since: { $exists: false },
      'location._id': act.room,
      ...isNotFull,
      gold: { $gte: price },
      'inventory.id': { $ne: item.id },
      $expr: { $lte: [{ $add: ['$weight', item.weight] }, '$weight_max'] },
    },
    {
      $push: { inventory: item, ...(buyer === act.characterId && noted) },
      $inc: { weight: item.weight, gold: -price },
    },
    after,
  );
  const room = found(
    await locations(db).findOneAndUpdate({ _id: act.room, 'happenings.call': { $ne: act.call } }, heard(told), numbers),
  );
  found(
    await characters(db).findOneAndUpdate(
      { _id: seller, 'transits.call': act.call },
      seen(act, room, told, { pull: { transits: { call: act.call } }, inc: { gold: price } }),
      after,
    ),
  );
  if (buyer === act.characterId) await characters(db).findOneAndUpdate({ _id: buyer }, seen(act, room, told), after);
}

/** Into a bag that is carried, or out of it. */
export async function rawPutInto(db: Db, act: RawAct, item: ItemEntry, bag: string | null): Promise<void> {
  await readActor(db, act.characterId);
  const told = { ...happening(act, 'PUT', `You put the ${item.name} into the bag.`), is_private: true };
  await characters(db).updateOne(
    { _id: act.characterId, leaving_since: { $exists: false }, 'location._id': act.room, ...isHeld(item) },
    {
      $set: { 'inventory.$[item].inside_id': bag },
      $pull: { armor: { id: item.id }, weapons: { id: item.id } },
      $push: { transits: transit(act, [], { tell: { room: act.room, happening: told } }) as never },
    },
    { arrayFilters: [{ 'item.id': item.id }] },
  );
  const room = await locations(db).findOneAndUpdate(
    { _id: act.room, 'happenings.call': { $ne: act.call } },
    heard(told),
    numbers,
  );
  found(
    await characters(db).findOneAndUpdate(
      { _id: act.characterId, 'transits.call': act.call },
      seen(act, found(room), told, { pull: { transits: { call: act.call } } }),
      after,
    ),
  );
}
