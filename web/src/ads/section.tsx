/** Ads: campaigns and advertisers, of advertisers their own; and for editors the zones of the sites. */
import { lazyPage } from '../shell/lazy-page.js';
import type { Section } from '../shell/section.js';
import { ownsAdvertiser } from './data/owner.js';

export const adsSection: Section = {
  domain: 'ads',
  name: 'Ads',
  icon: 'megaphone',
  role: 'ADVERTISER',
  isOwner: ownsAdvertiser,
  wide: true,
  pages: [
    {
      path: '/ads',
      name: 'Campaigns',
      Content: lazyPage(() => import('./campaigns/campaigns-page.js').then((module) => module.CampaignsPage)),
    },
    {
      path: '/ads/campaign/:id',
      name: 'Campaign',
      Content: lazyPage(() => import('./campaign/campaign-page.js').then((module) => module.CampaignPage)),
      titled: true,
      unlisted: true,
    },
    {
      path: '/ads/advertisers',
      name: 'Advertisers',
      Content: lazyPage(() => import('./advertisers/advertisers-page.js').then((module) => module.AdvertisersPage)),
    },
    {
      path: '/ads/zones',
      name: 'Zones',
      role: 'EDITOR',
      Content: lazyPage(() => import('./zones/zones-page.js').then((module) => module.ZonesPage)),
    },
  ],
};
