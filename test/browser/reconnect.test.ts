import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import type { Product } from '../../harness/product.js';
import { describeInBrowser } from './support/chromium.js';
import { eventually, figure, useDashboard } from './support/dashboard.js';

const HOST = 'field-notes.example';

describeInBrowser('a page whose server is restarted', () => {
  const dashboard = useDashboard();
  let other: Product;
  const hit = async (through: Product, count: number) => {
    const hits = Array.from({ length: count }, () => ({ site: HOST, page: '/' }));
    const answer = await through.request<{ recordHits: { recorded: number } }>(
      'mutation ($hits: [HitInput!]!) { recordHits(hits: $hits) { recorded } }',
      { hits },
    );
    expect(answer.data).toEqual({ recordHits: { recorded: count } });
  };
  beforeAll(async () => {
    const answer = await dashboard.product.request(
      `mutation { registerSite(input: { host: "${HOST}", allowedOrigins: [] }) { __typename } }`,
    );
    expect(answer.data).toEqual({ registerSite: { __typename: 'Site' } });
    other = await dashboard.startAnother();
  });

  it('shows the status, then catches up on missed changes without a new snapshot or duplicates', async () => {
    await hit(dashboard.product, 5);
    const page = await dashboard.openSignedIn(`/?site=${HOST}&page=/`);
    await eventually(() => figure(page, 'In the chart')).toBe('5');
    const mark = page.getByRole('banner').getByRole('status');
    expect(await mark.textContent()).toBe('Live');
    await hit(dashboard.product, 2);
    await eventually(() => figure(page, 'In the chart')).toBe('7');
    const events = chartEvents(page);

    await dashboard.stop();
    await eventually(() => mark.textContent()).toBe('Offline');
    await hit(other, 4); // by another process: the changes to catch up on
    expect(await figure(page, 'In the chart')).toBe('7');

    await dashboard.restart();
    await eventually(() => figure(page, 'In the chart')).toBe('11');
    await eventually(() => mark.textContent()).toBe('Live');
    await hit(dashboard.product, 1);
    await eventually(() => figure(page, 'In the chart')).toBe('12');

    const types = new Set(events.map(({ type }) => type));
    expect([...types]).toEqual(['HitChartChange']); // changes, and no snapshot
    for (const id of new Set(events.map(({ subscription }) => subscription))) {
      const cursors = events.filter(({ subscription }) => subscription === id).map(({ cursor }) => cursor);
      expect(new Set(cursors).size).toBe(cursors.length);
    }
  });

  it('retries queries that failed while it was unreachable', async () => {
    const page = await dashboard.openSignedIn('/system/shards?of=SESSIONS');
    await page.getByText('No sessions yet').waitFor();
    await dashboard.stop();
    await page.getByRole('radio', { name: 'Products' }).click();
    await page.getByText('The server cannot be reached.').waitFor();
    await dashboard.restart();
    await page.getByText('The catalog is empty').waitFor();
    await eventually(() => page.getByText('The server cannot be reached.').count()).toBe(0);
  });

  it('shows one notice for the whole page, and no failures of its cards', async () => {
    const page = await dashboard.openSignedIn(`/?site=${HOST}&page=/`);
    await page.getByText('Nothing has been imported yet').waitFor();
    const failed = (operation: string) =>
      page.waitForEvent('requestfailed', (request) => request.postData()?.includes(operation) ?? false);
    const failures = Promise.all([failed('query TopPages'), failed('query LogImports')]);
    await dashboard.stop();
    await page.getByRole('radio', { name: 'Last 26 weeks' }).click();
    await failures;
    const notice = page.getByText('The server cannot be reached.');
    await notice.waitFor();
    expect(await notice.count()).toBe(1);
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await dashboard.restart();
    await page.getByTitle(/^\/: 12 hits, 100% of all/).waitFor(); // the top pages of the longer range
    await eventually(() => notice.count()).toBe(0);
  });
});

interface ChartEvent {
  readonly subscription: string;
  readonly type: string;
  readonly cursor: string;
}

/** The chart events received over sockets that are opened from now on. */
function chartEvents(page: Page): ChartEvent[] {
  const events: ChartEvent[] = [];
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      const message = JSON.parse(String(payload)) as {
        id: string;
        payload?: { data?: { hitChartChanged?: { __typename: string; cursor: string } } };
      };
      const event = message.payload?.data?.hitChartChanged;
      if (event) events.push({ subscription: message.id, type: event.__typename, cursor: event.cursor });
    });
  });
  return events;
}
