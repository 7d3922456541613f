/** The texts in the mutations of ads. */
import { type Call, call, type TextPlaces } from '../../support/domain/text-places.js';

const money = { amount: 100, currency: 'EUR' };
const unit = { size: '300x250', headline: 'A headline', landingUrl: 'https://example.org/', keywords: [] };
const add = (fields: object): Call => ({
  query: 'mutation($v: AdUnitInput!) { addAdUnit(campaignId: "none", input: $v) { __typename } }',
  variables: { v: { ...unit, ...fields } },
});

export const textPlaces: TextPlaces = {
  names: {
    'AdvertiserInput.name': (name) => call('addAdvertiser(input: $v)', 'AdvertiserInput!', { name }),
    'AdUnitInput.headline': (headline) => add({ headline }),
    'AdUnitInput.text': (text) => add({ text }),
    'KeywordBidInput.keyword': (keyword) => add({ keywords: [{ keyword, bid: money }] }),
  },
  others: [
    'CampaignInput.name', // checked after the advertiser is found: test/ads/campaigns/campaign.test.ts
    'CampaignChanges.name', // likewise
    'AdUnitInput.size',
    'AdUnitInput.html', // for a sandboxed frame, by editors
    'AdUnitInput.landingUrl',
    'AdUnitInput.sku',
    'PlacementInput.site',
    'PlacementInput.zone',
    'ZoneInput.site',
    'ZoneInput.zone',
    'ZoneInput.size',
    'shopAdPlace.origin',
    'removeZone.site',
    'removeZone.zone',
    'exportZoneStats.site',
    'exportZoneStats.zone',
    'recordImpressions.receipts',
    'recordClicks.receipts',
    'recordConversion.receipt',
    'forgetVisitor.visitor',
  ],
};
