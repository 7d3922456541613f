/** Each invariant of ads is found violated where it is. */
import { beforeEach, describe, expect, it } from 'vitest';
import { unkeyed } from '../../src/database/index.js';
import { adUnits } from '../../src/models/ads/campaigns/ad-unit.js';
import { campaigns } from '../../src/models/ads/campaigns/campaign.js';
import { changeCampaign } from '../../src/models/ads/campaigns/campaign-change.js';
import { adsDomain } from '../../src/models/ads/domain.js';
import { profiles } from '../../src/models/ads/profiles/ad-profile.js';
import { hourPart, recordedReceipts } from '../../src/models/ads/recording/recorded-receipt.js';
import { adStats } from '../../src/models/ads/stats/ad-stats.js';
import { zones } from '../../src/models/ads/zones/zone.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/shared/time.js';
import { useDatabase } from '../support/database.js';
import { emptyNetwork, type Network, openNetwork } from './network.js';

const database = useDatabase({ checked: false });
let network: Network;

beforeEach(async () => {
  await emptyNetwork(database.db);
  network = await openNetwork(database.db, { now: new Date(), clock: () => new Date() });
  await network.zone('top', { design: 'CAPPED' });
  const flight = { from: new Date(Date.now() - 10 * DAY_MS), to: new Date(Date.now() + DAY_MS) };
  await network.run({ price: 1500, flight, caps: [{ scope: 'AD_UNIT', count: 2, period: { ms: HOUR_MS } }] });
  const { ads } = await network.decide({ visitor: network.visitor() }, new Date());
  const receipts = ads.map(({ receipt }) => receipt);
  for (const kind of ['IMPRESSION', 'CLICK', 'CONVERSION'] as const) await network.record(receipts, kind, new Date());
});

/** Adds to a counter of the present hour, of the statistics of a kind. */
async function inflate(subject: RegExp, counters: Readonly<Record<string, number>>): Promise<void> {
  const [hour = ''] = Object.keys((await adStats(database.db).findOne({ subject }))?.hourly ?? {});
  const $inc = Object.fromEntries(Object.entries(counters).map(([letter, n]) => [`hourly.${hour}.${letter}`, n]));
  await adStats(database.db).updateOne({ subject }, { $inc });
}

/** The impressions of the visitor are these. */
async function pretendSeen(impressions: readonly Date[]): Promise<void> {
  const [unit = ''] = Object.keys((await profiles(database.db).findOne())?.units ?? {});
  await profiles(database.db).updateOne({}, { $set: { [`units.${unit}.impressions`]: impressions } as object });
}

async function violated(): Promise<string[]> {
  const found = new Set<string>();
  for (const check of adsDomain.invariantChecks)
    for await (const { invariant } of check.find(database.db, async () => undefined)) found.add(invariant);
  return [...found].sort();
}

describe('the invariants of ads', () => {
  it('hold after a recording', async () => {
    expect(await violated()).toEqual([]);
  });

  it.each<[string, () => Promise<unknown>, string[]]>([
    [
      'more was spent than paid',
      () => campaigns(database.db).updateOne({}, { $set: { spent: 10_000_001 } }),
      ['spent <= paid', 'spent = statistics of the campaign'],
    ],
    [
      'more was paid than transferred',
      () => campaigns(database.db).updateOne({}, { $inc: { paid: 1 } }),
      ['paid = transfers from the account'],
    ],
    [
      'a refund was noted and not made',
      () => campaigns(database.db).updateOne({}, { $set: { refunded: 5 } }),
      ['refunded = paid - spent', 'refunded = transfers to the account'],
    ],
    ['a receipt was lost', () => recordedReceipts(database.db).deleteOne({}), ['counters = receipts']],
    [
      'a unit was counted twice',
      () => adUnits(database.db).updateOne({}, { $inc: { impressions: 1 } }),
      ['totals of the units = statistics'],
    ],
    [
      'the statistics of a unit were lost',
      () => adStats(database.db).deleteOne({ subject: /^unit:/ }),
      ['counters = receipts', 'statistics of the campaign = sum of its units', 'totals of the units = statistics'],
    ],
    [
      'the conversions and their value were raised in a campaign',
      () => inflate(/^campaign:/, { v: 10, w: 5000 }),
      ['statistics of the campaign = sum of its units'],
    ],
    [
      'the conversions and their value were raised in a campaign and its unit',
      async () => {
        await inflate(/^campaign:/, { v: 10, w: 5000 });
        await inflate(/^unit:/, { v: 10, w: 5000 });
      },
      ['counters = receipts'],
    ],
    [
      'a receipt of a conversion of last week was lost',
      async () => {
        const { db } = database;
        const week = new Date(Date.now() - 7 * DAY_MS);
        const { ads } = await network.decide({ visitor: network.visitor() }, week);
        const receipts = ads.map(({ receipt }) => receipt);
        await network.record(receipts, 'CLICK', week);
        await network.record(receipts, 'CONVERSION', new Date());
        expect(await violated()).toEqual([]);
        await recordedReceipts(db).deleteOne({ _id: { $regex: `${hourPart(week)}.*/v$` } });
      },
      ['counters = receipts'],
    ],
    [
      'impressions and spending were raised in a zone',
      () => inflate(/^zone:/, { i: 1000, s: 1_500_000 }),
      ['counters = receipts'],
    ],
    [
      'the statistics of a zone were lost',
      () => adStats(database.db).deleteOne({ subject: /^zone:/ }),
      ['counters = receipts'],
    ],
    [
      'a visitor has seen an ad more often than its cap allows',
      () => pretendSeen(Array.from({ length: 22 }, () => new Date())),
      ['no cap is exceeded'],
    ],
    [
      'a visitor has seen the ads of a campaign more often than its cap allows',
      async () => {
        await campaigns(database.db).updateOne({}, { $set: { 'caps.0.scope': 'CAMPAIGN' } });
        await pretendSeen(Array.from({ length: 3 }, () => new Date()));
      },
      ['no cap is exceeded'],
    ],
    [
      'a profile has too many contacts',
      async () => {
        const [unit = ''] = Object.keys((await profiles(database.db).findOne())?.units ?? {});
        const many = Array.from({ length: 201 }, () => new Date());
        await profiles(database.db).updateOne({}, { $set: { [`units.${unit}.clicks`]: many } as object });
      },
      ['contacts of a visitor are bounded'],
    ],
    [
      'a profile has contacts of long ago',
      async () => {
        const [unit = ''] = Object.keys((await profiles(database.db).findOne())?.units ?? {});
        const old = [new Date(Date.now() - 31 * DAY_MS)];
        await profiles(database.db).updateOne({}, { $set: { [`units.${unit}.clicks`]: old } as object });
      },
      ['contacts of a visitor are of 30 days'],
    ],
    [
      'a zone has lost an ad of a campaign that is shown',
      () => zones(database.db).updateOne({}, { $set: { ads: [] } }),
      ['ads in all zones that a campaign wants'],
    ],
  ])('are found violated when %s', async (_case, break_, expected) => {
    await break_();
    expect(await violated()).toEqual(expected);
  });

  it('allow that an ad is not yet in a zone that is being filled, or has turned ads away', async () => {
    for (const state of [{ is_new: true }, { turned_ads_away: true }] as const) {
      await zones(database.db).updateOne({}, { $set: { ads: [], ...state } });
      expect(await violated()).toEqual([]);
      await zones(database.db).updateOne({}, { $unset: { is_new: '', turned_ads_away: '' } });
    }
  });

  it('allow what was seen in another period, or before the caps were changed', async () => {
    const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS);
    await campaigns(database.db).updateOne({}, { $set: { caps_set_at: ago(1000), created_at: ago(1000) } });
    await pretendSeen([ago(120), ago(65), ago(60), ago(5)]);
    expect(await violated()).toEqual([]);
    await pretendSeen([ago(120), ago(65), ago(62), ago(61)]);
    expect(await violated()).toEqual(['no cap is exceeded']);
    const { _id: id } = await network.campaign((await campaigns(database.db).findOne()) ?? { _id: '' });
    const caps = [{ scope: 'AD_UNIT', count: 1, period: { ms: HOUR_MS } } as const];
    const change = {
      attempt: unkeyed('call', new Date()),
      id,
      changes: { caps },
      currency: 'EUR',
      entryOf: () => undefined,
    };
    await changeCampaign(database.db, network.payment, change, new Date());
    expect(await violated()).toEqual([]);
  });
});
