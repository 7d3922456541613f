/** The pace of campaigns, as the jobs of each minute adjust it in the database and in the zones. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adUnits } from '../../../src/models/ads/campaigns/ad-unit.js';
import { type CampaignDocument, campaigns } from '../../../src/models/ads/campaigns/campaign.js';
import { pauseCampaign } from '../../../src/models/ads/campaigns/campaign-change.js';
import { plannedAt, progressOf } from '../../../src/models/ads/campaigns/pacing.js';
import { placeCampaign } from '../../../src/models/ads/campaigns/placement.js';
import { adjustCampaigns } from '../../../src/models/ads/campaigns/upkeep.js';
import { DAY_MS } from '../../../src/shared/time.js';
import { useDatabase } from '../../support/database.js';
import { seededRandom } from '../decisions/seeded-random.js';
import { emptyNetwork, euros, minutesLater, type Network, now, openNetwork, SITE } from '../network.js';

const database = useDatabase();
let network: Network;
/** Of what is recorded. */
let clock: Date;

beforeEach(async () => {
  await emptyNetwork(database.db);
  clock = now;
  network = await openNetwork(database.db, { clock: () => clock });
  await network.zone('top');
});

afterEach(() => network.decider.tally.close()); // else it stores its counts every few seconds, during the next tests

const PER_MINUTE = 3000;
/** For a day, in minor units: an impression costs one. */
const budgetFor = (part: number) => Math.round(PER_MINUTE * 24 * 60 * part);
const day = { from: now, to: new Date(now.getTime() + DAY_MS) };
const evenly = (part: number) => ({ pacing: 'EVEN', price: 1000, budget: budgetFor(part), flight: day }) as const;
const shareInZone = async () => (await network.adsOf('top'))[0]?.share ?? 0;

/** Notes decisions of the hour before. */
async function haveTraffic(perMinute: number): Promise<void> {
  for (let n = 0; n < perMinute * 60; n += 1) network.decider.tally.add(`${SITE}/top`, minutesLater(-60), true);
  await network.decider.tally.close();
}

describe('a campaign with an even pace', () => {
  it('begins with what it needs of the traffic of its zones, and with little where that is unknown', async () => {
    const campaign = await network.run(evenly(0.02));
    expect(await shareInZone()).toBe(0.001);
    await network.end(campaign);
    await haveTraffic(PER_MINUTE);
    await network.run(evenly(0.02));
    expect(await shareInZone()).toBeCloseTo(0.02);
  });

  it.each([0.05, 0.005])('that needs a part of %f of the traffic keeps within 2 % of its plan', async (part) => {
    const random = seededRandom(11);
    const { _id } = await network.run(evenly(part));
    const budget = budgetFor(part) * 1000;
    for (let minute = 1; minute <= 60; minute += 1) {
      const share = await shareInZone();
      const seen = Array.from({ length: PER_MINUTE }, random).filter((luck) => luck < share).length;
      await campaigns(database.db).updateOne({ _id }, { $inc: { spent: seen * 1000 } });
      await adjustCampaigns(database.db, minutesLater(minute));
      const campaign = await network.campaign({ _id });
      const ahead = (campaign.spent - plannedAt(campaign, minutesLater(minute).getTime())) / budget;
      expect(ahead).toBeLessThan(0.02);
      if (minute >= 30) expect(ahead).toBeGreaterThan(-0.02);
    }
  });

  describe('shows in one minute at most what it needs in ten, however many visitors come after silence', () => {
    let campaign: CampaignDocument;
    beforeEach(async () => {
      campaign = await network.run({ ...evenly(1), price: 1000, budget: 864 });
      for (let minute = 1; minute <= 5; minute += 1) await adjustCampaigns(database.db, minutesLater(minute));
      expect(await shareInZone()).toBe(1);
    });
    /** @returns the receipts of what visitors get in a minute, before the next adjustment */
    async function shownAt(minute: number, visitors = 100, keywords: readonly string[] = []): Promise<string[]> {
      clock = minutesLater(minute);
      const receipts: string[] = [];
      for (let visit = 0; visit < visitors; visit += 1)
        receipts.push(...(await network.decide({ keywords }, clock)).ads.map(({ receipt }) => receipt));
      return receipts;
    }

    it('also at a bid that is as much as many impressions', async () => {
      await network.end(campaign);
      await network.zone('top', { design: 'KEYWORDS' });
      const units = [{ keywords: [{ keyword: 'tea', bid: euros(4000) }] }];
      await network.run({ ...evenly(1), price: 1000, budget: 864, units });
      for (let minute = 1; minute <= 6; minute += 1) await adjustCampaigns(database.db, minutesLater(minute));
      expect(await shareInZone()).toBe(1);
      expect(await shownAt(6, 100, ['tea'])).toHaveLength(3); // 3 at 4,000 are more than 9 at 1,000
    });

    it('if all of it is seen', async () => {
      expect(progressOf(campaign, minutesLater(5)).expected).toBe(3);
      const receipts = await shownAt(5);
      expect(receipts).toHaveLength(9); // it is behind, and needs 0.6 to 0.9 a minute
      await network.record(receipts, 'IMPRESSION', clock);
      expect(await shownAt(5)).toHaveLength(0);
      expect(await shownAt(6)).toHaveLength(9);
    });

    it('and more where little of it is seen, until enough is', async () => {
      expect(await shownAt(5)).toHaveLength(9);
      const receipts = await shownAt(6, 50);
      expect(receipts).toHaveLength(50);
      await network.record(receipts.slice(0, 8), 'IMPRESSION', clock);
      expect(await shownAt(6, 1)).toHaveLength(1);
      await network.record(receipts.slice(8, 9), 'IMPRESSION', clock);
      expect(await shownAt(6)).toHaveLength(0);
    });
  });

  it('may show more in a minute when silence has left less time for its budget', async () => {
    await network.run({ ...evenly(1), budget: 864 });
    const limitAt = async (minute: number) => {
      await adjustCampaigns(database.db, minutesLater(minute));
      return (await network.adsOf('top'))[0]?.per_minute;
    };
    for (let minute = 1; minute <= 5; minute += 1) await limitAt(minute);
    expect(await shareInZone()).toBe(1);
    expect([await limitAt(720), await limitAt(1416)]).toEqual([18, 540]); // 864 in 720 minutes; what is left in ten at the end
  });

  it('counts from its start when its flight began long ago', async () => {
    const flight = { from: minutesLater(-300 * 24 * 60), to: day.to };
    const campaign = await network.run({ ...evenly(0.02), flight });
    expect(progressOf(campaign, now)).toMatchObject({ expected: 0 });
    expect(plannedAt(campaign, now.getTime() + DAY_MS / 2)).toBe((campaign.paid * 1000) / 2);
    await pauseCampaign(database.db, campaign._id, minutesLater(10));
    expect(await network.start(campaign, randomUUID(), minutesLater(20))).toMatchObject({ started_at: now });
  });

  it('spends what is left evenly over a flight that was changed', async () => {
    const { _id } = await network.run(evenly(0.02));
    const half = budgetFor(0.02) * 500;
    await campaigns(database.db).updateOne({ _id }, { $set: { spent: half } });
    const flight = { from: minutesLater(60), to: minutesLater(60 + 24 * 60) };
    await network.change({ _id }, { flight }, minutesLater(1));
    await network.change({ _id }, { flight, name: 'Another name' }, minutesLater(120)); // is the same flight
    const campaign = await network.campaign({ _id });
    expect(plannedAt(campaign, flight.from.getTime())).toBe(half);
    expect(plannedAt(campaign, flight.from.getTime() + DAY_MS / 2)).toBe(half * 1.5);
  });

  it('spends what is left evenly after it was to be spent as soon as possible', async () => {
    const { _id } = await network.run({ ...evenly(0.02), pacing: 'ASAP' });
    const half = budgetFor(0.02) * 500;
    await campaigns(database.db).updateOne({ _id }, { $set: { spent: half } });
    await network.change({ _id }, { pacing: 'EVEN' }, minutesLater(60));
    expect(plannedAt(await network.campaign({ _id }), minutesLater(60).getTime())).toBe(half);
  });

  it('keeps the share that a change has given it while it is adjusted', async () => {
    const { _id } = await network.run(evenly(0.02));
    const { paced } = await network.campaign({ _id });
    await network.change({ _id }, { pacing: 'ASAP' }, minutesLater(1));
    const stale = { share: 0.01, paced: paced ?? { spent: 0, at: now } };
    expect(await placeCampaign(database.db, _id, minutesLater(1), stale)).toBe(false);
    expect(await shareInZone()).toBe(1);
  });

  it('has another share at once when its pacing is changed', async () => {
    const campaign = await network.run(evenly(0.02));
    await network.change(campaign, { pacing: 'ASAP' }, minutesLater(1));
    expect(await shareInZone()).toBe(1);
    await network.change(campaign, { pacing: 'EVEN' }, minutesLater(1));
    expect(await shareInZone()).toBe(0.001);
  });
});

describe('the eCPM of a campaign that pays per click', () => {
  it('follows the click-through rate in its zones, once that has moved it by more than a twentieth', async () => {
    const PRICE = 40;
    const { _id } = await network.run({ priceModel: 'CPC', price: PRICE });
    let minute = 0;
    /** @returns how many campaigns were placed, and the eCPM in the zone */
    const afterClicks = async (clicks: number) => {
      minute += 1;
      await adUnits(database.db).updateOne({ campaign_id: _id }, { $set: { clicks, impressions: 99_800 } });
      const placed = await adjustCampaigns(database.db, minutesLater(minute));
      return [placed, (await network.adsOf('top'))[0]?.ecpm];
    };
    // A new unit has one click in 200 impressions, to which these are added.
    expect(await afterClicks(1099)).toEqual([1, expect.closeTo(PRICE * 11)]);
    expect(await afterClicks(1152)).toEqual([0, expect.closeTo(PRICE * 11)]); // 4.8 % higher
    expect(await afterClicks(1156)).toEqual([1, expect.closeTo(PRICE * 11.57)]); // 5.2 % higher
    expect(await afterClicks(1102)).toEqual([0, expect.closeTo(PRICE * 11.57)]); // 4.7 % lower
    expect(await afterClicks(1095)).toEqual([1, expect.closeTo(PRICE * 10.96)]); // 5.3 % lower
  });
});
