/** Batched loading of advertisers, campaigns, their units and their zones, for the fields of lists. */
import type DataLoader from 'dataloader';
import type { Db } from 'mongodb';
import { batched } from '../../shared/batched-loader.js';
import { type AdvertiserDocument, findAdvertisersById } from './advertisers/advertiser.js';
import { type AdUnitDocument, findUnitsOf } from './campaigns/ad-unit.js';
import { type CampaignDocument, findCampaignsById } from './campaigns/campaign.js';
import { findZonesById, isInZone, type OfferedZone } from './zones/zone.js';

export interface AdLoaders {
  readonly advertiser: DataLoader<string, AdvertiserDocument | null>;
  readonly campaign: DataLoader<string, CampaignDocument | null>;
  /** By campaign. */
  readonly adUnits: DataLoader<string, readonly AdUnitDocument[]>;
  readonly zone: DataLoader<string, OfferedZone | null>;
  /** Whether some zone has ads of a campaign. */
  readonly isInZone: DataLoader<string, boolean>;
}

export function makeAdLoaders(db: Db): AdLoaders {
  return {
    advertiser: batched(async (ids) => {
      const found = new Map((await findAdvertisersById(db, ids)).map((advertiser) => [advertiser._id, advertiser]));
      return ids.map((id) => found.get(id) ?? null);
    }),
    campaign: batched(async (ids) => {
      const found = new Map((await findCampaignsById(db, ids)).map((campaign) => [campaign._id, campaign]));
      return ids.map((id) => found.get(id) ?? null);
    }),
    adUnits: batched(async (ids) => {
      const found = await findUnitsOf(db, ids);
      return ids.map((id) => found.filter(({ campaign_id }) => campaign_id === id));
    }),
    zone: batched(async (ids) => {
      const found = new Map((await findZonesById(db, ids)).map((zone) => [zone._id, zone]));
      return ids.map((id) => found.get(id) ?? null);
    }),
    isInZone: batched((ids) => Promise.all(ids.map((id) => isInZone(db, id)))),
  };
}
