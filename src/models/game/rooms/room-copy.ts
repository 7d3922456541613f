/**
 * The copies of a room that its characters hold. A copy is only ever replaced by a newer version. With the room come the happenings
 * since the version that the character had: each character numbers them for itself.
 *
 * An act brings its own character up to date as part of its last step. The others in the room follow by `copyRoom`, which takes one
 * update for all of them, so that a room of 200 players costs one round for all that has happened since the last one.
 */
import type { Db, Document } from 'mongodb';
import { failpoint } from '../../../shared/failpoint.js';
import { characters } from '../world/character.js';
import { HAPPENINGS_KEPT, HAPPENINGS_MAX, type RoomHappening } from '../world/happening.js';
import { findLocation, type LocationDocument, locations, type Room } from '../world/location.js';

export const copyOf = ({
  _id,
  name,
  description,
  exits,
  players,
  inventory,
  version,
  happened,
}: LocationDocument): Room => ({ _id, name, description, exits, players, inventory, version, happened });

/** Texts of users may begin with `$`. */
const literal = (value: unknown): Document => ({ $literal: value });

/**
 * Stages of an update of characters that bring the copy up to date. They change nothing for a character in another room, or with a copy
 * that is as new.
 * @param since the number of happenings that the oldest copy may know; default: nothing is known about it
 */
export function copyStages(location: LocationDocument, since = 0): Document[] {
  const isOlder = {
    $and: [{ $eq: ['$location._id', literal(location._id)] }, { $lt: ['$location.version', location.version] }],
  };
  const { news, lost } = newsSince(location, isOlder, since);
  return hear(news, { $cond: [isOlder, literal(copyOf(location)), '$location'] }, lost);
}

/**
 * Stages that put a character into another room: it hears the end of the old one, up to a call, and the call in the new one.
 * @param since as of `copyStages`, of the old room
 */
export function enterStages(
  from: LocationDocument | null,
  to: LocationDocument,
  { call, since }: { readonly call: string; readonly since: number },
): Document[] {
  const left = from && upTo(from, call);
  const came = to.happenings.filter((happening) => happening.call === call);
  if (!left) return hear(literal(came), literal(copyOf(to)));
  const { news, lost } = newsSince(left, { $eq: ['$location._id', literal(left._id)] }, since);
  return hear({ $concatArrays: [news, literal(came)] }, literal(copyOf(to)), lost);
}

/** The location as it was right after a call. Null if that happening is too long ago. */
function upTo(location: LocationDocument, call: string): LocationDocument | null {
  const at = location.happenings.findIndex((happening) => happening.call === call);
  if (at === -1) return null;
  const later = location.happenings.length - 1 - at;
  return { ...location, happened: location.happened - later, happenings: location.happenings.slice(0, at + 1) };
}

/** The happenings that a character lacks, and the number of those that nobody has kept. */
function newsSince({ happened, happenings }: LocationDocument, isOlder: Document, since: number) {
  const candidates = happenings.slice(Math.max(0, happenings.length - Math.max(0, happened - since)));
  const missing = { $subtract: [happened, '$location.happened'] };
  const count = { $min: [candidates.length, missing] };
  const isNew = { $and: [isOlder, { $gt: [count, 0] }] };
  const newest = { $slice: [literal(candidates), { $multiply: [-1, count] }] };
  return {
    news: { $cond: [isNew, newest, []] },
    lost: { $cond: [isNew, { $subtract: [missing, count] }, 0] },
  };
}

/**
 * Adds those that the character sees to its happenings, with the next numbers.
 * @param lost how many numbers are left out, so that a player knows that something is missing
 */
function hear(news: Document, location: Document | string, lost: Document | number = 0): Document[] {
  const isSeen = {
    $or: [{ $ne: ['$$each.is_private', true] }, { $eq: ['$$each.who.id', '$_id'] }, { $eq: ['$$each.to', '$_id'] }],
  };
  const text = {
    $cond: [
      { $eq: ['$$each.who.id', '$_id'] },
      '$$each.own',
      { $cond: [{ $eq: ['$$each.to', '$_id'] }, '$$each.to_text', '$$each.text'] },
    ],
  };
  const numbered = {
    $map: {
      input: { $range: [0, { $size: '$news' }] },
      as: 'index',
      in: {
        $let: {
          vars: { each: { $arrayElemAt: ['$news', '$$index'] } },
          in: {
            number: { $add: ['$heard', '$lost', '$$index', 1] },
            at: '$$each.at',
            kind: '$$each.kind',
            who: '$$each.who',
            text,
          },
        },
      },
    },
  };
  return [
    { $set: { news: { $filter: { input: news, as: 'each', cond: isSeen } }, lost, location } },
    {
      $set: {
        happenings: {
          $cond: [
            { $eq: [{ $size: '$news' }, 0] },
            '$happenings',
            {
              $let: {
                vars: { all: { $concatArrays: ['$happenings', numbered] } },
                in: {
                  $cond: [
                    { $gt: [{ $size: '$$all' }, HAPPENINGS_MAX] },
                    { $slice: ['$$all', -HAPPENINGS_KEPT] },
                    '$$all',
                  ],
                },
              },
            },
          ],
        },
        heard: { $add: ['$heard', '$lost', { $size: '$news' }] },
      },
    },
    { $unset: ['news', 'lost'] },
  ];
}

/** Stages that add something that only the character itself sees. */
export const noticeStages = (happening: RoomHappening): Document[] => hear(literal([happening]), '$location');

/**
 * Brings all copies of a location up to date.
 * @returns whether they are: false if it has changed meanwhile, or somebody is on the way into it
 */
export async function copyRoom(db: Db, id: string): Promise<boolean> {
  const location = await findLocation(db, id);
  if (!location) return true;
  const { version, players } = location;
  // Counted first: a character that enters later brings a copy that may be older than this version, so the mark stays.
  const present = await characters(db).countDocuments({
    'location._id': id,
    _id: { $in: players.map((each) => each.id) },
  });
  await characters(db).updateMany(
    { 'location._id': id, 'location.version': { $lt: version } }, // guard: only older copies, so rounds may overlap
    copyStages(location),
  );
  failpoint('game.room-copied');
  if (location.happenings.length > HAPPENINGS_MAX)
    await locations(db).updateOne({ _id: id }, { $push: { happenings: { $each: [], $slice: -HAPPENINGS_KEPT } } }); // guard: only the oldest go
  if (present < players.length) return false;
  const { matchedCount } = await locations(db).updateOne(
    { _id: id, version }, // guard: nothing has changed since it was read
    { $unset: { uncopied_since: '' } },
  );
  return matchedCount === 1;
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
