/** Who may comment on products. */
import type { Db } from 'mongodb';
import { toGlobalId } from '../../../shared/global-id.js';
import type { CommentHost, HostedSubject } from '../../commentable.js';
import type { CommentPolicy } from '../../comments/discussion/comment.js';
import { discussionOf, type Subject } from '../../comments/discussion/discussion.js';
import { type ProductDocument, products } from './product.js';
import { toPresentForm } from './product-form.js';
import { findProductsBySku } from './product-list.js';

/** Not in one document, which the discussion of a popular product outgrows. */
export const subjectOfProduct = ({ _id, comment_policy }: ProductDocument): Subject => ({
  discussion: discussionOf('Product', _id),
  policy: comment_policy ?? 'MEMBERS',
  design: 'ONE_EACH',
  designs: ['ONE_EACH', 'HYBRID'],
  ownerIds: [],
});

/** Saving the product again keeps the policy. @returns null if there is no such product */
export async function changeCommentPolicy(db: Db, sku: string, policy: CommentPolicy): Promise<ProductDocument | null> {
  const change = { $set: { comment_policy: policy } };
  const found = await products(db).findOneAndUpdate({ _id: sku }, change, { returnDocument: 'after' }); // the latest policy counts
  return found && toPresentForm(found);
}

/** Products have no paths: rows name their ids. */
export const productHost: CommentHost = {
  type: 'Product',
  find: async (db, skus) =>
    new Map((await findProductsBySku(db, skus)).map((product) => [product._id, subjectOfProduct(product)])),
  async *walk(db, below, from) {
    const { sku = '' } = (from ?? {}) as { readonly sku?: string };
    if (below !== null) {
      for (const product of await findProductsBySku(db, [below])) yield hosted(product, null);
      return;
    }
    // No cursor stays open: between two products there may be many comments.
    for (let where: { $gte: string } | { $gt: string } = { $gte: sku }; ; ) {
      const some = await products(db).find({ _id: where }).sort({ _id: 1 }).limit(PRODUCTS_AT_ONCE).toArray();
      for (const product of some) yield hosted(toPresentForm(product), toGlobalId('Product', product._id));
      const last = some.at(-1);
      if (!last) return;
      where = { $gt: last._id };
    }
  },
};

const PRODUCTS_AT_ONCE = 50;

const hosted = (product: ProductDocument, on: string | null): HostedSubject => ({
  subject: subjectOfProduct(product),
  on,
  position: { sku: product._id },
});
