/** What an ad costs, and what it is worth to a zone. Pure. */
import type { Prices } from '../zones/zone.js';
import { type AdUnitDocument, clickThroughRateOf } from './ad-unit.js';
import { type CampaignDocument, leftOf, type PriceModel, THOUSANDTHS } from './campaign.js';

/** @param price minor units for 1,000 impressions or for a click @returns thousandths of a minor unit */
export const pricesOf = (model: PriceModel, price: number): Prices =>
  model === 'CPM' ? { impression: price, click: 0 } : { impression: 0, click: price * THOUSANDTHS };

/** What an impression or a click costs, whichever is paid for, in thousandths of a minor unit. */
export function eventPriceOf(model: PriceModel, price: number): number {
  const { impression, click } = pricesOf(model, price);
  return Math.max(impression, click);
}

/** Whether what is left of the budget pays for one more impression or click. */
export const canPay = (campaign: Pick<CampaignDocument, 'price_model' | 'paid' | 'spent'>, price: number): boolean =>
  eventPriceOf(campaign.price_model, price) <= leftOf(campaign);

/** The effective price of 1,000 impressions, in minor units. */
export const ecpmOf = (
  model: PriceModel,
  price: number,
  unit: Pick<AdUnitDocument, 'clicks' | 'impressions'>,
): number => (model === 'CPM' ? price : price * clickThroughRateOf(unit) * 1000);

type Priced = Pick<CampaignDocument, 'price_model' | 'price'>;

/** The highest among its units; without units, that of a new one. */
export function ecpmOfCampaign(
  { price_model, price }: Priced,
  units: readonly Pick<AdUnitDocument, 'clicks' | 'impressions'>[],
): number {
  const all = units.length > 0 ? units : [{ clicks: 0, impressions: 0 }];
  return Math.max(...all.map((unit) => ecpmOf(price_model, price, unit)));
}

/** The same with the bids of its units. */
export const ecpmWithBids = (
  campaign: Priced,
  units: readonly Pick<AdUnitDocument, 'clicks' | 'impressions' | 'keywords'>[],
): number =>
  Math.max(
    ecpmOfCampaign(campaign, units),
    ...units.flatMap((unit) => unit.keywords.map(({ bid }) => ecpmOf(campaign.price_model, bid, unit))),
  );
