/** Campaigns, their ads and the profiles of visitors, in the form in which the models store them. */
import type { Db } from 'mongodb';
import type { Random } from '../../harness/random.js';
import { type AdUnitDocument, adUnits } from '../../src/models/ads/campaigns/ad-unit.js';
import { type CampaignDocument, campaigns } from '../../src/models/ads/campaigns/campaign.js';
import { adsOf } from '../../src/models/ads/campaigns/placement.js';
import { type ProfileDocument, profiles } from '../../src/models/ads/profiles/ad-profile.js';
import type { FrequencyCap } from '../../src/models/ads/profiles/frequency-cap.js';
import { newVersion, type ZoneDesign, type ZoneDocument, zones } from '../../src/models/ads/zones/zone.js';
import { DAY_MS, HOUR_MS } from '../../src/shared/time.js';

export const SITE = 'bench.example';
export const SIZE = '300x250';
export const ADVERTISER = 'anna';
const BATCH = 10_000;
/** No benchmark spends it. Minor units. */
const BUDGET = 1_000_000_000_000;

/** A unit's contacts in a profile, before the benchmark. */
const SEEN_MAX = 5;

export const zoneId = (name: string): string => `${SITE}/${name}`;
export const campaignName = (number: number): string => `campaign-${number}`;
export const unitName = (number: number): string => `unit-${number}`;
export const visitorName = (number: number): string => `visitor-${number}`;

interface Wish {
  readonly id: string;
  /** Minor units for 1,000 impressions. */
  readonly price: number;
  readonly caps?: FrequencyCap[];
}

/** A campaign that runs. */
export function makeCampaign({ id, price, caps = [] }: Wish, now: Date): CampaignDocument {
  return {
    _id: id,
    advertiser_id: ADVERTISER,
    owner: null,
    account_id: 'account',
    name: id,
    state: 'RUNNING',
    price_model: 'CPM',
    price,
    currency: 'EUR',
    budget: BUDGET,
    paid: BUDGET,
    spent: 0,
    refunded: 0,
    flight: { from: new Date(now.getTime() - DAY_MS), to: new Date(now.getTime() + DAY_MS) },
    pacing: 'ASAP',
    caps,
    placements: [],
    share: 1,
    is_placed: true,
    placements_made: 1,
    payments: [],
    created_at: now,
    last_modified: now,
  };
}

export const makeUnit = (
  id: string,
  campaign: string,
  now: Date,
  keywords: AdUnitDocument['keywords'] = [],
): AdUnitDocument => ({
  _id: id,
  campaign_id: campaign,
  advertiser_id: ADVERTISER,
  size: SIZE,
  headline: `The headline of ${id}`,
  text: 'A text of about the length that the text of an ad in such a place has.',
  landing_url: `https://anna.example/${id}`,
  keywords,
  currency: 'EUR',
  impressions: 0,
  clicks: 0,
  created_at: now,
});

/** What pages are about, and what ads bid for. */
const WORDS = 200;
const WORDS_PER_AD = 10;
export const wordOf = (number: number): string => `keyword number ${number % WORDS}`;

/** A zone with ads of as many campaigns, highest eCPM first, each with a frequency cap and, by the design, with keywords. */
export async function storeZone(db: Db, name: string, ads: number, design: ZoneDesign, now: Date): Promise<void> {
  const wordsPerAd = design === 'KEYWORDS' ? WORDS_PER_AD : 0;
  const keywordsOf = (number: number) =>
    Array.from({ length: wordsPerAd }, (_, at) => ({ keyword: wordOf(number * 7 + at), bid: 20 + ads - number }));
  const caps: FrequencyCap[] = [{ scope: 'CAMPAIGN', count: 3, period_ms: DAY_MS }];
  const numbers = Array.from({ length: ads }, (_, at) => at);
  const embedded = numbers.flatMap((number) => {
    const campaign = makeCampaign({ id: campaignName(number), price: 10 + ads - number, caps }, now);
    const unit = makeUnit(unitName(number), campaign._id, now, keywordsOf(number));
    return adsOf(campaign, [unit], { name: 'Anna’s' }, now).get(SIZE) ?? [];
  });
  const zone: ZoneDocument = {
    _id: zoneId(name),
    site_id: SITE,
    zone_id: name,
    size: SIZE,
    design,
    floor: 0,
    ads: embedded,
    version: newVersion(),
    created_at: now,
  };
  await zones(db).insertOne(zone);
}

export async function storeCampaigns(db: Db, campaignsToStore: readonly CampaignDocument[]): Promise<void> {
  await campaigns(db).insertMany([...campaignsToStore]);
}

export async function storeUnits(db: Db, units: readonly AdUnitDocument[]): Promise<void> {
  await adUnits(db).insertMany([...units]);
}

/** Visitors who have seen some of the first ads, up to as often as allowed. */
export async function storeProfiles(db: Db, count: number, random: Random, now: Date): Promise<void> {
  const seen = (): Date => new Date(now.getTime() - random.below(23) * HOUR_MS);
  for (let first = 0; first < count; first += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - first) }, (_, at): ProfileDocument => {
      const units = Array.from({ length: 1 + random.below(SEEN_MAX) }, (_unit, number) => [
        unitName(number),
        {
          advertiser_id: ADVERTISER,
          campaign_id: campaignName(number),
          impressions: Array.from({ length: 1 + random.below(3) }, seen).sort((one, other) => +one - +other),
          clicks: [],
          conversions: [],
        },
      ]);
      return {
        _id: visitorName(first + at),
        units: Object.fromEntries(units) as ProfileDocument['units'],
        expires_at: new Date(now.getTime() + 30 * DAY_MS),
      };
    });
    await profiles(db).insertMany(batch, { ordered: false, writeConcern: { w: 1 } });
  }
}
