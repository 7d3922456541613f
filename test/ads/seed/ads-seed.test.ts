/** The sample ads: filled in once, with money that was paid for them, and taken back as far as nobody has changed them. */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { advertisers } from '../../../src/models/ads/advertisers/advertiser.js';
import { adUnits } from '../../../src/models/ads/campaigns/ad-unit.js';
import { campaigns } from '../../../src/models/ads/campaigns/campaign.js';
import { progressOf } from '../../../src/models/ads/campaigns/pacing.js';
import { adjustCampaigns } from '../../../src/models/ads/campaigns/upkeep.js';
import type { AdsServices } from '../../../src/models/ads/domain.js';
import { adsSteps } from '../../../src/models/ads/seed/ads-seed.js';
import { sampleZones } from '../../../src/models/ads/seed/sample-ads.js';
import { SAMPLE_DAYS } from '../../../src/models/ads/seed/sample-history.js';
import { findZoneStats } from '../../../src/models/ads/stats/ad-stats.js';
import { findZones, saveZone, zones } from '../../../src/models/ads/zones/zone.js';
import { SAMPLE_AD_SITE } from '../../../src/models/analytics/seed/sample-site.js';
import { isTrafficEmpty } from '../../../src/models/analytics/seed/traffic-seed.js';
import { findSite } from '../../../src/models/analytics/sites/site.js';
import { findAccount } from '../../../src/models/commerce/money/account.js';
import { openStore } from '../../../src/models/commerce/store.js';
import { WorkFailure } from '../../../src/models/work.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/shared/time.js';
import { useDatabase } from '../../support/database.js';
import { contentsOf, expectSound, repeated, useSeed } from '../../system/work/seed-support.js';
import { emptyNetwork } from '../network.js';

const database = useDatabase();
const seed = useSeed(database, 'ads');
const STEPS = SAMPLE_DAYS + 3;
const steps = () => adsSteps((seed.domain.services as AdsServices).ads.payment);

const rules = { currency: 'EUR', cartIdleMs: 30 * MINUTE_MS, recoverAfterMs: MINUTE_MS, keepAnswersMs: 24 * HOUR_MS };
beforeAll(() => openStore(database.db, rules, new Date()));
afterEach(async () => {
  await emptyNetwork(database.db);
  await openStore(database.db, rules, new Date());
});

const byState = async () =>
  Object.fromEntries(
    (await campaigns(database.db).find().toArray()).map(({ name, state, paid, spent, refunded }) => [
      name,
      { state, paid, isSpent: spent > 0, refunded: refunded > 0 },
    ]),
  );
const purse = async () => (await findAccount(database.db, 'sample-advertising'))?.balance ?? 0;

describe('the sample ads', () => {
  it('are campaigns in every state, in zones, paid for and with a week of statistics, also if each step is repeated', async () => {
    const { db } = database;
    for (const some of [undefined, repeated(steps())]) {
      expect(await seed.fill(some)).toMatchObject({ state: 'FINISHED', done: STEPS, total: STEPS });
      expect(await byState()).toEqual({
        'Sails before the summer': { state: 'RUNNING', paid: 4000, isSpent: true, refunded: false },
        'Charts by the piece': { state: 'RUNNING', paid: 3000, isSpent: true, refunded: false },
        'An evening of knots': { state: 'PAUSED', paid: 1500, isSpent: true, refunded: false },
        'Tide tables of the year': { state: 'ENDED', paid: 1000, isSpent: true, refunded: true },
        'Winter storage': { state: 'DRAFT', paid: 0, isSpent: false, refunded: false },
      });
      const shown = await findZones(db, SAMPLE_AD_SITE);
      expect(shown.map(({ zone_id, ads }) => [zone_id, ads.length])).toEqual([
        ['article', 2],
        ['front', 1],
        ['margin', 1],
      ]);
      expect(shown.flatMap(({ ads }) => ads).filter(({ image_id }) => image_id).length).toBe(3);
      const range = { from: new Date(Date.now() - 8 * DAY_MS), to: new Date(Date.now() + DAY_MS) };
      const { decisions, filled, impressions, clicks } = await findZoneStats(db, `${SAMPLE_AD_SITE}/front`, range);
      expect(impressions).toBeGreaterThan(1000);
      expect(clicks).toBeGreaterThan(20);
      expect(filled).toBeGreaterThan(impressions);
      expect(decisions).toBeGreaterThan(filled);
      expect(await isTrafficEmpty(db)).toBe(true); // the site of the ads has no hits
      await expectSound(db);
      await emptyNetwork(db);
      await db.collection('ad.stats').deleteMany({});
      await openStore(db, rules, new Date());
    }
  });

  it('are spent as their flights and paces have it', async () => {
    await seed.fill();
    const { db } = database;
    for (const { started_at, flight, state } of await campaigns(db).find().toArray())
      expect(started_at).toEqual(state === 'DRAFT' ? undefined : flight.from);
    const even = await campaigns(db).findOne({ state: 'RUNNING', pacing: 'EVEN' });
    const { expected, actual } = even ? progressOf(even, new Date()) : { expected: 0, actual: 0 };
    expect(actual).toBeGreaterThan(0.8 * expected);
    expect(actual).toBeLessThan(1.2 * expected);
  });

  it('go on at the pace of their traffic, also if they are adjusted while they are added', async () => {
    const { db } = database;
    const adjusting = steps().map((step, index) => ({
      ...step,
      fill: async (...held: Parameters<typeof step.fill>) => {
        if (index === STEPS - 1) await adjustCampaigns(db, new Date());
        return step.fill(...held);
      },
    }));
    await seed.fill(adjusting);
    await adjustCampaigns(db, new Date(Date.now() + MINUTE_MS));
    const even = await campaigns(db).findOne({ state: 'RUNNING', pacing: 'EVEN' });
    expect(even?.share).toBeGreaterThan(0.01);
  });

  it('leave nothing but the transfers of commerce when they are undone, also if each step is repeated', async () => {
    const { db } = database;
    const before = await contentsOf(db, seed.domain);
    for (const some of [undefined, repeated(steps())]) {
      const money = await purse();
      const filled = await seed.fill(some);
      const spent = (await campaigns(db).find().toArray()).reduce((sum, each) => sum + Math.ceil(each.spent / 1000), 0);
      const undone = await seed.undo(filled, some);
      expect(undone).toMatchObject({ state: 'UNDONE', done: 0 });
      expect(undone.kept).toBeUndefined();
      expect(await contentsOf(db, seed.domain)).toEqual(before);
      expect(await findSite(db, SAMPLE_AD_SITE)).toBeNull();
      expect(await purse()).toBe((money || 50_000) - spent);
      await expectSound(db);
    }
  });

  it('are taken back from the step at which they failed', async () => {
    const before = await contentsOf(database.db, seed.domain);
    for (const failing of [0, 1, 2, 5, STEPS - 1]) {
      const failed = await seed.fill(
        steps().map((step, index) => ({
          ...step,
          fill: async (...held: Parameters<typeof step.fill>) => {
            const write = await step.fill(...held);
            if (index === failing) throw new WorkFailure('It fails here');
            return write;
          },
        })),
      );
      expect(failed).toMatchObject({ state: 'FAILED', done: failing });
      expect(await seed.undo(failed)).toMatchObject({ state: 'UNDONE', done: 0 });
      expect(await contentsOf(database.db, seed.domain)).toEqual(before);
      await expectSound(database.db);
    }
  });
});

describe('undoing the sample ads', () => {
  it('keeps what was changed or is used, with its advertiser and zone', async () => {
    const { db } = database;
    const filled = await seed.fill();
    const tides = { name: 'Tide tables of the year' };
    await campaigns(db).updateOne(tides, { $set: { name: 'Tide tables' } });
    const [front] = sampleZones;
    if (!front) throw new Error('There is no zone');
    await saveZone(db, { ...front, floor: 50 }, new Date());
    const undone = await seed.undo(filled);
    expect(await campaigns(db).find().toArray()).toMatchObject([{ name: 'Tide tables', state: 'ENDED' }]);
    expect(await adUnits(db).countDocuments()).toBe(1);
    expect(await advertisers(db).find().toArray()).toMatchObject([{ name: 'Haddad Charts' }]);
    expect(await zones(db).find().toArray()).toMatchObject([{ zone_id: 'front', floor: 50 }]);
    expect(await findSite(db, SAMPLE_AD_SITE)).not.toBeNull();
    expect(undone).toMatchObject({ state: 'UNDONE', kept: 4 });
    await expectSound(db);
  });
});
