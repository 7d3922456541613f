/** The dashboard's campaigns: from the draft to the refund, live, and only for those whom they belong to. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { addAccount } from '../support/accounts.js';
import {
  addAdvertiser,
  addZone,
  draftCampaign,
  inDays,
  openPurse,
  openZone,
  registerSite,
  runCampaign,
  SITE,
  showAds,
  ZONE,
} from '../support/ads.js';
import { faultsOf } from '../support/axe.js';
import { describeInBrowser } from '../support/chromium.js';
import { eventually, useDashboard } from '../support/dashboard.js';
import { ask } from '../support/narrow-pages.js';

/** The value of a figure. */
const fact = (page: Page, name: string) => page.locator(`dt:text-is("${name}") + dd`).textContent();

describeInBrowser('the campaigns of the dashboard', () => {
  const dashboard = useDashboard();

  it('go from the draft to the refund, and show impressions that are recorded elsewhere', async () => {
    const { product } = dashboard;
    await openZone(product);
    await openPurse(product, 'Advertising', 50_000);
    const page = await dashboard.openSignedIn('/ads');
    await page.getByText('No running campaigns').waitFor();
    expect(await faultsOf(page)).toEqual([]);

    await page.getByRole('button', { name: 'New campaign' }).click();
    await page.getByRole('dialog', { name: 'New advertiser' }).getByLabel('Name').fill('Anna’s Tea');
    await page.getByRole('button', { name: 'Add advertiser' }).click();
    const dialog = page.getByRole('dialog', { name: 'New campaign' });
    await dialog.getByLabel('Pay from').locator('option', { hasText: 'Advertising' }).waitFor({ state: 'attached' });
    const account = await dialog
      .getByLabel('Pay from')
      .locator('option', { hasText: 'Advertising' })
      .getAttribute('value');
    await dialog.getByLabel('Pay from').selectOption(account);
    await dialog.getByLabel('Name', { exact: true }).fill('Tea in winter');
    await dialog.getByLabel('Price of 1,000 impressions in EUR').fill('5000');
    await dialog.getByLabel('Budget in EUR').fill('0.01');
    await dialog.getByText('it must be at least €5.00.').waitFor();
    await dialog.getByRole('button', { name: 'Create draft' }).click();
    const refusal = dialog.getByText(
      '“Budget in EUR” must let the budget pay for an impression: the lowest budget is €5.00',
    );
    await refusal.waitFor();
    expect(await dialog.locator('[aria-invalid="true"]').getAttribute('name')).toBe('budget');
    expect(await faultsOf(page)).toEqual([]);
    await dialog.getByLabel('Price of 1,000 impressions in EUR').fill('500');
    await refusal.waitFor({ state: 'detached' });
    expect(await dialog.locator('[aria-invalid="true"]').count()).toBe(0);
    await dialog.getByLabel('Budget in EUR').fill('100');
    await dialog.getByRole('radio', { name: 'As soon as possible' }).click();
    await dialog.getByLabel('Site of the zone').fill(SITE);
    await dialog.getByLabel('Name of the zone').fill(ZONE);
    await dialog.getByRole('button', { name: 'Add the zone' }).click();
    await eventually(() => fact(page, 'Zones')).toBe('1 of 1');
    await dialog.getByText('had no visitors in the last seven days').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create draft' }).click();

    await page.getByRole('heading', { name: /^Tea in winter/ }).waitFor();
    await page.getByRole('button', { name: 'Start…' }).click();
    await page.getByText(/€100.00 is paid now from its account, which has €500.00/).waitFor();
    await page.getByRole('button', { name: 'Pay €100.00 and start' }).click();
    await page
      .getByRole('alert')
      .getByText(/no ad unit/)
      .waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();

    await page.getByRole('button', { name: 'Add an ad unit' }).click();
    await page.getByLabel('Headline').fill('Black tea');
    await page.getByLabel('Where a click leads').fill('https://anna.example/');
    await page.getByRole('button', { name: 'Add the ad unit' }).click();
    await page.getByRole('button', { name: 'Change Black tea' }).waitFor();
    await page.getByRole('button', { name: 'Start…' }).click();
    await page.getByRole('button', { name: 'Pay €100.00 and start' }).click();
    await page.getByRole('button', { name: 'Pause…' }).waitFor();
    expect(await fact(page, 'Spent')).toBe('€0.00');

    const another = await dashboard.startAnother();
    await showAds(another, 3);
    await eventually(() => fact(page, 'Impressions')).toBe('3');
    await eventually(() => fact(page, 'Spent')).toBe('€1.50');
    expect(await faultsOf(page)).toEqual([]);

    await page.getByRole('button', { name: 'End…' }).click();
    await page.getByText(/€1.50 was spent, and what is left, now €98.50, is paid back/).waitFor();
    await page.getByRole('button', { name: 'End the campaign' }).click();
    await eventually(() => fact(page, 'Paid back')).toBe('€98.50');
    const { accounts } = await ask<{ accounts: { edges: { node: { ownerName: string; balance: object } }[] } }>(
      product,
      '{ accounts(first: 10) { edges { node { ownerName balance { amount } } } } }',
    );
    expect(accounts.edges.map(({ node }) => node)).toContainEqual({
      ownerName: 'Advertising',
      balance: { amount: 49_850 },
    });
  });

  it('are paused and resumed, and their ads leave and enter the zone', async () => {
    const { product } = dashboard;
    const advertiserId = await addAdvertiser(product, 'Berta');
    const accountId = await openPurse(product, 'Berta’s purse', 50_000);
    const id = await runCampaign(product, { advertiserId, accountId, name: 'Kettles' });
    const page = await dashboard.openSignedIn(`/ads/campaign/${encodeURIComponent(id)}`);
    await page.getByRole('heading', { level: 1, name: /^Kettles/ }).waitFor();
    const tab = page.getByRole('navigation', { name: 'Ads' }).getByRole('link', { name: 'Campaigns' });
    expect(await tab.getAttribute('aria-current')).toBe('true');
    const zone = await dashboard.openSignedIn(`/ads/zones?site=${SITE}&zone=${ZONE}`);
    await zone.getByRole('table', { name: 'Ads of the zone' }).getByText('The ad of Kettles').waitFor();
    await page.getByRole('button', { name: 'Pause…' }).click();
    await page.getByRole('button', { name: 'Pause the campaign' }).click();
    await zone.getByText('No ads in this zone').waitFor();
    await page.getByRole('button', { name: 'Resume…' }).click();
    await page.getByText('Nothing is paid: its budget is paid already.').waitFor();
    await page.getByRole('button', { name: 'Resume the campaign' }).click();
    await zone.getByRole('table', { name: 'Ads of the zone' }).getByText('The ad of Kettles').waitFor();
    await zone.getByRole('button', { name: 'Decide' }).click();
    const row = zone.getByRole('table', { name: 'Considered ads' }).getByRole('row', { name: /Kettles/ });
    await row.getByText('Shown', { exact: true }).waitFor();
    expect(await faultsOf(zone)).toEqual([]);
  });

  it('say what keeps their ads out of their zones, and offer the sizes of these', async () => {
    const { product } = dashboard;
    const site = 'kettles.example';
    await registerSite(product, site, []);
    await addZone(product, site, 'flat', { size: '468x60' });
    const id = await draftCampaign(product, {
      advertiserId: await addAdvertiser(product, 'Paula'),
      accountId: await openPurse(product, 'Paula', 50_000),
      name: 'Misfits',
      site,
      zone: 'flat',
    });
    const page = await dashboard.openSignedIn(`/ads/campaign/${encodeURIComponent(id)}`);
    const note = page.getByText(`${site}/flat shows ads of 468x60, and the campaign has none.`);
    await note.waitFor();
    await page.getByText('No zone of the campaign shows ads of 300x250.').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Add an ad unit' }).click();
    expect(await page.getByLabel('Size in pixels').inputValue()).toBe('468x60');
    await page.getByLabel('Headline').fill('Kettles');
    await page.getByLabel('Where a click leads').fill('https://anna.example/');
    await page.getByRole('button', { name: 'Add the ad unit' }).click();
    await note.waitFor({ state: 'detached' });
  });

  it('are scheduled until their flight begins, and have no forecast', async () => {
    const { product } = dashboard;
    const id = await runCampaign(product, {
      advertiserId: await addAdvertiser(product, 'Flora'),
      accountId: await openPurse(product, 'Flora', 50_000),
      name: 'Spring',
      more: { flight: { from: inDays(5), to: inDays(9) }, pacing: 'EVEN' },
    });
    const list = await dashboard.openSignedIn('/ads');
    const row = list.getByRole('row', { name: /Spring/ });
    await row.getByText('Scheduled').waitFor();
    expect(await row.getByText('of decisions').count()).toBe(0);
    const page = await dashboard.openSignedIn(`/ads/campaign/${encodeURIComponent(id)}`);
    await page
      .getByRole('heading', { name: /^Spring/ })
      .getByText('Scheduled')
      .waitFor();
    await page.getByRole('button', { name: 'Pause…' }).waitFor();
    expect(await page.getByText('Forecast').count()).toBe(0);
    expect(await page.getByText('of the decisions').count()).toBe(0);
  });

  it.each([
    ['advertisers', 'Carl', ['ADVERTISER']],
    ['owners of an advertiser without that role', 'Mia', ['MEMBER']],
  ] as const)('are shown to %s if they are their own', async (_who, name, roles) => {
    const { product } = dashboard;
    const account = await addAccount(product, name, roles);
    const { people } = await ask<{ people: { edges: { node: { id: string } }[] } }>(
      product,
      'query ($prefix: String!) { people(first: 1, emailPrefix: $prefix) { edges { node { id } } } }',
      { prefix: account.email },
    );
    const owner = people.edges[0]?.node.id ?? '';
    const accountId = await openPurse(product, 'For all', 50_000);
    const foreign = await draftCampaign(product, {
      advertiserId: await addAdvertiser(product, 'Dora'),
      accountId,
      name: 'Somebody else’s',
    });
    await draftCampaign(product, {
      advertiserId: await addAdvertiser(product, `The cups of ${name}`, owner),
      accountId: await openPurse(product, owner, 1_000),
      name: 'Cups',
    });
    const page = await dashboard.openSignedIn('/', account);
    const pages = page.getByRole('navigation', { name: 'Pages' });
    await pages.getByRole('link', { name: 'Ads' }).click();
    await page.getByRole('radio', { name: 'Draft' }).click();
    const campaigns = page.getByRole('table', { name: 'Campaigns' });
    await campaigns.getByRole('link', { name: 'Cups' }).waitFor();
    expect(await campaigns.locator('tbody tr').count()).toBe(1);
    expect(await page.getByRole('link', { name: 'Zones' }).count()).toBe(0);
    await page.goto(`${dashboard.url}/ads/advertisers`);
    await page.getByRole('table', { name: 'Advertisers' }).getByText(`The cups of ${name}`).waitFor();
    expect(await page.getByRole('table', { name: 'Advertisers' }).locator('tbody tr').count()).toBe(1);
    await page.goto(`${dashboard.url}/ads/zones`);
    await page.getByText('You cannot open this page').waitFor();
    await page.goto(`${dashboard.url}/ads/campaign/${encodeURIComponent(foreign)}`);
    await page.getByText('There is no such campaign').waitFor();
    expect(await page.getByText('Somebody else’s').count()).toBe(0);
  });

  it('are the home page of those who can open nothing else', async () => {
    const page = await dashboard.openSignedIn('/', await addAccount(dashboard.product, 'Olga', ['ADVERTISER']));
    await page.getByRole('button', { name: 'New campaign' }).waitFor();
    expect(await page.getByRole('navigation', { name: 'Pages' }).locator('[aria-current]').textContent()).toBe('Ads');
  });

  it('are no section for those who own no advertiser', async () => {
    const page = await dashboard.openSignedIn('/ads', await addAccount(dashboard.product, 'Noa', ['MEMBER']));
    await page.getByText('requires the Advertiser role').waitFor();
    expect(await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Ads' }).count()).toBe(0);
  });
});
