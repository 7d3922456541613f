import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { unkeyed } from '../../../src/database/index.js';
import { findUnitsOf } from '../../../src/models/ads/campaigns/ad-unit.js';
import { removeAdUnit } from '../../../src/models/ads/campaigns/ad-unit-change.js';
import {
  type CampaignDocument,
  campaigns,
  findCampaigns,
  findCampaignsOf,
} from '../../../src/models/ads/campaigns/campaign.js';
import { createCampaign, pauseCampaign } from '../../../src/models/ads/campaigns/campaign-change.js';
import { endCampaign } from '../../../src/models/ads/campaigns/campaign-end.js';
import type { CampaignChanges } from '../../../src/models/ads/campaigns/campaign-input.js';
import { notesOf } from '../../../src/models/ads/campaigns/campaign-notes.js';
import { adjustCampaigns, endFlights } from '../../../src/models/ads/campaigns/upkeep.js';
import { findZonesById } from '../../../src/models/ads/zones/zone.js';
import { BusyError } from '../../../src/shared/errors.js';
import type { Connection, PageInput } from '../../../src/shared/page.js';
import { DAY_MS, HOUR_MS } from '../../../src/shared/time.js';
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
  await network.zone('top');
});

describe('starting a campaign', () => {
  it('pays for the budget and shows the ads in its zones', async () => {
    const campaign = await network.run({ budget: 10_000 });
    expect(campaign).toMatchObject({ state: 'RUNNING', paid: 10_000, spent: 0, is_placed: true });
    expect(await network.balance()).toBe(990_000);
    expect(await network.adsOf('top')).toMatchObject([{ campaign_id: campaign._id, ecpm: 500, share: 1 }]);
    await expectNoAdViolations(database.db);
  });

  it('pays once, however often it is called', async () => {
    const draft = await network.draft();
    const call = randomUUID();
    await Promise.allSettled(Array.from({ length: 5 }, () => network.start(draft, call)));
    await network.recover(minutesLater(5));
    expect(await network.start(draft, call)).toMatchObject({ state: 'RUNNING', paid: 10_000 });
    expect(await network.start(draft, randomUUID())).toMatchObject({ state: 'RUNNING', paid: 10_000 });
    expect(await network.balance()).toBe(990_000);
    await expectNoAdViolations(database.db);
  });

  it.each([
    ['without ad units', { units: [] }, 'NothingToShow'],
    ['without zones', { placements: [] }, 'NothingToShow'],
    ['with a budget that the account cannot pay', { budget: 1_000_001 }, 'PaymentDeclined'],
  ])('refuses one %s and changes nothing', async (_case, wish, refusal) => {
    const draft = await network.draft(wish);
    expect(await network.start(draft)).toMatchObject({ __typename: refusal });
    expect(await network.campaign(draft)).toMatchObject({ state: 'DRAFT', paid: 0 });
    expect((await network.campaign(draft)).payment).toBeUndefined();
    expect(await network.balance()).toBe(1_000_000);
    expect(await network.adsOf('top')).toEqual([]);
  });

  it('is found by a retry of its creation, also if its flight has ended since', async () => {
    const draft = await network.draft();
    const { advertiser } = network;
    const { name, flight, pacing } = draft;
    const fields = {
      name,
      flight,
      pacing,
      priceModel: 'CPM' as const,
      caps: [],
      placements: [],
      price: euros(1),
      budget: euros(9),
    };
    const wanted = { advertiser, account: network.account._id, currency: 'EUR', fields };
    const later = new Date(draft.flight.to.getTime() + DAY_MS);
    expect(await createCampaign(database.db, unkeyed(draft._id, new Date()), wanted, later)).toMatchObject({
      _id: draft._id,
      name,
    });
  });

  it('shows nothing before the flight begins', async () => {
    const flight = { from: minutesLater(60), to: minutesLater(120) };
    const campaign = await network.run({ flight });
    expect(campaign).toMatchObject({ state: 'RUNNING', is_placed: false });
    await adjustCampaigns(database.db, minutesLater(59));
    expect(await network.adsOf('top')).toEqual([]);
    await adjustCampaigns(database.db, minutesLater(60));
    expect(await network.adsOf('top')).toHaveLength(1);
    expect(await endFlights(database.db, network.payment, minutesLater(119))).toBe(0);
    expect(await endFlights(database.db, network.payment, minutesLater(120))).toBe(1);
    expect(await network.campaign(campaign)).toMatchObject({ state: 'ENDED', ended_by: 'DATE', refunded: 10_000 });
    expect(await network.adsOf('top')).toEqual([]);
    expect(await network.balance()).toBe(1_000_000);
  });
});

describe('the ends of flights', () => {
  it('go on with the other campaigns when one fails', async () => {
    const flight = { from: now, to: minutesLater(60) };
    const started = [await network.run({ flight }), await network.run({ flight })];
    const ids = started.map(({ _id }) => _id).toSorted();
    const [first, second] = ids;
    const refund: typeof network.payment.refund = (charge, at) => {
      if (charge.key.startsWith(first ?? '')) throw new Error('The provider has failed');
      return network.payment.refund(charge, at);
    };
    await expect(endFlights(database.db, { ...network.payment, refund }, minutesLater(60))).rejects.toThrow(/failed/);
    expect(await network.campaign({ _id: second ?? '' })).toMatchObject({ state: 'ENDED', refunded: 10_000 });
    await network.recover(minutesLater(65));
    expect(await network.campaign({ _id: first ?? '' })).toMatchObject({ state: 'ENDED', refunded: 10_000 });
  });

  it('leave out a campaign whose flight is extended after they have read it', async () => {
    const flight = { from: now, to: minutesLater(60) };
    const ids = [(await network.run({ flight }))._id, (await network.run({ flight }))._id];
    let extended = '';
    const refund: typeof network.payment.refund = async (charge, at) => {
      extended ||= ids.find((id) => !charge.key.startsWith(id)) ?? '';
      await campaigns(database.db).updateOne({ _id: extended }, { $set: { 'flight.to': minutesLater(120) } });
      return network.payment.refund(charge, at);
    };
    await endFlights(database.db, { ...network.payment, refund }, minutesLater(60));
    expect(await network.campaign({ _id: extended })).toMatchObject({ state: 'RUNNING', refunded: 0 });
    expect(await campaigns(database.db).countDocuments({ ended_by: 'DATE' })).toBe(1);
    expect(await endFlights(database.db, network.payment, minutesLater(120))).toBe(1);
  });
});

describe('the adjustments of each minute', () => {
  it('go on with the other campaigns when one fails', async () => {
    const flight = { from: minutesLater(60), to: minutesLater(120) };
    const started = [await network.run({ flight }), await network.run({ flight })];
    const [first = '', second] = started.map(({ _id }) => _id).toSorted();
    await campaigns(database.db).updateOne({ _id: first }, { $unset: { flight: '' } }); // cannot be adjusted
    await expect(adjustCampaigns(database.db, minutesLater(60))).rejects.toThrow(/Adjustments of campaigns/);
    expect(await network.adsOf('top')).toMatchObject([{ campaign_id: second }]);
  });
});

describe('a campaign that is paused', () => {
  it('is shown again when it is started, and pays nothing', async () => {
    const campaign = await network.run();
    expect(await pauseCampaign(database.db, campaign._id, now)).toMatchObject({ state: 'PAUSED' });
    expect(await network.adsOf('top')).toEqual([]);
    expect(await pauseCampaign(database.db, campaign._id, now)).toMatchObject({ state: 'PAUSED' });
    expect(await network.start(campaign)).toMatchObject({ state: 'RUNNING', is_placed: true });
    expect(await network.adsOf('top')).toHaveLength(1);
    expect(await network.balance()).toBe(990_000);
  });

  it('stays so without an ad unit or a zone', async () => {
    const [unitless, zoneless] = [await network.run(), await network.run()];
    for (const { _id } of [unitless, zoneless]) await pauseCampaign(database.db, _id, now);
    for (const { _id } of await findUnitsOf(database.db, [unitless._id])) await removeAdUnit(database.db, _id, now);
    await network.change(zoneless, { placements: [] });
    for (const campaign of [unitless, zoneless]) {
      expect(await network.start(campaign)).toMatchObject({ __typename: 'NothingToShow' });
      expect(await network.campaign(campaign)).toMatchObject({ state: 'PAUSED' });
    }
  });

  it('must have been running', async () => {
    const draft = await network.draft();
    expect(await pauseCampaign(database.db, draft._id, now)).toMatchObject({
      __typename: 'CampaignNotChangeable',
      state: 'DRAFT',
    });
  });
});

describe('ending a campaign', () => {
  it('takes its ads out of all zones and pays back what was not spent', async () => {
    await network.zone('side');
    const placements = ['top', 'side'].map((zone) => ({ site: SITE, zone }));
    const campaign = await network.run({ placements, price: 1500 });
    const { ads } = await network.decide();
    await network.record(ads.map(({ receipt }) => receipt));
    expect(await network.end(campaign)).toMatchObject({
      state: 'ENDED',
      ended_by: 'HAND',
      spent: 1500,
      refunded: 9998,
    });
    expect([await network.adsOf('top'), await network.adsOf('side')]).toEqual([[], []]);
    expect(await network.balance()).toBe(999_998);
    expect(await network.end(campaign)).toMatchObject({ state: 'ENDED', refunded: 9998 });
    expect(await network.balance()).toBe(999_998);
    await expectNoAdViolations(database.db);
  });

  it('answers many calls at once with the same ended campaign', async () => {
    const campaign = await network.run();
    const answers = await Promise.all(Array.from({ length: 12 }, () => network.end(campaign)));
    for (const answer of answers) expect(answer).toMatchObject({ state: 'ENDED', refunded: 10_000 });
    expect(await network.balance()).toBe(1_000_000);
    await expectNoAdViolations(database.db);
  });

  it('waits for the refund of another process', async () => {
    const campaign = await network.run();
    let asked = 0;
    const refund: typeof network.payment.refund = async (charge, at) => {
      asked += 1;
      if (asked === 1) throw new BusyError('The transfer is in progress');
      return network.payment.refund(charge, at);
    };
    const ended = await endCampaign(database.db, { ...network.payment, refund }, { id: campaign._id, by: 'HAND' }, now);
    expect(ended).toMatchObject({ state: 'ENDED', refunded: 10_000 });
    expect(asked).toBe(2);
  });

  it('ends a draft without moving money', async () => {
    expect(await network.end(await network.draft())).toMatchObject({ state: 'ENDED', paid: 0, refunded: 0 });
    expect(await network.balance()).toBe(1_000_000);
  });

  it('wins over a placement at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const campaign = await network.run({ budget: 10 });
      const moves = Array.from({ length: 4 }, (_, index) => network.change(campaign, { price: euros(500 + index) }));
      const moving = Promise.allSettled(moves);
      await network.end(campaign);
      expect(await network.adsOf('top')).toEqual([]);
      await moving;
      expect(await network.adsOf('top')).toEqual([]);
    }
    await expectNoAdViolations(database.db);
  });
});

describe('changing a campaign', () => {
  it('changes its ads in the zones at once', async () => {
    const campaign = await network.run();
    await network.zone('side');
    const placements = [{ site: SITE, zone: 'side' }];
    expect(await network.change(campaign, { price: euros(700), placements })).toMatchObject({ price: 700 });
    expect(await network.adsOf('top')).toEqual([]);
    expect(await network.adsOf('side')).toMatchObject([{ ecpm: 700, prices: { impression: 700, click: 0 } }]);
  });

  it('keeps the start of its flight, and with it its plan, when only the end is changed', async () => {
    const { _id, flight } = await network.run();
    const to = new Date(flight.to.getTime() + DAY_MS);
    expect(await network.change({ _id }, { flight: { to } }, minutesLater(60))).toMatchObject({
      flight: { from: flight.from, to },
    });
  });

  it('pays the difference to a higher budget', async () => {
    const campaign = await network.run();
    expect(await network.change(campaign, { budget: euros(15_000) })).toMatchObject({ budget: 15_000, paid: 15_000 });
    expect(await network.balance()).toBe(985_000);
    await expectNoAdViolations(database.db);
  });

  it('refuses a higher budget that the account cannot pay, and a lower one, and changes nothing', async () => {
    const campaign = await network.run();
    const before = await network.campaign(campaign);
    expect(await network.change(campaign, { name: 'Other', budget: euros(2_000_000) })).toMatchObject({
      __typename: 'PaymentDeclined',
      reason: 'INSUFFICIENT_FUNDS',
    });
    await expect(network.change(campaign, { budget: euros(9999) })).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      message: 'changes.budget.amount must be at least 10000 minor units of EUR, which was paid',
    });
    expect({ ...(await network.campaign(campaign)), last_modified: before.last_modified }).toEqual(before);
  });

  it('changes the budget of a draft freely, and nothing of one that has ended', async () => {
    const draft = await network.draft();
    expect(await network.change(draft, { budget: euros(5) })).toMatchObject({ budget: 5, paid: 0 });
    await network.end(draft);
    expect(await network.change(draft, { budget: euros(6) })).toMatchObject({ __typename: 'CampaignNotChangeable' });
  });

  it.each<[string, CampaignChanges, string]>([
    ['a price of 0', { price: euros(0) }, 'changes.price.amount'],
    ['another currency', { price: { amount: 1, currency: 'USD' } }, 'changes.price.currency'],
    ['a flight that is over', { flight: { from: new Date(0), to: now } }, 'changes.flight.to'],
    ['a flight of two years', { flight: { to: new Date(now.getTime() + 730 * DAY_MS) } }, 'changes.flight.to'],
    ['a cap of 201', { caps: [{ scope: 'AD_UNIT', count: 201, period: { ms: DAY_MS } }] }, 'changes.caps.0.count'],
    [
      'a cap of 31 days',
      { caps: [{ scope: 'AD_UNIT', count: 1, period: { ms: 31 * DAY_MS } }] },
      'changes.caps.0.period',
    ],
    ['a zone with a slash', { placements: [{ site: SITE, zone: 'a/b' }] }, 'changes.placements.0.zone'],
    ['an invisible name', { name: ' ' }, 'changes.name'],
  ])('rejects %s and changes nothing', async (_case, changes, field) => {
    const campaign = await network.run();
    const before = await network.campaign(campaign);
    await expect(network.change(campaign, changes)).rejects.toMatchObject({ details: { field } });
    expect(await network.campaign(campaign)).toEqual(before);
  });
});

describe('the notes of a campaign', () => {
  const placements = ['top', 'wide', 'none'].map((zone) => ({ site: SITE, zone }));
  const caps = [{ scope: 'CAMPAIGN', count: 1, period: { ms: HOUR_MS } }] as const;
  const notes = async (campaign: CampaignDocument) =>
    notesOf(
      campaign,
      await findUnitsOf(database.db, [campaign._id]),
      await findZonesById(database.db, campaign.placements),
    );

  it('name its zones that cannot show its ads, and sizes that no zone shows', async () => {
    await network.zone('wide', { size: '728x90' });
    const units = [{ size: SIZE }, { size: '160x600' }];
    const draft = await network.draft({ placements, units, caps: [...caps] });
    expect(await notes(draft)).toEqual([
      `${SITE}/top shows no ads with frequency caps`,
      `${SITE}/wide shows ads of 728x90, and the campaign has none`,
      `There is no zone ${SITE}/none yet`,
      'No zone of the campaign shows ads of 160x600',
    ]);
    expect(await notes({ ...draft, state: 'ENDED' })).toEqual([]);
  });

  it('compare the floor of a zone with what its own ads may bring there', async () => {
    const floor = 600;
    await network.zone('low', { floor });
    await network.zone('high', { floor, design: 'KEYWORDS' });
    const draft = await network.draft({
      price: 500,
      placements: ['low', 'high'].map((zone) => ({ site: SITE, zone })),
      units: [{ keywords: [{ keyword: 'tea', bid: euros(900) }] }],
    });
    expect(await notes(draft)).toEqual([
      expect.stringMatching(`^The floor of ${SITE}/low is .*, above the eCPM of the campaign$`),
    ]);
  });

  it('say of a campaign that was started what it lacks', async () => {
    const started = await network.run();
    expect(notesOf({ ...started, placements: [] }, [], [])).toEqual([
      'The campaign has no zone',
      'The campaign has no ad',
    ]);
  });

  it('are none while its zones can show all its ads, or it has no ad units yet', async () => {
    expect(await notes(await network.run())).toEqual([]);
    expect(await notes(await network.draft({ units: [] }))).toEqual([]);
  });
});

describe('campaigns', () => {
  it('are listed newest first, page by page', async () => {
    const drafts = await Promise.all([network.draft(), network.draft(), network.draft()]);
    for (const [minute, { _id }] of drafts.entries())
      await campaigns(database.db).updateOne({ _id }, { $set: { created_at: minutesLater(Math.min(1, minute)) } });
    const [oldest, ...sameTime] = drafts.map(({ _id }) => _id);
    const { db } = database;
    const lists: ((page: PageInput) => Promise<Connection<CampaignDocument>>)[] = [
      (page) => findCampaigns(db, { owner: null, state: 'DRAFT' }, page),
      (page) => findCampaigns(db, { owner: network.advertiser.owner, state: 'DRAFT' }, page),
      (page) => findCampaignsOf(db, network.advertiser._id, page),
    ];
    for (const list of lists) {
      const first = await list({ first: 1 });
      const rest = await list({ first: 5, after: first.pageInfo.endCursor });
      const ids = [...first.edges, ...rest.edges].map(({ node }) => node._id);
      expect(ids).toEqual([...sameTime.toSorted().toReversed(), oldest]);
    }
  });

  it('with a click price have an eCPM that follows the smoothed click-through rate', async () => {
    const campaign = await network.run({ priceModel: 'CPC', price: 20 });
    expect(await network.adsOf('top')).toMatchObject([{ ecpm: 100, prices: { impression: 0, click: 20_000 } }]);
    const { ads } = await network.decide();
    const [receipt = ''] = ads.map((ad) => ad.receipt);
    await network.record([receipt]);
    await network.record([receipt], 'CLICK');
    expect(await network.campaign(campaign)).toMatchObject({ spent: 20_000 });
    await adjustCampaigns(database.db, minutesLater(1));
    expect((await network.adsOf('top'))[0]?.ecpm).toBeCloseTo((20 * 1000 * 2) / 201);
    await expectNoAdViolations(database.db);
  });

  it('with units of several sizes follow the rates of all of them', async () => {
    await network.zone('wide', { size: '728x90' });
    await network.run({
      priceModel: 'CPC',
      price: 20,
      placements: ['top', 'wide'].map((zone) => ({ site: SITE, zone })),
      units: [{}, { size: '728x90' }],
    });
    for (const [minute, zone] of ['wide', 'top'].entries()) {
      const { ads } = await network.decide({ zone });
      const receipts = ads.map(({ receipt }) => receipt);
      await network.record(receipts);
      await network.record(receipts, 'CLICK');
      await adjustCampaigns(database.db, minutesLater(minute + 1));
      expect((await network.adsOf(zone))[0]?.ecpm).toBeCloseTo((20 * 1000 * 2) / 201);
    }
  });

  it('wait for a zone that is added later', async () => {
    await network.run({ placements: [{ site: SITE, zone: 'later' }] });
    await network.zone('later');
    expect(await network.adsOf('later')).toHaveLength(1);
    expect(await campaigns(database.db).countDocuments({ is_placed: true })).toBe(1);
  });
});
