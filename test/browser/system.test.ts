import { expect, it } from 'vitest';
import { faultsOf } from './support/axe.js';
import { describeInBrowser } from './support/chromium.js';
import { useDashboard } from './support/dashboard.js';

const HOST = 'field-notes.example';

describeInBrowser('the system page', () => {
  const dashboard = useDashboard();

  it('shows storage, the use of each index, and the plan of a log query', async () => {
    const event = { site: HOST, time: '2026-01-31T08:15:00.000Z', host: '203.0.113.7', path: '/atlas', status: 200 };
    const answer = await dashboard.product.request(
      `mutation ($events: [LogEventInput!]!) {
        registerSite(input: { host: "${HOST}", allowedOrigins: [] }) { __typename }
        recordEvents(events: $events) { inserted }
      }`,
      { events: [event] },
    );
    expect(answer.data).toMatchObject({ recordEvents: { inserted: 1 } });

    const page = await dashboard.openSignedIn('/system');
    await page.getByRole('heading', { name: 'Storage' }).waitFor();
    await page.getByRole('button', { name: 'log.events' }).click();
    await page.getByRole('list', { name: 'Indexes of log.events' }).getByText('_id_', { exact: true }).waitFor();

    await page.getByLabel('Filter by').selectOption('path');
    await page.getByLabel('Which path').fill('/atlas');
    await page.getByRole('button', { name: 'Explain' }).click();
    const stages = page.getByRole('list', { name: 'Stages, from source to result' });
    await stages.getByText('IXSCAN').waitFor();
    expect(await stages.locator('code').textContent()).toBe('site_1_path_1_time_1__id_1');
    expect(await page.getByRole('definition').last().textContent()).toBe('1');
  });

  it('compares shard keys for the log, recommends one, and shows what to do while there is no data', async () => {
    const lines = Array.from({ length: 300 }, (_, index) => ({
      site: HOST,
      time: new Date(Date.UTC(2026, 0, 30) + index * 60_000).toISOString(),
      host: '203.0.113.7',
      path: index % 3 === 0 ? `/${index}` : '/popular',
      status: 200,
    }));
    await dashboard.product.request(
      'mutation ($events: [LogEventInput!]!) { recordEvents(events: $events) { inserted } }',
      {
        events: lines,
      },
    );
    const page = await dashboard.openSignedIn('/system');
    await page.getByRole('navigation', { name: 'System' }).getByRole('link', { name: 'Shard advice' }).click();
    const recommendation = page.getByRole('region', { name: 'Recommendation' });
    await recommendation.getByText('Use this key').waitFor();
    await page.getByRole('region', { name: '{time: 1}', exact: true }).getByText('hottest: shard 0, 100%').waitFor();
    await page.getByLabel('Shards').selectOption('3');
    await recommendation.getByText('of 3 shards on average').waitFor();
    expect(new URL(page.url()).searchParams.get('shards')).toBe('3');
    expect.soft(await faultsOf(page)).toEqual([]);

    await page.getByRole('radio', { name: 'Sessions' }).click();
    await page.getByText('No sessions yet').waitFor();
    expect.soft(await faultsOf(page)).toEqual([]);
  });
});
