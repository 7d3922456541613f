/** Feeds whose state is one document: as it stands, then again after every change. */
import { BSON, type Filter, type WithId } from 'mongodb';
import { SextantError } from '../shared/errors.js';
import { changedDocument } from './changed-document.js';
import type { CollectionDeclaration } from './collection.js';
import { defineFeed, type StateFeed } from './feed.js';

/** In memory, for each byte of its BSON, about. */
const OBJECT_SHARE = 3;

/** What a document takes up in memory, about. */
export const documentBytes = (document: object): number => OBJECT_SHARE * BSON.calculateObjectSize(document);

export interface DocumentArgs {
  readonly id: string;
}

/** The state is replaced, not altered: what was sent stays as it was. */
interface Followed<T> {
  document: T;
}

export type DocumentFeed<T> = StateFeed<DocumentArgs, Followed<T>, T, T>;

const WHOLE = ['document']; // the one part: whoever is behind gets the latest document and misses nothing

/**
 * Declares such a feed.
 * @param notFound what whoever follows a document that is not there is told, with the code NOT_FOUND
 */
export function defineDocumentFeed<T extends { _id: string }>(
  name: string,
  collection: CollectionDeclaration<T>,
  notFound: string,
): DocumentFeed<WithId<T>> {
  return defineFeed<DocumentFeed<WithId<T>>>({
    kind: 'state',
    name,
    collections: [collection],

    key: ({ id }) => id,
    topic: ({ id }) => `${collection.collectionName}:${id}`,
    topics: (event) => [`${event.collection}:${event.documentKey._id}`],

    /** @throws SextantError NOT_FOUND */
    snapshot: async (db, { id }, session) => {
      const document = await collection(db).findOne({ _id: id } as Filter<T>, { session });
      if (!document) throw new SextantError('NOT_FOUND', notFound);
      return { document };
    },

    touched: () => WHOLE,
    apply: (state, event) => {
      state.document = changedDocument(state.document, event);
      return WHOLE;
    },
    view: ({ document }) => document,
    change: ({ document }) => document,
    bytes: ({ document }) => documentBytes(document),
  });
}
