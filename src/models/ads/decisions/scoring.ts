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
import type { Prices, ZoneAd, ZoneDesign } from '../zones/zone.js';

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
  /** Normalized. */
  readonly keywords: ReadonlySet<string>;
  readonly count: number;
  /** Null if the visitor is unknown. */
  readonly visitor: VisitorContacts | null;
  /** The SKUs of products that are sold out. */
  readonly soldOut: ReadonlySet<string>;
  readonly now: Date;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** @returns every ad with its verdict: those to show first, best first, then the others by score */
export function chooseAds(ads: readonly ZoneAd[], question: Question): Candidate[] {
  const candidates = ads
    .map((ad) => score(ad, question))
    .map((scored) => ({ ...scored, verdict: judge(scored, question) }));
  const ranked = rank(candidates, question.random);
  const shown = new Set<string>();
  const decided = ranked.map((candidate): Candidate => {
    const { verdict, ad } = candidate;
    if (verdict !== 'SHOWN') return candidate;
    if (shown.has(ad.campaign_id)) return { ...candidate, verdict: 'CAMPAIGN_SHOWN' };
    if (shown.size >= question.count) return { ...candidate, verdict: 'OUTSCORED' };
    shown.add(ad.campaign_id);
    return candidate;
  });
  const isShown = ({ verdict }: Candidate) => verdict === 'SHOWN';
  return [...decided.filter(isShown), ...decided.filter((candidate) => !isShown(candidate))];
}

type Scored = Omit<Candidate, 'verdict'>;

function score(ad: ZoneAd, { design, keywords }: Question): Scored {
  if (design !== 'KEYWORDS') return { ad, ecpm: ad.ecpm, prices: ad.prices, matched: [], score: ad.ecpm };
  const matches = ad.keywords.filter(({ keyword }) => keywords.has(keyword));
  const [best] = matches.toSorted((one, other) => other.ecpm - one.ecpm);
  const { ecpm, prices } = best ?? ad;
  return { ad, ecpm, prices, matched: matches.map(({ keyword }) => keyword), score: scoreOf(ecpm, matches.length) };
}

const scoreOf = (ecpm: number, matched: number): number => ecpm * Math.log(1.1 + matched);

/** SHOWN for those that may be shown. */
function judge({ ad, ecpm }: Scored, { design, floor, visitor, soldOut, now, random }: Question): AdVerdict {
  if (now < ad.flight.from || now >= ad.flight.to) return 'NOT_IN_FLIGHT';
  if (ecpm < floor) return 'BELOW_FLOOR';
  if (ad.sku !== undefined && soldOut.has(ad.sku)) return 'SOLD_OUT';
  if (ad.caps.length > 0) {
    if (design === 'BASIC') return 'NEEDS_CAPS';
    if (!visitor || visitor.isForgotten) return 'VISITOR_UNKNOWN';
    if (!visitor.allows(ad.ad_unit_id, ad.campaign_id, ad.caps)) return 'CAPPED';
  }
  return ad.share < 1 && random() >= ad.share ? 'PACED' : 'SHOWN';
}

/** By score, highest first, ties in random order. */
function rank(candidates: readonly Candidate[], random: () => number): Candidate[] {
  return candidates
    .map((candidate) => ({ candidate, luck: random() }))
    .sort((one, other) => other.candidate.score - one.candidate.score || one.luck - other.luck)
    .map(({ candidate }) => candidate);
}
