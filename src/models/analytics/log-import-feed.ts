/** An import, followed live: as it stands, then again after every batch. */
import { type ChangeEvent, defineFeed, type StateFeed } from '../../database/index.js';
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
      state.document = changed(state.document, event);
      return WHOLE;
    },
    view: ({ document }) => document,
    change: ({ document }) => document,
  });

/** The document after an event; the one before stays as it is, since it may have been sent. */
function changed(document: LogImportDocument, { document: whole, updated, removed }: ChangeEvent): LogImportDocument {
  if (whole) return whole as LogImportDocument;
  const copy = structuredClone(document) as unknown as Record<string, unknown>;
  for (const [path, value] of Object.entries(updated ?? {})) {
    const { parent, name } = placeOf(copy, path);
    parent[name] = value;
  }
  for (const path of removed ?? []) {
    const { parent, name } = placeOf(copy, path);
    delete parent[name];
  }
  return copy as unknown as LogImportDocument;
}

function placeOf(root: Record<string, unknown>, path: string): { parent: Record<string, unknown>; name: string } {
  const names = path.split('.');
  const name = names.pop() ?? '';
  let parent = root;
  for (const step of names) {
    parent[step] ??= {};
    parent = parent[step] as Record<string, unknown>;
  }
  return { parent, name };
}
