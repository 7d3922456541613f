/** The growth of the request log on the dashboard: its state, the preview of a change and the change, by keyboard. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { addAccount } from '../support/accounts.js';
import { faultsOf } from '../support/axe.js';
import { describeInBrowser } from '../support/chromium.js';
import { useDashboard } from '../support/dashboard.js';
import { enter, press } from '../support/keyboard.js';

const DAY_MS = 86_400_000;

describeInBrowser('the growth page', () => {
  const dashboard = useDashboard();

  it('previews a change and applies nothing until it is confirmed', async () => {
    const times = [0.5, 40, 50].map((days) => new Date(Date.now() - days * DAY_MS).toISOString());
    const answer = await dashboard.product.request(
      `mutation ($events: [LogEventInput!]!) {
        registerSite(input: { host: "field-notes.example", allowedOrigins: [] }) { __typename }
        recordEvents(events: $events) { inserted }
      }`,
      { events: times.map((time) => ({ site: 'field-notes.example', time, host: '203.0.113.7', status: 200 })) },
    );
    expect(answer.data).toMatchObject({ recordEvents: { inserted: times.length } });

    const page = await dashboard.openSignedIn('/traffic/growth');
    await collections(page).getByText('3 requests').waitFor();
    await choose(page, /^Up to an age/);
    await enter(page, 'Age limit', '30');
    await press(page, 'button', 'Preview the change');
    await page.getByText('the database removes each request 30 days after its time').waitFor();
    await page.getByText('2 requests fall outside the limits').waitFor();
    expect.soft(await faultsOf(page)).toEqual([]);
    await press(page, 'button', 'Cancel');
    await page.getByRole('region', { name: 'What will change' }).waitFor({ state: 'detached' });
    expect(await growth()).toEqual({ strategy: 'UNBOUNDED', collections: [{ events: 3, isActive: true }] });
  });

  it('shows an applied change on all open pages, and offers changes to administrators only', async () => {
    const editor = await addAccount(dashboard.product, 'Ann', ['EDITOR']);
    const watching = await dashboard.openSignedIn('/traffic/growth', editor);
    await watching.getByText('An administrator can change what is kept').waitFor();
    await collections(watching).getByText('3 requests').waitFor();

    const page = await dashboard.openSignedIn('/traffic/growth');
    await choose(page, /^Collection by collection/);
    await enter(page, 'Age limit', '60');
    await enter(page, 'Number of parts', '6');
    await press(page, 'button', 'Preview the change');
    await page.getByText('No stored request will be removed.').waitFor();
    await press(page, 'button', 'Apply');
    await page.getByText('Done. The log now uses the strategy “Collection by collection”.').waitFor();

    for (const each of [page, watching]) {
      const active = collections(each).getByRole('listitem').filter({ hasText: 'takes new requests' });
      await active.getByText('0 requests').waitFor();
      await each.getByText('the last 60 d, in 6 parts').waitFor();
      await collections(each).getByText('3 requests').waitFor();
    }
    expect.soft(await faultsOf(watching)).toEqual([]);
    expect(await growth()).toEqual({
      strategy: 'ROTATED_COLLECTIONS',
      collections: [
        { events: 0, isActive: true },
        { events: 3, isActive: false },
      ],
    });
  });

  it('shows why a limit is refused', async () => {
    const page = await dashboard.openSignedIn('/traffic/growth');
    await choose(page, /^Collection by collection/);
    await enter(page, 'Age limit', '1');
    await page.getByLabel('Age unit').selectOption('hours');
    await enter(page, 'Number of parts', '50');
    await press(page, 'button', 'Preview the change');
    await page.getByText('The collections must be few enough for each to be active for at least 10 minutes').waitFor();
  });

  async function growth(): Promise<unknown> {
    const { data } = await dashboard.product.request<{ logGrowth: unknown }>(
      '{ logGrowth { strategy collections { events isActive } } }',
    );
    return data?.logGrowth;
  }
});

const collections = (page: Page) => page.getByRole('list', { name: 'Collections of the log' });

/** Moves through the options with the arrow keys. */
async function choose(page: Page, name: RegExp): Promise<void> {
  const choice = page.getByRole('radio', { name });
  await page.getByRole('radio', { checked: true }).focus();
  for (let presses = 0; presses < 6 && !(await choice.isChecked()); presses += 1)
    await page.keyboard.press('ArrowDown');
  expect(await choice.isChecked()).toBe(true);
}
