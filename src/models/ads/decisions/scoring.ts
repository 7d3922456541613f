/**
 * How a zone chooses among its ads. Pure: time and randomness are passed in.
 *
 *   BASIC     at random among the best eCPM
 *   CAPPED    the best that the frequency caps allow
 *   KEYWORDS  score = eCPM × ln(1.1 + matched keywords); the bid of a matched keyword replaces the price
 *
 * Ties are broken at random. Source pattern: the three designs of chapter 7, whose list of scores is sorted the wrong way round, so that
 * the worst ad wins.
 */
import type { VisitorContacts } from '../profiles/ad-profile.js';
import { type Prices, priceOf, type ZoneAd, type ZoneDesign } from '../zones/zone.js';

export type AdVerdict =
  | 'SHOWN'
  | 'OUTSCORED'
  | 'CAPPED'
  | 'VISITOR_UNKNOWN'
  | 'NEEDS_CAPS'
  | 'BELOW_FLOOR'
  | 'PACED'
  | 'NOT_IN_FLIGHT'
  | 'CAMPAIGN_SHOWN'
  | 'SOLD_OUT';

export interface Candidate {
  readonly ad: ZoneAd;
  /** With the bid of a matched keyword. */
  readonly ecpm: number;
  readonly prices: Prices;
  readonly matched: readonly string[];
  readonly score: number;
  readonly verdict: AdVerdict;
}

export interface Question {
  readonly design: ZoneDesign;
  readonly floor: number;
  /** As they are compared. */
  readonly keywords: ReadonlySet<string>;
  /** Null if the visitor is unknown. */
  readonly visitor: VisitorContacts | null;
  readonly now: Date;
  /** What the campaign has shown in this minute, as the price of the impressions, or clicks, to expect of it. */
  readonly shownInMinute: (campaign: string) => number;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** By campaign, whether it takes part in the decision. Drawn once for all of its ads: the share is that of the campaign. */
type Draws = Map<string, boolean>;

/** An ad in the order of a decision. Made once, and changed in place: a zone may have a thousand ads. */
export interface RankedAd extends Omit<Candidate, 'verdict'> {
  /** SHOWN for one that may be shown. */
  readonly judged: AdVerdict;
  verdict: AdVerdict;
  /** Decides ties. */
  readonly luck: number;
}

/** Everything that is drawn is drawn here. @returns every ad, best first */
export function rankAds(ads: readonly ZoneAd[], question: Question): RankedAd[] {
  const draws: Draws = new Map();
  return ads.map((ad) => weigh(ad, question, draws)).sort(byScore);
}

/**
 * Draws nothing: picked again, without what turned out to be sold out, all others keep their luck.
 * @param soldOut SKUs of products
 * @returns every ad with its verdict: those to show first, best first, then the others by score
 */
export function pickAds(ranked: readonly RankedAd[], count: number, soldOut: ReadonlySet<string>): Candidate[] {
  const [shown, others]: [Candidate[], Candidate[]] = [[], []];
  const campaigns = new Set<string>();
  for (const candidate of ranked) {
    const { judged, ad } = candidate;
    candidate.verdict = judged;
    if (judged === 'SHOWN') {
      if (ad.sku !== undefined && soldOut.has(ad.sku)) candidate.verdict = 'SOLD_OUT';
      else if (campaigns.has(ad.campaign_id)) candidate.verdict = 'CAMPAIGN_SHOWN';
      else if (shown.length >= count) candidate.verdict = 'OUTSCORED';
      else campaigns.add(ad.campaign_id);
    }
    (candidate.verdict === 'SHOWN' ? shown : others).push(candidate);
  }
  return [...shown, ...others];
}

/** Highest first, ties in random order. */
const byScore = (one: RankedAd, other: RankedAd): number => other.score - one.score || one.luck - other.luck;

function weigh(ad: ZoneAd, question: Question, draws: Draws): RankedAd {
  const { ecpm, prices, matched, score } = scored(ad, question);
  const judged = judge(ad, ecpm, question, draws);
  return { ad, ecpm, prices, matched, score, judged, verdict: judged, luck: question.random() };
}

const NONE: readonly string[] = [];

function scored(ad: ZoneAd, { design, keywords }: Question): Pick<Candidate, 'ecpm' | 'prices' | 'matched' | 'score'> {
  const { ecpm, prices } = ad;
  if (design !== 'KEYWORDS') return { ecpm, prices, matched: NONE, score: ecpm };
  const matches = ad.keywords.filter(({ keyword, folded = keyword }) => keywords.has(folded));
  const [best] = matches.toSorted((one, other) => other.ecpm - one.ecpm);
  if (!best) return { ecpm, prices, matched: NONE, score: scoreOf(ecpm, 0) };
  const matched = matches.map(({ keyword }) => keyword);
  return { ecpm: best.ecpm, prices: best.prices, matched, score: scoreOf(best.ecpm, matched.length) };
}

const scoreOf = (ecpm: number, matched: number): number => ecpm * Math.log(1.1 + matched);

function judge(ad: ZoneAd, ecpm: number, question: Question, draws: Draws): AdVerdict {
  const { design, floor, visitor, now } = question;
  const time = now.getTime();
  if (time < ad.flight.from.getTime() || time >= ad.flight.to.getTime()) return 'NOT_IN_FLIGHT';
  if (ecpm < floor) return 'BELOW_FLOOR';
  if (ad.caps.length > 0) {
    if (design === 'BASIC') return 'NEEDS_CAPS';
    if (!visitor || visitor.isForgotten) return 'VISITOR_UNKNOWN';
    if (!visitor.allows(ad.ad_unit_id, ad.campaign_id, ad.caps)) return 'CAPPED';
  }
  return takesPart(ad, question, draws) ? 'SHOWN' : 'PACED';
}

function takesPart({ campaign_id: id, share, per_minute, prices }: ZoneAd, question: Question, draws: Draws): boolean {
  // Impressions at a bid count as so many more.
  if (per_minute !== undefined && question.shownInMinute(id) >= per_minute * priceOf(prices)) return false;
  if (share >= 1) return true;
  const drawn = draws.get(id) ?? question.random() < share;
  draws.set(id, drawn);
  return drawn;
}
