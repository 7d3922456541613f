import { type Candidate, pickAds, type Question, rankAds } from '../../../src/models/ads/decisions/scoring.js';
import type { ZoneAd } from '../../../src/models/ads/zones/zone.js';

export interface Choice extends Question {
  readonly count: number;
  /** SKUs. */
  readonly soldOut: ReadonlySet<string>;
}

/** Every ad with its verdict, as a decision that knows what is sold out. */
export const chooseAds = (ads: readonly ZoneAd[], { count, soldOut, ...question }: Choice): Candidate[] =>
  pickAds(rankAds(ads, question), count, soldOut);
