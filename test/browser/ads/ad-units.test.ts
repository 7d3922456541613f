/** Ad units in the dashboard: pictures are uploaded, previews are what pages show, and statistics are taken along as a file. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import {
  addAdvertiser,
  addZone,
  click,
  draftCampaign,
  openPurse,
  openZone,
  READER,
  registerSite,
  runCampaign,
  showAds,
} from '../support/ads.js';
import { faultsOf } from '../support/axe.js';
import { describeInBrowser } from '../support/chromium.js';
import { eventually, servePage, useDashboard } from '../support/dashboard.js';
import { ask } from '../support/narrow-pages.js';

const png = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();

const pageOf = (id: string) => `/ads/campaign/${encodeURIComponent(id)}`;

describeInBrowser('the ad units of the dashboard', () => {
  const dashboard = useDashboard();
  let advertiserId = '';
  let accountId = '';
  beforeAll(async () => {
    const { product } = dashboard;
    await openZone(product);
    advertiserId = await addAdvertiser(product, 'Anna’s Tea');
    accountId = await openPurse(product, 'Advertising', 100_000);
    await ask(
      product,
      'mutation ($products: [ProductInput!]!) { saveProducts(products: $products) { saved } restock(sku: "TEA-1", quantity: 5) { sku } }',
      { products: [{ sku: 'TEA-1', title: 'Tea', type: 'TEA', price: { amount: 250, currency: 'EUR' } }] },
    );
  });

  /** Chooses a file, as a click on the button would. */
  const choose = (dialog: Locator, name: string, buffer: Buffer, mimeType = 'image/png') =>
    dialog.locator('input[type="file"]').setInputFiles({ name, mimeType, buffer });

  it('take a picture, replace and remove it, and refuse what is none', async () => {
    const id = await draftCampaign(dashboard.product, { advertiserId, accountId, name: 'Pictures', units: [] });
    const page = await dashboard.openSignedIn(pageOf(id));
    await page.getByRole('button', { name: 'Add an ad unit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Choose the picture').waitFor({ state: 'attached' });
    dashboard.expectErrors(/status of 4\d\d/);
    await choose(dialog, 'no-picture.png', Buffer.from('words'));
    await dialog.getByRole('alert').waitFor();
    await choose(dialog, 'cup.png', await png(600, 500));
    const picture = dialog.getByRole('img', { name: 'The picture of the ad' });
    await picture.waitFor();
    const first = await picture.getAttribute('src');
    await choose(dialog, 'pot.png', await png(500, 400));
    await dialog.locator(`img:not([src="${first}"])`).waitFor();
    await dialog.getByLabel('Where a click leads').fill('https://anna.example/');
    expect(await faultsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Add the ad unit' }).click();
    await page.getByRole('button', { name: 'Change 300x250' }).waitFor();
    const { campaign } = await ask<{ campaign: { adUnits: { image: { width: number } | null }[] } }>(
      dashboard.product,
      'query ($id: ID!) { campaign(id: $id) { adUnits { image { width } } } }',
      { id },
    );
    expect(campaign.adUnits).toEqual([{ image: { width: 500 } }]);

    await page.getByRole('button', { name: 'Change 300x250' }).click();
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await dialog.getByLabel('Headline').fill('Only words');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Change Only words' }).waitFor();
    expect(await page.getByRole('img', { name: 'The picture of the ad' }).count()).toBe(0);
  });

  /** Where the parts of an ad are, in pixels from its corner, and the sizes of their fonts. */
  const partsOf = (page: Page, box: string): Promise<string[]> =>
    page.evaluate(`(() => {
      const element = ${box};
      element.style.fontFamily = 'sans-serif';
      const corner = element.getBoundingClientRect();
      return [...element.querySelectorAll('img, strong, span, small')].map((part) => {
        const { left, top, width, height } = part.getBoundingClientRect();
        const numbers = [left - corner.left, top - corner.top, width, height].map(Math.round);
        return part.localName + ' ' + numbers.join(' ') + ' ' + getComputedStyle(part).fontSize;
      });
    })()`);

  it.each([
    ['300x250', true, undefined],
    ['300x250', false, 'TEA-1'],
    ['728x90', true, 'TEA-1'],
    ['728x90', false, undefined],
  ])('are previewed as pages show them: %s, with a picture: %s, of the product %s', async (size, hasPicture, sku) => {
    const { product } = dashboard;
    const name = `${size} ${hasPicture ? 'picture' : 'words'}`;
    const host = `${name.replace(' ', '-')}.example`;
    const zone = 'top';
    let snippet = '';
    const site = await servePage(
      () => `<!doctype html><html lang="en"><body style="font-family: sans-serif; color: #1c2026">${snippet}</body>`,
    );
    await registerSite(product, host, [site.origin]);
    snippet = await addZone(product, host, zone, { size });
    const words = {
      size,
      sku,
      headline: 'Black tea from Assam',
      text: 'Picked in the second flush, and blended for milk.',
    };
    const id = await draftCampaign(product, { advertiserId, accountId, name, site: host, zone, units: [words] });
    const page = await dashboard.openSignedIn(pageOf(id));
    if (hasPicture) {
      await page.getByRole('button', { name: `Change ${words.headline}` }).click();
      await choose(page.getByRole('dialog'), 'cup.png', await png(600, 500));
      await page.getByRole('dialog').locator('img').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.locator('main img').waitFor();
    }
    await ask(
      product,
      'mutation ($id: ID!, $key: String!) { startCampaign(id: $id, idempotencyKey: $key) { __typename } }',
      { id, key: name },
    );
    const reader = await dashboard.open('/hit.js', { userAgent: READER });
    await reader.goto(site.origin);
    await reader.getByText('Ad · Anna’s Tea').waitFor();
    expect(await reader.getByText('€2.50').count()).toBe(sku ? 1 : 0);
    if (hasPicture) await waitForPictures(reader);
    if (hasPicture) await waitForPictures(page);
    await page.locator('small', { hasText: 'Ad ·' }).waitFor();
    const shown = await partsOf(reader, `document.querySelector('[data-zone] > *')`);
    expect(shown.length).toBe(4 + (hasPicture ? 1 : 0) + (sku ? 1 : 0));
    const preview = `[...document.querySelectorAll('small')].find((one) => one.textContent.startsWith('Ad ·')).closest('details').parentElement`;
    expect(await partsOf(page, preview)).toEqual(shown);
    await site.close();
  });

  // Not with `waitForFunction`: the dashboard's policy forbids what it does to ask again.
  const waitForPictures = (page: Page) =>
    eventually(() =>
      page.evaluate('[...document.images].length > 0 && [...document.images].every((one) => one.naturalWidth > 0)'),
    ).toBe(true);

  it('have statistics that are exported as a file', async () => {
    const { product } = dashboard;
    const id = await runCampaign(product, { advertiserId, accountId, name: 'Exported' });
    const receipts = await showAds(product, 3);
    await click(product, receipts.slice(0, 1));
    const page = await dashboard.openSignedIn(pageOf(id));
    await page.getByRole('button', { name: 'Export as CSV' }).click();
    const link = page.getByRole('link', { name: 'Download' });
    await link.waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(download.suggestedFilename()).toMatch(/\.csv$/);
    const [head, ...lines] = (await readFile(await download.path(), 'utf8')).trim().split(/\r?\n/);
    const columns = (head ?? '').split(',');
    expect(columns).toEqual(expect.arrayContaining(['impressions', 'clicks']));
    const sum = (name: string) =>
      lines.reduce((total, line) => total + Number(line.split(',')[columns.indexOf(name)]), 0);
    expect([sum('impressions'), sum('clicks')]).toEqual([3, 1]);
    expect(await faultsOf(page)).toEqual([]);
  });

  it('have statistics of their own, live, where one is chosen', async () => {
    const { product } = dashboard;
    const units = [{ headline: 'Shown' }, { headline: 'Elsewhere', size: '728x90' }];
    const id = await runCampaign(product, { advertiserId, accountId, name: 'Two units', price: 900, units });
    await showAds(product, 2);
    const page = await dashboard.openSignedIn(pageOf(id));
    const impressions = () =>
      page.evaluate(
        `[...document.querySelectorAll('[aria-label="Statistics"] dt')].find((one) => one.textContent === 'Impressions')?.nextSibling.textContent`,
      );
    await eventually(impressions).toBe('2');
    const choice = page.getByLabel('Ad unit', { exact: true });
    await choice.selectOption('Elsewhere, 728x90');
    await eventually(impressions).toBe('0');
    await choice.selectOption('Shown, 300x250');
    await eventually(impressions).toBe('2');
    await showAds(product, 1);
    await eventually(impressions).toBe('3');
    expect(await faultsOf(page)).toEqual([]);
  });
});
