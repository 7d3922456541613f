/** Batched loading of assets, for the fields of lists. */
import type DataLoader from 'dataloader';
import type { Db } from 'mongodb';
import { batched } from '../../../shared/batched-loader.js';
import { type AssetDocument, findAssets } from './asset.js';

export interface AssetLoaders {
  /** Null for one that does not exist. */
  readonly asset: DataLoader<string, AssetDocument | null>;
}

export const makeAssetLoaders = (db: Db): AssetLoaders => ({ asset: batched((ids) => findAssets(db, ids)) });
