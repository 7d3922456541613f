/** What the resolvers of each type get as their parent. */
import type { AdvertiserDocument } from '../../models/ads/advertisers/advertiser.js';
import type { AdUnitDocument } from '../../models/ads/campaigns/ad-unit.js';
import type { CampaignDocument } from '../../models/ads/campaigns/campaign.js';
import type { Candidate } from '../../models/ads/decisions/scoring.js';
import type { FrequencyCap } from '../../models/ads/profiles/frequency-cap.js';
import type { AdPoint, AdStats } from '../../models/ads/stats/ad-stats.js';
import type { OfferedZone, ZoneAd, ZoneDocument } from '../../models/ads/zones/zone.js';

export type AdvertiserMapper = AdvertiserDocument;
export type CampaignMapper = CampaignDocument;
export type FrequencyCapMapper = FrequencyCap;
export type AdUnitMapper = AdUnitDocument;
export type ZoneMapper = ZoneDocument;
export type OfferedZoneMapper = OfferedZone;
export type ZoneAdMapper = ZoneAd;
export type ConsideredAdMapper = Candidate;
export type CampaignStatsMapper = AdStats;
export type ZonePointMapper = AdPoint;
export type ZoneStatsMapper = AdStats;
