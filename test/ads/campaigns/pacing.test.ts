import { createReadStream, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { plannedAt, progressOf, shareFrom } from '../../../src/models/ads/campaigns/pacing.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/shared/time.js';
import { seededRandom } from '../decisions/seeded-random.js';

const from = new Date('2126-01-31T00:00:00Z');
const to = new Date(from.getTime() + DAY_MS);
const campaign = { flight: { from, to }, pacing: 'EVEN' as const, paid: 1000, budget: 1000, spent: 0, share: 1 };
const at = (ms: number) => new Date(from.getTime() + ms);

const SAMPLE = new URL('../../../../shared/data/ads-avazu/impressions.csv.gz', import.meta.url);

/** The number of impressions of each zone of the sample, an hour of a network. */
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

  it('is told as progress, with a forecast', () => {
    const running = { ...campaign, state: 'RUNNING' as const, spent: 300_000 };
    expect(progressOf(running, at(6 * HOUR_MS))).toEqual({ expected: 250, actual: 300, share: 1, forecast: 1000 });
    expect(progressOf({ ...running, spent: 100_000 }, at(6 * HOUR_MS))).toMatchObject({ forecast: 400 });
    expect(progressOf({ ...running, state: 'DRAFT' }, at(6 * HOUR_MS))).toMatchObject({ expected: 0 });
  });
});

describe('the share of decisions', () => {
  it('is 1 for campaigns that spend as soon as possible', () => {
    expect(shareFrom({ ...campaign, pacing: 'ASAP', spent: 999_000 }, at(HOUR_MS))).toBe(1);
  });

  it('falls while the campaign is ahead of its plan, and rises while it is behind', () => {
    const paced = { spent: 0, at: from };
    expect(shareFrom({ ...campaign, spent: 500_000, paced }, at(HOUR_MS))).toBe(0.5);
    expect(shareFrom({ ...campaign, share: 0.2, spent: 0, paced }, at(HOUR_MS))).toBe(0.4);
  });

  /** @param perMinute decisions, by minute of the day @returns the largest difference to the plan, as a part of the budget */
  function simulate(perMinute: (minute: number) => number, random: () => number): { worst: number; end: number } {
    const price = 1000; // a minor unit for each impression
    const total = Array.from({ length: 1440 }, (_, minute) => perMinute(minute)).reduce((sum, each) => sum + each, 0);
    const budget = Math.floor(total / 3); // a third of the traffic is enough
    let state = { ...campaign, paid: budget, budget, paced: { spent: 0, at: from } };
    let worst = 0;
    for (let minute = 0; minute < 1440; minute += 1) {
      for (let decision = 0; decision < perMinute(minute); decision += 1)
        if (random() < state.share && state.spent + price <= budget * 1000)
          state = { ...state, spent: state.spent + price };
      const now = at((minute + 1) * MINUTE_MS);
      const share = shareFrom(state, now);
      state = { ...state, share, paced: { spent: state.spent, at: now } };
      const difference = Math.abs(state.spent - plannedAt(state, now.getTime())) / (budget * 1000);
      if (minute >= 30) worst = Math.max(worst, difference); // it begins with a share of 1
    }
    return { worst, end: state.spent / (budget * 1000) };
  }

  it.skipIf(!existsSync(SAMPLE))(
    'keeps within 2 % of the plan over a day with the traffic of the sample, which rises and falls',
    async () => {
      const perHour = await readSample();
      const random = seededRandom(42);
      const wave = (minute: number) => 1 + 0.6 * Math.sin((2 * Math.PI * (minute - 480)) / 1440);
      const { worst, end } = simulate((minute) => Math.round((perHour / 60) * wave(minute)), random);
      expect(worst).toBeLessThan(0.02);
      expect(end).toBeGreaterThan(0.98);
    },
  );
});
