/** The dashboard's zones: the dry run of a decision, and how far a campaign with an even pace is. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { addAdvertiser, addZone, openPurse, openZone, registerSite, runCampaign, SITE, ZONE } from '../support/ads.js';
import { faultsOf } from '../support/axe.js';
import { describeInBrowser } from '../support/chromium.js';
import { eventually, figure, useDashboard } from '../support/dashboard.js';
import { ask } from '../support/narrow-pages.js';
import { MONEY } from '../support/shop.js';

const DAY_MS = 86_400_000;
const fromNow = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

/** The row of the dry run's table. */
const row = (page: Page, campaign: string) =>
  page.getByRole('table', { name: 'Considered ads' }).getByRole('row').filter({ hasText: campaign });

describeInBrowser('the zones of the dashboard', () => {
  const dashboard = useDashboard();
  let advertiser: { advertiserId: string; accountId: string };

  beforeAll(async () => {
    const { product } = dashboard;
    await openZone(product, 'KEYWORDS');
    advertiser = {
      advertiserId: await addAdvertiser(product, 'Anna’s Tea'),
      accountId: await openPurse(product, 'Advertising', 100_000),
    };
  });

  it('tell what a visitor would see on a page about something, and why not the others', async () => {
    const { product } = dashboard;
    const keywords = [{ keyword: 'Winter tea', bid: MONEY(900) }];
    await runCampaign(product, { ...advertiser, name: 'Teas', units: [{ keywords }] });
    const once = { caps: [{ count: 1, period: 'P1D' }] };
    await runCampaign(product, { ...advertiser, name: 'Rare', price: 600, more: once });
    const decide = `query ($site: String!, $zone: String!, $visitor: String) {
      decideAds(site: $site, zone: $zone, visitor: $visitor) { visitor ads { receipt } }
    }`;
    const decided = async (visitor: string | null) =>
      (
        await ask<{ decideAds: { visitor: string; ads: { receipt: string }[] } }>(product, decide, {
          site: SITE,
          zone: ZONE,
          visitor,
        })
      ).decideAds;
    const { visitor } = await decided(null);

    const page = await dashboard.openSignedIn(`/ads/zones?site=${SITE}&zone=${ZONE}`);
    const question = async (who: string, about: string) => {
      await page.getByLabel('Visitor', { exact: true }).fill(who);
      await page.getByLabel('Keywords of the page').fill(about);
      await page.getByRole('button', { name: 'Decide' }).click();
    };
    await question('', '');
    await row(page, 'Teas').getByText('Shown', { exact: true }).waitFor();
    await row(page, 'Rare').getByText('It has frequency caps, and the visitor is unknown').waitFor();
    await question(visitor, '');
    await row(page, 'Rare').getByText('Shown', { exact: true }).waitFor();
    await row(page, 'Teas').getByText('Outscored', { exact: true }).waitFor();
    await question(visitor, 'cups, WINTER tea');
    await row(page, 'Teas')
      .getByText(/^Shown: score .*, matched winter tea$/)
      .waitFor();
    expect(await row(page, 'Teas').getByText('€9.00').count()).toBe(1);

    const receipts = (await decided(visitor)).ads.map(({ receipt }) => receipt);
    await ask(product, 'mutation ($receipts: [String!]!) { recordImpressions(receipts: $receipts) { recorded } }', {
      receipts,
    });
    await question(visitor, '');
    await row(page, 'Rare').getByText('The visitor has seen it as often as its frequency caps allow').waitFor();
    await question('forged', '');
    await row(page, 'Rare').getByText('Visitor unknown', { exact: true }).waitFor();
  });

  it('name the keyword that cannot be asked for', async () => {
    const page = await dashboard.openSignedIn(`/ads/zones?site=${SITE}&zone=${ZONE}`);
    await page.getByLabel('Keywords of the page').fill(`tea, ${'x'.repeat(60)}`);
    await page.getByRole('button', { name: 'Decide' }).click();
    await page.getByText('Keyword 2 must have 1 to 50 characters').waitFor();
  });

  it('are first those of a site that has some', async () => {
    await registerSite(dashboard.product, 'aaa.example');
    const page = await dashboard.openSignedIn('/ads/zones');
    await page.getByRole('heading', { name: `${SITE}/${ZONE}` }).waitFor();
    expect(await page.getByLabel('Site').inputValue()).toBe(SITE);
  });

  it('bring the chosen one into view, and mark it in the list', async () => {
    for (let n = 10; n < 35; n += 1) await addZone(dashboard.product, SITE, `zone-${n}`);
    const page = await dashboard.openSignedIn(`/ads/zones?site=${SITE}`);
    const link = page.getByRole('link', { name: 'zone-34' });
    const colorOf = () =>
      page.evaluate(
        'getComputedStyle(document.querySelector(`a[href$="zone=zone-34"]`).closest("tr")).backgroundColor',
      );
    await link.waitFor();
    const before = await colorOf();
    await link.click();
    const heading = page.getByRole('heading', { name: `${SITE}/zone-34` });
    const half = (page.viewportSize()?.height ?? 0) / 2;
    await eventually(async () => {
      const box = await heading.boundingBox();
      return box !== null && box.y > 0 && box.y < half;
    }).toBe(true);
    expect(await colorOf()).not.toBe(before);
  });

  it('show what they decide, show and earn as it happens, and export it', async () => {
    const { product } = dashboard;
    const zone = 'window';
    await addZone(product, SITE, zone, {});
    await runCampaign(product, { ...advertiser, name: 'Kettles', price: 200_000, zone });
    const page = await dashboard.openSignedIn(`/ads/zones?site=${SITE}&zone=${zone}`);
    await page.getByText('Nothing in the last 24 hours').waitFor();
    const decide = `query ($zone: String!) { decideAds(site: "${SITE}", zone: $zone) { ads { receipt } } }`;
    const { decideAds } = await ask<{ decideAds: { ads: { receipt: string }[] } }>(product, decide, { zone });
    const receipts = decideAds.ads.map(({ receipt }) => receipt);
    await ask(product, 'mutation ($receipts: [String!]!) { recordImpressions(receipts: $receipts) { recorded } }', {
      receipts,
    });
    await eventually(() => figure(page, 'Impressions')).toBe('1');
    await eventually(() => figure(page, 'Decisions')).toBe('1');
    expect(await figure(page, 'Earned')).toBe('€2.00');
    await page.getByRole('radio', { name: 'Earned' }).click();
    await page.getByRole('group', { name: '€2.00 earned in the last 24 hours, by hour' }).waitFor();
    await page.getByRole('button', { name: 'Export as CSV' }).click();
    await page.getByRole('link', { name: 'Download' }).waitFor();
    await page.getByText('1 line').waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });

  it('say that the shop shows one of another site only there', async () => {
    await addZone(dashboard.product, SITE, 'counter', { inShop: true });
    const page = await dashboard.openSignedIn(`/ads/zones?site=${SITE}&zone=counter`);
    await page.getByText(`The shop shows it only at ${SITE}. This address is ${new URL(dashboard.url).host}`).waitFor();
  });

  it('show a campaign with an even pace where it should be by now, and its share of the decisions', async () => {
    const { product, db } = dashboard;
    const halfWay = { pacing: 'EVEN', flight: { from: fromNow(-10), to: fromNow(10) } };
    const id = await runCampaign(product, { ...advertiser, name: 'Steady', price: 2000, budget: 8000, more: halfWay });
    // An even pace begins with the start.
    await db.collection('ad.campaigns').updateOne({ name: 'Steady' }, { $set: { started_at: new Date(fromNow(-10)) } });
    const page = await dashboard.openSignedIn(`/ads/campaign/${encodeURIComponent(id)}`);
    await page.getByRole('heading', { name: /^Steady/ }).waitFor();
    expect(await figure(page, 'Expected by now')).toBe('€40.00');
    expect(await figure(page, 'Spent')).toBe('€0.00');
    await page.getByRole('img', { name: /an even pace would have spent €40\.00/ }).waitFor();
    await page.getByText(/Its ads take part in \d+(\.\d+)? ?% of the decisions/).waitFor();
  });
});
