/** What is known about visitors. */
import type { MutationResolvers, QueryResolvers } from '../../generated/resolvers.js';
import { contactsByAdvertiser, findProfile } from '../../models/ads/profiles/ad-profile.js';
import { chargeGuest, forgetGuest, requireVisitor } from './door.js';

export const Query: Pick<QueryResolvers, 'adProfile'> = {
  adProfile: async (_root, { visitor }, context) => {
    const profile = await findProfile(context.db, requireVisitor(context, visitor));
    if (!profile || profile.forgotten) return null;
    const contacts = contactsByAdvertiser(profile, context.now());
    const names = await context.loaders().advertiser.loadMany(contacts.map(({ advertiser_id }) => advertiser_id));
    const nameAt = (index: number) => {
      const found = names[index];
      return found && !(found instanceof Error) ? found.name : '';
    };
    return { visitor, advertisers: contacts.map((each, index) => ({ ...each, advertiser: nameAt(index) })) };
  },
};

export const Mutation: Pick<MutationResolvers, 'forgetVisitor'> = {
  forgetVisitor: async (_root, { visitor }, context) => {
    chargeGuest(context, 1);
    return { forgotten: await forgetGuest(context, visitor) };
  },
};
