/** Whose advertisers and campaigns a caller may see and change: their own; editors, all. Checked on every call. */
import { findAdvertisers } from '../../models/ads/advertisers/advertiser.js';
import { findAdUnit } from '../../models/ads/campaigns/ad-unit.js';
import { type CampaignDocument, findCampaignVisibleTo } from '../../models/ads/campaigns/campaign.js';
import type { Context } from '../../server/context/context.js';
import { hasRole, requirePerson, type Viewer } from '../../server/identity/viewer.js';
import { SextantError } from '../../shared/errors.js';
import { idOfType } from '../../shared/global-id.js';

/** @param own whether editors, too, see only what is their own @returns null for editors, who see everything */
export function adOwnerFilter(viewer: Viewer, own = false): string | null {
  const id = requirePerson(viewer);
  return hasRole(viewer, 'EDITOR') && !own ? null : id;
}

/** Editors, advertisers, and other owners of an advertiser. @throws SextantError FORBIDDEN */
export async function requireAdvertiser({ db, viewer }: Context): Promise<void> {
  const owner = requirePerson(viewer);
  if (hasRole(viewer, 'EDITOR') || hasRole(viewer, 'ADVERTISER')) return;
  const { edges } = await findAdvertisers(db, owner, { first: 1 });
  if (edges.length === 0)
    throw new SextantError('FORBIDDEN', 'This requires the role ADVERTISER or EDITOR, or an advertiser of one’s own');
}

/** @param id as stored */
export const findVisibleCampaign = ({ db, viewer }: Context, id: string | null): Promise<CampaignDocument | null> =>
  findCampaignVisibleTo(db, adOwnerFilter(viewer), id);

/** @param id a global id */
export const findOwnCampaign = (context: Context, id: string): Promise<CampaignDocument | null> =>
  findVisibleCampaign(context, idOfType('Campaign', id));

/** @throws SextantError NOT_FOUND */
export async function requireOwnCampaign(context: Context, id: string): Promise<CampaignDocument> {
  const campaign = await findOwnCampaign(context, id);
  if (!campaign) throw new SextantError('NOT_FOUND', 'There is no such campaign');
  return campaign;
}

/** @param id as stored @returns the ad unit, also if it was removed, with its campaign, if the viewer may see that */
export async function findUnitWithCampaign(context: Context, id: string | null) {
  const unit = await findAdUnit(context.db, id ?? '');
  const campaign = unit && (await findVisibleCampaign(context, unit.campaign_id));
  return campaign ? { unit, campaign } : null;
}

/** @param id as stored @returns the ad unit if the viewer may see its campaign */
export async function findVisibleAdUnit(context: Context, id: string | null) {
  const found = await findUnitWithCampaign(context, id);
  return found && !found.unit.removed_at ? found.unit : null;
}
