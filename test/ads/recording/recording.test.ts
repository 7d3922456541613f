import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { adUnits } from '../../../src/models/ads/campaigns/ad-unit.js';
import { campaigns } from '../../../src/models/ads/campaigns/campaign.js';
import { pauseCampaign } from '../../../src/models/ads/campaigns/campaign-change.js';
import { refreshZonesOrLater } from '../../../src/models/ads/campaigns/placement.js';
import { sealReceipt } from '../../../src/models/ads/decisions/receipt.js';
import { contactsByAdvertiser, findProfile, forgetVisitor } from '../../../src/models/ads/profiles/ad-profile.js';
import { AdRecorder } from '../../../src/models/ads/recording/ad-recorder.js';
import { recordReceipts } from '../../../src/models/ads/recording/recording.js';
import { findAdStats, findZoneStats, totalOf } from '../../../src/models/ads/stats/ad-stats.js';
import { HOUR_MS, MINUTE_MS } from '../../../src/shared/time.js';
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
  await network.zone('top', { design: 'CAPPED' });
});

const day = { from: minutesLater(-12 * 60), to: minutesLater(12 * 60) };
const subject = ({ _id, currency }: { _id: string; currency: string }) =>
  ({ kind: 'campaign', id: _id, currency }) as const;
const statsOf = async (campaign: { _id: string; currency: string }) =>
  totalOf((await findAdStats(database.db, subject(campaign), day, 'HOUR')).points);
const receiptOf = async (visitor?: string, at = now) => (await network.decide({ visitor }, at)).ads[0]?.receipt ?? '';

describe('an impression', () => {
  it('is in the statistics, the ad unit, the profile and the spending', async () => {
    const campaign = await network.run({ price: 1500 });
    const visitor = network.visitor();
    expect(await network.record([await receiptOf(visitor)])).toEqual({ recorded: 1, repeated: 0, rejected: [] });
    expect(await statsOf(campaign)).toMatchObject({ impressions: 1, clicks: 0, conversions: 0, spent: 1500 });
    expect(await findZoneStats(database.db, `${SITE}/top`, day)).toMatchObject({ impressions: 1, spent: 1500 });
    expect(await network.campaign(campaign)).toMatchObject({ spent: 1500 });
    expect(await adUnits(database.db).findOne()).toMatchObject({ impressions: 1, clicks: 0 });
    const profile = await findProfile(database.db, network.signer.open('visitor', visitor) ?? '');
    expect(profile && contactsByAdvertiser(profile, now)).toMatchObject([
      { impressions: 1, clicks: 0, conversions: 0 },
    ]);
    await expectNoAdViolations(database.db);
  });

  it('counts once, however often its receipt is sent, in one call and in many at the same time', async () => {
    const campaign = await network.run();
    const receipt = await receiptOf();
    const others = Array.from({ length: 4 }, () => network.openRecorder());
    const answers = await Promise.all(
      [network.recorder, ...others].map((by) => network.record([receipt, receipt], 'IMPRESSION', now, by)),
    );
    const sum = (field: 'recorded' | 'repeated') => answers.reduce((total, answer) => total + answer[field], 0);
    expect([sum('recorded'), sum('repeated')]).toEqual([1, 9]);
    expect(await network.record([receipt])).toEqual({ recorded: 0, repeated: 1, rejected: [] });
    expect(await statsOf(campaign)).toMatchObject({ impressions: 1 });
    for (const recorder of others) await recorder.close();
  });

  it('counts in the hour of its decision', async () => {
    const campaign = await network.run();
    const receipt = await receiptOf(undefined, minutesLater(49));
    await network.record([receipt], 'IMPRESSION', minutesLater(70));
    const { points } = await findAdStats(database.db, subject(campaign), day, 'HOUR');
    const [at] = points.filter(({ impressions }) => impressions > 0).map((point) => point.at.getTime());
    expect(at).toBe(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS);
  });
});

describe('a bid that the budget does not pay any more', () => {
  it('leaves the zones, also if another one leaves them at that moment', async () => {
    await network.zone('words', { design: 'KEYWORDS' });
    const keywords = [
      { keyword: 'tea', bid: euros(100_000) },
      { keyword: 'milk', bid: euros(60_000) },
    ];
    const placements = [{ site: SITE, zone: 'words' }];
    await network.run({ placements, price: 1, budget: 190, units: [{ keywords }] });
    const receiptFor = async (word: string) =>
      (await network.decide({ zone: 'words', keywords: [word] })).ads[0]?.receipt ?? '';
    const receipts = [await receiptFor('tea'), await receiptFor('milk')];
    const answer = gate();
    let placed = 0;
    const recorder = new AdRecorder({
      ...{ db: database.db, now: () => now, waitingMax: 100, shown: network.decider.shown },
      onUsedUp: async () => undefined,
      onBidUsedUp: async (id) => {
        await refreshZonesOrLater(database.db, id, now);
        placed += 1;
        await answer.opened; // it is written, and its answer is on its way
      },
    });
    for (const [at, receipt] of receipts.entries()) {
      const destination = { db: database.db, signer: network.signer, recorder };
      const write = { kind: 'IMPRESSION', receipts: [receipt], durability: 'MAJORITY', isPrivate: false, now } as const;
      await recordReceipts(destination, write);
      if (at === 0) await expect.poll(() => placed).toBe(1);
    }
    answer.open();
    await recorder.close();
    expect((await network.adsOf('words')).flatMap((ad) => ad.keywords)).toEqual([]);
  });
});

/** Something waits at it until it is opened. */
function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

describe('a click and a conversion', () => {
  it('count beside the impression, each once', async () => {
    const campaign = await network.run({ priceModel: 'CPC', price: 30 });
    const receipt = await receiptOf(network.visitor());
    await network.record([receipt]);
    await network.record([receipt, receipt], 'CLICK');
    const write = { kind: 'CONVERSION', receipts: [receipt], durability: 'MAJORITY', isPrivate: false, now } as const;
    const destination = { db: database.db, signer: network.signer, recorder: network.recorder };
    const value = { given: euros(999), currency: 'EUR' };
    expect(await recordReceipts(destination, { ...write, value })).toMatchObject({ recorded: 1 });
    expect(await recordReceipts(destination, { ...write, value })).toMatchObject({ repeated: 1 });
    expect(await statsOf(campaign)).toMatchObject({
      impressions: 1,
      clicks: 1,
      conversions: 1,
      spent: 30_000,
      value: 999,
    });
    await expectNoAdViolations(database.db);
  });
});

describe('a click whose impression is not counted yet', () => {
  it('counts it in the same transaction, and the impression counts once', async () => {
    const campaign = await network.run({ price: 1500 });
    const visitor = network.visitor();
    const receipts = [await receiptOf(visitor), await receiptOf(visitor)];
    expect(await network.record(receipts, 'CLICK')).toEqual({ recorded: 2, repeated: 0, rejected: [] });
    expect(await network.record(receipts)).toEqual({ recorded: 0, repeated: 2, rejected: [] });
    expect(await statsOf(campaign)).toMatchObject({ impressions: 2, clicks: 2, spent: 3000 });
    const profile = await findProfile(database.db, network.signer.open('visitor', visitor) ?? '');
    expect(profile && contactsByAdvertiser(profile, now)).toMatchObject([{ impressions: 2, clicks: 2 }]);
    await expectNoAdViolations(database.db);
  });

  it('counts in the minute of its campaign, as an impression does, and once with it', async () => {
    await network.zone('top');
    const campaign = await network.run({ price: 700 });
    const another = minutesLater(5);
    const receipts = [await receiptOf(network.visitor(), another)];
    expect(network.decider.shown.of(campaign._id, now)).toBe(0); // in the recorder's minute
    for (const kind of ['CLICK', 'IMPRESSION'] as const) await network.record(receipts, kind, another);
    expect(network.decider.shown.of(campaign._id, now)).toBe(700);
  });

  it('is rejected as the impression is, when the caps refuse it or the visitor is forgotten, and nothing is charged', async () => {
    const caps = [{ scope: 'CAMPAIGN', count: 1, period: { ms: HOUR_MS } } as const];
    const campaign = await network.run({ priceModel: 'CPC', price: 30, caps });
    const visitor = network.visitor();
    const receipts = await Promise.all(Array.from({ length: 3 }, () => receiptOf(visitor)));
    await network.record(receipts.slice(0, 2));
    expect(await network.record(receipts.slice(0, 2), 'CLICK')).toMatchObject({
      recorded: 1,
      rejected: [{ index: 1, code: 'LIMIT_EXCEEDED' }],
    });
    await forgetVisitor(database.db, network.signer.open('visitor', visitor) ?? '', now);
    expect(await network.record(receipts.slice(2), 'CLICK')).toMatchObject({
      recorded: 0,
      rejected: [{ index: 0, code: 'LIMIT_EXCEEDED' }],
    });
    expect(await statsOf(campaign)).toMatchObject({ impressions: 1, clicks: 1, spent: 30_000 });
    await expectNoAdViolations(database.db);
  });
});

describe('a conversion', () => {
  it('is rejected unless an impression or a click of its receipt was counted', async () => {
    const campaign = await network.run();
    const receipts = await Promise.all(Array.from({ length: 3 }, () => receiptOf()));
    const [unseen = '', seen = '', clicked = ''] = receipts;
    await network.record([seen]);
    await network.record([clicked], 'CLICK');
    expect(await network.record([unseen, seen, clicked], 'CONVERSION')).toMatchObject({
      recorded: 2,
      rejected: [{ index: 0, code: 'NOT_FOUND' }],
    });
    expect(await statsOf(campaign)).toMatchObject({ impressions: 2, clicks: 1, conversions: 2 });
    await expectNoAdViolations(database.db);
  });
});

describe('a conversion at the end of its thirty days', () => {
  it('is recorded with the others of its group', async () => {
    await emptyNetwork(database.db);
    let time = now;
    network = await openNetwork(database.db, { clock: () => time });
    await network.zone('top', { design: 'CAPPED' });
    await network.run();
    const receipt = await receiptOf(network.visitor());
    await network.record([receipt], 'CLICK');
    time = minutesLater(30 * 24 * 60);
    expect(await network.record([receipt], 'CONVERSION', time)).toMatchObject({ recorded: 1 });
  });
});

describe('a receipt', () => {
  it.each([
    ['is forged', (receipt: string) => `${receipt.slice(0, -1)}${receipt.endsWith('A') ? 'B' : 'A'}`],
    ['has another content', (receipt: string) => receipt.replace(/^./, (letter) => (letter === 'W' ? 'X' : 'W'))],
    ['is empty', () => ''],
    ['is something else that was signed', () => network.visitor()],
    ['is very long', () => 'a'.repeat(10_000)],
  ])('that %s is rejected, and changes nothing', async (_case, forge) => {
    const campaign = await network.run();
    const receipt = await receiptOf();
    expect(await network.record([forge(receipt), receipt])).toMatchObject({
      recorded: 1,
      rejected: [{ index: 0, code: 'BAD_USER_INPUT' }],
    });
    expect(await statsOf(campaign)).toMatchObject({ impressions: 1 });
  });

  it.each([
    ['an impression', 'IMPRESSION', 60],
    ['a click', 'CLICK', 24 * 60],
    ['a conversion', 'CONVERSION', 30 * 24 * 60],
  ] as const)('expires as %s', async (_case, kind, minutes) => {
    await network.run({ flight: { from: now, to: minutesLater(60 * 24 * 60) } });
    const receipts = [await receiptOf(), await receiptOf()];
    if (kind === 'CONVERSION') await network.record(receipts, 'CLICK');
    expect(await network.record(receipts.slice(0, 1), kind, minutesLater(minutes))).toMatchObject({ recorded: 1 });
    expect(await network.record(receipts.slice(1), kind, minutesLater(minutes + 1))).toMatchObject({
      recorded: 0,
      rejected: [{ index: 0, code: 'BAD_USER_INPUT' }],
    });
  });

  it.each([
    ['IMPRESSION', 'receipts.0'],
    ['CLICK', 'receipts.0'],
    ['CONVERSION', 'receipt'],
  ] as const)('is rejected under the name of its argument: %s', async (kind, field) => {
    expect(await network.record(['forged'], kind)).toMatchObject({
      rejected: [{ index: 0, message: `${field} is not a receipt of this server` }],
    });
  });

  it('of another network, with another key, is rejected', async () => {
    await network.run();
    const receipt = await receiptOf();
    await database.db.collection('settings').deleteOne({ _id: 'ad-key' as never });
    const other = await openNetwork(database.client.db(database.db.databaseName)).catch(() => null); // the site exists
    expect(other).toBeNull();
    const { AdSigner } = await import('../../../src/models/ads/decisions/ad-signer.js');
    const signer = await AdSigner.open(database.db);
    const answer = await recordReceipts(
      { db: database.db, signer, recorder: network.recorder },
      { kind: 'IMPRESSION', receipts: [receipt], durability: 'MAJORITY', isPrivate: false, now },
    );
    expect(answer).toMatchObject({ recorded: 0, rejected: [{ index: 0 }] });
  });

  it('of a campaign that does not exist is rejected', async () => {
    const parts = {
      id: randomUUID(),
      unit: 'none',
      campaign: 'none',
      advertiser: 'none',
      zone: `${SITE}/top`,
      visitor: '',
    };
    const receipt = sealReceipt(network.signer, { ...parts, prices: { impression: 1, click: 0 }, at: now });
    expect(await network.record([receipt])).toMatchObject({ recorded: 0, rejected: [{ index: 0, code: 'NOT_FOUND' }] });
  });
});

describe('a budget', () => {
  it('ends the campaign when it is used up, and later impressions are free', async () => {
    const campaign = await network.run({ price: 1000, budget: 2 });
    const receipts = await Promise.all(Array.from({ length: 4 }, () => receiptOf()));
    expect(await network.record(receipts.slice(0, 2))).toMatchObject({ recorded: 2 });
    await network.recorder.close();
    expect(await network.campaign(campaign)).toMatchObject({
      state: 'ENDED',
      ended_by: 'BUDGET',
      spent: 2000,
      refunded: 0,
    });
    expect(await network.adsOf('top')).toEqual([]);
    const by = network.openRecorder();
    expect(await network.record(receipts.slice(2), 'IMPRESSION', now, by)).toMatchObject({ recorded: 2 });
    expect(await network.campaign(campaign)).toMatchObject({ spent: 2000 });
    expect(await statsOf(campaign)).toMatchObject({ impressions: 4, spent: 2000 });
    await by.close();
    await expectNoAdViolations(database.db);
  });

  it('that cannot pay for a bid any more takes the bid out of the zones at once', async () => {
    await network.zone('words', { design: 'KEYWORDS' });
    const input = { placements: [{ site: SITE, zone: 'words' }] };
    const rival = await network.run({ ...input, price: 50_000, budget: 100_000 });
    const keywords = [{ keyword: 'tea', bid: euros(100_000) }];
    const campaign = await network.run({ ...input, price: 1, budget: 150, units: [{ keywords }] });
    const decide = async () => (await network.decide({ zone: 'words', keywords: ['tea'] })).ads[0];
    const first = await decide();
    expect(first?.ad.campaign_id).toBe(campaign._id);
    await network.record([first?.receipt ?? '']);
    await expect.poll(async () => (await decide())?.ad.campaign_id).toBe(rival._id);
    expect(await network.campaign(campaign)).toMatchObject({ state: 'RUNNING', spent: 100_000 });
    await expectNoAdViolations(database.db);
  });
  it('of a paused campaign leaves the zones as they are', async () => {
    await network.zone('words', { design: 'KEYWORDS' });
    const keywords = [{ keyword: 'tea', bid: euros(100_000) }];
    const placements = [{ site: SITE, zone: 'words' }];
    const campaign = await network.run({ placements, price: 1, budget: 150, units: [{ keywords }] });
    const decide = () => network.decide({ zone: 'words', keywords: ['tea'] });
    const receipts = (await Promise.all([decide(), decide()])).map(({ ads }) => ads[0]?.receipt ?? '');
    await pauseCampaign(database.db, campaign._id, now);
    const { placements_made } = await network.campaign(campaign);
    for (const receipt of receipts) await network.record([receipt]);
    await network.recorder.close();
    expect(await network.campaign(campaign)).toMatchObject({ spent: 100_000, placements_made });
  });
  it('that cannot pay for the next impression is paid back', async () => {
    const campaign = await network.run({ price: 1500, budget: 4 });
    const receipts = await Promise.all(Array.from({ length: 3 }, () => receiptOf()));
    await network.record(receipts);
    await network.recorder.close();
    expect(await network.campaign(campaign)).toMatchObject({ state: 'ENDED', spent: 3000, refunded: 1 });
    expect(await network.balance()).toBe(999_997);
    await expectNoAdViolations(database.db);
  });
});

describe('a budget that is being raised', () => {
  it('does not end the campaign until the payment is decided, and nothing is charged meanwhile', async () => {
    const campaign = await network.run({ price: 1000, budget: 1 });
    const receipts = await Promise.all(Array.from({ length: 3 }, () => receiptOf()));
    const one = { _id: campaign._id };
    await campaigns(database.db).updateOne(one, { $set: { payment: { call: 'raise', amount: 5, at: now } } });
    expect(await network.record(receipts.slice(0, 2))).toMatchObject({ recorded: 2 });
    expect(await network.campaign(campaign)).toMatchObject({ state: 'RUNNING', spent: 1000 });
    await network.recover(minutesLater(5)); // nothing was charged, so the note is removed
    await network.record(receipts.slice(2));
    await network.recorder.close();
    expect(await network.campaign(campaign)).toMatchObject({
      state: 'ENDED',
      ended_by: 'BUDGET',
      spent: 1000,
      paid: 1,
    });
    await expectNoAdViolations(database.db);
  });
});

describe('a frequency cap', () => {
  const caps = [{ scope: 'AD_UNIT', count: 2, period: { ms: HOUR_MS } } as const];

  it('holds for receipts that were issued before', async () => {
    const campaign = await network.run({ caps });
    const visitor = network.visitor();
    const receipts = await Promise.all(Array.from({ length: 4 }, () => receiptOf(visitor)));
    expect(await network.record(receipts)).toMatchObject({
      recorded: 2,
      rejected: [
        { index: 2, code: 'LIMIT_EXCEEDED' },
        { index: 3, code: 'LIMIT_EXCEEDED' },
      ],
    });
    expect((await network.decide({ visitor })).ads).toEqual([]);
    expect(await statsOf(campaign)).toMatchObject({ impressions: 2 });
    expect((await network.decide({ visitor }, minutesLater(61))).ads).toHaveLength(1);
  });

  it('counts when ads are seen, not when they were decided', async () => {
    await emptyNetwork(database.db);
    let time = now;
    network = await openNetwork(database.db, { clock: () => time });
    await network.zone('top', { design: 'CAPPED' });
    await network.run({ caps: [{ scope: 'CAMPAIGN', count: 1, period: { ms: 5 * MINUTE_MS } }] });
    const visitor = network.visitor();
    const tabs = await Promise.all(Array.from({ length: 3 }, () => receiptOf(visitor))); // opened, but not looked at
    time = minutesLater(10);
    expect(await network.record(tabs.slice(0, 2), 'IMPRESSION', time)).toMatchObject({ recorded: 1 });
    time = minutesLater(14);
    expect((await network.decide({ visitor }, time)).ads).toEqual([]);
    expect(await network.record(tabs.slice(2), 'IMPRESSION', time)).toMatchObject({ recorded: 0 });
    time = minutesLater(15);
    expect((await network.decide({ visitor }, time)).ads).toHaveLength(1);
  });

  it('of one visitor does not concern another one, and unknown visitors get a new id and no such ads', async () => {
    await network.run({ caps });
    const unknown = await network.decide();
    expect(unknown.ads).toEqual([]);
    expect((await network.decide({ visitor: 'made up' })).ads).toEqual([]);
    expect((await network.decide({ visitor: unknown.visitor })).ads).toHaveLength(1);
  });
});

describe('a visitor who is forgotten', () => {
  it('leaves no profile, gets a new id, and receipts issued before begin no profile', async () => {
    await network.run();
    const visitor = network.visitor();
    const id = network.signer.open('visitor', visitor) ?? '';
    const receipts = [await receiptOf(visitor), await receiptOf(visitor)];
    await network.record(receipts.slice(0, 1));
    expect(await forgetVisitor(database.db, id, now)).toBe(true);
    expect(await forgetVisitor(database.db, id, now)).toBe(false);
    expect(await network.record(receipts.slice(1))).toMatchObject({ recorded: 1 });
    expect(await findProfile(database.db, id)).toMatchObject({ units: {}, forgotten: true });
    const { visitor: next } = await network.decide({ visitor });
    expect(next).not.toBe(visitor);
  });
});
