/** How ads use pictures. */
import type { AssetUses } from '../domain.js';
import { filterUsed } from '../system/assets/asset-use.js';
import { adUnits } from './campaigns/ad-unit.js';

const isUsed: AssetUses['findUsed'] = (db, ids) =>
  filterUsed(ids, (id) =>
    adUnits(db).findOne({ image_id: id, removed_at: { $exists: false } }, { projection: { _id: 1 } }),
  );

/** Everybody may see every ad: it is made to be shown. */
export const assetUses: AssetUses = { findUsed: isUsed, findPublic: isUsed };
