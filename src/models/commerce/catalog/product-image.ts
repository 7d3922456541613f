/** The pictures of products: assets, in the order in which they are shown. */
import type { Db } from 'mongodb';
import { commitConcernOf, inTransaction } from '../../../database/index.js';
import { InputError, LimitError } from '../../../shared/errors.js';
import { failpoint } from '../../../shared/failpoint.js';
import { idOfType } from '../../../shared/global-id.js';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import type { AssetUses } from '../../domain.js';
import { claimAssets, releaseAssets } from '../../system/assets/asset-claim.js';
import { type ProductDocument, products } from './product.js';

export const IMAGES_MAX = 10;

export interface ImageChange {
  readonly sku: string;
  /** Global ids of assets. */
  readonly imageIds: readonly string[];
}

/**
 * Replaces the list of a product's pictures. May be repeated.
 * @throws LimitError more than IMAGES_MAX @throws InputError one of them does not exist; nothing has changed
 */
export async function changeProductImages(
  db: Db,
  { sku, imageIds }: ImageChange,
  now: Date,
): Promise<ProductDocument | Refusal<'ProductNotFound', { readonly sku: string }>> {
  const ids = requireAssetIds(imageIds);
  const { value: before } = await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
    const found = await products(db).findOneAndUpdate({ _id: sku }, { $set: { image_ids: ids } }, { session }); // the latest list counts
    const known = new Set(found?.image_ids);
    const added = ids.filter((id) => !known.has(id));
    if (found) await claimAssets(db, session, added, { field: 'imageIds', now });
    return found;
  });
  failpoint('product.images-changed');
  if (!before) return refuse('ProductNotFound', `There is no product with the SKU ${sku}`, { sku });
  const removed = (before.image_ids ?? []).filter((id) => !ids.includes(id));
  await releaseAssets(db, removed, now);
  return { ...before, image_ids: ids };
}

/** @throws LimitError @throws InputError */
function requireAssetIds(imageIds: readonly string[]): string[] {
  if (imageIds.length > IMAGES_MAX) throw new LimitError(`A product has at most ${IMAGES_MAX} pictures`, IMAGES_MAX);
  const ids = imageIds.map((globalId, index) => {
    const id = idOfType('Asset', globalId);
    if (id === null) throw new InputError(`imageIds.${index}`, 'must be the id of a picture');
    return id;
  });
  return [...new Set(ids)];
}

/** Everybody may see every product. One read for each asset: one may be in thousands of products, of which one is enough. */
async function findShown(db: Db, ids: readonly string[]): Promise<string[]> {
  const found = await Promise.all(ids.map((id) => products(db).findOne({ image_ids: id }, { projection: { _id: 1 } })));
  return ids.filter((_id, index) => found[index] !== null);
}

export const assetUses: AssetUses = { findUsed: findShown, findPublic: findShown };
