import { describe, expect, it } from 'vitest';
import { type ProfileDocument, VisitorContacts } from '../../../src/models/ads/profiles/ad-profile.js';
import type { ZoneAd } from '../../../src/models/ads/zones/zone.js';
import { HOUR_MS } from '../../../src/shared/time.js';
import { minutesLater, now } from '../network.js';
import { type Choice, chooseAds } from './choosing.js';
import { seededRandom } from './seeded-random.js';

const flight = { from: now, to: minutesLater(60) };

/** An ad of a campaign of its own. */
const ad = (name: string, ecpm: number, fields: Partial<ZoneAd> = {}): ZoneAd => ({
  campaign_id: `campaign ${name}`,
  ad_unit_id: name,
  advertiser_id: 'anna',
  advertiser: 'Anna’s',
  ecpm,
  prices: { impression: ecpm, click: 0 },
  keywords: [],
  caps: [],
  share: 1,
  flight,
  ...fields,
});

const question = (fields: Partial<Choice> = {}): Choice => ({
  design: 'BASIC',
  floor: 0,
  keywords: new Set(),
  count: 1,
  visitor: null,
  soldOut: new Set(),
  now,
  shownInMinute: () => 0,
  random: seededRandom(1),
  ...fields,
});

const shown = (ads: readonly ZoneAd[], fields: Partial<Choice> = {}) =>
  chooseAds(ads, question(fields))
    .filter(({ verdict }) => verdict === 'SHOWN')
    .map((candidate) => candidate.ad.ad_unit_id);
const verdicts = (ads: readonly ZoneAd[], fields: Partial<Choice> = {}) =>
  Object.fromEntries(chooseAds(ads, question(fields)).map(({ ad: { ad_unit_id }, verdict }) => [ad_unit_id, verdict]));

/** A visitor who has seen ad units some hours ago. */
function visitorWho(seen: Readonly<Record<string, readonly number[]>>): VisitorContacts {
  const units = Object.entries(seen).map(([unit, hours]) => [
    unit,
    {
      advertiser_id: 'anna',
      campaign_id: `campaign ${unit}`,
      impressions: hours.map((ago) => new Date(now.getTime() - ago * HOUR_MS)).sort((one, other) => +one - +other),
      clicks: [],
      conversions: [],
    },
  ]);
  return new VisitorContacts({ units: Object.fromEntries(units) as ProfileDocument['units'] }, now);
}

/** The upper 0.1 % of the chi-square distribution with 4 degrees of freedom. */
const CHI_SQUARE_MAX = 18.47;

describe('a zone of the design BASIC', () => {
  it('shows only ads with the best eCPM, each equally often', () => {
    const ads = [...['a', 'b', 'c', 'd', 'e'].map((name) => ad(name, 250)), ad('f', 249.9), ad('g', 200)];
    const random = seededRandom(20_260_131);
    const counts = new Map<string, number>();
    const decisions = 100_000;
    for (let n = 0; n < decisions; n += 1)
      for (const name of shown(ads, { random })) counts.set(name, (counts.get(name) ?? 0) + 1);
    expect([...counts.keys()].sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
    const expected = decisions / 5;
    const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    expect(chiSquare).toBeLessThan(CHI_SQUARE_MAX);
  });

  it('shows no ads with caps, not even to a known visitor', () => {
    const caps = [{ scope: 'AD_UNIT', count: 5, period_ms: HOUR_MS } as const];
    expect(verdicts([ad('a', 9, { caps }), ad('b', 1)], { visitor: visitorWho({}) })).toEqual({
      a: 'NEEDS_CAPS',
      b: 'SHOWN',
    });
  });

  it('shows several in the order of their eCPM, one of each campaign', () => {
    const ads = [ad('a', 3), ad('b', 2, { campaign_id: 'campaign a' }), ad('c', 1)];
    expect(shown(ads, { count: 2 })).toEqual(['a', 'c']);
    expect(verdicts(ads, { count: 2 })).toEqual({ a: 'SHOWN', b: 'CAMPAIGN_SHOWN', c: 'SHOWN' });
  });
});

describe('a zone of the design CAPPED', () => {
  const daily = (count: number) => [{ scope: 'AD_UNIT', count, period_ms: 24 * HOUR_MS } as const];

  it('shows the best that the caps allow', () => {
    const ads = [ad('a', 3, { caps: daily(2) }), ad('b', 2, { caps: daily(2) }), ad('c', 1)];
    const visitor = visitorWho({ a: [1, 23], b: [1, 25] });
    expect(verdicts(ads, { design: 'CAPPED', visitor })).toEqual({ a: 'CAPPED', b: 'SHOWN', c: 'OUTSCORED' });
  });

  it('counts the ads of a campaign together where the cap says so', () => {
    const caps = [{ scope: 'CAMPAIGN', count: 3, period_ms: 24 * HOUR_MS } as const];
    const one = { caps, campaign_id: 'campaign a' };
    const visitor = visitorWho({ a: [1, 2, 3] });
    expect(verdicts([ad('a', 3, one), ad('b', 2, one)], { design: 'CAPPED', visitor })).toEqual({
      a: 'CAPPED',
      b: 'CAPPED',
    });
  });

  it('shows ads with caps to nobody who is unknown or wants to be forgotten', () => {
    const ads = [ad('a', 3, { caps: daily(2) }), ad('b', 2)];
    expect(verdicts(ads, { design: 'CAPPED' })).toEqual({ a: 'VISITOR_UNKNOWN', b: 'SHOWN' });
    const visitor = new VisitorContacts({ units: {}, forgotten: true }, now);
    expect(verdicts(ads, { design: 'CAPPED', visitor })).toEqual({ a: 'VISITOR_UNKNOWN', b: 'SHOWN' });
  });
});

describe('a zone of the design KEYWORDS', () => {
  const words = (...keywords: string[]) => ({
    keywords: keywords.map((keyword) => ({ keyword, ecpm: 100, prices: { impression: 100, click: 0 } })),
  });

  it('ranks by eCPM × ln(1.1 + matched keywords), the highest first', () => {
    const ads = [ad('none', 500), ad('one', 100, words('jazz')), ad('two', 100, words('jazz', 'vinyl', 'tea'))];
    const keywords = new Set(['jazz', 'vinyl']);
    const chosen = chooseAds(ads, question({ design: 'KEYWORDS', keywords, count: 3 }));
    expect(chosen.map(({ ad: { ad_unit_id }, score, matched }) => [ad_unit_id, score, matched])).toEqual([
      ['two', 100 * Math.log(3.1), ['jazz', 'vinyl']],
      ['one', 100 * Math.log(2.1), ['jazz']],
      ['none', 500 * Math.log(1.1), []],
    ]);
  });

  it('takes the highest bid of the matched keywords as the price', () => {
    const keywords = [
      { keyword: 'jazz', ecpm: 700, prices: { impression: 700, click: 0 } },
      { keyword: 'tea', ecpm: 900, prices: { impression: 900, click: 0 } },
      { keyword: 'film', ecpm: 1900, prices: { impression: 1900, click: 0 } },
    ];
    const [chosen] = chooseAds(
      [ad('a', 100, { keywords })],
      question({ design: 'KEYWORDS', keywords: new Set(['jazz', 'tea']) }),
    );
    expect(chosen).toMatchObject({ ecpm: 900, prices: { impression: 900 }, score: 900 * Math.log(3.1) });
  });

  it('breaks ties at random', () => {
    const ads = [ad('a', 1), ad('b', 1)];
    const random = seededRandom(3);
    const first = Array.from({ length: 1000 }, () => shown(ads, { design: 'KEYWORDS', random })[0]);
    const share = first.filter((name) => name === 'a').length / first.length;
    expect(share).toBeGreaterThan(0.45);
    expect(share).toBeLessThan(0.55);
  });
});

describe('a zone of any design', () => {
  it('shows nothing below its floor, out of flight or sold out', () => {
    const ads = [
      ad('cheap', 9),
      ad('over', 50, { flight: { from: minutesLater(-60), to: now } }),
      ad('early', 50, { flight: { from: minutesLater(1), to: minutesLater(2) } }),
      ad('sold out', 50, { sku: 'A' }),
      ad('in stock', 10, { sku: 'B' }),
    ];
    expect(verdicts(ads, { floor: 10, soldOut: new Set(['A']) })).toEqual({
      cheap: 'BELOW_FLOOR',
      over: 'NOT_IN_FLIGHT',
      early: 'NOT_IN_FLIGHT',
      'sold out': 'SOLD_OUT',
      'in stock': 'SHOWN',
    });
  });

  it('lets a campaign take part in its share of the decisions', () => {
    const random = seededRandom(11);
    const ads = [ad('a', 2, { share: 0.3 }), ad('b', 1)];
    const of = Array.from({ length: 10_000 }, () => shown(ads, { random })[0]).filter((name) => name === 'a').length;
    expect(of / 10_000).toBeCloseTo(0.3, 1);
  });

  it('draws once for all ads of a campaign', () => {
    const random = seededRandom(12);
    const units = Array.from({ length: 20 }, (_, at) => ad(`a${at}`, 2, { share: 0.3, campaign_id: 'a' }));
    const found = Array.from({ length: 10_000 }, () => shown([...units, ad('b', 1)], { random })[0]);
    expect(found.filter((name) => name !== 'b').length / 10_000).toBeCloseTo(0.3, 1);
    expect(new Set(found).size).toBe(21);
  });

  it('leaves out a campaign that was shown often enough in this minute', () => {
    const ads = [ad('a', 2, { per_minute: 3, prices: { impression: 10, click: 0 } }), ad('b', 1)];
    expect(shown(ads, { shownInMinute: () => 29 })).toEqual(['a']);
    expect(verdicts(ads, { shownInMinute: () => 30 })).toEqual({ a: 'PACED', b: 'SHOWN' });
  });
});
