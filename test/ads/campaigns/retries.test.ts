/** Retries of what was done already, and workers that stand still until another one has taken over their call. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Attempt, unkeyed, type Work } from '../../../src/database/index.js';
import { findUnitsOf } from '../../../src/models/ads/campaigns/ad-unit.js';
import { addAdUnit, removeAdUnit, requireContent } from '../../../src/models/ads/campaigns/ad-unit-change.js';
import { type CampaignDocument, campaigns } from '../../../src/models/ads/campaigns/campaign.js';
import { changeCampaign, createCampaign, pauseCampaign } from '../../../src/models/ads/campaigns/campaign-change.js';
import type { CampaignChanges } from '../../../src/models/ads/campaigns/campaign-input.js';
import { startCampaign } from '../../../src/models/ads/campaigns/campaign-payment.js';
import type { PaymentProvider } from '../../../src/models/commerce/money/payment.js';
import { SECOND_MS } from '../../../src/shared/time.js';
import { useDatabase } from '../../support/database.js';
import { standStill, ways } from '../../support/keyed-calls.js';
import { emptyNetwork, euros, type Network, now, openNetwork, SIZE } from '../network.js';

const database = useDatabase({ checked: false });
let network: Network;

beforeEach(async () => {
  await emptyNetwork(database.db);
  network = await openNetwork(database.db);
  await network.zone('top');
});

const later = (seconds: number) => new Date(now.getTime() + seconds * SECOND_MS);

const resume = (campaign: CampaignDocument) => (_call: string, _begunAt: Date | null, attempt: Attempt) =>
  startCampaign(database.db, network.payment, { attempt, id: campaign._id }, now);

const change =
  ({ _id: id }: CampaignDocument, changes: CampaignChanges, at = now) =>
  (_call: string, begunAt: Date | null, attempt: Attempt) =>
    changeCampaign(
      database.db,
      network.payment,
      { attempt, begunAt, id, changes, currency: 'EUR', entryOf: () => undefined },
      at,
    );

describe.each(ways)('%s', (_name, play) => {
  it('does not resume a campaign that was paused since', async () => {
    const campaign = await network.run();
    const pause = () => pauseCampaign(database.db, campaign._id, now);
    await pause();
    expect(await play(database.db, resume(campaign), pause)).toMatchObject({ state: 'RUNNING' });
    expect(await network.campaign(campaign)).toMatchObject({ state: 'PAUSED' });
    expect(await network.adsOf('top')).toEqual([]);
  });

  it('does not write over a later change', async () => {
    const campaign = await network.run();
    const answer = await play(database.db, change(campaign, { price: euros(900) }), () =>
      network.change(campaign, { price: euros(300) }),
    );
    expect(answer).toMatchObject({ price: 900 });
    expect(await network.campaign(campaign)).toMatchObject({ price: 300 });
    expect((await network.adsOf('top'))[0]?.prices).toMatchObject({ impression: 300 });
  });

  it.each([
    ['another raise', (campaign: CampaignDocument) => network.change(campaign, { budget: euros(30_000) })],
    ['an end', (campaign: CampaignDocument) => network.end(campaign)],
  ])('is not refused a raise that was paid, after %s', async (_event, event) => {
    const campaign = await network.run();
    const answer = await play(database.db, change(campaign, { budget: euros(20_000) }), () => event(campaign));
    expect(answer).toMatchObject({ budget: 20_000 });
    expect((await network.campaign(campaign)).payments).toHaveLength(
      new Set((await network.campaign(campaign)).payments).size,
    );
  });
});

describe('a raise whose process died after it was paid', () => {
  const raise = async (campaign: CampaignDocument) => {
    await network.change(campaign, { budget: euros(20_000) });
    const { payments } = await network.campaign(campaign);
    return unkeyed(payments.at(-1) ?? '', new Date());
  };

  it('is completed by a retry, also if its flight is over since', async () => {
    const campaign = await network.run();
    const attempt = await raise(campaign);
    const flight = { to: later(60) };
    const changes = { budget: euros(20_000), flight };
    const answer = await change(campaign, changes, later(61))('', later(1), attempt);
    expect(answer).toMatchObject({ budget: 20_000, paid: 20_000, flight });
  });

  it('is answered with the campaign if that has ended since', async () => {
    const campaign = await network.run();
    const attempt = await raise(campaign);
    await network.end(campaign);
    expect(await change(campaign, { budget: euros(20_000) })('', now, attempt)).toMatchObject({ state: 'ENDED' });
  });
});

describe('a payment whose process died after the provider had charged', () => {
  /** The first call. @returns its attempt, which a retry continues */
  async function die(pay: (provider: PaymentProvider, attempt: Attempt) => Promise<unknown>): Promise<Attempt> {
    const attempt = unkeyed(randomUUID(), now);
    const dying: PaymentProvider = {
      ...network.payment,
      charge: async (...given) => {
        await network.payment.charge(...given);
        throw new Error('The process is gone');
      },
    };
    await expect(pay(dying, attempt)).rejects.toThrow('gone');
    return attempt;
  }

  it('is continued by a retry of the start, also if there is nothing to show any more', async () => {
    const campaign = await network.draft();
    const start = (provider: PaymentProvider, attempt: Attempt) =>
      startCampaign(database.db, provider, { attempt, id: campaign._id }, now);
    const attempt = await die(start);
    for (const { _id } of await findUnitsOf(database.db, [campaign._id])) await removeAdUnit(database.db, _id, now);
    expect(await start(network.payment, attempt)).toMatchObject({ state: 'RUNNING', paid: 10_000 });
    expect(await network.balance()).toBe(990_000);
  });

  it('is continued by a retry of the change, also if its flight is over since', async () => {
    const campaign = await network.run();
    const changes = { budget: euros(20_000), flight: { to: later(60) }, name: 'New' };
    const raise = (at: Date, begunAt: Date | null) => (provider: PaymentProvider, attempt: Attempt) =>
      changeCampaign(
        database.db,
        provider,
        { attempt, begunAt, id: campaign._id, changes, currency: 'EUR', entryOf: () => undefined },
        at,
      );
    const attempt = await die(raise(now, null));
    const answer = await raise(later(61), now)(network.payment, attempt);
    expect(answer).toMatchObject({ paid: 20_000, name: 'New', flight: { to: later(60) } });
    expect(await network.balance()).toBe(980_000);
  });
});

describe('a worker that stood still while its call was refused', () => {
  const content = requireContent(
    { size: SIZE, headline: 'An ad', landingUrl: 'https://anna.example/', keywords: [] },
    'EUR',
  );

  it('pays for nothing', async () => {
    const campaign = await network.draft({ units: [] });
    const answer = await standStill(database.db, resume(campaign), () => network.unit(campaign));
    expect(answer).toMatchObject({ __typename: 'NothingToShow' });
    expect(await network.campaign(campaign)).toMatchObject({ state: 'DRAFT', paid: 0 });
    expect(await network.balance()).toBe(1_000_000);
  });

  it('adds nothing', async () => {
    const campaign = await network.draft({ units: [] });
    let isThere = false;
    const add: Work<Awaited<ReturnType<typeof addAdUnit>>> = (_call, _begunAt, attempt) => {
      const wish = { campaignId: campaign._id, content: isThere ? content : { ...content, sku: 'none' }, by: 'anna' };
      return addAdUnit(database.db, attempt, wish, now);
    };
    const answer = await standStill(database.db, add, async () => {
      isThere = true; // the product, as good as
    });
    expect(answer).toMatchObject({ __typename: 'ProductNotFound' });
    expect(await database.db.collection('ad.units').countDocuments()).toBe(0);
  });
});

it('an advertiser has no more campaigns than it may, also if some are created at once', async () => {
  const draft = await network.draft({ units: [] });
  const many = Array.from({ length: 997 }, () => ({ ...draft, _id: randomUUID() }));
  await campaigns(database.db).insertMany(many);
  const { advertiser, account } = network;
  const { name, flight } = draft;
  const price = { priceModel: 'CPM' as const, price: euros(1), budget: euros(9) };
  const fields = { name, flight, ...price, pacing: 'ASAP' as const, caps: [], placements: [] };
  const wanted = { advertiser, account: account._id, currency: 'EUR', fields };
  const create = () => createCampaign(database.db, unkeyed(randomUUID(), new Date()), wanted, now);
  const created = await Promise.allSettled(Array.from({ length: 6 }, create));
  expect(created.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  expect(await campaigns(database.db).countDocuments()).toBe(1000);
});
