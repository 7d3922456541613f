/** Ad units: the ads of campaigns. Their impressions and clicks are counted here as well, for the click-through rate. */
import type { ClientSession, Db } from 'mongodb';
import { defineCollection } from '../../../database/index.js';
import { type Refusal, refuse } from '../../../shared/outcome.js';

export interface KeywordBid {
  keyword: string;
  /** Minor units; replaces the campaign's price. */
  bid: number;
}

export interface AdUnitDocument {
  _id: string;
  campaign_id: string;
  advertiser_id: string;
  size: string;
  headline?: string;
  text?: string;
  html?: string;
  /** May have `{{receipt}}` in its query: see `landingUrlOf`. */
  landing_url: string;
  image_id?: string;
  /** The product that it advertises. */
  sku?: string;
  keywords: KeywordBid[];
  currency: string;
  impressions: number;
  clicks: number;
  /** It is in no zone any more. It stays for its statistics, and for the clicks on what was shown. */
  removed_at?: Date;
  created_at: Date;
}

export const adUnits = defineCollection<AdUnitDocument>('ad.units', [
  { key: { campaign_id: 1, _id: 1 } }, // findUnitsOf
  { key: { image_id: 1 }, partialFilterExpression: { image_id: { $exists: true } } }, // asset uses
]);

/** Per campaign, without removed ones. */
export const UNITS_PER_CAMPAIGN_MAX = 20;
/** Including removed ones. */
export const UNITS_EVER_MAX = 100;

export type AdUnitNotFound = Refusal<'AdUnitNotFound'>;
export const adUnitNotFound = (): AdUnitNotFound => refuse('AdUnitNotFound', 'There is no such ad unit');

export function findAdUnit(db: Db, id: string): Promise<AdUnitDocument | null> {
  return adUnits(db).findOne({ _id: id });
}

/** Those that were not removed, in the order of their ids. */
export async function findUnitsOf(
  db: Db,
  campaignIds: readonly string[],
  session?: ClientSession,
): Promise<AdUnitDocument[]> {
  const found = await adUnits(db)
    .find({ campaign_id: { $in: [...campaignIds] } }, session ? { session } : {})
    .toArray();
  return found.filter(({ removed_at }) => !removed_at).sort((one, other) => (one._id < other._id ? -1 : 1));
}

export const RECEIPT_PLACE = '{{receipt}}';

/** Where a click leads. @param receipt what the landing page counts a conversion with, in place of `{{receipt}}` */
export const landingUrlOf = (landingUrl: string, receipt: () => string): string =>
  landingUrl.includes(RECEIPT_PLACE) ? landingUrl.replaceAll(RECEIPT_PLACE, receipt()) : landingUrl;

/** As if a unit had started with one click in 200 impressions, so that the first click does not make it the best of all. */
const PRIOR = { clicks: 1, impressions: 200 };

/** The smoothed click-through rate. */
export const clickThroughRateOf = ({ clicks, impressions }: Pick<AdUnitDocument, 'clicks' | 'impressions'>): number =>
  (clicks + PRIOR.clicks) / (impressions + PRIOR.impressions);
