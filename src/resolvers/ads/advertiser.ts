/** Advertisers. */
import type { AdvertiserResolvers, MutationResolvers, QueryResolvers } from '../../generated/resolvers.js';
import { addAdvertiser, findAdvertisers } from '../../models/ads/advertisers/advertiser.js';
import { findCampaignsOf } from '../../models/ads/campaigns/campaign.js';
import { findUser } from '../../models/people/user.js';
import { hasRole, requirePerson } from '../../server/identity/viewer.js';
import { InputError, SextantError } from '../../shared/errors.js';
import { idOfType, toGlobalId } from '../../shared/global-id.js';
import { runOnce } from '../support/once.js';
import { adOwnerFilter } from './ownership.js';

export const Advertiser: Pick<AdvertiserResolvers, 'id' | 'owner' | 'campaigns'> = {
  id: ({ _id }) => toGlobalId('Advertiser', _id),
  owner: async ({ owner }, _args, { loaders }) =>
    owner === null ? { name: '' } : { _id: owner, name: await loaders().personName.load(owner) },
  campaigns: ({ _id }, { first, after }, { db }) => findCampaignsOf(db, _id, { first, after }),
};

export const Query: Pick<QueryResolvers, 'advertisers'> = {
  advertisers: (_root, { first, after, own }, { db, viewer }) =>
    findAdvertisers(db, adOwnerFilter(viewer, own), { first, after }),
};

export const Mutation: Pick<MutationResolvers, 'addAdvertiser'> = {
  addAdvertiser: async (_root, { input, idempotencyKey: key }, context) => {
    const { db, viewer } = context;
    const self = requirePerson(viewer);
    const owner = input.ownerId == null ? self : idOfType('User', input.ownerId);
    const isEditor = hasRole(viewer, 'EDITOR');
    if (!isEditor && (owner !== self || !hasRole(viewer, 'ADVERTISER')))
      throw new SextantError('FORBIDDEN', 'This requires the role ADVERTISER, and EDITOR for another owner');
    if (owner === null || (owner !== self && !(await findUser(db, owner))))
      throw new InputError('input.ownerId', 'must be the id of a user');
    const advertiser = { name: input.name, owner };
    return runOnce(context, { operation: 'addAdvertiser', key, input: advertiser }, (id, at) =>
      addAdvertiser(db, { id, ...advertiser }, at),
    );
  },
};
