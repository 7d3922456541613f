/** An advertising network for tests of its pages, through the API. */
import type { Product } from '../../../harness/product.js';
import { ask } from './narrow-pages.js';
import { MONEY } from './shop.js';

export const SITE = 'ads.example';
export const ZONE = 'top';
const SIZE = '300x250';

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

/** A site with a zone. */
export async function openZone(product: Product, design = 'CAPPED'): Promise<void> {
  await ask(
    product,
    'mutation ($host: String!) { registerSite(input: { host: $host, allowedOrigins: [] }) { __typename } }',
    {
      host: SITE,
    },
  );
  await ask(product, 'mutation ($input: ZoneInput!) { saveZone(input: $input) { __typename } }', {
    input: { site: SITE, zone: ZONE, size: SIZE, design },
  });
}

/** An account with money. @param owner the id of a user, or a name */
export async function openPurse(product: Product, owner: string, amount: number): Promise<string> {
  const { openAccount } = await ask<{ openAccount: { id: string } }>(
    product,
    'mutation ($input: OpenAccountInput!) { openAccount(input: $input) { id } }',
    { input: { owner, openingBalance: MONEY(amount) } },
  );
  return openAccount.id;
}

/** @param ownerId omitted: the administrator */
export async function addAdvertiser(product: Product, name: string, ownerId?: string): Promise<string> {
  const { addAdvertiser: added } = await ask<{ addAdvertiser: { id: string } }>(
    product,
    'mutation ($input: AdvertiserInput!) { addAdvertiser(input: $input) { id } }',
    { input: { name, ownerId } },
  );
  return added.id;
}

interface CampaignWish {
  readonly advertiserId: string;
  readonly accountId: string;
  readonly name: string;
  /** Minor units. */
  readonly price?: number;
  readonly budget?: number;
  readonly units?: readonly object[];
  readonly more?: object;
}

/** A draft with an ad unit for the zone. @returns its id */
export async function draftCampaign(product: Product, wish: CampaignWish): Promise<string> {
  const { advertiserId, accountId, name, price = 500, budget = 10_000, units = [{}], more = {} } = wish;
  const input = {
    advertiserId,
    accountId,
    name,
    price: MONEY(price),
    budget: MONEY(budget),
    flight: { to: inDays(10) },
    pacing: 'ASAP',
    placements: [{ site: SITE, zone: ZONE }],
    ...more,
  };
  const { createCampaign } = await ask<{ createCampaign: { id: string } }>(
    product,
    'mutation ($input: CampaignInput!) { createCampaign(input: $input) { ... on Campaign { id } } }',
    { input },
  );
  for (const unit of units)
    await ask(
      product,
      'mutation ($id: ID!, $input: AdUnitInput!) { addAdUnit(campaignId: $id, input: $input) { __typename } }',
      {
        id: createCampaign.id,
        input: { size: SIZE, headline: `The ad of ${name}`, landingUrl: 'https://anna.example/', ...unit },
      },
    );
  return createCampaign.id;
}

export async function runCampaign(product: Product, wish: CampaignWish): Promise<string> {
  const id = await draftCampaign(product, wish);
  await ask(
    product,
    'mutation ($id: ID!, $key: String!) { startCampaign(id: $id, idempotencyKey: $key) { __typename } }',
    { id, key: wish.name },
  );
  return id;
}

/** Shows the ad of the zone to unknown visitors, as pages do. @returns the receipts */
export async function showAds(product: Product, times: number): Promise<string[]> {
  const receipts: string[] = [];
  for (let shown = 0; shown < times; shown += 1) {
    const { decideAds } = await ask<{ decideAds: { ads: { receipt: string }[] } }>(
      product,
      'query ($site: String!, $zone: String!) { decideAds(site: $site, zone: $zone) { ads { receipt } } }',
      { site: SITE, zone: ZONE },
    );
    receipts.push(...decideAds.ads.map(({ receipt }) => receipt));
  }
  await ask(product, 'mutation ($receipts: [String!]!) { recordImpressions(receipts: $receipts) { recorded } }', {
    receipts,
  });
  return receipts;
}

export const click = (product: Product, receipts: readonly string[]) =>
  ask(product, 'mutation ($receipts: [String!]!) { recordClicks(receipts: $receipts) { recorded } }', { receipts });
