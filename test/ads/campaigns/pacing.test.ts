import { createReadStream, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { PriceModel } from '../../../src/models/ads/campaigns/campaign.js';
import {
  firstPace,
  neededPerMinute,
  nextPace,
  perMinuteOf,
  plannedAt,
  progressOf,
} from '../../../src/models/ads/campaigns/pacing.js';
import { MOVED_MIN } from '../../../src/models/ads/campaigns/upkeep.js';
import { MinuteCount } from '../../../src/models/ads/decisions/minute-count.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/shared/time.js';
import { seededRandom } from '../decisions/seeded-random.js';

const from = new Date('2126-01-31T00:00:00Z');
const to = new Date(from.getTime() + DAY_MS);
const campaign = {
  flight: { from, to },
  price_model: 'CPM' as PriceModel,
  pacing: 'EVEN' as const,
  paid: 1000,
  budget: 1000,
  spent: 0,
  share: 1,
};
const at = (ms: number) => new Date(from.getTime() + ms);

const SAMPLE = new URL('../../../../shared/data/ads-avazu/impressions.csv.gz', import.meta.url);

/** The number of impressions in the sample, of all zones: an hour of a network. */
async function readSample(): Promise<number> {
  let rows = -1; // the header
  for await (const _line of createInterface({ input: createReadStream(SAMPLE).pipe(createGunzip()) })) rows += 1;
  return rows;
}

describe('the plan of an even pace', () => {
  it('is a straight line over the flight', () => {
    expect([-1, 0, 6, 24, 25].map((hours) => plannedAt(campaign, from.getTime() + hours * HOUR_MS))).toEqual([
      0, 0, 250_000, 1_000_000, 1_000_000,
    ]);
  });

  it('begins when the campaign is started, if its flight has begun before', () => {
    const started = { ...campaign, started_at: at(12 * HOUR_MS) };
    expect([6, 12, 18, 24].map((hours) => plannedAt(started, from.getTime() + hours * HOUR_MS))).toEqual([
      0, 0, 500_000, 1_000_000,
    ]);
    const running = { ...started, state: 'RUNNING' as const, spent: 100_000 };
    expect(progressOf(running, at(18 * HOUR_MS))).toMatchObject({ expected: 500, forecast: 200 });
    expect(plannedAt({ ...campaign, started_at: at(-HOUR_MS) }, from.getTime() + 6 * HOUR_MS)).toBe(250_000);
  });

  it('goes on from what had been spent when the flight was changed', () => {
    const changed = { ...campaign, started_at: at(-48 * HOUR_MS), replanned: { at: at(-HOUR_MS), spent: 500_000 } };
    expect([-1, 0, 12, 24].map((hours) => plannedAt(changed, from.getTime() + hours * HOUR_MS))).toEqual([
      500_000, 500_000, 750_000, 1_000_000,
    ]);
    const running = { ...changed, state: 'RUNNING' as const, spent: 600_000 };
    expect(progressOf(running, at(12 * HOUR_MS))).toMatchObject({ expected: 750, actual: 600, forecast: 700 });
    expect(progressOf(running, at(-HOUR_MS))).toMatchObject({ expected: 500, forecast: 600 });
    const extended = { ...changed, replanned: { at: at(12 * HOUR_MS), spent: 500_000 } };
    expect(plannedAt(extended, from.getTime() + 18 * HOUR_MS)).toBe(750_000);
  });

  it('is told as progress, with a forecast', () => {
    const running = { ...campaign, state: 'RUNNING' as const, spent: 300_000 };
    expect(progressOf(running, at(6 * HOUR_MS))).toEqual({ expected: 250, actual: 300, forecast: 1000 });
    expect(progressOf({ ...running, spent: 100_000 }, at(6 * HOUR_MS))).toMatchObject({ forecast: 400 });
    expect(progressOf({ ...running, state: 'DRAFT' }, at(6 * HOUR_MS))).toMatchObject({ expected: 0 });
  });
});

const NO_PACE = { spent: 0, at: from, gained: 0, exposed: 0 };

describe('the share of decisions', () => {
  it('is 1 for campaigns that spend as soon as possible', () => {
    const fast = { ...campaign, pacing: 'ASAP' as const, spent: 999_000 };
    expect(firstPace(fast, 1_000_000, at(0)).share).toBe(1);
    expect(nextPace({ ...fast, paced: NO_PACE }, at(HOUR_MS)).share).toBe(1);
  });

  it('begins with what the plan needs of the traffic, and small where that is unknown', () => {
    const perMinute = 1_000_000 / (24 * 60);
    expect(firstPace(campaign, perMinute * 50, from).share).toBeCloseTo(0.02);
    expect(firstPace(campaign, perMinute / 2, from).share).toBe(1);
    expect(firstPace(campaign, 0, from).share).toBe(0.001);
  });

  const minute = at(MINUTE_MS);

  it('falls while the campaign is ahead of its plan, and at most doubles in a minute while it is behind', () => {
    expect(nextPace({ ...campaign, spent: 500_000, paced: NO_PACE }, minute).share).toBeLessThan(0.01);
    expect(nextPace({ ...campaign, share: 0.2, spent: 1, paced: NO_PACE }, minute).share).toBe(0.4);
  });

  it('grows tenfold until the first impression that is paid for, and doubles until the first click', () => {
    const quiet = { ...campaign, share: 0.02, paced: NO_PACE };
    expect(nextPace(quiet, minute).share).toBe(0.2);
    expect(nextPace({ ...quiet, price_model: 'CPC' }, minute).share).toBe(0.04);
  });
});

interface Traffic {
  /** Decisions, by minute of the day. */
  readonly perMinute: (minute: number) => number;
  /** The part of the decisions that is enough for the budget. */
  readonly part: number;
  /** What is known at the start of the traffic, in decisions a minute. */
  readonly known: number;
  /** The part of its ads that is clicked, of a campaign that pays per click. */
  readonly clickRate?: number;
  /** The part of its ads that comes into view, by minute of the day. */
  readonly seen?: (minute: number) => number;
  /** The minutes in which the campaign is paused. */
  readonly pause?: readonly [from: number, to: number];
}

interface Deviation {
  /** As parts of the budget: the furthest ahead of the plan at any time, the largest difference after half an hour, and what was spent. */
  readonly ahead: number;
  readonly difference: number;
  readonly end: number;
  /** The most in any ten minutes, as a multiple of an even pace for what was left before them. */
  readonly rush: number;
}

const PRICE = 1000; // a minor unit for each impression or click

/** A day of a campaign, minute by minute, as the jobs of each minute adjust it. */
function simulate(
  { perMinute, part, known, clickRate, seen = () => 1, pause }: Traffic,
  random: () => number,
): Deviation {
  const total = Array.from({ length: 1440 }, (_, minute) => perMinute(minute)).reduce((sum, each) => sum + each, 0);
  const rate = clickRate ?? 1;
  const budget = Math.floor(total * rate * part);
  const begun = { ...campaign, price_model: clickRate ? ('CPC' as const) : campaign.price_model, paid: budget, budget };
  let state = { ...begun, ...firstPace(begun, known * rate * PRICE, from) };
  const limitAt = (now: Date) => perMinuteOf(state, PRICE * rate, now) ?? 0;
  let [limit, needed] = [limitAt(from), neededPerMinute(state, from)];
  const counted = new MinuteCount();
  let [ahead, difference, rush] = [0, 0, 0];
  const spentAt: number[] = [];
  for (let minute = 0; minute < 1440; minute += 1) {
    const now = at((minute + 1) * MINUTE_MS);
    spentAt.push(state.spent);
    if (pause && minute >= pause[0] && minute < pause[1]) {
      if (minute === pause[1] - 1) state = { ...state, ...firstPace(state, known * rate * PRICE, now) };
      continue;
    }
    const [moment, visible] = [at(minute * MINUTE_MS), seen(minute)];
    for (let decision = 0; decision < perMinute(minute); decision += 1) {
      const drawn = random();
      if (drawn >= state.share || counted.of('a', moment) >= limit) continue;
      counted.add('a', 'decisions', 1, moment);
      if (visible < 1 && random() >= visible) continue;
      counted.add('a', 'impressions', 1, moment);
      if (drawn < state.share * rate && state.spent + PRICE <= budget * 1000) state.spent += PRICE;
    }
    const { share, paced } = nextPace(state, now);
    const hasMovedFrom = (before: number, next: number) => Math.abs(next - before) > before * MOVED_MIN;
    const hasMoved = hasMovedFrom(state.share, share) || hasMovedFrom(needed, neededPerMinute(state, now));
    state = { ...state, ...(hasMoved && { share }), paced };
    if (hasMoved) [limit, needed] = [limitAt(now), neededPerMinute(state, now)]; // else the zones are not rewritten
    const begin = spentAt[minute - 9] ?? 0;
    const evenly = ((budget * 1000 - begin) * 10) / Math.max(10, 1450 - minute);
    if (minute < 1400) rush = Math.max(rush, (state.spent - begin) / evenly);
    const off = (state.spent - plannedAt(state, now.getTime())) / (budget * 1000);
    ahead = Math.max(ahead, off);
    if (minute >= 30) difference = Math.max(difference, Math.abs(off));
  }
  return { ahead, difference, end: state.spent / (budget * 1000), rush };
}

const wave = (minute: number) => 1 + 0.6 * Math.sin((2 * Math.PI * (minute - 480)) / 1440);
const SEEDS = [1, 2, 3];

describe('an even pace over a day', () => {
  const BUSY = 3000;
  const parts = [1 / 3, 0.05, 0.02, 0.005, 0.001];
  const rows = parts.flatMap((part) => [0, BUSY, BUSY * 5, BUSY / 5].map((known) => ({ part, known })));

  it.each(rows)('with $part of the traffic, of which $known decisions a minute are known, is within 2 %', (row) => {
    for (const seed of SEEDS) {
      const found = simulate({ perMinute: () => BUSY, ...row }, seededRandom(seed));
      expect(found.ahead).toBeLessThan(0.02);
      expect(found.difference).toBeLessThan(0.02);
      expect(found.end).toBeGreaterThan(0.98);
    }
  });

  it('follows traffic that rises and falls', () => {
    for (const part of parts) {
      const perMinute = (minute: number) => Math.round(BUSY * wave(minute));
      const found = simulate({ perMinute, part, known: 0 }, seededRandom(7));
      expect(found.ahead).toBeLessThan(0.02);
      expect(found.difference).toBeLessThan(0.02);
      expect(found.end).toBeGreaterThan(0.98);
    }
  });

  it.each([
    [0.05, 2160],
    [0.02, 864],
    [0.005, 216],
  ])('of a campaign that pays per click is within 2 %, with %d of the traffic, clicked %d times', (part) => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const found = simulate({ perMinute: () => BUSY, part, known: 0, clickRate: 0.01 }, seededRandom(seed));
      expect(found.ahead).toBeLessThan(0.02);
      expect(found.difference).toBeLessThan(0.02);
      expect(found.end).toBeGreaterThan(0.98);
    }
  });

  it.skipIf(!existsSync(SAMPLE)).each([1 / 3, 0.1, 0.02])(
    'keeps within 2 % of the plan with %d of the traffic of the Avazu sample (skipped without that file)',
    async (part) => {
      const perHour = await readSample();
      const perMinute = (minute: number) => Math.round((perHour / 60) * wave(minute));
      const found = simulate({ perMinute, part, known: 0 }, seededRandom(42));
      expect(found.ahead).toBeLessThan(0.02);
      expect(found.difference).toBeLessThan(0.02);
      expect(found.end).toBeGreaterThan(0.98);
    },
  );

  it.each([20, 240])('does not run ahead when visitors come after %d minutes without any', (silence) => {
    for (const part of [0.02, 0.001])
      for (const clickRate of [undefined, 0.01]) {
        const perMinute = (minute: number) => (minute < silence ? 0 : BUSY * 5);
        const traffic = { perMinute, part, known: 0, ...(clickRate && { clickRate }) };
        const found = simulate(traffic, seededRandom(3));
        expect(found.ahead, `${part} ${clickRate}`).toBeLessThan(clickRate ? 0.05 : 0.03);
        expect(found.end, `${part} ${clickRate}`).toBeGreaterThan(0.95);
      }
  });

  it('does not run ahead when a few visitors become ten thousand', () => {
    const perMinute = (minute: number) => (minute % 360 < 300 ? 1 : 10_000);
    const found = simulate({ perMinute, part: 0.002, known: 1 }, seededRandom(5));
    expect(found.ahead).toBeLessThan(0.03);
  });

  it.each([23, 20])('spends what its traffic allows when visitors come after %d hours without any', (hours) => {
    const perMinute = (minute: number) => (minute < hours * 60 ? 0 : 1000);
    const found = simulate({ perMinute, part: 1 / (24 - hours) / 30, known: 0 }, seededRandom(8));
    expect(found.end).toBeGreaterThan(0.98);
  });

  it.each([0.3, 0.1, 0.05, 0.02])('is kept if a part of %d of its ads comes into view', (seen) => {
    const traffic = { perMinute: () => 200, part: 0.5 * seen, known: 0, seen: () => seen };
    const found = simulate(traffic, seededRandom(10));
    expect(found.ahead).toBeLessThan(0.03);
    expect(found.end).toBeGreaterThan(0.95);
  });

  it('does not run ahead when everybody sees its ads after hours in which nobody did', () => {
    const seen = (minute: number) => (minute < 600 ? 0 : 1);
    const found = simulate({ perMinute: () => BUSY, part: 0.002, known: 0, seen }, seededRandom(13));
    expect(found.ahead).toBeLessThan(0.02);
    expect(found.end).toBeGreaterThan(0.98);
  });

  it('spreads what a pause has missed over hours', () => {
    for (const part of [0.05, 0.001]) {
      const found = simulate({ perMinute: () => BUSY, part, known: BUSY, pause: [200, 800] }, seededRandom(9));
      expect(found.rush, `${part}`).toBeLessThan(2.5);
      expect(found.end).toBeGreaterThan(0.98);
    }
  });
});
