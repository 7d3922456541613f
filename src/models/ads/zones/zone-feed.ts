/** A zone, followed live. */
import { changedDocument, defineFeed, type StateFeed } from '../../../database/index.js';
import { SextantError } from '../../../shared/errors.js';
import { type ZoneDocument, zoneAt, zones } from './zone.js';

interface ZoneState {
  zone: ZoneDocument;
}

const WHOLE = ['zone'] as const;
const BYTES_PER_AD = 1000;
const topicOf = (id: string) => `${zones.collectionName}:${id}`;

export const zoneFeed = defineFeed<StateFeed<{ readonly id: string }, ZoneState, ZoneDocument, ZoneDocument>>({
  kind: 'state',
  name: 'ad zone',
  collections: [zones],

  key: ({ id }) => id,
  topic: ({ id }) => topicOf(id),
  topics: ({ documentKey }) => [topicOf(String(documentKey._id))],

  /** @throws SextantError NOT_FOUND */
  snapshot: async (db, { id }, session) => {
    const zone = await zones(db).findOne(zoneAt(id), { session });
    if (!zone) throw new SextantError('NOT_FOUND', 'There is no such zone');
    return { zone };
  },
  touched: () => WHOLE,
  apply: (state, event) => {
    // A removed zone shows nothing. A zone of the same name that is added later follows.
    if (event.operation === 'delete') state.zone = { ...state.zone, ads: [] };
    else state.zone = changedDocument(state.zone, event);
    return WHOLE;
  },
  view: ({ zone }) => zone,
  change: ({ zone }) => zone,
  bytes: ({ zone }) => zone.ads.length * BYTES_PER_AD,
});
