/** The request log on the dashboard: a list that is longer than what is kept in memory. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { faultsOf } from '../support/axe.js';
import { describeInBrowser } from '../support/chromium.js';
import { eventually, useDashboard } from '../support/dashboard.js';

const HOST = 'field-notes.example';
const REQUESTS = 4000;
const NEWEST = Date.now() - 3_600_000;

describeInBrowser('the requests page', () => {
  const dashboard = useDashboard();
  const record = async (events: readonly object[]) => {
    const answer = await dashboard.product.request(
      'mutation ($events: [LogEventInput!]!) { recordEvents(events: $events) { inserted } }',
      { events },
    );
    expect(answer.data).toEqual({ recordEvents: { inserted: events.length } });
  };
  /** Request 0 is the newest. Every tenth has status 404. */
  const request = (number: number) => ({
    site: HOST,
    time: new Date(NEWEST - number * 1000).toISOString(),
    host: `203.0.113.${number % 250}`,
    method: 'GET',
    path: `/notes/${number}`,
    status: number % 10 === 9 ? 404 : 200,
    bytes: 2048,
    userAgent: `Reader/${number}`,
  });
  beforeAll(async () => {
    const registered = await dashboard.product.request(
      `mutation { registerSite(input: { host: "${HOST}", allowedOrigins: [] }) { __typename } }`,
    );
    expect(registered.data).toEqual({ registerSite: { __typename: 'Site' } });
  });

  it('explains how to add requests while there are none', async () => {
    const page = await dashboard.openSignedIn('/traffic/requests');
    await page.getByText(`No requests to ${HOST} yet`).waitFor();
    expect.soft(await faultsOf(page)).toEqual([]);
  });

  it('scrolls through all requests, newest first, and refetches the pages it dropped', async () => {
    for (let from = 0; from < REQUESTS; from += 1000) {
      await record(Array.from({ length: 1000 }, (_, index) => request(from + index)));
    }
    const page = await dashboard.openSignedIn(`/traffic/requests?site=${HOST}`);
    const asked = cursorsAsked(page);
    await row(page, 0).getByText('/notes/0', { exact: true }).waitFor();
    await grid(page).focus();
    let known = 0;
    while (known < REQUESTS) {
      await page.keyboard.press('End');
      await eventually(() => page.getByText(/^\d.* of /).textContent()).not.toContain(
        ` of ${known.toLocaleString('en')} `,
      );
      known = Number(/ of ([\d,]+)/.exec((await place(page)) ?? '')?.[1]?.replaceAll(',', ''));
    }
    await page.keyboard.press('End');
    await row(page, REQUESTS - 1)
      .getByText(`/notes/${REQUESTS - 1}`, { exact: true })
      .waitFor();
    expect(await place(page)).toMatch(/–4,000 of 4,000 /);
    expect(await page.getByRole('row').count()).toBeLessThan(80);
    expect(new Set(asked).size).toBe(asked.length); // so far, each page was fetched only once

    await page.keyboard.press('Home');
    await row(page, 0).getByText('/notes/0', { exact: true }).waitFor();
    for (let row = 0; row < 30; row += 1) await page.keyboard.press('PageDown');
    await page
      .getByRole('row', { selected: true })
      .getByText(/^\/notes\/\d+$/)
      .waitFor();
    const selected = page.getByRole('row', { selected: true });
    const number = Number(await selected.getAttribute('aria-rowindex')) - 2;
    expect(await selected.getByRole('gridcell').nth(3).textContent()).toBe(`/notes/${number}`);
    expect(new Set(asked).size).toBeLessThan(asked.length); // dropped, and fetched again
  });

  it('opens a request with Enter, and filters by one of its values', async () => {
    const page = await dashboard.openSignedIn(`/traffic/requests?site=${HOST}`);
    await row(page, 0).getByText('/notes/0', { exact: true }).waitFor();
    expect.soft(await faultsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await grid(page).focus();
    for (let presses = 0; presses < 10; presses += 1) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Request' });
    await dialog.getByText('Reader/9', { exact: true }).waitFor();
    expect.soft(await faultsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await grid(page).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'with this status' }).click();
    await row(page, 399).waitFor({ state: 'detached' });
    await page.getByText(/ of 400 /).waitFor();
    expect(new URL(page.url()).searchParams.get('status')).toBe('404');
  });

  it('filters as the user types, shows the query plan, and clears the filters', async () => {
    const page = await dashboard.openSignedIn(`/traffic/requests?site=${HOST}`);
    await page.getByLabel('Client').fill('203.0.113.9');
    await page.getByText('1–16 of 16').waitFor();
    expect(new URL(page.url()).searchParams.get('host')).toBe('203.0.113.9');
    await page.getByText('How the database finds them').click();
    const stages = page.getByRole('list', { name: 'Stages, from source to result' });
    expect(await stages.locator('code').textContent()).toBe('site_1_host_1_time_1__id_1');
    await page.getByLabel('Client').fill('');
    await page.getByLabel('Status').fill('4xx');
    await page.getByText(/ of 400 /).waitFor();
    await page.getByLabel('Status').fill('4zz');
    await page.getByText('Enter three digits, or a class such as 4xx.').waitFor();
    await page.getByText(/ read so far/).waitFor(); // the list stays
    await page.getByLabel('Status').fill('');
    await page.getByLabel('Path').fill('/nowhere');
    await page.getByText('No matching requests').waitFor();
    await page.getByRole('region', { name: 'Requests' }).getByRole('button', { name: 'Show all' }).click();
    await page.getByText('read so far').waitFor();
    expect(await page.getByLabel('Client').inputValue()).toBe('');
  });

  it('offers to show newer requests', async () => {
    const page = await dashboard.openSignedIn('/');
    await page.clock.install(); // it polls every ten seconds
    await page.goto(`${dashboard.url}/traffic/requests?site=${HOST}`);
    await row(page, 0).getByText('/notes/0', { exact: true }).waitFor();
    await record([{ ...request(0), time: new Date().toISOString(), path: '/new' }]);
    await page.clock.fastForward(10_000);
    await page.getByRole('button', { name: 'Show newer requests' }).click();
    await row(page, 0).getByText('/new', { exact: true }).waitFor();
  });

  it('shows an error when the server is unreachable, and continues when it is back', async () => {
    const page = await dashboard.openSignedIn(`/traffic/requests?site=${HOST}`);
    await page.getByText('of 800 read so far').waitFor();
    await dashboard.stop();
    await grid(page).focus();
    await page.keyboard.press('End');
    await page.getByText('The server cannot be reached.').waitFor();
    await dashboard.restart();
    await page.getByText('of 1,400 read so far').waitFor();
    expect(await page.getByText('The server cannot be reached.').count()).toBe(0);
  });
});

const grid = (page: Page) => page.getByRole('grid', { name: 'Requests, newest first' });
const row = (page: Page, index: number) => page.locator(`#request-${index}`);
const place = (page: Page) => page.getByText(/^\d.* of [\d,]+/).textContent();

/** The cursors of the pages that are fetched from now on. */
function cursorsAsked(page: Page): unknown[] {
  const cursors: unknown[] = [];
  page.on('request', (request) => {
    const { query, variables } = JSON.parse(request.postData() ?? '{}') as {
      query?: string;
      variables?: { first: number; after?: string };
    };
    if (query?.includes('query Events') && variables?.first !== 1) cursors.push(variables?.after ?? null);
  });
  return cursors;
}
