/** Commerce's part of the API. */
import { findCategoryById } from '../../models/commerce/catalog/category.js';
import { findProduct } from '../../models/commerce/catalog/product-list.js';
import type { CommerceServices } from '../../models/commerce/domain.js';
import { type CommerceLoaders, makeCommerceLoaders } from '../../models/commerce/loaders.js';
import { findTransfer } from '../../models/commerce/money/transfer.js';
import { findCart } from '../../models/commerce/orders/cart.js';
import { administrators, anybody, signedIn } from '../support/access.js';
import type { DomainResolvers } from '../support/domain-resolvers.js';
import * as account from './account.js';
import * as cart from './cart.js';
import * as category from './category.js';
import * as inventory from './inventory.js';
import * as money from './money.js';
import * as order from './order.js';
import { findUsableAccount, findVisibleOrder } from './ownership.js';
import * as product from './product.js';
import { productComments, productDiscussions } from './product-comments.js';
import * as productImage from './product-image.js';
import { typeOfProduct } from './product-type.js';
import * as transfer from './transfer.js';

export const resolvers: DomainResolvers = {
  modules: [product, productImage, productDiscussions, category, inventory, cart, order, account, transfer, money],
  nodes: {
    Category: { mayAsk: anybody, find: ({ db }, id) => findCategoryById(db, id) },
    Product: {
      mayAsk: anybody,
      find: async ({ db }, sku) => {
        const found = await findProduct(db, sku);
        return found && { ...found, __typename: typeOfProduct(found) };
      },
    },
    Cart: { mayAsk: anybody, find: ({ db }, id) => findCart(db, id) }, // anyone who knows a cart's id may use it
    Order: { mayAsk: signedIn, find: findVisibleOrder },
    Account: { mayAsk: signedIn, find: findUsableAccount },
    Transfer: { mayAsk: administrators, find: ({ db }, id) => findTransfer(db, id) },
  },
  commentables: { Product: productComments },
  loaders: makeCommerceLoaders,
};

declare module '../../server/context/context.js' {
  interface Services extends CommerceServices {}
  interface Loaders extends CommerceLoaders {}
}
