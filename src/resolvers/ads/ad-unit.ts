/** Ad units. */
import type {
  AddAdUnitResultResolvers,
  AdUnitResolvers,
  ChangeAdUnitResultResolvers,
  MutationResolvers,
  RemoveAdUnitResultResolvers,
} from '../../generated/resolvers.js';
import { adUnitNotFound } from '../../models/ads/campaigns/ad-unit.js';
import {
  type AdUnitInput,
  addAdUnit,
  changeAdUnit,
  removeAdUnit,
  requireContent,
} from '../../models/ads/campaigns/ad-unit-change.js';
import { campaignNotFound } from '../../models/ads/campaigns/campaign.js';
import type { Context } from '../../server/context/context.js';
import { hasRole, requirePerson } from '../../server/identity/viewer.js';
import { SextantError } from '../../shared/errors.js';
import { idOfType, toGlobalId } from '../../shared/global-id.js';
import { runOnce } from '../support/once.js';
import { resultType } from '../support/result-type.js';
import { entryOfChange } from './behalf.js';
import { findOwnCampaign, findUnitWithCampaign } from './ownership.js';

export const AdUnit: Pick<AdUnitResolvers, 'id' | 'landingUrl' | 'image' | 'product' | 'keywords'> = {
  id: ({ _id }) => toGlobalId('AdUnit', _id),
  landingUrl: ({ landing_url }) => landing_url,
  image: async ({ image_id }, _args, { loaders }) => (image_id ? loaders().asset.load(image_id) : null),
  product: async ({ sku }, _args, { loaders }) => (sku === undefined ? null : loaders().product.load(sku)),
  keywords: ({ keywords, currency }) =>
    keywords.map(({ keyword, bid }) => ({ keyword, bid: { amount: bid, currency } })),
};

/** A removed one has its id only. */
const unitOrRemoved = resultType('AdUnit');
export const AddAdUnitResult: AddAdUnitResultResolvers = { __resolveType: unitOrRemoved };
export const ChangeAdUnitResult: ChangeAdUnitResultResolvers = { __resolveType: unitOrRemoved };
export const RemoveAdUnitResult: RemoveAdUnitResultResolvers = { __resolveType: resultType('RemovedAdUnit') };

/** @throws SextantError FORBIDDEN @throws InputError */
function contentOf({ viewer, store }: Context, input: AdUnitInput, before?: string) {
  if (input.html != null && input.html !== before && !hasRole(viewer, 'EDITOR'))
    throw new SextantError('FORBIDDEN', 'Only editors may set the HTML of an ad');
  return requireContent(input, store.currency);
}

export const Mutation: Pick<MutationResolvers, 'addAdUnit' | 'changeAdUnit' | 'removeAdUnit'> = {
  addAdUnit: async (_root, { campaignId, input, idempotencyKey: key }, context) => {
    const content = contentOf(context, input as AdUnitInput);
    const campaign = await findOwnCampaign(context, campaignId);
    if (!campaign) return campaignNotFound();
    const unit = { campaignId: campaign._id, content };
    const by = requirePerson(context.viewer);
    const entry = await entryOfChange(context, campaign, 'ad unit added');
    return runOnce(context, { operation: 'addAdUnit', key, input: unit }, (_call, at, _begunAt, attempt) =>
      addAdUnit(context.db, attempt, { ...unit, by, entry }, at),
    );
  },
  changeAdUnit: async (_root, { id, input }, context) => {
    const found = await findUnitWithCampaign(context, idOfType('AdUnit', id));
    const content = contentOf(context, input as AdUnitInput, found?.unit.html);
    if (!found) return adUnitNotFound();
    const entry = await entryOfChange(context, found.campaign, 'ad unit changed');
    const change = { id: found.unit._id, content, by: requirePerson(context.viewer), entry };
    return changeAdUnit(context.db, change, context.now());
  },
  removeAdUnit: async (_root, { id }, context) => {
    const found = await findUnitWithCampaign(context, idOfType('AdUnit', id));
    if (!found) return adUnitNotFound();
    const entry = await entryOfChange(context, found.campaign, 'ad unit removed');
    const removed = await removeAdUnit(context.db, found.unit._id, context.now(), entry);
    return '__typename' in removed ? removed : { id: toGlobalId('AdUnit', removed._id) };
  },
};
