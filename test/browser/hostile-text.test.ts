/** Untrusted text that contains a script: it must be shown as plain text. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { logLine } from './support/access-log.js';
import { describeInBrowser } from './support/chromium.js';
import { eventually, figure, useDashboard } from './support/dashboard.js';

const HOST = 'field-notes.example';
const SCRIPT = `<img src="/none" onerror="globalThis.hurt = true"><script>globalThis.hurt = true</script>`;
const PAGE = `/${SCRIPT}`;
const REJECTED = '"><svg onload="globalThis.hurt = true">';
const FILE = '<svg onload=globalThis.hurt=true>.log'; // quotes would be escaped in transit

describeInBrowser('a script in untrusted text', () => {
  const dashboard = useDashboard();
  const ask = async (query: string, variables: object = {}) => {
    const { errors } = await dashboard.product.request(query, variables);
    expect(errors).toBeUndefined();
  };
  const expectUnhurt = async (page: Page) => {
    expect(await page.evaluate('globalThis.hurt')).toBeUndefined();
    expect(await page.locator('[onerror], [onload]').count()).toBe(0);
  };

  it('is shown as text in the name of a page, in the ranking and in the chart', async () => {
    await ask(
      'mutation ($page: String!) { recordHit(hit: { site: "field-notes.example", page: $page }) { recorded } }',
      {
        page: PAGE,
      },
    );
    const page = await dashboard.openSignedIn(`/?site=${HOST}&page=${encodeURIComponent(PAGE)}`);
    await eventually(() => figure(page, 'In the chart')).toBe('1');
    await page.getByRole('button', { name: `Page: ${PAGE}. Choose another` }).click();
    await page.getByRole('option', { name: PAGE }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('radio', { name: 'Table' }).click();
    await page.getByRole('row', { name: /^Total/ }).waitFor();
    await expectUnhurt(page);
  });

  it('is shown as text in a rejected log line and in a file name', async () => {
    const lines = [logLine({ at: Date.now() - 3_600_000, path: '/' }), REJECTED];
    await dashboard.product.upload(
      'mutation ($file: Upload!) { importLog(file: $file, input: { site: "field-notes.example" }) { __typename } }',
      {},
      new File([`${lines.join('\n')}\n`], FILE),
    );
    const page = await dashboard.openSignedIn(`/?site=${HOST}`);
    await page.getByRole('button', { name: '1 rejected' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('row').nth(1).waitFor();
    expect(await dialog.locator('td code').allTextContents()).toEqual([REJECTED]);
    expect(await dialog.getByRole('heading').textContent()).toContain(FILE);
    await expectUnhurt(page);
  });

  it('is shown as text in the name of a person or a key, and in the audit trail', async () => {
    await ask('mutation ($name: String!) { changeName(name: $name) { id } }', { name: SCRIPT });
    await ask('mutation ($name: String!) { createApiKey(input: { name: $name, scopes: [HITS_READ] }) { key } }', {
      name: SCRIPT,
    });
    const page = await dashboard.openSignedIn('/people');
    await page.getByRole('button', { name: `Roles of ${SCRIPT}`, exact: true }).click();
    await page.getByRole('dialog', { name: `Roles of ${SCRIPT}` }).waitFor();
    await expectUnhurt(page);
    await page.goto(`${dashboard.url}/people/keys`);
    await page.getByRole('row').filter({ hasText: SCRIPT }).waitFor();
    await expectUnhurt(page);
    await page.goto(`${dashboard.url}/people/audit`);
    await page
      .getByRole('row')
      .filter({ hasText: `Created the API key ${SCRIPT}` })
      .waitFor();
    await expectUnhurt(page);
  });
});
