import { beforeEach, describe, expect, it } from 'vitest';
import { chooseSeed, makeRandom } from '../../../harness/random.js';
import { findUnitsOf } from '../../../src/models/ads/campaigns/ad-unit.js';
import { removeAdUnit } from '../../../src/models/ads/campaigns/ad-unit-change.js';
import type { CampaignDocument } from '../../../src/models/ads/campaigns/campaign.js';
import { pauseCampaign } from '../../../src/models/ads/campaigns/campaign-change.js';
import { fillZone } from '../../../src/models/ads/campaigns/placement.js';
import {
  ADS_MAX,
  findZone,
  newVersion,
  removeZone,
  type ZoneAd,
  type ZoneDocument,
  zones,
} from '../../../src/models/ads/zones/zone.js';
import { ZoneCache } from '../../../src/models/ads/zones/zone-cache.js';
import { useDatabase } from '../../support/database.js';
import { emptyNetwork, euros, minutesLater, type Network, now, openNetwork, SITE } from '../network.js';

const database = useDatabase();
let network: Network;
let cache: ZoneCache;

beforeEach(async () => {
  await emptyNetwork(database.db);
  network = await openNetwork(database.db);
  cache = new ZoneCache(database.db);
});

const ID = `${SITE}/top`;
const find = () => cache.find(ID);
/** As no release writes it. */
const changeUnnoticed = () => zones(database.db).updateOne({ _id: ID }, { $set: { floor: 999 } });

describe('a zone that a process has read', () => {
  it('is not read again until it is written', async () => {
    await network.zone('top');
    await network.run();
    const first = await find();
    await changeUnnoticed();
    expect(await find()).toBe(first);
    await network.run();
    expect(await find()).toMatchObject({ floor: 999, ads: [{}, {}] });
  });

  it('is not read again because a campaign was placed again as it was', async () => {
    await network.zone('top');
    await network.run();
    const first = await find();
    await fillZone(database.db, ID, minutesLater(1));
    expect(await find()).toBe(first);
  });

  it('is read once by many decisions that notice a change at once', async () => {
    await network.zone('top');
    const found = await Promise.all(Array.from({ length: 50 }, find));
    expect(new Set(found).size).toBe(1);
    await network.run();
    const again = await Promise.all(Array.from({ length: 50 }, find));
    expect(new Set(again).size).toBe(1);
    expect(again[0]?.ads).toHaveLength(1);
  });

  it('is gone when it is removed, and another one when it is added again', async () => {
    await network.zone('top');
    await find();
    await removeZone(database.db, { site: SITE, zone: 'top' });
    expect(await find()).toBeNull();
    expect(cache.bytes).toBe(0);
    await network.zone('top', { floor: 7 });
    expect(await find()).toMatchObject({ floor: 7 });
  });

  it('is read each time if an earlier release has written it', async () => {
    await network.zone('top');
    await zones(database.db).updateOne({ _id: ID }, { $unset: { version: '' } });
    await find();
    await changeUnnoticed();
    expect(await find()).toMatchObject({ floor: 999 });
    await network.run();
    const first = await find();
    expect(await find()).toBe(first);
  });
});

it('forgets those that were used least recently, beyond 64 MB', async () => {
  const whole = await network.zone('top');
  const [ad] = (await network.run()) && (await network.adsOf('top'));
  const ads = Array.from({ length: ADS_MAX }, () => ad as ZoneAd);
  const names = Array.from({ length: 40 }, (_, number) => `zone-${number}`);
  await zones(database.db).insertMany(
    names.map((zone_id) => ({ ...whole, _id: `${SITE}/${zone_id}`, zone_id, ads, version: newVersion() })),
  );
  for (const name of names) {
    await cache.find(`${SITE}/${name}`);
    expect(cache.bytes).toBeLessThanOrEqual(64 * 1024 * 1024);
  }
  expect(cache.bytes).toBeGreaterThan(32 * 1024 * 1024);
});

const forDeciding = (zone: ZoneDocument | null) =>
  zone && { size: zone.size, design: zone.design, floor: zone.floor, ads: zone.ads };

it('is what is stored, whatever is written, in processes that decide often and rarely', async () => {
  const random = makeRandom(chooseSeed('zone cache'));
  const campaigns: CampaignDocument[] = [];
  const rarely = new ZoneCache(database.db);
  const some = () => campaigns[random.below(campaigns.length)];
  const words = () => [{ keyword: 'lamp', bid: euros(100 + random.below(900)) }];
  const writes: Record<string, () => Promise<unknown>> = {
    save: () =>
      network.zone('top', {
        size: random.pick(['300x250', '1x1']),
        design: random.pick(['BASIC', 'CAPPED', 'KEYWORDS']),
        floor: random.below(5),
        blog: random.pick(['a', null]),
      }),
    remove: () => removeZone(database.db, { site: SITE, zone: 'top' }),
    run: async () => {
      const units = [{ keywords: words() }, { size: '1x1' }];
      campaigns.push(await network.run({ price: 100 + random.below(900), budget: 100, units }));
    },
    change: async () => {
      const campaign = some();
      if (campaign) await network.change(campaign, { price: euros(100 + random.below(900)) });
    },
    addUnit: async () => {
      const campaign = some();
      if (campaign && (await network.campaign(campaign)).state !== 'ENDED') await network.unit(campaign);
    },
    removeUnit: async () => {
      const campaign = some();
      const [unit] = campaign ? await findUnitsOf(database.db, [campaign._id]) : [];
      if (unit) await removeAdUnit(database.db, unit._id, now);
    },
    pause: async () => {
      const campaign = some();
      if (campaign) await pauseCampaign(database.db, campaign._id, now);
    },
    end: async () => {
      const campaign = some();
      if (campaign) await network.end(campaign);
    },
    upkeep: () => network.recover(minutesLater(random.below(60))),
  };
  const names = Object.keys(writes) as [string, ...string[]];
  await network.zone('top');
  const seen = new Set<string>();
  for (let step = 0; step < 150; step += 1) {
    const name = random.pick(random.below(3) === 0 ? ['run', 'save'] : names);
    const before = forDeciding(await findZone(database.db, ID));
    await writes[name]?.();
    const stored = await findZone(database.db, ID);
    if (JSON.stringify(forDeciding(stored)) !== JSON.stringify(before)) seen.add(name);
    for (const process of step % 10 === 0 ? [cache, rarely] : [cache])
      expect(forDeciding(await process.find(ID)), name).toEqual(forDeciding(stored));
  }
  expect([...seen].sort()).toEqual(expect.arrayContaining(['end', 'remove', 'run', 'save']));
});
