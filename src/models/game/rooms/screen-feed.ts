/** Followed live: a character with its room, which is the player's screen, and a location. Both as the part of a document that is shown. */
import type { Filter, WithId } from 'mongodb';
import {
  type ChangeEvent,
  type CollectionDeclaration,
  changedDocument,
  type DocumentArgs,
  defineFeed,
  documentBytes,
  type StateFeed,
} from '../../../database/index.js';
import { SextantError } from '../../../shared/errors.js';
import { characters } from '../world/character.js';
import { locations } from '../world/location.js';

interface Followed<T> {
  /** It is replaced, never modified. */
  document: T;
  isGone: boolean;
}

const WHOLE = ['document']; // the only part

/** The first part of the path of each field that an event changes. */
const changedFields = ({ updated = {}, removed = [], truncated = [] }: ChangeEvent): string[] =>
  [...Object.keys(updated), ...removed, ...truncated.map(({ field }) => field)].map(
    (path) => path.split('.', 1)[0] ?? '',
  );

/** @param fields those that are shown: changes of others are no events */
function defineScreenFeed<T extends { _id: string }>(
  name: string,
  collection: CollectionDeclaration<T>,
  fields: readonly (keyof T & string)[],
  notFound: string,
): StateFeed<DocumentArgs, Followed<WithId<T>>, WithId<T>, WithId<T>> {
  const shown = new Set<string>(fields);
  const projection = Object.fromEntries(fields.map((field) => [field, 1]));
  return defineFeed<StateFeed<DocumentArgs, Followed<WithId<T>>, WithId<T>, WithId<T>>>({
    kind: 'state',
    name,
    collections: [{ collectionName: collection.collectionName, fields }],

    key: ({ id }) => id,
    topic: ({ id }) => `${collection.collectionName} ${id}`,
    topics: ({ collection: of, documentKey }) => [`${of} ${documentKey._id}`],

    /** @throws SextantError NOT_FOUND also when it was deleted: so the subscription ends */
    snapshot: async (db, { id }, session) => {
      const document = await collection(db).findOne({ _id: id } as Filter<T>, { session, projection });
      if (!document) throw new SextantError('NOT_FOUND', notFound);
      return { document, isGone: false };
    },

    touched: () => WHOLE,
    apply: (state, event) => {
      if (event.operation === 'delete') {
        state.isGone = true;
        return [];
      }
      if (event.operation === 'update' && !changedFields(event).some((field) => shown.has(field))) return [];
      state.isGone = false;
      state.document = changedDocument(state.document, event);
      return WHOLE;
    },
    view: ({ document }) => document,
    change: ({ document }) => document,
    reread: {
      isUncertain: ({ isGone }) => isGone,
      compare: () => WHOLE,
    },
    bytes: ({ document }) => documentBytes(document),
  });
}

export const characterFeed = defineScreenFeed(
  'game character',
  characters,
  [
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
    'location',
    'happenings',
    'muted_until',
  ],
  'You have no character with this id',
);

export const locationFeed = defineScreenFeed(
  'game location',
  locations,
  ['name', 'description', 'exits', 'players', 'inventory'],
  'There is no such location',
);
