/** The steps of a transit of items, after its source has given them up (`transit.ts`). */
import type { ClientSession, Db, Document } from 'mongodb';
import { inSnapshot } from '../../../database/index.js';
import { failpoint } from '../../../shared/failpoint.js';
import { recordIntended } from '../../people/audit.js';
import { reachesBack, type Told, toldSince } from '../rooms/hearing.js';
import { copyStage, type Effect, hearStage } from '../rooms/room-copy.js';
import { changeOf } from '../world/change.js';
import { CARRIED_MAX, type CharacterDocument, characters, withCall } from '../world/character.js';
import { weightOf } from '../world/item-entry.js';
import { findLocation, hasRoomFor, ITEMS_MAX, type LocationDocument, locations } from '../world/location.js';
import { isPresent } from '../world/player.js';
import type { Destination, Transit } from '../world/transit.js';
import { arrivedIn, canStillHold, whyCannotHold } from './container.js';
import { takeBack } from './taking-back.js';
import { type FoundTransit, holders, inTime, inTurn, isOwn, turnEnded } from './turn.js';

/** Why a destination did not take the items. */
export type Declined =
  | { readonly why: 'GONE' | 'ELSEWHERE' | 'FULL' | 'POOR' | 'NO_CONTAINER' | 'TOO_DEEP' }
  | { readonly why: 'HEAVY'; readonly left: number };

/** What the steps have made of the documents that an act shows. */
export interface Carried {
  readonly declined: Declined | null;
  /** The character who acted. Null if that is not known. */
  readonly actor: CharacterDocument | null;
}

/** The room as the first step has left it, if it was a part of it. */
interface Known {
  readonly location?: Told | null;
  /** Another process may have done some of the steps. */
  readonly isResumed?: boolean;
  /** How many happenings the one who acts knew: only later ones are read. */
  readonly since?: number;
  /** The projection of the one who acts. */
  readonly answer?: Document | undefined;
}

/** The room that an act has changed, as it is now, and how it has. */
interface News extends Effect {
  readonly told: Told;
}

/** @throws BusyError the turn has ended */
export async function carry(
  db: Db,
  found: FoundTransit,
  { location = null, isResumed = false, since = 0, answer = {} }: Known,
): Promise<Carried> {
  const { transit } = found;
  const isThere = isResumed && (await isElsewhere(db, found));
  const arrived = isThere
    ? FOUND
    : await arrive(db, transit, location && { told: location, gone: transit.items.map(({ id }) => id) }, since, answer);
  if ('why' in arrived) {
    await takeBack(db, found);
    return { declined: arrived, actor: null };
  }
  if (arrived.isFound && !(await isOwn(db, found))) throw turnEnded(); // it was taken back, and somebody brought it there
  failpoint('game.arrived');
  await record(db, transit);
  const told = arrived.location ?? (await tell(db, transit, since, isResumed));
  failpoint('game.told');
  const source = await close(db, found, told && { told, come: broughtTo(told, transit) }, answer);
  failpoint('game.closed');
  if (source?._id === transit.by) return { declined: null, actor: await tellDoer(db, transit, told, source, answer) };
  if (!told || arrived.location || !arrived.character) return { declined: null, actor: arrived.character };
  const actor = await hear(db, arrived.character._id, told, answer);
  return { declined: null, actor: actor && (await tellDoer(db, transit, told, actor, answer)) };
}

/**
 * Tells the doer its act where it is, in private, if it had moved on before its room was told. That is done after the transit is removed, so
 * at most once: if the process dies in between, the doer does not hear it.
 * @param doer as it is after it has heard the room that was told, if it still was there by its own document
 */
async function tellDoer(
  db: Db,
  transit: Transit,
  told: Told | null,
  doer: CharacterDocument,
  answer: Document,
): Promise<CharacterDocument> {
  const { _id, location, moves } = doer;
  if (!transit.tell || told?.has_doer !== false || location._id === told._id) return doer;
  const { to: _to, to_text: _text, ...happening } = transit.tell.happening;
  const heard = await locations(db).findOneAndUpdate(
    { _id: location._id, ...isPresent(_id, moves), $expr: inTime(transit) }, // guard: it is there
    changeOf(happening, { ...happening, text: '', is_private: true }),
    { returnDocument: 'after', projection: toldSince(location.happened) },
  );
  failpoint('game.doer-told');
  return (heard && (await hear(db, _id, heard, answer))) ?? doer;
}

/** What a transit has brought into a room. */
const broughtTo = ({ _id }: Told, { to, items }: Transit): Transit['items'] =>
  to?.kind === 'LOCATION' && to.id === _id ? arrivedIn(to.inside, items) : [];

/** Writes the entry of the audit trail, if an administrator acts: once it is certain that the act is done. */
export async function record(db: Db, { entry }: Transit): Promise<void> {
  if (!entry) return;
  await recordIntended(db, entry);
  failpoint('game.recorded');
}

interface Arrived {
  readonly character: CharacterDocument | null;
  /** The room that was told in the same step, or needs no telling. */
  readonly location: Told | null;
  /** It was there already. */
  readonly isFound?: true;
}

const NOTHING: Arrived = { character: null, location: null };
const FOUND: Arrived = { ...NOTHING, isFound: true };

/** Read at one time, because the item may move on meanwhile. A snapshot without reads would have no time. */
const isElsewhere = async (db: Db, { transit }: FoundTransit): Promise<boolean> =>
  transit.items.length === 0 || (await inSnapshot(db, (session) => hasArrived(db, transit, session))).value;

/**
 * Whether the item of a transit has arrived: it is in a place, or on a later way. An earlier transit that is still open does not count: it
 * has brought the item to where this one took it.
 */
export async function hasArrived(db: Db, { call, items }: Transit, session: ClientSession): Promise<boolean> {
  const [item] = items;
  if (!item) return true;
  const { id, journeys } = item;
  const later = { $elemMatch: { id, ...(journeys !== undefined && { journeys: { $gt: journeys } }) } };
  const isIn = { inventory: later };
  const isOnItsWay = { transits: { $elemMatch: { call: { $gt: '', $ne: call }, items: later } } };
  for (const kind of ['LOCATION', 'CHARACTER'] as const)
    for (const filter of [isIn, isOnItsWay])
      if (await holders(db, kind).findOne(filter, { session, projection: { _id: 1 } })) return true;
  return false;
}

const ATTEMPTS_MAX = 5; // of a step whose container changes meanwhile

async function arrive(
  db: Db,
  transit: Transit,
  news: News | null,
  since: number,
  answer: Document,
): Promise<Arrived | Declined> {
  const { to } = transit;
  if (!to) return NOTHING;
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const arrived =
      to.kind === 'CHARACTER'
        ? await atCharacter(db, to, transit, news, answer)
        : await atLocation(db, to, transit, since);
    if (arrived !== 'AGAIN') return arrived;
  }
  throw turnEnded();
}

async function atCharacter(
  db: Db,
  to: Destination,
  transit: Transit,
  news: News | null,
  answer: Document,
): Promise<Arrived | Declined | 'AGAIN'> {
  const { items, price, call, by } = transit;
  const weight = weightOf(items);
  const before = to.inside === null ? null : await characters(db).findOne({ _id: to.id });
  const cannot = to.inside !== null && before ? whyCannotHold(before.inventory, to.inside, items) : null;
  if (cannot) return { why: cannot === 'FULL' || cannot === 'TOO_DEEP' ? cannot : 'NO_CONTAINER' };
  const character = await characters(db).findOneAndUpdate(
    // Guard: it can carry and pay that, it is in the room and neither new there nor being deleted, and the items have not arrived yet.
    // It is the one that was meant: another one who has taken its name since was created later.
    {
      _id: to.id,
      created_at: { $lte: transit.at },
      leaving_since: { $exists: false },
      moves: { $ne: 0 },
      ...(to.room !== null && { 'location._id': to.room }),
      ...hasRoomFor('inventory', items.length, CARRIED_MAX),
      gold: { $gte: price },
      'inventory.id': { $ne: items[0]?.id ?? '' },
      $expr: { $and: [{ $lte: [{ $add: ['$weight', weight] }, '$weight_max'] }, inTime(transit)] },
      ...(to.inside !== null && before && { $and: canStillHold(before.inventory, to.inside) }),
    },
    [
      {
        $set: {
          inventory: { $concatArrays: ['$inventory', { $literal: arrivedIn(to.inside, items) }] },
          weight: { $add: ['$weight', weight] },
          gold: { $subtract: ['$gold', price] },
          ...(by === to.id && withCall(call)),
        },
      },
      ...(news ? [hearStage(news.told, news)] : []),
    ],
    { returnDocument: 'after', projection: by === to.id ? answer : { _id: 1 } },
  );
  return character ? { character, location: news?.told ?? null } : whyNotCharacter(db, to, transit);
}

async function whyNotCharacter(db: Db, to: Destination, transit: Transit): Promise<Arrived | Declined | 'AGAIN'> {
  const { items, price } = transit;
  const character = await characters(db).findOne({ _id: to.id });
  if (!character || character.leaving_since || character.moves === 0 || character.created_at > transit.at)
    return { why: 'GONE' };
  if (character.inventory.some(({ id }) => id === items[0]?.id)) return { character, location: null, isFound: true };
  if (to.room !== null && character.location._id !== to.room) return { why: 'ELSEWHERE' };
  if (character.inventory.length + items.length > CARRIED_MAX) return { why: 'FULL' };
  const left = character.weight_max - character.weight;
  if (weightOf(items) > left) return { why: 'HEAVY', left: Math.max(0, left) };
  return character.gold < price ? { why: 'POOR' } : 'AGAIN';
}

async function atLocation(
  db: Db,
  to: Destination,
  transit: Transit,
  since: number,
): Promise<Arrived | Declined | 'AGAIN'> {
  const { items } = transit;
  const before = to.inside === null ? null : await findLocation(db, to.id);
  const cannot = to.inside !== null && before ? whyCannotHold(before.inventory, to.inside, items) : null;
  if (cannot) return { why: cannot === 'FULL' || cannot === 'TOO_DEEP' ? cannot : 'NO_CONTAINER' };
  const happening = transit.tell?.room === to.id ? transit.tell.happening : null;
  const location = await locations(db).findOneAndUpdate(
    // Guard: there is room, and the items have not arrived yet.
    {
      _id: to.id,
      ...(!to.is_unlimited && hasRoomFor('inventory', items.length, ITEMS_MAX)),
      'inventory.id': { $ne: items[0]?.id ?? '' },
      $expr: inTime(transit),
      ...(to.inside !== null && before && { $and: canStillHold(before.inventory, to.inside) }),
    },
    changeOf(transit, happening, { inventory: { $each: arrivedIn(to.inside, items) } }),
    { returnDocument: 'after', projection: toldSince(since, transit.by) },
  );
  if (location) return { character: null, location: happening ? location : null };
  const found = await findLocation(db, to.id);
  if (!found) return { why: 'GONE' };
  if (found.inventory.some(({ id }) => id === items[0]?.id)) return FOUND;
  return found.inventory.length + items.length > ITEMS_MAX ? { why: 'FULL' } : 'AGAIN';
}

/** Tells the room. @returns the room, or null if there is nothing to tell, or it has been told */
async function tell(db: Db, transit: Transit, since: number, isResumed: boolean): Promise<Told | null> {
  if (!transit.tell) return null;
  const { room, happening } = transit.tell;
  if (isResumed && !(await isUntold(db, room, transit.at))) return null;
  return locations(db).findOneAndUpdate(
    { _id: room, 'happenings.call': { $ne: transit.call }, $expr: inTime(transit) }, // guard: told once
    changeOf(transit, happening),
    { returnDocument: 'after', projection: toldSince(since, transit.by) },
  );
}

/** Whether a room would still have what it was told since a time. Otherwise nothing is told: better not than twice. */
async function isUntold(db: Db, id: string, since: Date): Promise<boolean> {
  const room = await findLocation(db, id);
  return room !== null && reachesBack(room.happenings, since);
}

/** @returns the source if it is a character @throws BusyError another process has finished it */
async function close(
  db: Db,
  { source, transit }: FoundTransit,
  news: News | null,
  answer: Document,
): Promise<CharacterDocument | null> {
  const { call, price, by } = transit;
  // Guard: removed and paid once, and in the turn in which the room was told: otherwise another process tells it.
  const own = inTurn({ source, transit });
  if (source.kind !== 'CHARACTER') {
    const { matchedCount } = await holders(db, source.kind).updateOne(own, { $pull: { transits: { call } } });
    if (matchedCount === 0) throw turnEnded();
    return null;
  }
  const character = await characters(db).findOneAndUpdate(
    own,
    [
      {
        $set: {
          transits: { $filter: { input: '$transits', as: 'each', cond: { $ne: ['$$each.call', { $literal: call }] } } },
          gold: { $add: ['$gold', price] },
          ...(by === source.id && withCall(call)),
        },
      },
      ...(news ? [hearStage(news.told, news)] : []),
    ],
    { returnDocument: 'after', projection: by === source.id ? answer : { _id: 1 } },
  );
  if (!character) throw turnEnded();
  return character;
}

const hear = (db: Db, id: string, told: Told, answer: Document): Promise<CharacterDocument | null> =>
  characters(db).findOneAndUpdate({ _id: id }, [hearStage(told)], { returnDocument: 'after', projection: answer }); // guard: only an older copy

/** A character's copy of a room, at once. */
export async function bringUpToDate(db: Db, id: string, location: LocationDocument): Promise<void> {
  await characters(db).updateOne({ _id: id }, [copyStage(location)]); // guard: only an older copy
}
