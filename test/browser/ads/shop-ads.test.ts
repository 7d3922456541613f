/** The shop's zone for ads: on which pages it is, what they are about, and that a shop without one asks for none. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { addAdvertiser, addZone, openPurse, READER, registerSite, runCampaign } from '../support/ads.js';
import { faultsOf } from '../support/axe.js';
import { describeInBrowser } from '../support/chromium.js';
import { eventually, useDashboard } from '../support/dashboard.js';
import { fillShelves } from '../support/shop.js';

const reader = { userAgent: READER };

describeInBrowser('the shop', () => {
  const dashboard = useDashboard();
  beforeAll(() => fillShelves(dashboard.product));

  const seen = () => dashboard.db.collection<{ _id: string }>('ad.receipts').countDocuments({ _id: /\/i$/ });
  const place = (page: Page) => page.getByRole('region', { name: 'Advertisement' });

  /** The shop's zone has this size, and a campaign of the name shows one ad there. */
  async function fillZone(name: string, unit: { readonly size: string } & Readonly<Record<string, unknown>>) {
    const { product, url } = dashboard;
    const { host } = new URL(url);
    await addZone(product, host, 'shop', { size: unit.size, design: 'KEYWORDS', inShop: true });
    const advertiserId = await addAdvertiser(product, name);
    const accountId = await openPurse(product, name, 100_000);
    await runCampaign(product, { advertiserId, accountId, site: host, zone: 'shop', name, units: [unit] });
  }

  it('shows no ads and loads no script while it has no zone', async () => {
    await registerSite(dashboard.product, new URL(dashboard.url).host, [dashboard.url]);
    await addZone(dashboard.product, new URL(dashboard.url).host, 'elsewhere');
    const page = await dashboard.open('/shop/p/CD-1', reader);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await page.reload({ waitUntil: 'networkidle' });
    await page.getByRole('heading', { level: 1, name: 'Kind of Blue' }).waitFor();
    expect(await place(page).count()).toBe(0);
    expect(requests.filter((path) => path.startsWith('/ads'))).toEqual([]);
  });

  it('fills its zone on each page with an ad for what the page is about, and counts it', async () => {
    const { product, url } = dashboard;
    const { host } = new URL(url);
    const page = await dashboard.openSignedIn(`/ads/zones?site=${host}`);
    await page.getByRole('button', { name: 'New zone' }).click();
    await page.getByLabel('Name').fill('shop');
    await page.getByRole('radio', { name: /^Keywords/ }).click();
    await page.getByLabel('Shown on').selectOption('The shop');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'shop', exact: true }).waitFor();

    const advertiserId = await addAdvertiser(product, 'Anna’s');
    const accountId = await openPurse(product, 'Anna', 100_000);
    const campaign = { advertiserId, accountId, site: host, zone: 'shop' };
    const bid = { amount: 5000, currency: 'EUR' };
    await runCampaign(product, { ...campaign, name: 'Turntables', units: [{ keywords: [{ keyword: 'jazz', bid }] }] });
    await runCampaign(product, { ...campaign, name: 'Spades', price: 1000 });

    const shop = await dashboard.open('/shop', reader);
    await place(shop).getByRole('link', { name: 'The ad of Spades' }).waitFor();
    const before = await seen();
    const asked = shop.waitForRequest(/ads\/decide/);
    await shop
      .getByRole('link', { name: /Kind of Blue/ })
      .first()
      .click();
    const ad = place(shop).getByRole('link', { name: 'The ad of Turntables' });
    await ad.waitFor();
    expect(JSON.parse((await asked).postData() ?? '')).toMatchObject({
      site: host,
      zone: 'shop',
      keywords: ['Jazz', 'Music', 'Miles Davis'],
    });
    await place(shop).getByText('Ad · Anna’s').click();
    await place(shop).getByText('because this page is about jazz').waitFor();
    await ad.scrollIntoViewIfNeeded();
    await eventually(seen).toBeGreaterThan(before);
    expect(await faultsOf(shop)).toEqual([]);
    await shop.getByRole('link', { name: 'Music', exact: true }).first().click();
    await shop.getByRole('heading', { level: 1, name: 'Music' }).waitFor();
    await place(shop).getByRole('link', { name: 'The ad of Spades' }).waitFor();
    expect(await place(shop).count()).toBe(1);
  });

  it('keeps within the width of a phone, however wide its zone is', async () => {
    await fillZone('Wide', { size: '728x90' });
    const page = await dashboard.open('/shop', { ...reader, viewport: { width: 390, height: 844 } });
    await place(page).getByRole('link', { name: 'The ad of Wide' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });

  it('shows the price of a product whole, also where there is room for little else', async () => {
    const text = 'Recorded in two sessions, and still played.';
    await fillZone('Low', { size: '320x50', sku: 'CD-1', headline: 'Kind of Blue', text });
    const page = await dashboard.open('/shop', reader);
    const price = place(page).getByText(/^€/);
    await price.waitFor();
    const [zone, shown] = [await place(page).boundingBox(), await price.boundingBox()];
    if (!zone || !shown) throw new Error('The ad is not shown');
    expect(shown.y + shown.height).toBeLessThanOrEqual(zone.y + zone.height);
  });

  it('takes the zone away when it is for the shop no more', async () => {
    const { host } = new URL(dashboard.url);
    const page = await dashboard.openSignedIn(`/ads/zones?site=${host}`);
    await page.getByRole('button', { name: 'Change the zone shop' }).click();
    await eventually(() => page.getByLabel('Shown on').inputValue()).toBe('shop');
    await page.getByLabel('Shown on').selectOption('Pages with its snippet');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.goto(`${dashboard.url}/shop/p/CD-1`, { waitUntil: 'networkidle' });
    await page.getByRole('heading', { level: 1, name: 'Kind of Blue' }).waitFor();
    expect(await place(page).count()).toBe(0);
  });
});
