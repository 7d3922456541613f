/** Each invariant of ads is found violated where it is. */
import { beforeEach, describe, expect, it } from 'vitest';
import { adUnits } from '../../src/models/ads/campaigns/ad-unit.js';
import { campaigns } from '../../src/models/ads/campaigns/campaign.js';
import { adsDomain } from '../../src/models/ads/domain.js';
import { profiles } from '../../src/models/ads/profiles/ad-profile.js';
import { recordedReceipts } from '../../src/models/ads/recording/recorded-receipt.js';
import { adStats } from '../../src/models/ads/stats/ad-stats.js';
import { useDatabase } from '../support/database.js';
import { emptyNetwork, type Network, openNetwork } from './network.js';

const database = useDatabase({ checked: false });
let network: Network;

beforeEach(async () => {
  await emptyNetwork(database.db);
  network = await openNetwork(database.db, { now: new Date(), clock: () => new Date() });
  await network.zone('top', { design: 'CAPPED' });
  await network.run({ price: 1500 });
  const { ads } = await network.decide({ visitor: network.visitor() }, new Date());
  await network.record(
    ads.map(({ receipt }) => receipt),
    'IMPRESSION',
    new Date(),
  );
});

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
      ['statistics of the campaign = sum of its units'],
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
  ])('are found violated when %s', async (_case, break_, expected) => {
    await break_();
    expect(await violated()).toEqual(expected);
  });
});
