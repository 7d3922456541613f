/** An import, followed live: as it stands, then again after every batch. */
import { changedDocument, defineFeed, type StateFeed } from '../../database/index.js';
import { SextantError } from '../../shared/errors.js';
import { type LogImportDocument, logImports } from './log-import.js';

export interface LogImportArgs {
  readonly id: string;
}

interface LogImportFollowed {
  document: LogImportDocument;
}

const WHOLE = ['import']; // the one part: whoever is behind gets the latest import and misses nothing

export const logImportFeed: StateFeed<LogImportArgs, LogImportFollowed, LogImportDocument, LogImportDocument> =
  defineFeed({
    kind: 'state',
    name: 'log-import',
    collections: [logImports],

    key: ({ id }) => id,
    topic: ({ id }) => `${logImports.collectionName}:${id}`,
    topics: (event) => [`${event.collection}:${event.documentKey._id}`],

    /** @throws SextantError NOT_FOUND */
    snapshot: async (db, { id }, session) => {
      const document = await logImports(db).findOne({ _id: id }, { session });
      if (!document) throw new SextantError('NOT_FOUND', 'No import has this id');
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
