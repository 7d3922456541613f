/** Receipts that are recorded while the process dies: counted everywhere or nowhere, and once when they are sent again. */
import { expect } from 'vitest';
import type { Product } from '../../../harness/product.js';
import type { Scenario } from '../../crash/scenario.js';
import { letWorkersRun } from '../../crash/workers.js';
import { expectBalance, expectDeath, type Prepared, prepareCampaign, storedCampaign } from '../crash-network.js';

const COUNT = 5;
const record = ({ receipts }: Prepared, as = '') =>
  `${as}recordImpressions(receipts: ${JSON.stringify(receipts)}) { recorded repeated rejected { message } }`;

export const receiptsRecorded: Scenario<Prepared> = {
  failpoints: {
    'ads.group.receipts-written': 1,
    'ads.group.counted': 1,
    'ads.group.units-counted': 1,
    'ads.group.spent': 1,
    'ads.group.profiles-written': 1,
    'ads.group.committed': 1,
  },
  async act(product: Product, db) {
    const seen = await prepareCampaign(db, { price: 1000 }, COUNT);
    await expectDeath(product, record(seen));
    return seen;
  },
  async judge(product, db, seen) {
    const { data } = await product.request<{ again: { recorded: number; repeated: number } }>(
      `mutation { ${record(seen, 'again: ')} }`,
    );
    expect((data?.again.recorded ?? 0) + (data?.again.repeated ?? 0)).toBe(COUNT);
    expect([0, COUNT]).toContain(data?.again.recorded); // everywhere or nowhere
    expect(await storedCampaign(db, seen)).toMatchObject({ spent: COUNT * 1000 });
    expect(await db.collection('ad.units').findOne()).toMatchObject({ impressions: COUNT });
    expect(await db.collection('ad.receipts').countDocuments()).toBe(COUNT);
    await letWorkersRun(db);
    await expectBalance(db, 990_000);
  },
};
