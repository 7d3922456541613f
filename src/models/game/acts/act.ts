/** What all acts of characters have in common: who acts, and that a retry with the same key does not act twice. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Db, Document } from 'mongodb';
import { BusyError, NothingWrittenError } from '../../../shared/errors.js';
import { failpoint } from '../../../shared/failpoint.js';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import { HOUR_MS } from '../../../shared/time.js';
import type { KeyAllowance } from '../../people/keyed-calls/key-count.js';
import type { Told } from '../rooms/hearing.js';
import {
  type CharacterDocument,
  type CharacterNotFound,
  characterNotFound,
  characters,
  mayHaveForgotten,
} from '../world/character.js';
import type { HappeningKind, RoomHappening } from '../world/happening.js';
import { type ItemEntry, labelOf, theLabel } from '../world/item-entry.js';
import { findLocation, type LocationDocument, locations, type Room } from '../world/location.js';
import { doerOf, isPresent, type Player } from '../world/player.js';
import type { Transit } from '../world/transit.js';
import { bringUpToDate, carry, type Declined } from './carrying.js';
import { continueTransit } from './continuing.js';
import { findTraces, note } from './told.js';
import { endedBefore, type FoundTransit, findTransit, turnUntil } from './turn.js';

/** An act that is asked for. */
export interface Act {
  /** The user, whose character it must be. */
  readonly owner: string;
  readonly characterId: string;
  /** The same for a retry with the same key. */
  readonly call: string;
  /** When an earlier attempt began, which may have done a part: that is finished first. */
  readonly begunAt?: Date | null;
  /** It is nothing but a happening, and notes no transit: words, or a look. */
  readonly isTelling?: boolean;
  readonly now: Date;
  /** Told which rooms have changed, so that the others in them see it. */
  readonly changed: (room: string) => void;
  /** The projection of the character in the answer: in a crowded room, a screen is large. Default: the whole. */
  readonly answer?: Document;
}

/**
 * Acts are many, and retried soon: a browser forgets an act after an hour. Five characters that act twice a second do not use up the keys
 * of two hours.
 */
export const ACT_KEYS: KeyAllowance = { name: 'acts', max: 72_000, keepMs: 2 * HOUR_MS };

export type ItemGone = Refusal<'ItemGone', { readonly with: Player | null }>;
export type ItemFixed = Refusal<'ItemFixed'>;
export type TooHeavy = Refusal<'TooHeavy', { readonly left: number }>;
export type NoRoom = Refusal<'NoRoom'>;
export type CannotContain = Refusal<'CannotContain'>;
export type CannotEquip = Refusal<'CannotEquip', { readonly item: ItemEntry | null }>;
export type NobodyThere = Refusal<'NobodyThere'>;
export type NotEnoughGold = Refusal<'NotEnoughGold', { readonly price: number }>;

export type AnyRefusal = Refusal<string, object>;

/** The character after the act, or why there was none. */
export type Outcome<R extends AnyRefusal> = CharacterDocument | R;

/** Another act was quicker, so that everything is read again. */
export type Again = 'AGAIN';

const ATTEMPTS_MAX = 8;
const PAUSE_MS = 5;

/** The parts of a character's copy of the room, of which each act reads only those that it needs: they are most of the character's size. */
export const roomParts = ['description', 'exits', 'players', 'inventory'] as const satisfies readonly (keyof Room)[];
export type RoomPart = (typeof roomParts)[number];

/** What acts need of the character, with some parts of its copy of the room. */
export type Actor<Part extends RoomPart = never> = Omit<CharacterDocument, 'happenings' | 'location'> & {
  readonly location: Omit<Room, RoomPart> & Pick<Room, Part>;
};

/**
 * Runs an act for a character of the user.
 * @param parts of the room that the work needs
 * @param work may run several times; it changes nothing before it returns AGAIN
 * @throws BusyError the character is in the middle of another act for too long
 */
export async function act<R extends AnyRefusal, Part extends RoomPart = never>(
  db: Db,
  asked: Act,
  parts: readonly Part[],
  work: (actor: Actor<Part>) => Promise<Outcome<R> | Again>,
): Promise<Outcome<R | CharacterNotFound>> {
  const { changed } = asked;
  await finishBegun(db, asked);
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    if (attempt > 1) await pause(PAUSE_MS * attempt);
    const begun = await begin(db, asked, parts);
    if (!('actor' in begun)) return begun;
    const { actor } = begun;
    const outcome = await work(actor);
    if (outcome === 'AGAIN') {
      await refresh(db, actor);
      continue;
    }
    if ('_id' in outcome) for (const room of new Set([actor.location._id, outcome.location._id])) changed(room); // each act tells the room
    return outcome;
  }
  throw new NothingWrittenError('The character is in the middle of another act');
}

/** @returns the character as it is now; or the outcome, if the call is done, or the user has no such character */
export async function begin<Part extends RoomPart>(
  db: Db,
  asked: Act,
  parts: readonly Part[],
): Promise<{ readonly actor: Actor<Part> } | Outcome<CharacterNotFound>> {
  const { owner, characterId, call, answer } = asked;
  const unread = roomParts.filter((part) => !(parts as readonly RoomPart[]).includes(part));
  const projection = { happenings: 0, ...Object.fromEntries(unread.map((part) => [`location.${part}`, 0])) };
  const actor: Actor<Part> | null = await characters(db).findOne({ _id: characterId }, { projection });
  if (!actor || actor.owner !== owner || actor.leaving_since) return characterNotFound();
  if (asked.begunAt && asked.begunAt < actor.created_at) return characterNotFound(); // that was another one of the name
  const [creation] = actor.moves === 0 ? actor.transits : [];
  if (creation) {
    // A process has left it on its way into its first room. It is removed if that is full.
    const found = { source: { kind: 'CHARACTER', id: characterId }, transit: creation } as const;
    await continueNow(db, asked, found);
    return begin(db, asked, parts);
  }
  // What may have been forgotten since an earlier attempt is not done again: better not than twice.
  if (actor.calls.includes(call) || (asked.begunAt && mayHaveForgotten(actor, asked.begunAt)))
    return (await findAnswer(db, characterId, answer)) ?? characterNotFound();
  if (asked.begunAt) {
    const { told, isHeard, isComplete } = await findTraces(db, actor, asked);
    // So much may have happened since then that nobody knows whether words were said.
    if (told || isHeard || (asked.isTelling && !isComplete))
      return (await note(db, asked, characterId, told)) ?? begin(db, asked, parts);
  }
  return { actor };
}

const findAnswer = (db: Db, id: string, answer: Document = {}): Promise<CharacterDocument | null> =>
  characters(db).findOne({ _id: id }, { projection: answer });

/** Before the next attempt, which starts from the copy of the room. @returns whether the copy was older than the room */
export async function refresh(db: Db, { _id, location }: Actor): Promise<boolean> {
  const room = await findLocation(db, location._id);
  if (!room || room.version === location.version) return false;
  await bringUpToDate(db, _id, room);
  failpoint('game.refreshed');
  return true;
}

/**
 * Finishes what an earlier attempt of the call has begun, before anything is read or parsed: the rest of the world may offer another thing
 * of the same name. @throws BusyError another process works on it
 */
export async function finishBegun(db: Db, asked: Act): Promise<void> {
  const begun = asked.begunAt ? await findTransit(db, asked.call) : null;
  if (begun) await continueNow(db, asked, begun);
}

async function continueNow(db: Db, { now, changed }: Act, found: FoundTransit): Promise<void> {
  await continueTransit(db, found, endedBefore(now), now);
  for (const room of roomsOf(found)) changed(room);
}

/** Those that a transit may have changed. */
function roomsOf({ source, transit: { to, tell } }: FoundTransit): Set<string> {
  const places = [source, to].flatMap((place) => (place?.kind === 'LOCATION' ? [place.id] : []));
  return new Set([...places, ...(tell ? [tell.room] : [])]);
}

/** A happening by a character. `own` is the same sentence as it reads for the character. */
export const happeningBy = (
  who: Pick<CharacterDocument, '_id' | 'name' | 'class' | 'role'>,
  { call, now }: Pick<Act, 'call' | 'now'>,
  kind: HappeningKind,
  words: Pick<RoomHappening, 'text' | 'own'> & Partial<RoomHappening>,
): RoomHappening => ({ call, at: now, kind, who: doerOf(who), ...words });

/** A transit by a character, with nothing in it yet. */
export const transitOf = ({ characterId, call, now }: Act): Transit => ({
  call,
  by: characterId,
  at: now,
  until: turnUntil(now),
  items: [],
  to: null,
  price: 0,
  tell: null,
  tell_back: null,
});

/** @param location the room as the first step has left it @returns the actor, or why the destination declined */
export async function finish(
  db: Db,
  { answer }: Act,
  found: FoundTransit,
  { location: { happened: since } }: Pick<Actor, 'location'>,
  location: Told | null = null,
): Promise<CharacterDocument | Declined> {
  const { transit } = found;
  const { declined, actor } = await carry(db, found, { location, since, answer });
  if (declined) return declined;
  return actor ?? requireActor(db, transit.by ?? '', answer);
}

/** @throws BusyError the character has just been deleted */
export async function requireActor(db: Db, id: string, answer?: Document): Promise<CharacterDocument> {
  const actor = await findAnswer(db, id, answer);
  if (!actor) throw new BusyError('The character is being deleted');
  return actor;
}

const contentParts = ['players', 'inventory', 'transits'] as const satisfies readonly (keyof LocationDocument)[];
/** Who and what is in a room, or on its way. */
export type RoomContents = Pick<LocationDocument, '_id' | (typeof contentParts)[number]>;

/** The room as it is now. @param more parts that are read as well @returns null if the character has left it meanwhile */
export async function findRoomOf<Part extends keyof Room = never>(
  db: Db,
  { _id, location }: Actor,
  ...more: readonly Part[]
): Promise<(RoomContents & Pick<Room, Part>) | null> {
  const room = await locations(db).findOne<RoomContents & Pick<Room, Part>>(
    { _id: location._id },
    { projection: Object.fromEntries([...contentParts, ...more].map((part) => [part, 1])) },
  );
  return room?.players.some(({ id }) => id === _id) ? room : null;
}

/**
 * Whether a character is in its room, and not on the way out of it: its own document says that only with the last step of a move. Asked right
 * before the first step of an act that begins in that document. Who leaves in between has acted just before.
 */
export const isHere = async (db: Db, { _id, moves, location }: Actor): Promise<boolean> =>
  (await locations(db).findOne({ _id: location._id, ...isPresent(_id, moves) }, { projection: { _id: 1 } })) !== null;

/** @param room where the character who wanted it is: only who can be seen there is named */
export async function itemGone(db: Db, id: string, room: RoomContents | null, label = 'It'): Promise<ItemGone> {
  const taker = room?.transits.find(({ items }) => items.some((item) => item.id === id))?.by;
  const has =
    taker === undefined && room
      ? (await characters(db).findOne({ 'inventory.id': id, 'location._id': room._id }, { projection: { _id: 1 } }))
          ?._id
      : taker;
  const player = room?.players.find((each) => each.id === has) ?? null;
  return refuse('ItemGone', player ? `${label} is gone: ${player.name} has it` : `${label} is not here`, {
    with: player,
  });
}

/** What a character wanted to do something with, as if it carried it. */
export async function notCarried(db: Db, id: string, room: RoomContents | null): Promise<ItemGone> {
  const lying = room?.inventory.find((item) => item.id === id);
  return lying
    ? refuse('ItemGone', `You do not have ${theLabel(lying)}: it lies here`, { with: null })
    : itemGone(db, id, room);
}

/** For the sentence of a refusal: with a capital. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
export const shownLabel = (item: ItemEntry): string => capital(labelOf(item));
