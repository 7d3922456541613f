import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { logLine } from '../support/access-log.js';
import { describeInBrowser } from '../support/chromium.js';
import { eventually, figure, servePage, useDashboard } from '../support/dashboard.js';
import { holdOperation } from '../support/held-operation.js';

const HOST = 'field-notes.example';
const LINES = 20_000;

describeInBrowser('the traffic page', () => {
  const dashboard = useDashboard();
  let snippet = '';
  let site: Awaited<ReturnType<typeof servePage>>;
  beforeAll(async () => {
    site = await servePage(() => `<!doctype html><title>A page of the site</title><p>Hello</p>${snippet}`);
  });
  afterAll(() => site.close());

  it('guides a new user to a site and its snippet', async () => {
    const page = await dashboard.openSignedIn('/');
    await page.getByRole('heading', { name: 'Let’s count some traffic' }).waitFor();
    await page.getByLabel('Hostname').fill(HOST);
    await page.getByLabel('Origins that may send hits').fill(site.origin);
    await page.getByRole('button', { name: 'Register site' }).click();
    snippet = (await page.locator('pre').textContent()) ?? '';
    expect(snippet).toContain(`data-site="${HOST}"`);
    await page.getByRole('button', { name: 'Go to the chart' }).click();
    await page.getByRole('heading', { name: `Waiting for the first hit on ${HOST}` }).waitFor();
  });

  it('shows the first hit that the snippet sends from another origin, and updates live without a reload', async () => {
    const page = await dashboard.openSignedIn('/');
    await page.getByRole('heading', { name: `Waiting for the first hit on ${HOST}` }).waitFor();
    await page.evaluate('globalThis.sameDocument = true');

    const visitor = await page.context().newPage();
    await visitor.goto(`${site.origin}/hello`);
    await page.getByRole('button', { name: 'Page: /hello. Choose another' }).waitFor();
    await eventually(() => figure(page, 'In the chart')).toBe('1');
    await page.getByTitle('/hello: 1 hit, 100% of all listed hits').waitFor();
    await visitor.reload();
    await eventually(() => figure(page, 'In the chart')).toBe('2');
    await eventually(() => figure(page, 'Last 60 s')).toBe('2');
    expect(await page.evaluate('globalThis.sameDocument')).toBe(true);
  });

  it('shows the snippet of an additional site until it is closed, then its page', async () => {
    const page = await dashboard.openSignedIn(`/?site=${HOST}`);
    await register(page, 'second.example');
    const dialog = page.getByRole('dialog', { name: 'Count visits to second.example' });
    await dialog.waitFor();
    expect(await dialog.locator('pre').textContent()).toContain('data-site="second.example"');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('heading', { name: 'Waiting for the first hit on second.example' }).waitFor();
  });

  it('fills in the origins of an existing site that was stored without any', async () => {
    await dashboard.db
      .collection('sites')
      .updateOne({ _id: 'second.example' as never }, { $unset: { allowed_origins: '' } });
    const page = await dashboard.openSignedIn(`/?site=${HOST}`);
    await register(page, 'second.example');
    const dialog = page.getByRole('dialog', { name: 'Count visits to second.example' });
    expect(await dialog.getByLabel('Origins that may send hits').inputValue()).toBe('https://second.example');
    expect(await dialog.getByRole('button', { name: 'Save origins' }).isDisabled()).toBe(true);
  });

  it('retries when the server is busy', async () => {
    dashboard.expectErrors(/503/);
    const page = await dashboard.openSignedIn(`/?site=${HOST}`);
    let refused = 0;
    await page.route('**/graphql', async (route) => {
      if (refused === 2 || !route.request().postData()?.includes('RegisterSite')) return route.continue();
      refused += 1;
      const errors = [{ message: 'The server is overloaded', extensions: { code: 'SERVER_BUSY' } }];
      await route.fulfill({ status: 503, headers: { 'retry-after': '1' }, json: { errors } });
    });
    await register(page, 'third.example');
    await page.getByRole('dialog', { name: 'Count visits to third.example' }).waitFor();
    expect(refused).toBe(2);
  });

  it('shows a log from the moment it is dropped, even before it is in the list of imports', async () => {
    const site = 'fourth.example';
    await dashboard.product.request(
      `mutation ($hit: HitInput!) {
        registerSite(input: { host: "${site}", allowedOrigins: [] }) { __typename }
        recordHit(hit: $hit) { recorded }
      }`,
      { hit: { site, page: '/', at: new Date().toISOString() } },
    );
    const page = await dashboard.openSignedIn(`/?site=${site}`);
    await page.getByText('Nothing has been imported').waitFor();
    const letGo = await holdOperation(page, 'LogImports(');
    await drop(page, 'small.log', `${logLine({ at: Date.now() - 60_000, path: '/' })}\n`);
    await page.getByRole('status').filter({ hasText: 'Imported' }).waitFor();
    expect(await page.getByText('Nothing has been imported').count()).toBe(0);
    letGo();
    await page.getByText('1 line, 1 hit').waitFor();
    await eventually(() => page.getByText('small.log').count()).toBe(1);
    await drop(page, 'notes.txt', 'this is no log\n');
    await page.getByRole('status').filter({ hasText: 'Nothing imported' }).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('imports a dropped log, with progress, the chart and the rejected lines', async () => {
    const page = await dashboard.openSignedIn('/');
    const end = Date.now() - 3_600_000;
    const requests = Array.from({ length: LINES }, (_, index) => ({
      at: end - index * 1000, // over about five and a half hours
      path: index % 4 === 0 ? '/atlas' : `/notes/${index % 7}`,
      status: index % 10 === 1 ? 404 : 200, // never an even index: every request to /atlas is a hit
    }));
    const broken = ['this is no request', '203.0.113.9 - - [yesterday] "GET / HTTP/1.1" 200 1', '{"json": true}'];
    const lines = requests.map(logLine);
    lines.splice(5000, 0, ...broken);
    await drop(page, 'access.log', `${lines.join('\n')}\n`);

    await page.getByRole('progressbar').first().waitFor();
    await page
      .getByText(`${lines.length.toLocaleString('en')} lines, ${(LINES * 0.9).toLocaleString('en')} hits`)
      .waitFor();
    await page.getByRole('status').filter({ hasText: 'Imported' }).waitFor();

    await page.getByRole('button', { name: /^Page: / }).click();
    await page.getByRole('combobox', { name: 'Find a page' }).fill('atlas');
    await page.keyboard.press('Enter');
    await page.getByRole('radio', { name: 'Last 24 hours' }).click();
    await eventually(() => figure(page, 'In the chart')).toBe((LINES / 4).toLocaleString('en'));
    await page.getByRole('radio', { name: 'Table' }).click();
    const total = page.getByRole('row', { name: /^Total/ }).getByRole('cell');
    await eventually(() => total.textContent()).toBe((LINES / 4).toLocaleString('en'));

    await page.getByRole('button', { name: '3 rejected' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rejected lines of access.log' });
    await dialog.getByRole('row').nth(3).waitFor();
    expect(await dialog.locator('td code').allTextContents()).toEqual(broken);
  });

  it('undoes an import, also in the chart', async () => {
    const page = await dashboard.openSignedIn(`/?site=${HOST}&page=/atlas&last=P1D`);
    await eventually(() => figure(page, 'In the chart')).toBe((LINES / 4).toLocaleString('en'));
    await page.getByRole('button', { name: 'Undo the import of access.log' }).click();
    await page.getByRole('button', { name: 'Undo import', exact: true }).click();
    await page.getByRole('status').filter({ hasText: 'Undone' }).waitFor();
    await eventually(() => figure(page, 'In the chart')).toBe('0');
  });

  it('shows any time range, and returns to live', async () => {
    const page = await dashboard.openSignedIn(`/?site=${HOST}&page=/hello`);
    await eventually(() => figure(page, 'In the chart')).toBe('2');
    await page.getByRole('button', { name: 'Choose a time range' }).click();
    await page.getByLabel('From (UTC)').fill('2020-05-01T00:00');
    await page.getByLabel('To (UTC)').fill('2020-05-08T00:00');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await eventually(() => figure(page, 'In the chart')).toBe('0');
    expect(new URL(page.url()).searchParams.get('from')).toBe('2020-05-01T00:00Z');
    await page.getByRole('button', { name: 'Back to live' }).click();
    await eventually(() => figure(page, 'In the chart')).toBe('2');
  });

  it('names the day of the latest hits, even if the history is so long that it is shown by month', async () => {
    const days = [2, 1200].map((ago) => new Date(Date.now() - ago * 86_400_000));
    const hits = days.map((at) => ({ site: HOST, page: '/old', at: at.toISOString() }));
    await dashboard.product.request('mutation ($hits: [HitInput!]!) { recordHits(hits: $hits) { recorded } }', {
      hits,
    });
    const page = await dashboard.openSignedIn(`/?site=${HOST}&page=/old&last=PT1H`);
    const latest = days[0]?.toLocaleDateString('en-GB', {
      timeZone: 'UTC',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
    });
    await page.getByText(`The latest hits were on ${latest}.`).waitFor();
    await page.getByRole('button', { name: 'Show them' }).click();
    await eventually(() => figure(page, 'In the chart')).toBe('1');
  });
});

async function register(page: Page, host: string): Promise<void> {
  await page.getByRole('button', { name: /^Site: / }).click();
  await page.getByRole('menuitem', { name: 'Register a site…' }).click();
  await page.getByLabel('Hostname').fill(host);
  await page.getByRole('button', { name: 'Register site' }).click();
}

/** Drops a file as a user would with the pointer. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  const files = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}, { type: 'text/plain' }));
    return transfer;
  })()`);
  await page.getByRole('button', { name: 'Drop access logs here' }).dispatchEvent('drop', { dataTransfer: files });
}
