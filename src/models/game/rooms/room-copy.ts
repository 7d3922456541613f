/**
 * The copies of a room that its characters hold. A copy is only ever replaced by a newer version. With the room come the happenings
 * since the version that the character had.
 *
 * With its last step, an act gives its own character what has happened, and what it has changed itself. The rest, and all others in the
 * room, follow by `copyRoom`, which takes one update for all of them. Those who are followed live do not wait for it: `screen.ts` puts the
 * same screen together.
 */
import type { Db, Document } from 'mongodb';
import { failpoint } from '../../../shared/failpoint.js';
import { characters } from '../world/character.js';
import { HAPPENINGS_KEPT, HAPPENINGS_MAX } from '../world/happening.js';
import type { ItemEntry } from '../world/item-entry.js';
import { findLocation, type LocationDocument, locations, type Room } from '../world/location.js';
import { happeningsAfter, type OrdinalHappening, ordinalOf, type Told } from './hearing.js';

export const copyOf = ({ _id, name, description, exits, players, inventory, version, happened }: Room): Room => ({
  _id,
  name,
  description,
  exits,
  players,
  inventory,
  version,
  happened,
});

/** Texts of users may begin with `$`. */
const literal = (value: unknown): Document => ({ $literal: value });

/**
 * In this room, with an older copy, and without having heard anything later: an act may have told its character more than a round that
 * was read before has to say, which must not take it back. A new character that is on its way gets its copy with its last step.
 */
const isOlder = ({ _id, version, happened }: Pick<Told, '_id' | 'version' | 'happened'>): Document => ({
  $and: [
    { $gt: ['$moves', 0] },
    { $eq: ['$location._id', literal(_id)] },
    { $lt: ['$location.version', version] },
    { $lte: ['$location.happened', happened] },
  ],
});

/** The stage that brings the copy up to date. It changes nothing for a character in another room, or with a copy that is as new. */
export function copyStage(location: LocationDocument): Document {
  const isBehind = isOlder(location);
  return {
    $set: {
      ...hear(happeningsAfter(location), { $cond: [isBehind, '$location.happened', location.happened] }),
      location: { $cond: [isBehind, literal(copyOf(location)), '$location'] },
    },
  };
}

/** What an act has changed in the room. */
export interface Effect {
  /** Ids of items that are not there any more. */
  readonly gone?: readonly string[];
  /** Items that are there now. */
  readonly come?: readonly ItemEntry[];
}

/**
 * The stage that gives a character what has happened, without the rest of the room: that would be most of the cost of an act among many
 * players. The copy keeps its version, so the next round replaces it. Nothing is changed if the copy is newer, or so much older that
 * happenings between the two are missing.
 */
export function hearStage(told: Told, { gone = [], come = [] }: Effect = {}): Document {
  const known = told.happened - told.happenings.length;
  const reaches = told.happenings.length >= HAPPENINGS_KEPT ? [] : [{ $gte: ['$location.happened', known] }];
  const isBehind = { $and: [isOlder(told), ...reaches] };
  const ids = [...gone, ...come.map(({ id }) => id)];
  const others = {
    $filter: { input: '$location.inventory', as: 'each', cond: { $not: { $in: ['$$each.id', literal(ids)] } } },
  };
  const inventory = { $cond: [isBehind, { $concatArrays: [others, literal(come)] }, '$location.inventory'] };
  return {
    $set: {
      ...hear(happeningsAfter(told), { $cond: [isBehind, '$location.happened', told.happened] }),
      'location.happened': { $cond: [isBehind, told.happened, '$location.happened'] },
      ...(ids.length > 0 && { 'location.inventory': inventory }),
    },
  };
}

/**
 * Stages that put a character into another room: it hears the end of the old one, up to a call, and the new one from that call on. If the old
 * one has forgotten the call, it has missed that end.
 */
export function enterStages(from: Told | null, to: LocationDocument, call: string): Document[] {
  const left = from && ordinalOf(from, call);
  const untilLeft = from && left !== null ? happeningsAfter(from).filter(({ ordinal }) => ordinal <= left) : [];
  const heard = { $add: ['$offset', { $max: ['$location.happened', left ?? from?.happened ?? 0] }] };
  const before = (ordinalOf(to, call) ?? to.happened + 1) - 1; // it enters after this one
  return [
    {
      $set: {
        ...hear(untilLeft, '$location.happened'),
        ...(from && untilLeft.length === 0 && { heard_since: '$$NOW' }),
        offset: { $subtract: [heard, before] },
        location: literal(copyOf(to)),
      },
    },
    { $set: hear(happeningsAfter(to, before), before) },
  ];
}

/**
 * The happenings of a character with those it hears, as `heardBy` does it for one.
 * @param after the ordinal of the last one that it has heard
 */
function hear(candidates: readonly OrdinalHappening[], after: Document | string | number): Document {
  const isOwn = { $eq: ['$$each.who.id', '$_id'] };
  const isTo = { $eq: ['$$each.to', '$_id'] };
  const isHeard = {
    $and: [{ $gt: ['$$each.ordinal', after] }, { $or: [{ $ne: ['$$each.is_private', true] }, isOwn, isTo] }],
  };
  const heard = {
    $map: {
      input: { $filter: { input: literal(candidates), as: 'each', cond: isHeard } },
      as: 'each',
      in: {
        call: { $cond: [isOwn, '$$each.call', '$$REMOVE'] },
        number: { $add: ['$offset', '$$each.ordinal'] },
        at: '$$each.at',
        kind: '$$each.kind',
        who: '$$each.who',
        text: { $cond: [isOwn, '$$each.own', { $cond: [isTo, '$$each.to_text', '$$each.text'] }] },
      },
    },
  };
  const kept = { $slice: ['$$all', -HAPPENINGS_KEPT] };
  const [first] = candidates;
  return {
    ...(first && {
      heard_since: { $cond: [{ $gt: [first.ordinal, { $add: [after, 1] }] }, first.at, '$heard_since'] },
    }),
    happenings: {
      $let: {
        vars: { all: { $concatArrays: ['$happenings', heard] } },
        in: { $cond: [{ $gt: [{ $size: '$$all' }, HAPPENINGS_MAX] }, kept, '$$all'] },
      },
    },
  };
}

/**
 * Brings all copies of a location up to date.
 * @returns whether they are: false if it has changed meanwhile, or somebody is on the way into it
 */
export async function copyRoom(db: Db, id: string): Promise<boolean> {
  const location = await findLocation(db, id);
  if (!location) return true;
  const { version, players } = location;
  const present = { _id: { $in: players.map((each) => each.id) }, 'location._id': id, moves: { $gt: 0 } };
  // Counted first: a character that enters later brings a copy that may be older than this version, so the mark stays.
  const count = await characters(db).countDocuments(present);
  await characters(db).updateMany(
    { ...present, 'location.version': { $lt: version } }, // guard: only older copies, so rounds may overlap
    [copyStage(location)],
  );
  failpoint('game.room-copied');
  if (location.happenings.length > HAPPENINGS_MAX) await forgetOldest(db, id);
  if (count < players.length) return false;
  const { matchedCount } = await locations(db).updateOne(
    { _id: id, version }, // guard: nothing has changed since it was read
    { $unset: { uncopied_since: '' } },
  );
  return matchedCount === 1;
}

/** Those that no screen shows any more. */
export async function forgetOldest(db: Db, id: string): Promise<void> {
  await locations(db).updateOne(
    { _id: id, [`happenings.${HAPPENINGS_MAX}`]: { $exists: true } },
    { $push: { happenings: { $each: [], $slice: -HAPPENINGS_KEPT } } }, // guard: only the oldest go
  );
}

/** Brings copies up to date that another process has left behind. @returns how many locations it found */
export async function repairCopies(db: Db, before: Date): Promise<number> {
  const due = locations(db).find({ uncopied_since: { $lt: before } }, { projection: { _id: 1 } });
  let count = 0;
  for await (const { _id } of due) {
    await copyRoom(db, _id);
    count += 1;
  }
  return count;
}
