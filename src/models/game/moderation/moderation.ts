/**
 * Those who keep the world put items and characters somewhere else, and keep characters from speaking. Like acts, by transits, which
 * carry the entry of the audit trail: whoever finishes one writes it.
 */
import type { Db } from 'mongodb';
import { commitConcernOf, inTransaction } from '../../../database/index.js';
import { SextantError } from '../../../shared/errors.js';
import { failpoint } from '../../../shared/failpoint.js';
import { type Act as Audited, intendAct, recordAct } from '../../people/audit.js';
import { findAddress } from '../../people/user.js';
import { bringUpToDate, carry } from '../acts/carrying.js';
import { goOn } from '../acts/going.js';
import { entryOf, playerOf } from '../acts/movement.js';
import { mayBegin, turnUntil } from '../acts/turn.js';
import { whyDeclined } from '../building/item-saving.js';
import { mutePerson, mutePersonAgain, muteUpdate } from '../characters/mute.js';
import { changeOf } from '../world/change.js';
import { type CharacterDocument, characters, findCharacter } from '../world/character.js';
import { findItem } from '../world/item.js';
import { contentsOf, holdsExactly, type ItemEntry, weightOf } from '../world/item-entry.js';
import { findLocation, type LocationDocument, locations } from '../world/location.js';
import { type FoundPlace, findPlace } from '../world/place.js';
import { doerOf } from '../world/player.js';
import type { Destination, Transit } from '../world/transit.js';

export interface Keeping {
  readonly call: string;
  /** The administrator or editor, for the audit trail. */
  readonly act: Audited;
  readonly changed: (room: string) => void;
}

/** A location, a character or a container. */
export interface Target {
  readonly kind: 'Location' | 'Character' | 'Item';
  readonly id: string;
}

const notFound = (what: string): SextantError => new SextantError('NOT_FOUND', `There is no such ${what}`);
const conflict = (message: string): SextantError => new SextantError('CONFLICT', message);

const emptyTransit = ({ call, act: { at } }: Keeping): Transit => ({
  call,
  by: null,
  at,
  until: turnUntil(at),
  items: [],
  to: null,
  price: 0,
  tell: null,
  tell_back: null,
});

/** @returns the entry where it is now @throws SextantError NOT_FOUND @throws SextantError CONFLICT */
export async function relocateItem(db: Db, itemId: string, target: Target, keeping: Keeping): Promise<ItemEntry> {
  if (!(await findItem(db, itemId))) throw notFound('item');
  const { to, owner: receiver } = await findDestination(db, target);
  const place = await findPlace(db, itemId);
  if (!place) throw conflict('The item is on its way: try again');
  const moved = contentsOf(place.inventory, itemId);
  if (moved.some(({ id }) => id === to.inside)) throw conflict('A container cannot be put into itself');
  if (to.kind === place.kind && to.id === place.id && to.inside === place.entry.inside_id) return place.entry;
  const act = await onBehalfOf(db, keeping.act, place.owner, receiver);
  const entry = intendAct(act, { action: 'RELOCATED', subject: itemId, detail: target.id, call: keeping.call });
  const transit: Transit = { ...emptyTransit(keeping), items: moved, to, entry };
  if (!(await takeFrom(db, place, transit))) throw conflict('The item has moved at the same time: try again');
  failpoint('game.taken-away');
  const { declined } = await carry(db, { source: { kind: place.kind, id: place.id }, transit }, {});
  for (const each of [place, to]) if (each.kind === 'LOCATION') keeping.changed(each.id);
  if (declined) throw conflict(whyDeclined(declined));
  return { ...(moved[0] as ItemEntry), inside_id: to.inside };
}

/** @returns also the user whose character gets the item, if it is one @throws SextantError NOT_FOUND */
async function findDestination(
  db: Db,
  { kind, id }: Target,
): Promise<{ readonly to: Destination; readonly owner: string | null }> {
  const toWhole = { id, inside: null, room: null };
  if (kind === 'Location' && (await findLocation(db, id))) return { to: { kind: 'LOCATION', ...toWhole }, owner: null };
  const character = kind === 'Character' ? await findCharacter(db, id) : null;
  if (character) return { to: { kind: 'CHARACTER', ...toWhole }, owner: character.owner };
  const container = kind === 'Item' ? await findPlace(db, id) : null;
  if (!container) throw notFound('place');
  if (container.entry.kind !== 'CONTAINER') throw conflict('The item is no container');
  return { to: { kind: container.kind, id: container.id, inside: id, room: null }, owner: container.owner };
}

/** For the audit trail: the first person of those concerned. An administrator's own character needs no second name. */
async function onBehalfOf(db: Db, act: Audited, ...owners: readonly (string | null)[]): Promise<Audited> {
  for (const owner of owners) {
    const address = owner === null ? act.actor : await findAddress(db, owner);
    if (address !== act.actor) return { ...act, onBehalfOf: address };
  }
  return act;
}

/** The first step. @returns false if the item is not as it was read */
async function takeFrom(db: Db, { kind, id, owner }: FoundPlace, transit: Transit): Promise<boolean> {
  const ids = transit.items.map((item) => item.id);
  // Guard: the item with exactly these contents is still there, and its turn is not nearly over.
  const exactly = { ...mayBegin(transit), _id: id, $and: holdsExactly(transit.items) };
  const gone = { id: { $in: ids } };
  if (kind === 'LOCATION') {
    const change = { ...changeOf(transit, null, { transits: transit }), $pull: { inventory: gone } };
    return (await locations(db).updateOne(exactly, change)).matchedCount === 1;
  }
  const ofSame = { ...exactly, owner }; // guard: of the person whom the audit trail names, also if the character was created again
  const { matchedCount } = await characters(db).updateOne(ofSame, {
    $pull: { inventory: gone, armor: gone, weapons: gone },
    $push: { transits: transit },
    $inc: { weight: -weightOf(transit.items) },
  });
  return matchedCount === 1;
}

const ATTEMPTS_MAX = 5; // the character's copy of the room may be behind

/** @throws SextantError NOT_FOUND @throws SextantError CONFLICT */
export async function relocateCharacter(
  db: Db,
  id: string,
  locationId: string,
  keeping: Keeping,
): Promise<CharacterDocument> {
  const destination = await findLocation(db, locationId);
  if (!destination) throw notFound('location');
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const character = await findCharacter(db, id);
    if (!character || character.leaving_since) throw notFound('character');
    if (character.location._id === locationId) return character;
    const act = await onBehalfOf(db, keeping.act, character.owner);
    const from = await takeOut(db, character, destination, { ...keeping, act });
    const transit = from?.transits.find(({ call }) => call === keeping.call);
    if (from && transit) {
      failpoint('game.taken-out');
      const { isBack } = await goOn(db, { source: { kind: 'LOCATION', id: from._id }, transit }, { from });
      for (const room of [from._id, locationId]) keeping.changed(room);
      if (isBack) throw conflict('The location is full');
      return (await findCharacter(db, id)) ?? fail();
    }
    const room = await findLocation(db, character.location._id);
    if (room) await bringUpToDate(db, id, room);
    failpoint('game.relocation-refreshed');
  }
  throw conflict('The character has moved at the same time: try again');
}

function fail(): never {
  throw notFound('character');
}

/** The first step. @returns the old room, or null if the character is not in it */
function takeOut(
  db: Db,
  character: CharacterDocument,
  destination: LocationDocument,
  keeping: Keeping,
): Promise<LocationDocument | null> {
  const { _id, name, moves, location } = character;
  const { call, act } = keeping;
  const who = doerOf(character);
  const happening = (kind: 'LEFT' | 'CAME', text: string, own: string) => ({ call, at: act.at, kind, who, text, own });
  const player = location.players.find((each) => each.id === _id) ?? playerOf(character);
  const transit: Transit = {
    ...emptyTransit(keeping),
    to: { kind: 'LOCATION', id: destination._id, inside: null, room: null },
    player,
    move: moves + 1,
    tell: {
      room: destination._id,
      happening: happening('CAME', `${name} appears.`, `You are here: ${destination.name}.`),
    },
    tell_back: happening('CAME', `${name} is back.`, 'You are back.'),
    entry: intendAct(act, { action: 'RELOCATED', subject: _id, detail: destination._id, call }),
  };
  return locations(db).findOneAndUpdate(
    // Guard: the character is in the room, which is true only between two moves, and its whole entry is as it was read.
    { ...mayBegin(transit), _id: location._id, players: { $elemMatch: entryOf(player) } },
    {
      ...changeOf(transit, happening('LEFT', `${name} disappears.`, 'You are taken away.'), { transits: transit }),
      $pull: { players: { id: _id } },
    },
    { returnDocument: 'after' },
  );
}

/** A character of a person with all others of that person. @param until null: it may speak @throws SextantError NOT_FOUND */
export async function muteCharacter(db: Db, id: string, until: Date | null, act: Audited): Promise<CharacterDocument> {
  const { value } = await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
    const character = await characters(db).findOneAndUpdate(
      { _id: id }, // guard: none needed, the last one wins
      muteUpdate(until),
      { session, returnDocument: 'after' },
    );
    if (!character) throw notFound('character');
    if (character.owner !== null) await mutePerson(db, session, character.owner, until);
    await recordAct(db, session, await onBehalfOf(db, act, character.owner), {
      action: 'CHARACTER_MUTED',
      subject: id,
      ...(until && { detail: until.toISOString() }),
    });
    return character;
  });
  failpoint('game.muted');
  if (value.owner !== null) await mutePersonAgain(db, value.owner);
  return value;
}
