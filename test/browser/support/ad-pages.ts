/** Zones and running campaigns for tests of pages with ads, through the API. */
import type { Product } from '../../../harness/product.js';
import { ask } from './narrow-pages.js';

const euros = (amount: number) => ({ amount, currency: 'EUR' });

export const SIZE = '300x250';

export async function registerSite(product: Product, host: string, origin: string): Promise<void> {
  await ask(
    product,
    'mutation ($input: RegisterSiteInput!) { registerSite(input: $input) { ... on Site { id } ... on Refusal { message } } }',
    { input: { host, allowedOrigins: [origin] } },
  );
}

/** @returns its snippet */
export async function addZone(product: Product, site: string, zone: string, input: object = {}): Promise<string> {
  const { saveZone } = await ask<{ saveZone: { snippet: string } }>(
    product,
    'mutation ($input: ZoneInput!) { saveZone(input: $input) { ... on Zone { snippet } ... on Refusal { message } } }',
    { input: { site, zone, size: SIZE, ...input } },
  );
  return saveZone.snippet;
}

/** A campaign with one ad in one zone. */
export async function runCampaign(
  product: Product,
  site: string,
  zone: string,
  unit: object,
  own: object = {},
): Promise<void> {
  const name = `For ${zone}`;
  const { advertiser, account } = await ask<{ advertiser: { id: string }; account: { id: string } }>(
    product,
    `mutation ($name: String!, $balance: MoneyInput!) {
      advertiser: addAdvertiser(input: { name: "Anna’s" }, idempotencyKey: $name) { id }
      account: openAccount(input: { openingBalance: $balance }, idempotencyKey: $name) { id }
    }`,
    { name, balance: euros(100_000) },
  );
  const { campaign } = await ask<{ campaign: { id: string } }>(
    product,
    `mutation ($input: CampaignInput!, $name: String!) {
      campaign: createCampaign(input: $input, idempotencyKey: $name) { ... on Campaign { id } ... on Refusal { message } }
    }`,
    {
      name,
      input: {
        advertiserId: advertiser.id,
        accountId: account.id,
        name,
        price: euros(500),
        budget: euros(10_000),
        pacing: 'ASAP',
        flight: { to: new Date(Date.now() + 86_400_000) },
        placements: [{ site, zone }],
        ...own,
      },
    },
  );
  await ask(
    product,
    `mutation ($id: ID!, $input: AdUnitInput!, $name: String!) {
      addAdUnit(campaignId: $id, input: $input) { ... on AdUnit { id } ... on Refusal { message } }
      startCampaign(id: $id, idempotencyKey: $name) { ... on Campaign { id } ... on Refusal { message } }
    }`,
    { id: campaign.id, name, input: { size: SIZE, ...unit } },
  );
}
