/**
 * The sign-in, traffic, system and GraphiQL pages and their dialogs, checked by axe-core: WCAG 2.2 A and AA and best
 * practices, light and dark, wide and narrow. The files next to this one check the people, shop and storefront pages.
 */
import { expect, it } from 'vitest';
import { logLine } from '../support/access-log.js';
import { faultsOf } from '../support/axe.js';
import { describeInBrowser } from '../support/chromium.js';
import { useDashboard } from '../support/dashboard.js';

const HOST = 'field-notes.example';
describeInBrowser('axe-core on the dashboard', () => {
  const dashboard = useDashboard();

  it('finds no violations in the sign-in page, also after a wrong password', async () => {
    const page = await dashboard.open('/');
    await page.getByLabel('Email').waitFor();
    expect.soft(await faultsOf(page)).toEqual([]);
    await page.getByLabel('Email').fill('nobody@example.org');
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    expect.soft(await faultsOf(page)).toEqual([]);
  });

  it('finds no violations in the first steps, and while waiting for the first hit', async () => {
    const page = await dashboard.openSignedIn('/');
    await page.getByLabel('Hostname').waitFor();
    expect.soft(await faultsOf(page)).toEqual([]);
    await page.getByLabel('Hostname').fill(HOST);
    await page.getByRole('button', { name: 'Register site' }).click();
    await page.locator('pre').waitFor();
    expect.soft(await faultsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Go to the chart' }).click();
    await page.getByRole('heading', { name: `Waiting for the first hit on ${HOST}` }).waitFor();
    expect.soft(await faultsOf(page)).toEqual([]);
  });

  it('finds no violations in the traffic page: the chart, the table, the dialogs', async () => {
    await importLog();
    const page = await dashboard.openSignedIn(`/?site=${HOST}&page=/atlas&last=P1D`);
    await page.getByRole('button', { name: '1 rejected' }).waitFor();
    expect.soft(await faultsOf(page)).toEqual([]);
    await page.getByRole('radio', { name: 'Table' }).click();
    await page.getByRole('row', { name: /^Total/ }).waitFor();
    expect.soft(await faultsOf(page)).toEqual([]);
    await page.getByRole('button', { name: /^Page: / }).click();
    await page.getByRole('combobox', { name: 'Find a page' }).waitFor();
    expect.soft(await faultsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Choose a time range' }).click();
    await page.getByLabel('From (UTC)').waitFor();
    expect.soft(await faultsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: '1 rejected' }).click();
    await page.getByRole('dialog', { name: 'Rejected lines of access.log' }).getByRole('row').nth(1).waitFor();
    expect.soft(await faultsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Signed in as Administrator' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    expect.soft(await faultsOf(page)).toEqual([]);
  });

  it('finds no violations in the system page: the figures, the indexes, a query plan', async () => {
    const page = await dashboard.openSignedIn('/system');
    await page.getByRole('button', { name: 'log.events' }).click();
    await page.getByRole('list', { name: 'Indexes of log.events' }).waitFor();
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByRole('list', { name: 'Stages, from source to result' }).waitFor();
    expect.soft(await faultsOf(page)).toEqual([]);
  });

  it('finds no violations in a page that does not exist', async () => {
    const page = await dashboard.openSignedIn('/nowhere');
    await page.getByText('Page not found').waitFor();
    expect.soft(await faultsOf(page)).toEqual([]);
  });

  it('finds no violations in the frame of GraphiQL', async () => {
    const page = await dashboard.openSignedIn('/graphiql');
    await page.locator('.graphiql-tab-button').first().waitFor();
    expect.soft(await faultsOf(page)).toEqual([]);
  });

  /** Imports a log with two pages and one invalid line, and waits until it is finished. */
  async function importLog(): Promise<void> {
    const now = Date.now();
    const lines = ['/atlas', '/atlas', '/notes'].map((path, hour) =>
      logLine({ at: now - (hour + 1) * 3_600_000, path }),
    );
    const file = new File([`${[...lines, 'this is no request'].join('\n')}\n`], 'access.log');
    const { product } = dashboard;
    const answer = await product.upload<{ importLog: { id: string } }>(
      'mutation ($file: Upload!, $input: ImportLogInput!) { importLog(file: $file, input: $input) { ... on LogImport { id } } }',
      { input: { site: HOST } },
      file,
    );
    const follow = 'subscription ($id: ID!) { logImportChanged(id: $id) { import { state } } }';
    const changes = product.subscribe<{ logImportChanged: { import: { state: string } } }>(
      follow,
      answer.data?.importLog,
    );
    for await (const { data } of changes) if (data?.logImportChanged.import.state === 'FINISHED') return;
  }
});
