/** A cart, followed live: as it stands, then again after every change. */
import { changedDocument, defineFeed, type StateFeed } from '../../database/index.js';
import { SextantError } from '../../shared/errors.js';
import { type CartDocument, carts } from './cart.js';

export interface CartArgs {
  readonly id: string;
}

const WHOLE = ['cart']; // the one part: whoever is behind gets the latest cart and misses nothing

export const cartFeed: StateFeed<CartArgs, { document: CartDocument }, CartDocument, CartDocument> = defineFeed({
  kind: 'state',
  name: 'cart',
  collections: [carts],

  key: ({ id }) => id,
  topic: ({ id }) => `${carts.collectionName}:${id}`,
  topics: (event) => [`${event.collection}:${event.documentKey._id}`],

  /** @throws SextantError NOT_FOUND */
  snapshot: async (db, { id }, session) => {
    const document = await carts(db).findOne({ _id: id }, { session });
    if (!document) throw new SextantError('NOT_FOUND', 'There is no such cart');
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
