import { randomUUID } from 'node:crypto';
import { BSON } from 'mongodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { unkeyed } from '../../../src/database/index.js';
import { type AdUnitDocument, adUnits, clickThroughRateOf } from '../../../src/models/ads/campaigns/ad-unit.js';
import {
  type AdUnitInput,
  addAdUnit,
  changeAdUnit,
  removeAdUnit,
  requireContent,
} from '../../../src/models/ads/campaigns/ad-unit-change.js';
import type { CampaignDocument } from '../../../src/models/ads/campaigns/campaign.js';
import { ADS_MAX, zones } from '../../../src/models/ads/zones/zone.js';
import { saveProducts } from '../../../src/models/commerce/catalog/catalog.js';
import { restock } from '../../../src/models/commerce/orders/inventory.js';
import { HOUR_MS } from '../../../src/shared/time.js';
import { useDatabase } from '../../support/database.js';
import { testAct } from '../../support/people.js';
import { emptyNetwork, euros, type Network, now, openNetwork, SIZE } from '../network.js';

const database = useDatabase();
let network: Network;
let campaign: CampaignDocument;

beforeEach(async () => {
  await emptyNetwork(database.db);
  network = await openNetwork(database.db);
  await network.zone('top');
  campaign = await network.run();
});

const input: AdUnitInput = { size: SIZE, headline: 'An ad', landingUrl: 'https://anna.example/', keywords: [] };
const add = (fields: Partial<AdUnitInput> = {}, id: string = randomUUID()) =>
  addAdUnit(
    database.db,
    unkeyed(id, new Date()),
    { campaignId: campaign._id, content: requireContent({ ...input, ...fields }, 'EUR'), by: 'anna' },
    now,
  );

const change = (id: string | undefined, content: ReturnType<typeof requireContent>) =>
  changeAdUnit(database.db, { id: id ?? '', content, by: 'anna' }, now);

describe('an ad unit', () => {
  it('is in the zones of its size at once, and is added once', async () => {
    const id = randomUUID();
    await Promise.all([add({ headline: 'Other' }, id), add({ headline: 'Other' }, id)]);
    expect((await network.adsOf('top')).map(({ headline }) => headline).toSorted()).toEqual(['An ad', 'Other']);
    expect(await adUnits(database.db).countDocuments()).toBe(2);
  });

  it('is found by a retry, also if the campaign has ended since, or its product is gone', async () => {
    const id = randomUUID();
    await add({}, id);
    await network.end(campaign);
    expect(await add({ sku: 'gone' }, id)).toMatchObject({ _id: id });
  });

  it('is changed and removed in the zones at once, and keeps its counters', async () => {
    const unit = await adUnits(database.db).findOneAndUpdate(
      {},
      { $set: { impressions: 5 } },
      { returnDocument: 'after' },
    );
    const { headline: _headline, ...without } = input;
    const content = requireContent({ ...without, html: '<b>New</b>' }, 'EUR');
    expect(await change(unit?._id, content)).toMatchObject({
      html: '<b>New</b>',
      impressions: 5,
    });
    const [ad] = await network.adsOf('top');
    expect(ad).toMatchObject({ has_html: true });
    expect(ad).not.toHaveProperty('headline');
    expect(await removeAdUnit(database.db, unit?._id ?? '', now)).toEqual({ _id: unit?._id });
    expect(await removeAdUnit(database.db, unit?._id ?? '', now)).toEqual({ _id: unit?._id });
    expect(await network.adsOf('top')).toEqual([]);
    expect(await change(unit?._id, content)).toMatchObject({
      __typename: 'AdUnitNotFound',
    });
  });

  it('has the place for a receipt also where whatever made the address has encoded it', () => {
    for (const place of ['{{receipt}}', '%7B%7Breceipt%7D%7D', '%7b%7breceipt%7d%7d'])
      expect(
        requireContent({ ...input, landingUrl: `https://anna.example/tea?a=%7B1&ad=${place}&b={2}#c` }, 'EUR')
          .landing_url,
      ).toBe('https://anna.example/tea?a=%7B1&ad={{receipt}}&b={2}#c');
  });

  it('is so small that a zone of a thousand of the largest is one document', async () => {
    const caps = Array.from({ length: 5 }, (_, n) => ({
      scope: 'AD_UNIT' as const,
      count: 100 + n,
      period: { ms: HOUR_MS },
    }));
    campaign = await network.run({ caps });
    const keywords = Array.from({ length: 50 }, (_, n) => ({
      keyword: `${String(n).padStart(2, '0')}${'ᾳ'.repeat(7)}`,
      bid: euros(1),
    }));
    await add({ headline: '界'.repeat(100), text: '界'.repeat(500), keywords });
    const ad = (await network.adsOf('top')).find((each) => each.keywords.length === 50);
    expect(ad).toBeDefined();
    expect(BSON.calculateObjectSize({ ads: Array(ADS_MAX).fill(ad) })).toBeLessThan(0.9 * 16 * 2 ** 20); // room for the rest of it
  });

  it.each<[string, Partial<AdUnitInput>]>([
    ['headline', { headline: null }],
    ['landingUrl', { landingUrl: 'javascript:alert(1)' }],
    ['landingUrl', { landingUrl: '//elsewhere.example' }],
    ['landingUrl', { landingUrl: 'https://user:secret@elsewhere.example' }],
    ['landingUrl', { landingUrl: 'https://{{receipt}}.anna.example/' }],
    ['landingUrl', { landingUrl: 'https://anna.example/{{receipt}}' }],
    ['landingUrl', { landingUrl: 'https://anna.example/#{{receipt}}' }],
    ['landingUrl', { landingUrl: 'https://anna.example/?ad={{receipt}}&again={{receipt}}' }],
    ['landingUrl', { landingUrl: 'https://anna.example/?ad={{receipt}}&again=%7B%7Breceipt%7D%7D' }],
    ['size', { size: 'big' }],
    ['imageId', { imageId: 'none' }],
    ['html', { html: '\ud800' }],
    [
      'keywords',
      {
        keywords: [
          { keyword: 'Tea', bid: euros(1) },
          { keyword: 'tea', bid: euros(2) },
        ],
      },
    ],
    [
      'keywords',
      {
        keywords: [
          { keyword: 'Tee aus  Gießen', bid: euros(1) },
          { keyword: 'TEE  AUS GIESSEN', bid: euros(2) },
        ],
      },
    ],
    [
      'keywords',
      {
        // Longer when they are compared.
        keywords: Array.from({ length: 50 }, (_, n) => ({ keyword: `${n}${'ᾳ'.repeat(9)}`, bid: euros(1) })),
      },
    ],
    ['keywords.0.bid.amount', { keywords: [{ keyword: 'tea', bid: euros(0) }] }],
    ['keywords.0.keyword', { keywords: [{ keyword: ' ', bid: euros(1) }] }],
    ['keywords.0.keyword', { keywords: [{ keyword: '\ufdfa'.repeat(50), bid: euros(1) }] }], // each is 18 letters
  ])('with a wrong %s is rejected', (field, wrong) => {
    expect(() => requireContent({ ...input, ...wrong }, 'EUR')).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ field: `input.${field}` }) }),
    );
  });

  it('is refused for an unknown campaign, an unknown product, and after the end of the campaign', async () => {
    expect(await add({ sku: 'none' })).toMatchObject({ __typename: 'ProductNotFound', sku: 'none' });
    await network.end(campaign);
    expect(await add()).toMatchObject({ __typename: 'CampaignNotChangeable', state: 'ENDED' });
    campaign = { ...campaign, _id: 'none' };
    expect(await add()).toMatchObject({ __typename: 'CampaignNotFound' });
    expect(await adUnits(database.db).countDocuments()).toBe(1);
  });

  it('is one of at most 20', async () => {
    for (let n = 1; n < 20; n += 1) await add({ size: '1x1' });
    await expect(add()).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED', details: { limit: 20 } });
  });

  it('is one of at most 100 with those that were removed, and the refusal says so', async () => {
    const unit = await adUnits(database.db).findOne();
    const removed = Array.from({ length: 99 }, (_, n) => ({ ...unit, _id: `removed ${n}`, removed_at: now }));
    await adUnits(database.db).insertMany(removed as AdUnitDocument[]);
    await expect(add()).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: 'A campaign has at most 100 ad units, with those removed',
      details: { limit: 100 },
    });
  });

  it('for a product shows its price, and is not shown while that is sold out', async () => {
    const product = { sku: 'TEA', title: 'Tea', type: 'TEA', price: euros(5), categories: [], properties: [] };
    await saveProducts(database.db, testAct(), [product], 'EUR');
    const [unit] = await adUnits(database.db).find().toArray();
    await change(unit?._id, requireContent({ ...input, sku: 'TEA' }, 'EUR'));
    const other = await network.run({ price: 100 });
    const shown = async () => (await network.decide()).ads.map(({ ad, price }) => [ad.campaign_id, price]);
    expect(await shown()).toEqual([[other._id, null]]);
    await restock(database.db, testAct(), { call: randomUUID(), sku: 'TEA', quantity: 1 });
    expect(await shown()).toEqual([[campaign._id, euros(5)]]);
    await saveProducts(database.db, testAct(), [{ ...product, price: euros(4) }], 'EUR');
    expect(await shown()).toEqual([[campaign._id, euros(4)]]);
  });
});

describe('a change while others write its zone', () => {
  /** Acts while another transaction holds the zone. */
  async function whileZoneIsHeld<T>(act: () => Promise<T>): Promise<T> {
    const session = database.client.startSession();
    try {
      session.startTransaction();
      await zones(database.db).updateMany({}, { $inc: { room_made: 1 } }, { session });
      return await act();
    } finally {
      await session.abortTransaction();
      await session.endSession();
    }
  }

  it('is answered once it is stored, and a worker shows it in the zone', async () => {
    const headlines = async () => (await network.adsOf('top')).map(({ headline }) => headline);
    const unit = await adUnits(database.db).findOne();
    await whileZoneIsHeld(async () => {
      expect(await add({ headline: 'Added' })).toMatchObject({ headline: 'Added' });
      const content = requireContent({ ...input, headline: 'Changed' }, 'EUR');
      expect(await change(unit?._id, content)).toMatchObject({ headline: 'Changed' });
    });
    expect(await headlines()).toEqual(['An ad']);
    await network.recover(now);
    expect((await headlines()).toSorted()).toEqual(['Added', 'Changed']);
    await whileZoneIsHeld(async () => {
      expect(await removeAdUnit(database.db, unit?._id ?? '', now)).toEqual({ _id: unit?._id });
    });
    await network.recover(now);
    expect(await headlines()).toEqual(['Added']);
  });
});

describe('the click-through rate', () => {
  it('is smoothed', () => {
    expect(clickThroughRateOf({ clicks: 0, impressions: 0 })).toBe(0.005);
    expect(clickThroughRateOf({ clicks: 1, impressions: 1 })).toBeCloseTo(0.00995);
    expect(clickThroughRateOf({ clicks: 9999, impressions: 999_800 })).toBe(0.01);
  });
});
