/**
 * The order of ads in zones of the design KEYWORDS, against a computation that shares no code with it: per campaign, the best of its units
 * by eCPM × ln(1.1 + matched keywords), and of these the best, one after the other.
 */
import { describe, expect, it } from 'vitest';
import type { Candidate } from '../../../src/models/ads/decisions/scoring.js';
import type { ZoneAd } from '../../../src/models/ads/zones/zone.js';
import { minutesLater, now } from '../network.js';
import { chooseAds } from './choosing.js';
import { seededRandom } from './seeded-random.js';

const DECISIONS = 100_000;
const WORDS = ['jazz', 'vinyl', 'tea', 'film', 'book', 'chair'];
/** Few, so that many scores are equal. */
const PRICES = [100, 200, 300, 450];
const TIED = 3;
/** The upper 0.1 % of the chi-square distribution with 2 degrees of freedom. */
const CHI_SQUARE_MAX = 13.82;

const random = seededRandom(20_261_125);
const below = (limit: number) => Math.floor(random() * limit);
const oneOf = (numbers: readonly number[]) => numbers[below(numbers.length)] ?? 0;
const some = (share: number) => WORDS.filter(() => random() < share);

function randomAd(name: string): ZoneAd {
  const ecpm = oneOf(PRICES);
  const bid = (keyword: string) => ({ keyword, ecpm: oneOf(PRICES), prices: { impression: 1, click: 1 } });
  return {
    campaign_id: `campaign ${below(6)}`,
    ad_unit_id: name,
    advertiser_id: 'anna',
    advertiser: 'Anna’s',
    ecpm,
    prices: { impression: 1, click: 1 },
    keywords: some(0.4).map(bid),
    caps: [],
    share: 1,
    flight: random() < 0.1 ? { from: minutesLater(1), to: minutesLater(2) } : { from: now, to: minutesLater(1) },
  };
}

/** Null if it may not be shown. */
function expectedScore(ad: ZoneAd, keywords: ReadonlySet<string>, floor: number): number | null {
  let matched = 0;
  let price = ad.ecpm;
  for (const word of keywords)
    for (const bid of ad.keywords)
      if (bid.keyword === word) {
        price = matched === 0 ? bid.ecpm : Math.max(price, bid.ecpm);
        matched += 1;
      }
  const isInFlight = ad.flight.from <= now && now < ad.flight.to;
  return isInFlight && price >= floor ? price * Math.log(matched + 1.1) : null;
}

/** The best score of each campaign. */
function bestScores(ads: readonly ZoneAd[], keywords: ReadonlySet<string>, floor: number): Map<string, number> {
  const best = new Map<string, number>();
  for (const ad of ads) {
    const score = expectedScore(ad, keywords, floor);
    if (score !== null && score > (best.get(ad.campaign_id) ?? -1)) best.set(ad.campaign_id, score);
  }
  return best;
}

/** Says what is wrong with an answer, or null: `expect` for each of so many decisions would take minutes. */
function faultOf(shown: readonly Candidate[], best: ReadonlyMap<string, number>, count: number): string | null {
  const left = new Map(best);
  for (const { ad, score } of shown) {
    const highest = Math.max(...left.values());
    if (score !== highest) return `${ad.ad_unit_id} has the score ${score}, and the best one left is ${highest}`;
    if (left.get(ad.campaign_id) !== score) return `${ad.ad_unit_id} is not the best of its campaign, or its second`;
    left.delete(ad.campaign_id);
  }
  const wanted = Math.min(count, best.size);
  return shown.length === wanted ? null : `${shown.length} ads are shown, not ${wanted}`;
}

describe('a zone of the design KEYWORDS', () => {
  it('shows what a computation of its own ranks highest, in that order, and equals equally often first', () => {
    const faults: string[] = [];
    const firstAmongEquals = Array<number>(TIED).fill(0);
    let [matchedDecisions, shownAds] = [0, 0];
    for (let n = 0; n < DECISIONS; n += 1) {
      const ads = Array.from({ length: 1 + below(10) }, (_, at) => randomAd(`ad ${at}`));
      const keywords = new Set(some(0.4));
      const [floor, count] = [random() < 0.2 ? 200 : 0, 1 + below(5)];
      const question = {
        design: 'KEYWORDS',
        floor,
        keywords,
        count,
        visitor: null,
        soldOut: new Set<string>(),
        now,
        shownInMinute: () => 0,
      } as const;
      const shown = chooseAds(ads, { ...question, random }).filter(({ verdict }) => verdict === 'SHOWN');
      const best = bestScores(ads, keywords, floor);
      const fault = faultOf(shown, best, count);
      if (fault) faults.push(`decision ${n}: ${fault}`);
      shownAds += shown.length;
      if (shown.some(({ matched }) => matched.length > 0)) matchedDecisions += 1;
      const top = Math.max(...best.values());
      const equals = ads.filter((ad) => expectedScore(ad, keywords, floor) === top);
      const [first] = shown;
      if (first && equals.length === TIED) {
        const place = equals.indexOf(first.ad);
        firstAmongEquals[place] = (firstAmongEquals[place] ?? 0) + 1;
      }
    }
    expect(faults.slice(0, 5)).toEqual([]);
    // The decisions are worth something.
    expect(matchedDecisions).toBeGreaterThan(DECISIONS / 2);
    expect(shownAds).toBeGreaterThan(2 * DECISIONS);
    const tied = firstAmongEquals.reduce((sum, each) => sum + each, 0);
    expect(tied).toBeGreaterThan(3000);
    const expected = tied / TIED;
    const chiSquare = firstAmongEquals.reduce((sum, each) => sum + (each - expected) ** 2 / expected, 0);
    expect(chiSquare).toBeLessThan(CHI_SQUARE_MAX);
  });
});
