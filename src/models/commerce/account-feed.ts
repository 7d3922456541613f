/** An account, followed live: as it stands, then again after every change. */
import { changedDocument, defineFeed, type StateFeed } from '../../database/index.js';
import { SextantError } from '../../shared/errors.js';
import { type AccountDocument, accounts } from './account.js';

export interface AccountArgs {
  readonly id: string;
}

const WHOLE = ['account']; // the one part: whoever is behind gets the latest balance and misses nothing

export const accountFeed: StateFeed<AccountArgs, { document: AccountDocument }, AccountDocument, AccountDocument> =
  defineFeed({
    kind: 'state',
    name: 'account',
    collections: [accounts],

    key: ({ id }) => id,
    topic: ({ id }) => `${accounts.collectionName}:${id}`,
    topics: (event) => [`${event.collection}:${event.documentKey._id}`],

    /** @throws SextantError NOT_FOUND */
    snapshot: async (db, { id }, session) => {
      const document = await accounts(db).findOne({ _id: id }, { session });
      if (!document) throw new SextantError('NOT_FOUND', 'There is no such account');
      return { document };
    },

    touched: () => WHOLE,
    apply: (state, event) => {
      state.document = changedDocument(state.document, event);
      return WHOLE;
    },
    view: ({ document }) => document,
    change: ({ document }) => document,
  });
