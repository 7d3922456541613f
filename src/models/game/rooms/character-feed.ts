/**
 * A player's screen, followed live: the character, and the room that it is in. The room is followed itself, not the character's copy of
 * it, so that an act reaches 200 players as one change. When the character moves, its new room is read.
 */
import type { ClientSession, Db } from 'mongodb';
import {
  type ChangeEvent,
  changedDocument,
  changedFields,
  defineFeed,
  type StateFeed,
} from '../../../database/index.js';
import { SextantError } from '../../../shared/errors.js';
import { type CharacterDocument, characters } from '../world/character.js';
import { locations } from '../world/location.js';
import { paceOf } from './pace.js';
import { changedRoom, isNewsFor, type ShownCharacter, type ShownRoom, screenOf } from './screen.js';

interface CharacterArgs {
  readonly id: string;
  /** Tells it from one that gets the same name, and so the same id, after it was deleted. */
  readonly createdAt: Date;
}

interface ScreenState {
  character: ShownCharacter;
  /** The last version of the room with the character in it. */
  room: ShownRoom;
  /** The room as it is, also while the character is on its way out of it. Null if it does not exist. */
  latest: ShownRoom | null;
  /** The character has moved, or is gone. */
  isUncertain: boolean;
}

const WHOLE = ['screen']; // the only part

/** What is shown of a character, besides its room and what has happened there. */
const characterFields = [
  'name',
  'class',
  'role',
  'owner',
  'intrinsics',
  'health',
  'mana',
  'gold',
  'armor',
  'weapons',
  'inventory',
  'weight',
  'weight_max',
  'muted_until',
] as const satisfies readonly (keyof CharacterDocument)[];
/** They change when the room is copied into the character: the player has been told before, by the room itself. */
const copiedFields = ['happenings', 'offset', 'moves'] as const satisfies readonly (keyof CharacterDocument)[];
const roomFields = [
  'name',
  'description',
  'exits',
  'players',
  'inventory',
] as const satisfies readonly (keyof ShownRoom)[];
const roomNumbers = ['version', 'happened', 'happenings'] as const satisfies readonly (keyof ShownRoom)[];

const shownOfCharacter = new Set<string>(characterFields);
const shownOfRoom = new Set<string>(roomFields);
const roomProjection = Object.fromEntries([...roomFields, ...roomNumbers].map((field) => [field, 1]));

const topicOf = (collection: string, id: string) => `${collection} ${id}`;

/** @throws SextantError NOT_FOUND also when it was deleted: so the subscription ends */
async function readScreen(db: Db, { id, createdAt }: CharacterArgs, session: ClientSession): Promise<ScreenState> {
  const found = await characters(db).findOne({ _id: id, created_at: createdAt }, { session });
  if (!found) throw new SextantError('NOT_FOUND', 'You have no character with this id');
  const { location, ...character } = found;
  const latest = await locations(db).findOne({ _id: location._id }, { session, projection: roomProjection });
  const room = latest && isIn(latest, id) ? latest : { ...location, happenings: [] };
  return { character, room, latest, isUncertain: false };
}

const isIn = ({ players }: ShownRoom, id: string): boolean => players.some((player) => player.id === id);

function applyToCharacter(state: ScreenState, event: ChangeEvent): readonly string[] {
  const fields = changedFields(event);
  if (event.operation !== 'update' || fields.includes('moves')) {
    state.isUncertain = true;
    return [];
  }
  state.character = changedDocument(state.character, event);
  return fields.some((field) => shownOfCharacter.has(field)) ? WHOLE : [];
}

function applyToRoom(state: ScreenState, event: ChangeEvent): readonly string[] {
  if (event.operation !== 'update' || !state.latest) {
    state.isUncertain = true;
    return [];
  }
  const { room, character } = state;
  state.latest = changedRoom(state.latest, event);
  if (!isIn(state.latest, character._id)) return []; // it is on its way
  state.room = state.latest;
  const isShown = changedFields(event).some((field) => shownOfRoom.has(field));
  return isShown || isNewsFor(character._id, room, state.latest) ? WHOLE : [];
}

const FIXED_BYTES = 3000;
const ENTRY_BYTES = 400;

export const characterFeed: StateFeed<CharacterArgs, ScreenState, CharacterDocument, CharacterDocument> = defineFeed({
  kind: 'state',
  name: 'game character',
  collections: [
    { collectionName: characters.collectionName, fields: [...characterFields, ...copiedFields] },
    { collectionName: locations.collectionName, fields: [...roomFields, ...roomNumbers] },
  ],

  key: ({ id, createdAt }: CharacterArgs) => `${id} ${createdAt.getTime()}`,
  topic: ({ id }: CharacterArgs) => topicOf(characters.collectionName, id),
  topicsOf: ({ room }: ScreenState) => [topicOf(locations.collectionName, room._id)],
  topics: ({ collection, documentKey }: ChangeEvent) => [topicOf(collection, String(documentKey._id))],

  snapshot: (db: Db, args: CharacterArgs, session: ClientSession) => readScreen(db, args, session),
  touched: () => WHOLE,
  apply: (state: ScreenState, event: ChangeEvent) =>
    event.collection === characters.collectionName ? applyToCharacter(state, event) : applyToRoom(state, event),
  view: ({ character, room }: ScreenState) => screenOf(character, room),
  change: ({ character, room }: ScreenState) => screenOf(character, room),
  reread: {
    isUncertain: ({ isUncertain }: ScreenState) => isUncertain,
    compare: () => WHOLE,
  },
  paceMs: ({ room }: ScreenState) => paceOf(room),
  bytes: ({ character, room }: ScreenState) =>
    FIXED_BYTES +
    ENTRY_BYTES * (character.happenings.length + character.inventory.length) +
    ENTRY_BYTES * (room.happenings.length + room.inventory.length + room.players.length + room.exits.length),
});
