/** System's part of the API. */
import { findAsset } from '../../models/system/assets/asset.js';
import { type AssetLoaders, makeAssetLoaders } from '../../models/system/assets/asset-loader.js';
import type { SystemServices } from '../../models/system/domain.js';
import { hasRole } from '../../server/identity/viewer.js';
import { anybody } from '../support/access.js';
import type { DomainResolvers } from '../support/domain-resolvers.js';
import { workNode } from '../support/work.js';
import * as asset from './asset.js';
import { assetRoutes } from './asset-routes.js';
import * as backgroundWork from './background-work.js';
import * as maintenance from './maintenance.js';
import * as personalData from './personal-data.js';
import * as seed from './seed.js';
import * as shardAdvice from './shard-advice.js';
import * as storage from './storage.js';
import * as systemHealth from './system.js';
import * as violation from './violation.js';
import { workFileRoutes } from './work-file-routes.js';

export const resolvers: DomainResolvers = {
  modules: [asset, systemHealth, storage, maintenance, violation, shardAdvice, backgroundWork, personalData, seed],
  nodes: {
    DataExport: workNode('DataExport'),
    DataImport: workNode('DataImport'),
    Seed: workNode('Seed'),
    Asset: {
      mayAsk: anybody,
      find: async ({ db, assets, viewer }, id) => {
        const found = await findAsset(db, id);
        if (!found) return null;
        const isOwn = viewer.id !== null && found.metadata.owner_id === viewer.id;
        return isOwn || hasRole(viewer, 'EDITOR') || (await assets.isPublic(id)) ? found : null;
      },
    },
  },
  routes: (scope) => {
    assetRoutes(scope);
    workFileRoutes(scope);
  },
  loaders: makeAssetLoaders,
};

declare module '../../server/context/context.js' {
  interface Services extends SystemServices {}
  interface Loaders extends AssetLoaders {}
}
