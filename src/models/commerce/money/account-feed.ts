/** Accounts, followed live: the current state of one account and every change, and new accounts of one user or of all users. */
import { defineDocumentFeed, defineFeed, type EventFeed } from '../../../database/index.js';
import { type AccountDocument, accounts } from './account.js';

export const accountFeed = defineDocumentFeed('account', accounts, 'There is no such account');

export interface OpenedArgs {
  /** The owner. Null for the accounts of all users. */
  readonly owner: string | null;
}

/** Number of accounts in the first event and after a reset. */
const FIRST_MAX = 100;

const topicOf = (owner: string | null) => `${accounts.collectionName} opened:${owner ?? ''}`;

/** A list that only grows: accounts are never deleted and never change owners. */
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
