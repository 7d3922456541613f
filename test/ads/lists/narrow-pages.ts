/** The pages of ads with long content. */
import type { Product } from '../../../harness/product.js';
import { addAdvertiser, openPurse, openZone, runCampaign } from '../../browser/support/ads.js';
import { type AddedIds, LONG, type NarrowPages } from '../../browser/support/narrow-pages.js';

export const narrowPages: NarrowPages = {
  fill,
  forAdministrators: [
    ['/ads', '/ads', LONG],
    ['/ads/campaign/:id', '/ads/campaign/{campaign}', 'Export as CSV'],
    ['/ads/campaign/:id', '/ads/campaign/nothing', 'There is no such campaign'],
    ['/ads/advertisers', '/ads/advertisers', LONG],
    ['/ads/zones', '/ads/zones?site=ads.example', 'Copy the snippet'],
  ],
};

async function fill(product: Product, ids: AddedIds): Promise<void> {
  await openZone(product);
  const advertiserId = await addAdvertiser(product, LONG);
  const accountId = await openPurse(product, 'Advertising', 1_000_000_000);
  const units = [{ headline: LONG, text: LONG, landingUrl: `https://example.org/${LONG}?ad={{receipt}}` }];
  const wish = { advertiserId, accountId, name: LONG, price: 99_999_999, budget: 999_999_999, units };
  ids.set('campaign', await runCampaign(product, wish));
}
