/** An advertising network for tests of its pages, through the API. */
import type { Product } from '../../../harness/product.js';
import { ask } from './narrow-pages.js';
import { MONEY } from './shop.js';

export const SITE = 'ads.example';
export const ZONE = 'top';
const SIZE = '300x250';

/** A headless browser says that it is one, and robots get no ads. */
export const READER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

export const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

/** @param origins of the pages that may ask for its ads */
export async function registerSite(product: Product, host: string, origins: readonly string[] = []): Promise<void> {
  await ask(product, 'mutation ($input: RegisterSiteInput!) { registerSite(input: $input) { __typename } }', {
    input: { host, allowedOrigins: origins },
  });
}

/** @returns its snippet */
export async function addZone(product: Product, site: string, zone: string, input: object = {}): Promise<string> {
  const { saveZone } = await ask<{ saveZone: { snippet: string } }>(
    product,
    'mutation ($input: ZoneInput!) { saveZone(input: $input) { ... on Zone { snippet } } }',
    { input: { site, zone, size: SIZE, ...input } },
  );
  return saveZone.snippet;
}

/** A site with a zone, for campaigns that name no other. */
export async function openZone(product: Product, design = 'CAPPED'): Promise<void> {
  await registerSite(product, SITE);
  await addZone(product, SITE, ZONE, { design });
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
  /** Each with a headline, unless it names another or `undefined`. */
  readonly units?: readonly object[];
  readonly site?: string;
  readonly zone?: string;
  readonly more?: object;
}

/** A draft with ad units. @returns its id */
export async function draftCampaign(product: Product, wish: CampaignWish): Promise<string> {
  const { advertiserId, accountId, name, price = 500, budget = 10_000, units = [{}], more = {} } = wish;
  const { site = SITE, zone = ZONE } = wish;
  const input = {
    advertiserId,
    accountId,
    name,
    price: MONEY(price),
    budget: MONEY(budget),
    flight: { to: inDays(10) },
    pacing: 'ASAP',
    placements: [{ site, zone }],
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
