import { randomUUID } from 'node:crypto';
import type { CommandStartedEvent, Document } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { declaredCollections } from '../../../src/database/index.js';
import { decideAds, deliberate, noteOf, whyOf } from '../../../src/models/ads/decisions/decision.js';
import type { Candidate } from '../../../src/models/ads/decisions/scoring.js';
import { profiles } from '../../../src/models/ads/profiles/ad-profile.js';
import { findZoneStats } from '../../../src/models/ads/stats/ad-stats.js';
import { zones } from '../../../src/models/ads/zones/zone.js';
import { saveProducts } from '../../../src/models/commerce/catalog/catalog.js';
import { products } from '../../../src/models/commerce/catalog/product.js';
import { restock } from '../../../src/models/commerce/orders/inventory.js';
import { HOUR_MS } from '../../../src/shared/time.js';
import { useDatabase } from '../../support/database.js';
import { testAct } from '../../support/people.js';
import { emptyNetwork, euros, minutesLater, type Network, now, openNetwork, SITE } from '../network.js';
import { seededRandom } from './seeded-random.js';

const database = useDatabase();
let network: Network;

beforeEach(async () => {
  await emptyNetwork(database.db);
  network = await openNetwork(database.db);
});
afterEach(() => network.decider.tally.close()); // else it stores its counts every few seconds, during the next tests

const think = (fields: object = {}, random = network.decider.random) =>
  deliberate(
    database.db,
    { ...network.decider, random },
    { site: SITE, zone: 'top', keywords: [], count: 1, ...fields },
    now,
  );

async function stock(skus: readonly string[], units: number): Promise<void> {
  const product = { title: 'Tea', type: 'TEA', price: euros(5), categories: [], properties: [] };
  await saveProducts(
    database.db,
    testAct(),
    skus.map((sku) => ({ ...product, sku })),
    'EUR',
  );
  for (const sku of skus)
    if (units > 0) await restock(database.db, testAct(), { call: randomUUID(), sku, quantity: units });
}

/** How often products are read meanwhile. */
async function countProductReads(decide: () => Promise<void>): Promise<number> {
  let reads = 0;
  const count = ({ command }: CommandStartedEvent) => {
    if (command.find === products.collectionName) reads += 1;
  };
  database.client.on('commandStarted', count);
  await decide();
  database.client.off('commandStarted', count);
  return reads;
}

/** All documents of the ads, by collection. */
async function adDocuments(): Promise<Map<string, Document[]>> {
  const names = [...declaredCollections().keys()].filter((name) => name.startsWith('ad.'));
  const found = names.map(
    async (name): Promise<[string, Document[]]> => [
      name,
      await database.db.collection(name).find().sort({ _id: 1 }).toArray(),
    ],
  );
  return new Map(await Promise.all(found));
}

describe('a decision', () => {
  it('reads the zone and the profile, and writes nothing', async () => {
    await network.zone('top', { design: 'CAPPED' });
    await network.run({ caps: [{ scope: 'AD_UNIT', count: 2, period: { ms: HOUR_MS } }] });
    const visitor = network.visitor();
    const { ads } = await network.decide({ visitor });
    await network.record(ads.map(({ receipt }) => receipt));
    await network.decider.tally.close(); // from now on, its counts stay in memory
    const before = await adDocuments();
    expect(before.get(profiles.collectionName)).toHaveLength(1);
    expect(await think({ visitor })).toMatchObject({ documentsRead: 2 });
    const question = { site: SITE, zone: 'top', keywords: [], count: 1, visitor };
    expect((await decideAds(database.db, network.decider, question, minutesLater(1))).ads).toHaveLength(1);
    expect(await adDocuments()).toEqual(before);
  });

  it.each(['STRASSE  NACH NORDEN', 'straße nach norden', ' Strasse nach\u00a0Norden '])(
    'matches keywords regardless of case and blanks, and says why: %s',
    async (word) => {
      await network.zone('top', { design: 'KEYWORDS' });
      await network.run({ units: [{ keywords: [{ keyword: 'Straße nach  Norden', bid: euros(900) }] }] });
      const [ad] = (await network.decide({ keywords: [word] })).ads;
      expect(ad).toMatchObject({ ecpm: 900, matched: ['straße nach norden'] });
      expect(ad && whyOf(ad)).toBe('Anna’s pays for ads in this place, because this page is about straße nach norden.');
    },
  );

  it('matches a keyword that an earlier release has placed as it was stored', async () => {
    await network.zone('top', { design: 'KEYWORDS' });
    await network.run({ units: [{ keywords: [{ keyword: 'Straße', bid: euros(900) }] }] });
    await zones(database.db).updateMany({}, { $unset: { 'ads.$[].keywords.$[].folded': '' } });
    expect((await network.decide({ keywords: ['Straße'] })).ads).toMatchObject([{ matched: ['straße'] }]);
  });

  it('explains what became of every ad', async () => {
    await network.zone('top', { floor: 50 });
    for (const price of [40, 60, 80]) await network.run({ price });
    const { candidates } = await think();
    expect(candidates.map((candidate) => [candidate.ecpm, candidate.verdict])).toEqual([
      [80, 'SHOWN'],
      [60, 'OUTSCORED'],
      [40, 'BELOW_FLOOR'],
    ]);
    expect(candidates.map(noteOf)).toEqual([
      'Shown: score 80',
      'Others had a higher score, or the same and more luck: score 60',
      'Its eCPM is below the floor of the zone',
    ]);
  });

  it('reads products twice at most, however many are sold out', async () => {
    await network.zone('top');
    const skus = Array.from({ length: 8 }, (_, n) => `TEA-${n}`);
    await stock(skus, 0);
    for (const [n, sku] of skus.entries()) await network.run({ price: 900 - n, units: [{ sku }] });
    const last = await network.run({ price: 100 });
    const read = await countProductReads(async () => {
      const { ads } = await network.decide();
      expect(ads.map(({ ad }) => ad.campaign_id)).toEqual([last._id]);
    });
    expect(read).toBe(2);
  });

  it('shows an ad of a product in stock as often as its equals, and reads one product for it', async () => {
    await network.zone('top');
    await stock(['TEA', 'COFFEE'], 10);
    for (const unit of [{ sku: 'TEA' }, { sku: 'COFFEE' }, {}, {}]) await network.run({ units: [unit] });
    const random = seededRandom(21);
    const shownOf = new Map<string, number>();
    const decisions = 800;
    for (let n = 0; n < decisions; n += 1) {
      const { candidates, documentsRead } = await think({}, random);
      const [{ ad }] = candidates as [Candidate];
      shownOf.set(ad.campaign_id, (shownOf.get(ad.campaign_id) ?? 0) + 1);
      expect(documentsRead).toBe(ad.sku === undefined ? 1 : 2);
    }
    const expected = decisions / 4;
    const chiSquare = [...shownOf.values()].reduce((sum, each) => sum + (each - expected) ** 2 / expected, 0);
    expect(shownOf.size).toBe(4);
    expect(chiSquare).toBeLessThan(16.3); // 3 degrees of freedom, p = 0.001
  });

  it('lets a campaign of a product in stock take part in its share of the decisions', async () => {
    await network.zone('top');
    await stock(['TEA'], 10);
    await network.run({ price: 900, units: [{ sku: 'TEA' }] });
    await network.run({ price: 100 });
    await zones(database.db).updateMany(
      {},
      { $set: { 'ads.$[tea].share': 0.3 } },
      { arrayFilters: [{ 'tea.sku': 'TEA' }] },
    );
    const random = seededRandom(22);
    let taken = 0;
    const decisions = 1000;
    for (let n = 0; n < decisions; n += 1) if ((await think({}, random)).candidates[0]?.ad.sku) taken += 1;
    expect(Math.abs(taken / decisions - 0.3)).toBeLessThan(0.05);
  });

  it('is counted for its zone', async () => {
    await network.zone('top');
    await network.zone('empty');
    await network.run();
    for (const zone of ['top', 'top', 'empty']) await network.decide({ zone });
    await network.decider.tally.close();
    const range = { from: minutesLater(-60), to: minutesLater(60) };
    expect(await findZoneStats(database.db, `${SITE}/top`, range)).toMatchObject({ decisions: 2, filled: 2 });
    expect(await findZoneStats(database.db, `${SITE}/empty`, range)).toMatchObject({ decisions: 1, filled: 0 });
  });

  it.each([
    ['count', { count: 0 }, 'BAD_USER_INPUT'],
    ['count', { count: 21 }, 'BAD_USER_INPUT'],
    ['keywords', { keywords: Array.from({ length: 51 }, (_, n) => `word ${n}`) }, 'BAD_USER_INPUT'],
    ['keywords', { keywords: [''] }, 'BAD_USER_INPUT'],
    ['zone', { zone: 'none' }, 'NOT_FOUND'],
    ['zone', { zone: 'a.b' }, 'BAD_USER_INPUT'],
  ])('with another %s fails', async (_field, fields, code) => {
    await network.zone('top');
    await expect(network.decide(fields)).rejects.toMatchObject({ code });
  });
});
