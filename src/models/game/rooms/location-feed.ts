/** A location, followed live: for those who keep the world. */
import {
  type ChangeEvent,
  changedDocument,
  changedFields,
  type DocumentArgs,
  defineFeed,
  documentBytes,
  type StateFeed,
} from '../../../database/index.js';
import { SextantError } from '../../../shared/errors.js';
import { type LocationDocument, locations } from '../world/location.js';

const fields = ['name', 'description', 'exits', 'players', 'inventory'] as const;
const shown = new Set<string>(fields);
const projection = Object.fromEntries(fields.map((field) => [field, 1]));

interface LocationState {
  /** It is replaced, never modified. */
  document: LocationDocument;
  isGone: boolean;
}

const WHOLE = ['document']; // the only part

export const locationFeed: StateFeed<DocumentArgs, LocationState, LocationDocument, LocationDocument> = defineFeed({
  kind: 'state',
  name: 'game location',
  collections: [{ collectionName: locations.collectionName, fields }],

  key: ({ id }: DocumentArgs) => id,
  topic: ({ id }: DocumentArgs) => `location ${id}`,
  topics: ({ documentKey }: ChangeEvent) => [`location ${documentKey._id}`],

  /** @throws SextantError NOT_FOUND also when it was deleted: so the subscription ends */
  snapshot: async (db, { id }: DocumentArgs, session) => {
    const document = await locations(db).findOne({ _id: id }, { session, projection });
    if (!document) throw new SextantError('NOT_FOUND', 'There is no such location');
    return { document, isGone: false };
  },

  touched: () => WHOLE,
  apply: (state: LocationState, event: ChangeEvent) => {
    if (event.operation === 'delete') {
      state.isGone = true;
      return [];
    }
    if (event.operation === 'update' && !changedFields(event).some((field) => shown.has(field))) return [];
    state.isGone = false;
    state.document = changedDocument(state.document, event);
    return WHOLE;
  },
  view: ({ document }: LocationState) => document,
  change: ({ document }: LocationState) => document,
  reread: {
    isUncertain: ({ isGone }: LocationState) => isGone,
    compare: () => WHOLE,
  },
  bytes: ({ document }: LocationState) => documentBytes(document),
});
