/** Products are commented on by everybody whom the shop lets. */
import type { GeneralProductResolvers } from '../../generated/resolvers.js';
import type { ProductDocument } from '../../models/commerce/catalog/product.js';
import { changeCommentPolicy, subjectOfProduct } from '../../models/commerce/catalog/product-comments.js';
import { findProductsBySku } from '../../models/commerce/catalog/product-list.js';
import { hasRole, refuseViewer } from '../../server/identity/viewer.js';
import { commentable } from '../comments/discussion.js';
import type { Commentables } from '../support/commentable.js';
import type { ResolverModule } from '../support/domain-resolvers.js';
import { typeOfProduct } from './product-type.js';

const common = commentable(subjectOfProduct, typeOfProduct) satisfies GeneralProductResolvers;

export const productDiscussions: ResolverModule = { GeneralProduct: common, AudioAlbum: common, Film: common };

const typed = (product: ProductDocument) => ({ ...product, __typename: typeOfProduct(product) });

export const productComments: Commentables = {
  find: async ({ db }, skus) => {
    const found = await findProductsBySku(db, skus);
    return new Map(
      found.map((product) => [product._id, { subject: subjectOfProduct(product), object: typed(product) }]),
    );
  },
  changePolicy: async ({ db, viewer }, sku, policy) => {
    if (!hasRole(viewer, 'EDITOR')) refuseViewer(viewer, 'Only editors say who may comment on products');
    const changed = await changeCommentPolicy(db, sku, policy);
    return changed && typed(changed);
  },
  urlOf: async (context, object) => {
    const { _id } = object as ProductDocument;
    return new URL(`/shop/p/${encodeURIComponent(_id)}`, context.publicUrl()).href;
  },
};
