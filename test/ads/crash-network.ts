/** Shared by the scenarios of ads. The network is set up directly; what is tested goes through the API. */
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import type { Product } from '../../harness/product.js';
import { findZone } from '../../src/models/ads/zones/zone.js';
import { toGlobalId } from '../../src/shared/global-id.js';
import { mutate } from '../commerce/crash-shop.js';
import { type CampaignWish, expectNoAdViolations, type Network, openNetwork, SITE } from './network.js';

export const KEY = 'the key of the call';

/** What a scenario has prepared. */
export interface Prepared {
  /** As stored. */
  readonly campaign: string;
  readonly receipts: readonly string[];
}

export async function prepareNetwork(db: Db): Promise<Network> {
  const network = await openNetwork(db, { now: new Date() });
  await network.zone('top');
  return network;
}

/** A draft. */
export async function prepareDraft(db: Db, wish: CampaignWish = {}): Promise<Prepared> {
  const network = await prepareNetwork(db);
  return { campaign: (await network.draft(wish))._id, receipts: [] };
}

/** A campaign that runs, and receipts of its ads. */
export async function prepareCampaign(db: Db, wish: CampaignWish = {}, decisions = 0): Promise<Prepared> {
  const network = await prepareNetwork(db);
  const { _id: campaign } = await network.run(wish);
  const visitor = network.visitor();
  const made = await Promise.all(Array.from({ length: decisions }, () => network.decide({ visitor }, new Date())));
  await network.decider.tally.close();
  return { campaign, receipts: made.flatMap(({ ads }) => ads.map(({ receipt }) => receipt)) };
}

export const campaignId = ({ campaign }: Prepared): string => toGlobalId('Campaign', campaign);

/** Sends a mutation during which the process dies. */
export async function expectDeath(product: Product, mutation: string): Promise<void> {
  expect(await mutate(product, mutation)).toBeNull();
}

export const storedCampaign = (db: Db, { campaign }: Prepared) =>
  db.collection<{ _id: string }>('ad.campaigns').findOne({ _id: campaign });

/** The prices in the zone `top`. */
export const pricesInZone = async (db: Db, zone = 'top'): Promise<number[]> =>
  ((await findZone(db, `${SITE}/${zone}`))?.ads ?? []).map(({ ecpm }) => ecpm);

/** What the advertiser has, from 1,000,000. */
export async function expectBalance(db: Db, balance: number): Promise<void> {
  expect(await db.collection<{ _id: string }>('accounts').findOne({ opened_with: 1_000_000 })).toMatchObject({
    balance,
  });
  await expectNoAdViolations(db);
}
