import { beforeEach, describe, expect, it } from 'vitest';
import { findUnitsOf } from '../../../src/models/ads/campaigns/ad-unit.js';
import { removeAdUnit } from '../../../src/models/ads/campaigns/ad-unit-change.js';
import { type CampaignDocument, campaigns } from '../../../src/models/ads/campaigns/campaign.js';
import { planCampaign } from '../../../src/models/ads/campaigns/campaign-plan.js';
import { fillZone } from '../../../src/models/ads/campaigns/placement.js';
import { findZoneViolations } from '../../../src/models/ads/invariants.js';
import {
  ADS_MAX,
  findRoomMade,
  findZones,
  isInZone,
  markFilled,
  removeZone,
  saveZone,
  type ZoneAd,
  zoneNameOf,
  zoneSnippet,
  zones,
} from '../../../src/models/ads/zones/zone.js';
import { findPlaceInShop } from '../../../src/models/ads/zones/zone-pages.js';
import { useDatabase } from '../../support/database.js';
import {
  emptyNetwork,
  euros,
  expectNoAdViolations,
  minutesLater,
  type Network,
  now,
  openNetwork,
  SITE,
  SIZE,
} from '../network.js';

const database = useDatabase();
let network: Network;

beforeEach(async () => {
  await emptyNetwork(database.db);
  network = await openNetwork(database.db);
});

const input = { site: SITE, zone: 'top', size: SIZE, design: 'BASIC', floor: 0 } as const;

describe('a zone of the shop', () => {
  const inShop = (origin = `https://${SITE}`) => findPlaceInShop(database.db, origin);

  it('is the first by name of those that are shown there, until none is', async () => {
    expect(await inShop()).toBeNull();
    for (const zone of ['b', 'a', 'c']) await saveZone(database.db, { ...input, zone, inShop: zone !== 'a' }, now);
    expect(await inShop()).toEqual({ site: SITE, zone: 'b', size: SIZE });
    await saveZone(database.db, { ...input, zone: 'b', size: '1x1' }, now);
    expect(await inShop()).toEqual({ site: SITE, zone: 'b', size: '1x1' });
    for (const zone of ['b', 'c']) await saveZone(database.db, { ...input, zone, inShop: false }, now);
    expect(await inShop()).toBeNull();
  });

  it('is shown only by pages whose origin the site allows', async () => {
    await saveZone(database.db, { ...input, inShop: true }, now);
    expect(await inShop(`http://${SITE}`)).toBeNull();
    expect(await inShop('https://other.example')).toBeNull();
    await expect(inShop('shop')).rejects.toMatchObject({ details: { field: 'origin' } });
  });
});

describe('a zone with as many ads as it may have', () => {
  const isIn = async (campaign: CampaignDocument) =>
    (await network.adsOf('top')).some(({ campaign_id }) => campaign_id === campaign._id);

  /** @returns one of those whose ads fill the zone, and one that has no room */
  async function fill(): Promise<{ dear: CampaignDocument; cheap: CampaignDocument }> {
    await network.zone('top');
    const dear = await network.run({ price: 900, units: [{}, {}] });
    await network.run({ price: 800 });
    const own = await network.adsOf('top');
    const others = Array.from({ length: ADS_MAX - 2 }, () => own[2]);
    const ads = [...own.slice(0, 2), ...others] as ZoneAd[];
    await zones(database.db).updateOne({ _id: `${SITE}/top` }, { $set: { ads } });
    const cheap = await network.run({ price: 100 });
    expect(await isIn(cheap)).toBe(false);
    expect(await network.campaign(cheap)).toMatchObject({ is_placed: false });
    return { dear, cheap };
  }

  it.each<[string, (dear: CampaignDocument) => Promise<unknown>]>([
    ['has ended', (dear) => network.end(dear)],
    ['has moved to another zone', (dear) => network.change(dear, { placements: [{ site: SITE, zone: 'side' }] })],
    [
      'has a later flight',
      (dear) => network.change(dear, { flight: { from: minutesLater(60), to: minutesLater(90) } }),
    ],
    ['pays less', (dear) => network.change(dear, { price: euros(50) })],
    [
      'has removed an ad unit',
      async (dear) => {
        const [unit] = await findUnitsOf(database.db, [dear._id]);
        return removeAdUnit(database.db, unit?._id ?? '', now);
      },
    ],
  ])('takes a campaign that had no room once another one %s', async (_case, makeRoom) => {
    const { dear, cheap } = await fill();
    await makeRoom(dear);
    await network.recover(minutesLater(5));
    expect(await isIn(cheap)).toBe(true);
    expect(await network.campaign(cheap)).toMatchObject({ is_placed: true });
    await network.recover(minutesLater(5));
    expect(await zones(database.db).findOne()).not.toHaveProperty('is_new'); // it is asked no more often than there is room
    await expectNoAdViolations(database.db);
  });

  it('is filled again when room is made while it is being filled', async () => {
    const { dear, cheap } = await fill();
    await network.end(dear);
    const [before] = await zones(database.db).find().toArray();
    await zones(database.db).updateOne({ _id: `${SITE}/top` }, { $inc: { room_made: 1 } }); // by another process, meanwhile
    await markFilled(database.db, `${SITE}/top`, before?.room_made);
    await network.recover(minutesLater(5));
    expect(await isIn(cheap)).toBe(true);
  });
});

describe('the workers of zones', () => {
  it('go on with the other campaigns when others write to one, and return to it', async () => {
    await network.zone('top');
    const [busy, other] = [await network.run(), await network.run()].toSorted((a, b) => (a._id < b._id ? -1 : 1));
    const isStale = async () =>
      Promise.all([busy, other].map(async (each) => (await network.campaign(each ?? { _id: '' })).is_stale));
    await zones(database.db).updateOne({}, { $set: { ads: [], is_new: true } });
    await campaigns(database.db).updateMany({}, { $set: { is_stale: true } });
    await database.client.withSession(async (session) => {
      session.startTransaction();
      await campaigns(database.db).updateOne({ _id: busy?._id ?? '' }, { $set: { name: 'Busy' } }, { session });
      await network.recover(minutesLater(5));
      await session.abortTransaction();
    });
    expect(await isStale()).toEqual([true, undefined]);
    expect(await network.adsOf('top')).toMatchObject([{ campaign_id: other?._id }]);
    expect(await zones(database.db).findOne()).toMatchObject({ is_new: true });
    await network.recover(minutesLater(6));
    expect(await isStale()).toEqual([undefined, undefined]);
    expect(await network.adsOf('top')).toHaveLength(2);
    expect(await zones(database.db).findOne()).not.toHaveProperty('is_new');
  });
});

describe('a zone', () => {
  it('is added once and changed by later calls', async () => {
    await Promise.all(Array.from({ length: 5 }, () => saveZone(database.db, input, now)));
    expect(await saveZone(database.db, { ...input, floor: 5, design: 'CAPPED' }, minutesLater(1))).toMatchObject({
      _id: `${SITE}/top`,
      site_id: SITE,
      zone_id: 'top',
      floor: 5,
      design: 'CAPPED',
      ads: [],
      created_at: now,
    });
    expect(await zones(database.db).countDocuments()).toBe(1);
  });

  it('is refused on an unknown site', async () => {
    expect(await saveZone(database.db, { ...input, site: 'unknown.example' }, now)).toMatchObject({
      __typename: 'SiteNotFound',
    });
    expect(await zones(database.db).countDocuments()).toBe(0);
  });

  it.each([
    ['zone', { zone: 'a/b' }],
    ['zone', { zone: '' }],
    ['zone', { zone: '$where' }],
    ['size', { size: '300' }],
    ['size', { size: '0x250' }],
    ['size', { size: '300x4001' }],
    ['floor', { floor: -1 }],
    ['floor', { floor: 1.5 }],
    ['site', { site: 'a b' }],
  ])('with another %s is rejected: %j', async (field, other) => {
    await expect(saveZone(database.db, { ...input, ...other }, now)).rejects.toMatchObject({
      details: { field: `input.${field}` },
    });
    expect(await zones(database.db).countDocuments()).toBe(0);
  });

  it('has the ads of its size only, highest eCPM first, and others when its size changes', async () => {
    await network.zone('top');
    const small = '1x1';
    for (const price of [300, 900, 600]) await network.run({ price, units: [{}, { size: small }] });
    expect((await network.adsOf('top')).map(({ ecpm }) => ecpm)).toEqual([900, 600, 300]);
    await network.zone('top', { size: small });
    const units = await database.db.collection('ad.units').find({ size: small }).toArray();
    const ids = (await network.adsOf('top')).map(({ ad_unit_id }) => ad_unit_id);
    expect(ids.toSorted()).toEqual(units.map(({ _id }) => String(_id)).toSorted());
    await expectNoAdViolations(database.db);
  });

  it('that was saved while others write its campaigns is filled by a worker', async () => {
    const { _id } = await network.run({ placements: [{ site: SITE, zone: 'new' }] });
    const session = database.client.startSession();
    try {
      session.startTransaction();
      await campaigns(database.db).updateOne({ _id }, { $inc: { placements_made: 1 } }, { session });
      await saveZone(database.db, { ...input, zone: 'new' }, now);
      await fillZone(database.db, `${SITE}/new`, now);
    } finally {
      await session.abortTransaction();
      await session.endSession();
    }
    expect(await network.adsOf('new')).toEqual([]);
    await network.recover(now);
    expect(await network.adsOf('new')).toMatchObject([{ campaign_id: _id }]);
  });

  it.each([
    ['saved', false],
    ['removed and saved again', true],
  ])(
    'that was %s by a process that died stays new for a worker, while another one fills it as it was before',
    async (_how, isRemoved) => {
      await network.zone('top');
      const size = '1x1';
      const { _id } = await network.run({ units: [{ size }] });
      const id = `${SITE}/top`;
      const before = await findRoomMade(database.db, id); // another one begins to fill it
      if (isRemoved) await removeZone(database.db, { site: SITE, zone: 'top' });
      await saveZone(database.db, { ...input, size }, now); // and this one dies
      await markFilled(database.db, id, before);
      expect(await network.adsOf('top')).toEqual([]);
      await network.recover(now);
      expect(await network.adsOf('top')).toMatchObject([{ campaign_id: _id }]);
    },
  );

  it('is removed once, and forgotten by its campaigns', async () => {
    await network.zone('top');
    const campaign = await network.run();
    expect(await isInZone(database.db, campaign._id)).toBe(true);
    expect(await removeZone(database.db, { site: SITE, zone: 'top' })).toEqual({ _id: `${SITE}/top` });
    expect(await removeZone(database.db, { site: SITE, zone: 'top' })).toMatchObject({ __typename: 'ZoneNotFound' });
    expect(await isInZone(database.db, campaign._id)).toBe(false);
    await network.end(campaign);
    await expectNoAdViolations(database.db);
  });

  it('is listed for its site by name', async () => {
    for (const zone of ['top', 'bottom', 'side']) await network.zone(zone);
    const found = await findZones(database.db, SITE);
    expect(found.map(({ _id }) => zoneNameOf(_id).zone)).toEqual(['bottom', 'side', 'top']);
    expect(found[0] && zoneSnippet('https://sextant.example/', found[0])).toBe(
      '<div data-zone="bottom" style="width:300px;height:250px"></div><script async src="https://sextant.example/ads.js" data-site="example.org"></script>',
    );
  });
});

describe('the invariant of zones', () => {
  it('finds ads of campaigns that do not run, and a wrong order', async () => {
    await network.zone('top');
    await network.run({ price: 100 });
    await network.run({ price: 200 });
    const [first, second] = await network.adsOf('top');
    await zones(database.db).updateOne({ _id: `${SITE}/top` }, { $set: { ads: [second, first] } as object });
    await campaigns(database.db).updateOne({ _id: first?.campaign_id ?? '' }, { $set: { state: 'DRAFT' } });
    const found: object[] = [];
    for await (const violation of findZoneViolations(database.db, async () => undefined)) found.push(violation);
    expect(found).toMatchObject([
      { invariant: 'ads of campaigns that run', expected: 2, found: 1 },
      { invariant: 'highest eCPM first', found: 1 },
    ]);
  });
});

describe('the plan of a campaign', () => {
  const plan = async (price: number, placements = ['top']) =>
    planCampaign(
      database.db,
      {
        ...(await network.draft({ price, budget: 1, units: [] })),
        placements: placements.map((zone) => `${SITE}/${zone}`),
      },
      now,
    );

  it('has its rank, and the impressions that budget and traffic allow', async () => {
    await network.zone('top', { design: 'KEYWORDS' });
    await network.run({ price: 900 });
    for (let n = 0; n < 14; n += 1) await network.decide({}, minutesLater(-60));
    await network.decider.tally.close();
    expect(await plan(100)).toEqual({ notes: [], zones: 1, expectedImpressions: 10, expectedSpend: 1, rank: 2 });
    expect(await plan(1000)).toMatchObject({ expectedImpressions: 1, expectedSpend: 1, rank: 1 });
  });

  it('has remarks on zones that do not exist, or where others bid more', async () => {
    await network.zone('top', { floor: 50 });
    await network.run({ price: 900 });
    expect(await plan(100, ['top', 'none'])).toMatchObject({
      notes: [`${SITE}/top shows only the best eCPM, which others have`, `There is no zone ${SITE}/none yet`],
      zones: 1,
      expectedImpressions: 0,
    });
    expect(await plan(10)).toMatchObject({
      notes: [`The floor of ${SITE}/top is 50 minor units of EUR, above the eCPM of the campaign`],
    });
  });
});
