/** Accounts, followed live: one as it stands, then again after every change; and those of a person, or of all, as they are opened. */
import { defineDocumentFeed, defineFeed, type EventFeed } from '../../database/index.js';
import { type AccountDocument, accounts } from './account.js';

export const accountFeed = defineDocumentFeed('account', accounts, 'There is no such account');

export interface OpenedArgs {
  /** Whose. Null: everybody's. */
  readonly owner: string | null;
}

/** Of a first subscription, and after a reset. */
const FIRST_MAX = 100;

const topicOf = (owner: string | null) => `${accounts.collectionName} opened:${owner ?? ''}`;

/** A list that only grows: accounts are never deleted, and never change hands. */
export const openedAccountFeed = defineFeed<EventFeed<OpenedArgs, readonly AccountDocument[], AccountDocument>>({
  kind: 'events',
  name: 'opened accounts',
  collections: [accounts],

  key: ({ owner }) => owner ?? '',
  topic: ({ owner }) => topicOf(owner),
  topics: ({ document }) => (document ? [topicOf(null), topicOf(document.owner)] : []),

  snapshot: (db, { owner }, session) =>
    accounts(db)
      .find(owner === null ? {} : { owner }, { session })
      .sort({ _id: 1 })
      .limit(FIRST_MAX)
      .toArray(),
  entries: ({ document }, { owner }) =>
    document && (owner === null || document.owner === owner) ? [document as AccountDocument] : [],
});
