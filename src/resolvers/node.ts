/** `node(id:)`: how an object of each type is found by its id alone, and who may see it. A new type adds one line. */
import type { QueryResolvers } from '../generated/resolvers.js';
import { findEvent } from '../models/analytics/log/request-log.js';
import { findLogImport } from '../models/analytics/log-import/log-import.js';
import { findSite } from '../models/analytics/sites/site.js';
import { findCategoryById } from '../models/commerce/catalog/category.js';
import { findProduct } from '../models/commerce/catalog/product-list.js';
import { findTransfer } from '../models/commerce/money/transfer.js';
import { findCart } from '../models/commerce/orders/cart.js';
import { findUser } from '../models/people/user.js';
import type { Context } from '../server/context/context.js';
import { hasRole, type Scope } from '../server/identity/viewer.js';
import { fromGlobalId } from '../shared/global-id.js';
import { findUsableAccount, findVisibleOrder } from './commerce/ownership.js';
import { typeOfProduct } from './commerce/product-type.js';
import { findViewer } from './people/viewer.js';

interface NodeLoader {
  /** Called before any read. */
  mayAsk(context: Context, id: string): boolean;
  find(context: Context, id: string): Promise<object | null>;
}

/** The same users and API keys as for the queries that list these objects. */
const readersOf =
  (scope: Scope) =>
  ({ viewer }: Context) =>
    hasRole(viewer, 'EDITOR') || viewer.scopes.includes(scope);
const anybody = () => true;
const people = ({ viewer }: Context) => viewer.id !== null;
const administrators = ({ viewer }: Context) => hasRole(viewer, 'ADMIN');
const editors = ({ viewer }: Context) => hasRole(viewer, 'EDITOR');

const loaders: ReadonlyMap<string, NodeLoader> = new Map([
  ['LogEvent', { mayAsk: readersOf('LOGS_READ'), find: ({ db, now }, id) => findEvent(db, id, now()) }],
  ['LogImport', { mayAsk: readersOf('LOGS_READ'), find: ({ db }, id) => findLogImport(db, id) }],
  ['Category', { mayAsk: anybody, find: ({ db }, id) => findCategoryById(db, id) }],
  [
    'Product',
    {
      mayAsk: anybody,
      find: async ({ db }, sku) => {
        const product = await findProduct(db, sku);
        return product && { ...product, __typename: typeOfProduct(product) };
      },
    },
  ],
  ['Site', { mayAsk: editors, find: ({ db }, id) => findSite(db, id) }],
  ['Cart', { mayAsk: () => true, find: ({ db }, id) => findCart(db, id) }], // anyone who knows a cart's id may use it
  ['Order', { mayAsk: people, find: findVisibleOrder }],
  ['Account', { mayAsk: people, find: findUsableAccount }],
  ['Transfer', { mayAsk: administrators, find: ({ db }, id) => findTransfer(db, id) }],
  [
    'User',
    {
      mayAsk: ({ viewer }, id) => viewer.id === id || hasRole(viewer, 'ADMIN'),
      find: (context, id) => (context.viewer.id === id ? findViewer(context) : findUser(context.db, id)),
    },
  ],
] satisfies [string, NodeLoader][]);

export const Query: Pick<QueryResolvers, 'node'> = {
  node: async (_root, { id: globalId }, context) => {
    const { type, id } = fromGlobalId(globalId) ?? {};
    const loader = type === undefined ? undefined : loaders.get(type);
    if (!type || !id || !loader?.mayAsk(context, id)) return null;
    const document = await loader.find(context, id);
    return document && ({ __typename: type, ...document } as never); // the type that the interface resolves to
  },
};
