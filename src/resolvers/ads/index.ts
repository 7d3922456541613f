/** Ads' part of the API. */
import { findAdvertiser } from '../../models/ads/advertisers/advertiser.js';
import type { AdsServices } from '../../models/ads/domain.js';
import { type AdLoaders, makeAdLoaders } from '../../models/ads/loaders.js';
import { findZone } from '../../models/ads/zones/zone.js';
import { editors, signedIn } from '../support/access.js';
import type { DomainResolvers } from '../support/domain-resolvers.js';
import * as adProfile from './ad-profile.js';
import * as adStats from './ad-stats.js';
import * as adUnit from './ad-unit.js';
import * as advertiser from './advertiser.js';
import * as campaign from './campaign.js';
import * as decision from './decision.js';
import { adOwnerFilter, findVisibleAdUnit, findVisibleCampaign } from './ownership.js';
import * as receipt from './receipt.js';
import { adRoutes } from './routes.js';
import * as zone from './zone.js';

export const resolvers: DomainResolvers = {
  modules: [advertiser, campaign, adUnit, zone, decision, receipt, adProfile, adStats],
  nodes: {
    Advertiser: {
      mayAsk: signedIn,
      find: async ({ db, viewer }, id) => {
        const owner = adOwnerFilter(viewer);
        const found = await findAdvertiser(db, id);
        return found && (owner === null || found.owner === owner) ? found : null;
      },
    },
    Campaign: { mayAsk: signedIn, find: findVisibleCampaign },
    AdUnit: { mayAsk: signedIn, find: findVisibleAdUnit },
    Zone: { mayAsk: editors, find: ({ db }, id) => findZone(db, id) },
  },
  loaders: makeAdLoaders,
  routes: adRoutes,
};

declare module '../../server/context/context.js' {
  interface Services extends AdsServices {}
  interface Loaders extends AdLoaders {}
}
