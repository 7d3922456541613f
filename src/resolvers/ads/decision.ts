/** Decisions. */
import type { ConsideredAdResolvers, QueryResolvers } from '../../generated/resolvers.js';
import { deliberate, noteOf } from '../../models/ads/decisions/decision.js';
import { toGlobalId } from '../../shared/global-id.js';
import { toSentAd } from './decided-ad.js';
import { chargeGuest, decideForGuest } from './door.js';

export const ConsideredAd: Pick<ConsideredAdResolvers, 'campaign' | 'adUnitId' | 'headline' | 'note' | 'matched'> = {
  campaign: ({ ad }, _args, { loaders }) => loaders().campaign.load(ad.campaign_id),
  adUnitId: ({ ad }) => toGlobalId('AdUnit', ad.ad_unit_id),
  headline: ({ ad }) => ad.headline ?? null,
  matched: ({ matched }) => [...matched],
  note: noteOf,
};

export const Query: Pick<QueryResolvers, 'decideAds' | 'explainDecision'> = {
  decideAds: async (_root, input, context) => {
    chargeGuest(context, 1);
    const { visitor, ads } = await decideForGuest(context, context, input);
    return { visitor, ads: ads.map((ad) => toSentAd(ad, context.publicUrl())) };
  },
  explainDecision: async (_root, input, { ads, db, now }) => {
    const begunMs = performance.now();
    const { zone, candidates, documentsRead } = await deliberate(db, ads.decider, input, now());
    const microseconds = Math.round((performance.now() - begunMs) * 1000);
    return { design: zone.design, considered: candidates, documentsRead, microseconds };
  },
};
