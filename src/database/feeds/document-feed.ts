/** Feeds whose state is one document: sent first as it is, then again after every change. */
import { BSON, type Filter, type WithId } from 'mongodb';
import { SextantError } from '../../shared/errors.js';
import type { CollectionDeclaration } from '../collections/collection.js';
import { defineFeed, type StateFeed } from '../collections/feed.js';
import { changedDocument } from './changed-document.js';

/** Approximate bytes in memory per byte of BSON. */
const OBJECT_SHARE = 3;

/** The approximate size of a document in memory, in bytes. */
export const documentBytes = (document: object): number => OBJECT_SHARE * BSON.calculateObjectSize(document);

export interface DocumentArgs {
  readonly id: string;
}

/** The document is replaced, not modified, so views that were already sent stay unchanged. */
interface Followed<T> {
  document: T;
}

export type DocumentFeed<T> = StateFeed<DocumentArgs, Followed<T>, T, T>;

const WHOLE = ['document']; // the only part: a subscriber that is behind gets the latest document and misses nothing

/**
 * Declares such a feed.
 * @param notFound the message of NOT_FOUND when the document does not exist
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
