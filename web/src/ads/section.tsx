/** Ads: campaigns and advertisers, of advertisers their own; and for editors the zones of the sites. */
import { Link } from '../kit/controls/link.js';
import { useRole } from '../shell/access.js';
import { lazyPage } from '../shell/lazy-page.js';
import type { Section } from '../shell/section.js';
import { ownsAdvertiser } from './data/owner.js';

function Welcome() {
  const advertises = useRole('ADVERTISER');
  return (
    advertises && (
      <>
        To advertise, go to <Link href="/ads">Ads</Link>.
      </>
    )
  );
}

export const adsSection: Section = {
  domain: 'ads',
  name: 'Ads',
  icon: 'megaphone',
  role: 'ADVERTISER',
  isOwner: ownsAdvertiser,
  wide: true,
  welcome: <Welcome />,
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
      headed: true,
      unlisted: true,
      parentPath: '/ads',
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
