/** Decisions. */
import type { ConsideredAdResolvers, DecidedAdResolvers, QueryResolvers } from '../../generated/resolvers.js';
import { decideAds, deliberate, noteOf, whyOf } from '../../models/ads/decisions/decision.js';
import { publicPath } from '../../models/system/assets/asset-address.js';
import { toGlobalId } from '../../shared/global-id.js';
import { clickPath, framePath, seenPath } from './ad-paths.js';

type Resolved =
  | 'adUnitId'
  | 'campaignId'
  | 'advertiser'
  | 'imageUrl'
  | 'headline'
  | 'text'
  | 'frameUrl'
  | 'impressionUrl'
  | 'clickUrl'
  | 'why';

export const DecidedAd: Pick<DecidedAdResolvers, Resolved> = {
  adUnitId: ({ ad }) => toGlobalId('AdUnit', ad.ad_unit_id),
  campaignId: ({ ad }) => toGlobalId('Campaign', ad.campaign_id),
  advertiser: ({ ad }) => ad.advertiser,
  imageUrl: ({ ad }, _args, { publicUrl }) =>
    ad.image_id === undefined ? null : `${publicUrl()}${publicPath(ad.image_id, null)}`,
  headline: ({ ad }) => ad.headline ?? null,
  text: ({ ad }) => ad.text ?? null,
  frameUrl: ({ ad, receipt }, _args, { publicUrl }) => (ad.has_html ? `${publicUrl()}${framePath(receipt)}` : null),
  impressionUrl: ({ receipt }, _args, { publicUrl }) => `${publicUrl()}${seenPath(receipt)}`,
  clickUrl: ({ receipt }, _args, { publicUrl }) => `${publicUrl()}${clickPath(receipt)}`,
  why: whyOf,
};

export const ConsideredAd: Pick<ConsideredAdResolvers, 'campaign' | 'adUnitId' | 'note' | 'matched'> = {
  campaign: ({ ad }, _args, { loaders }) => loaders().campaign.load(ad.campaign_id),
  adUnitId: ({ ad }) => toGlobalId('AdUnit', ad.ad_unit_id),
  matched: ({ matched }) => [...matched],
  note: noteOf,
};

export const Query: Pick<QueryResolvers, 'decideAds' | 'explainDecision'> = {
  decideAds: (_root, input, { ads, db, now }) => decideAds(db, ads.decider, input, now()),
  explainDecision: async (_root, input, { ads, db, now }) => {
    const begunMs = performance.now();
    const { zone, candidates, documentsRead } = await deliberate(db, ads.decider, input, now());
    const microseconds = Math.round((performance.now() - begunMs) * 1000);
    return { design: zone.design, considered: candidates, documentsRead, microseconds };
  },
};
