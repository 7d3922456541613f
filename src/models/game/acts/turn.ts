/** Whose turn it is to work on a transit, and where transits are found. */
import type { Collection, Db, Filter } from 'mongodb';
import { BusyError } from '../../../shared/errors.js';
import { CLOCKS_DIFFER_MS, characters } from '../world/character.js';
import { items } from '../world/item.js';
import type { ItemEntry } from '../world/item-entry.js';
import { locations } from '../world/location.js';
import { type PlaceKind, type PlaceOf, type Transit, TURN_MS } from '../world/transit.js';

/** How long repair waits after that: a command that the server received in time may have had to wait for others. */
export const REPAIR_AFTER_MS = 20_000;

/** The same for somebody who waits for the act. */
const RETRY_AFTER_MS = 2000;

/** Turns that ended before this time may be taken over by somebody who waits for the act. */
export const endedBefore = (now: Date): Date => new Date(now.getTime() - RETRY_AFTER_MS);

export const turnUntil = (now: Date): Date => new Date(now.getTime() + TURN_MS);

/** The condition that the turn has not ended. */
export const inTime = ({ until }: Pick<Transit, 'until'>) => ({ $lt: ['$$NOW', until] });

/** The condition that an act may begin. Who retries it may have another clock, so this is over earlier than its turn. */
export const inTimeToBegin = (until: Date) => inTime({ until: new Date(until.getTime() - CLOCKS_DIFFER_MS) });

/**
 * Guard of the first step, which notes the transit: the call has none here yet, is not done, and its turn is not nearly over. A process that
 * was paused meanwhile begins nothing, because a retry may be at work.
 */
export const mayBegin = ({ call, until }: Pick<Transit, 'call' | 'until'>) => ({
  calls: { $ne: call }, // of the character; rooms have none
  'transits.call': { $ne: call },
  $expr: inTimeToBegin(until),
});

/** The documents that hold transits, whatever else is in them. */
export interface TransitHolder {
  _id: string;
  transits: Transit[];
  /** Absent in an item. */
  inventory?: ItemEntry[];
}

const collectionsByKind = { LOCATION: locations, CHARACTER: characters, ITEM: items } as const;
export const placeKinds: readonly PlaceKind[] = ['LOCATION', 'CHARACTER', 'ITEM'];

/** The collection of a kind of place, as far as transits go. */
export const holders = (db: Db, kind: PlaceKind): Collection<TransitHolder> =>
  collectionsByKind[kind](db) as unknown as Collection<TransitHolder>;

export interface FoundTransit {
  readonly source: PlaceOf;
  readonly transit: Transit;
}

/** The unfinished transit of a call. */
export const findTransit = (db: Db, call: string): Promise<FoundTransit | null> =>
  findFirst(db, { 'transits.call': call }, (each) => each.call === call);

/** Guard: the transit is there, and it is still the turn of this process, so no other one works on it. */
export const inTurn = ({ source, transit }: FoundTransit) => ({
  ...ownOf(source.id, transit.call, transit.until),
  $expr: inTime(transit),
});

/** Whether the transit is there, and no other process has taken it over. What was read before was then its effect, and not that of another act. */
export const isOwn = async (db: Db, { source, transit: { call, until } }: FoundTransit): Promise<boolean> =>
  (await holders(db, source.kind).findOne(ownOf(source.id, call, until), { projection: { _id: 1 } })) !== null;

const ownOf = (_id: string, call: string, until: Date) => ({ _id, transits: { $elemMatch: { call, until } } });

/** An unfinished transit that brings something to a character. */
export const findTransitTo = (db: Db, id: string): Promise<FoundTransit | null> =>
  findFirst(
    db,
    // Of the few documents that have any.
    { 'transits.call': { $gt: '' }, transits: { $elemMatch: { 'to.kind': 'CHARACTER', 'to.id': id } } },
    ({ to }) => to?.kind === 'CHARACTER' && to.id === id,
  );

async function findFirst(
  db: Db,
  filter: Filter<TransitHolder>,
  isMeant: (transit: Transit) => boolean,
): Promise<FoundTransit | null> {
  for (const kind of placeKinds) {
    const holder = await holders(db, kind).findOne(filter, { projection: { transits: 1 } });
    const transit = holder?.transits.find(isMeant);
    if (holder && transit) return { source: { kind, id: holder._id }, transit };
  }
  return null;
}

/** Unfinished transits, whose turn has ended before a time. */
export async function* findTransits(db: Db, before: Date): AsyncGenerator<FoundTransit> {
  // Of the few documents that have any.
  const isDue = { 'transits.call': { $gt: '' }, transits: { $elemMatch: { until: { $lt: before } } } };
  for (const kind of placeKinds)
    for await (const { _id: id, transits } of holders(db, kind).find(isDue, { projection: { transits: 1 } }))
      for (const transit of transits) if (transit.until < before) yield { source: { kind, id }, transit };
}

/**
 * Takes a transit over whose turn has ended.
 * @param before turns that ended before this time
 * @returns null when it is finished, or another process works on it
 */
export async function takeOver(
  db: Db,
  { source, transit: { call, until } }: FoundTransit,
  before: Date,
  now: Date,
): Promise<Transit | null> {
  if (until >= before) return null;
  const holder = await holders(db, source.kind).findOneAndUpdate(
    // Guard: of several processes one gets it, and only when no step of the one before is in time any more, by the same clock.
    { _id: source.id, transits: { $elemMatch: { call, until } }, $expr: { $gte: ['$$NOW', until] } },
    { $set: { 'transits.$.until': turnUntil(now) } },
    { returnDocument: 'after', projection: { transits: 1 } },
  );
  return holder?.transits.find((each) => each.call === call) ?? null;
}

/** The turn has ended, so another process finishes it, or takes it back. */
export const turnEnded = (): BusyError => new BusyError('The act took too long, and is being finished');
