/** No advertising is free: a budget pays for at least one event at each price, and what it cannot pay for any more is not shown. */
import { beforeEach, describe, expect, it } from 'vitest';
import { campaigns } from '../../../src/models/ads/campaigns/campaign.js';
import { pauseCampaign } from '../../../src/models/ads/campaigns/campaign-change.js';
import type { CampaignChanges } from '../../../src/models/ads/campaigns/campaign-input.js';
import { planCampaign } from '../../../src/models/ads/campaigns/campaign-plan.js';
import { adjustCampaigns, endFlights } from '../../../src/models/ads/campaigns/upkeep.js';
import { zoneAt, zones } from '../../../src/models/ads/zones/zone.js';
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
} from '../network.js';

const database = useDatabase();
let network: Network;

beforeEach(async () => {
  await emptyNetwork(database.db);
  network = await openNetwork(database.db);
  await network.zone('top', { design: 'KEYWORDS' });
});

const bidding = (bid: number) => ({ keywords: [{ keyword: 'tea', bid: euros(bid) }] });
const atField = (field: string) => ({ code: 'BAD_USER_INPUT', details: { field } });

describe('a budget that pays for no event', () => {
  it.each([
    ['a click', { priceModel: 'CPC', price: 1_000_000, budget: 1 }],
    ['an impression', { price: 3001, budget: 3 }],
  ] as const)('of %s is refused, and no campaign is created', async (_case, wish) => {
    await expect(network.draft(wish)).rejects.toMatchObject(atField('input.budget.amount'));
    expect(await campaigns(database.db).countDocuments()).toBe(0);
  });

  it.each<[string, CampaignChanges, string]>([
    ['a higher price', { price: euros(11) }, 'changes.price.amount'],
    ['a lower budget', { budget: euros(4) }, 'changes.budget.amount'],
    ['a lower budget than for a bid', { budget: euros(6) }, 'changes.budget.amount'],
  ])('is refused as %s, and nothing is changed', async (_case, changes, field) => {
    const draft = await network.draft({ priceModel: 'CPC', price: 5, budget: 10, units: [bidding(7)] });
    const before = await network.campaign(draft);
    await expect(network.change(draft, changes)).rejects.toMatchObject(atField(field));
    expect(await network.campaign(draft)).toEqual(before);
  });

  it('is what is left of a running campaign', async () => {
    const campaign = await network.run({ priceModel: 'CPC', price: 5, budget: 10 });
    await network.record([(await network.decide()).ads[0]?.receipt ?? ''], 'CLICK');
    await expect(network.change(campaign, { price: euros(6) })).rejects.toMatchObject(atField('changes.price.amount'));
    expect(await network.change(campaign, { price: euros(6), budget: euros(11) })).toMatchObject({
      price: 6,
      paid: 11,
    });
  });

  it('is refused for a bid, also before it is paid', async () => {
    const draft = await network.draft({ priceModel: 'CPC', price: 5, budget: 10, units: [] });
    await expect(network.unit(draft, bidding(11))).rejects.toMatchObject(atField('input.keywords.0.bid.amount'));
    await network.unit(draft, bidding(10));
  });

  it('starts no campaign that was created before this was checked', async () => {
    const draft = await network.draft({ priceModel: 'CPC', price: 5, budget: 10 });
    await campaigns(database.db).updateOne({ _id: draft._id }, { $set: { price: 11 } });
    expect(await network.start(draft)).toMatchObject({ __typename: 'CampaignNotChangeable', state: 'DRAFT' });
    expect(await network.balance()).toBe(1_000_000);
  });

  it('is remarked in the plan of the campaign', async () => {
    const draft = await network.draft({ priceModel: 'CPC', price: 5, budget: 10 });
    expect(await planCampaign(database.db, { ...draft, budget: 4 }, now)).toMatchObject({
      notes: expect.arrayContaining([expect.stringMatching(/pays for nothing at this price/)]),
      expectedImpressions: 0,
    });
  });
});

describe('a campaign whose budget pays for nothing more', () => {
  it('ends with the event after which too little is left, and is paid back', async () => {
    const campaign = await network.run({ priceModel: 'CPC', price: 7, budget: 10 });
    await network.record([(await network.decide()).ads[0]?.receipt ?? ''], 'CLICK');
    await network.recorder.close();
    expect(await network.campaign(campaign)).toMatchObject({ state: 'ENDED', ended_by: 'BUDGET', refunded: 3 });
    expect(await network.adsOf('top')).toEqual([]);
    await expectNoAdViolations(database.db);
  });

  it('is not shown, and ends with the next minute, but not while a higher budget is being paid', async () => {
    const campaign = await network.run({ price: 1000, budget: 5 });
    const one = { _id: campaign._id };
    await campaigns(database.db).updateOne(one, {
      $set: { price: 6000, payment: { call: 'raise', amount: 5, at: now } },
    });
    expect(await endFlights(database.db, network.payment, minutesLater(1))).toBe(0);
    await campaigns(database.db).updateOne(one, { $unset: { payment: '' } });
    await pauseCampaign(database.db, campaign._id, now);
    expect(await network.start(campaign)).toMatchObject({ __typename: 'CampaignNotChangeable', state: 'PAUSED' });
    await campaigns(database.db).updateOne(one, { $set: { state: 'RUNNING' } });
    await adjustCampaigns(database.db, minutesLater(1));
    expect(await network.adsOf('top')).toEqual([]);
    expect(await endFlights(database.db, network.payment, minutesLater(1))).toBe(1);
    expect(await network.campaign(campaign)).toMatchObject({ state: 'ENDED', ended_by: 'BUDGET', refunded: 5 });
    await expectNoAdViolations(database.db);
  });

  it('goes on without the bids for which too little is left', async () => {
    await network.run({ priceModel: 'CPC', price: 2, budget: 10, units: [bidding(8)] });
    expect((await network.adsOf('top'))[0]?.keywords).toHaveLength(1);
    for (let n = 0; n < 2; n += 1) await network.record([(await network.decide()).ads[0]?.receipt ?? ''], 'CLICK');
    await adjustCampaigns(database.db, minutesLater(1));
    expect((await network.adsOf('top'))[0]).toMatchObject({ keywords: [], prices: { click: 2000 } });
  });

  it('goes on without them a minute later if others write to its zone', async () => {
    await network.run({ price: 10, budget: 10, units: [bidding(3000)] });
    for (let n = 0; n < 3; n += 1)
      await network.record([(await network.decide({ keywords: ['tea'] })).ads[0]?.receipt ?? '']);
    await database.client.withSession(async (session) => {
      session.startTransaction();
      await zones(database.db).updateOne(zoneAt(`${SITE}/top`), { $set: { floor: 1 } }, { session });
      await adjustCampaigns(database.db, minutesLater(1));
      await session.abortTransaction();
    });
    expect((await network.adsOf('top'))[0]?.keywords).toHaveLength(1);
    await adjustCampaigns(database.db, minutesLater(2));
    expect((await network.adsOf('top'))[0]?.keywords).toEqual([]);
  });
});

describe('a receipt for which too little is left', () => {
  const receiptOf = async (keywords: readonly string[] = []) =>
    (await network.decide({ keywords })).ads[0]?.receipt ?? '';

  it('of a bid is free, and the campaign goes on at its own price until that is not paid for', async () => {
    const campaign = await network.run({ priceModel: 'CPC', price: 4, budget: 10, units: [bidding(10)] });
    const [first, bid, ...others] = [await receiptOf(), await receiptOf(['tea']), await receiptOf(), await receiptOf()];
    expect(await network.record([first, bid ?? ''], 'CLICK')).toMatchObject({ recorded: 2 });
    expect(await network.campaign(campaign)).toMatchObject({ state: 'RUNNING', spent: 4000 });
    await network.record(others, 'CLICK');
    await network.recorder.close();
    expect(await network.campaign(campaign)).toMatchObject({ state: 'ENDED', ended_by: 'BUDGET', spent: 8000 });
    await expectNoAdViolations(database.db);
  });

  it('of a price that was lowered since is free, and the campaign goes on', async () => {
    const campaign = await network.run({ priceModel: 'CPC', price: 4, budget: 10 });
    const old = await Promise.all([receiptOf(), receiptOf(), receiptOf()]);
    await network.record(old.slice(0, 1), 'CLICK');
    await network.change(campaign, { price: euros(1) });
    expect(await network.record(old.slice(1), 'CLICK')).toMatchObject({ recorded: 2 });
    expect(await network.campaign(campaign)).toMatchObject({ state: 'RUNNING', spent: 8000 });
    await network.record([await receiptOf()], 'CLICK');
    expect(await network.campaign(campaign)).toMatchObject({ state: 'RUNNING', spent: 9000 });
    await expectNoAdViolations(database.db);
  });
});
