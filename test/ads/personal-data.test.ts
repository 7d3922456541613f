import { beforeEach, describe, expect, it } from 'vitest';
import { advertisers } from '../../src/models/ads/advertisers/advertiser.js';
import { personalData } from '../../src/models/ads/personal-data.js';
import { useDatabase } from '../support/database.js';
import { emptyNetwork, expectNoAdViolations, type Network, now, openNetwork } from './network.js';

const database = useDatabase();
let network: Network;

beforeEach(async () => {
  await emptyNetwork(database.db);
  network = await openNetwork(database.db);
  await network.zone('top');
});

describe('the campaigns of an account that is deleted', () => {
  it('end, and what was not spent is paid back, before they are disowned', async () => {
    const [running, draft] = [await network.run({ price: 1000 }), await network.draft()];
    await network.record((await network.decide()).ads.map(({ receipt }) => receipt));
    const owner = network.advertiser.owner ?? '';
    const erase = () => personalData.erase?.(database.db, owner, now, []);
    expect(await erase()).toBeGreaterThan(0);
    expect(await erase()).toBe(0);
    expect(await network.campaign(running)).toMatchObject({ state: 'ENDED', owner: null, refunded: 9999 });
    expect(await network.campaign(draft)).toMatchObject({ state: 'ENDED', owner: null, refunded: 0 });
    expect(await network.adsOf('top')).toEqual([]);
    expect(await network.balance()).toBe(999_999);
    expect(await advertisers(database.db).countDocuments({ owner })).toBe(0);
    await expectNoAdViolations(database.db);
  });
});
