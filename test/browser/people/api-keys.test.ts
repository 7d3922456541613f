import { expect, it } from 'vitest';
import { administrator } from '../../../harness/product.js';
import { describeInBrowser } from '../support/chromium.js';
import { eventually, useDashboard } from '../support/dashboard.js';
import { press, tabTo } from '../support/keyboard.js';

describeInBrowser('API keys', () => {
  const dashboard = useDashboard();
  const record = (key: string) =>
    dashboard.product.request(
      'mutation { recordHit(hit: { site: "field-notes.example", page: "/" }) { recorded } }',
      {},
      key,
    );

  it('are created and revoked by keyboard only, starting at sign-in', async () => {
    await dashboard.product.request(
      'mutation { registerSite(input: { host: "field-notes.example", allowedOrigins: [] }) { __typename } }',
    );
    const page = await dashboard.open('/');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByLabel('Email').and(page.locator(':focus')).waitFor();
    await page.keyboard.type(administrator.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(administrator.password);
    await page.keyboard.press('Enter');
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();

    await press(page, 'link', 'People');
    await page.getByRole('heading', { name: 'People', level: 1 }).waitFor();
    await press(page, 'link', 'API keys');
    await page.getByText('No API keys yet').waitFor();
    expect(await page.locator(':focus').textContent()).toBe('API keys'); // the focus stays where it was
    await press(page, 'button', 'Create API key');
    await page.getByLabel('Purpose').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Beacon of the shop');
    await tabTo(page, 'checkbox', 'hits:write');
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter'); // in a field of a form
    const shown = page.getByLabel('API key', { exact: true });
    await shown.waitFor();
    const key = await shown.inputValue();
    expect(key).toMatch(/^sxt_[\w-]{43}$/);
    await page.getByText('It will not be shown again').waitFor();
    await press(page, 'button', 'Copy key');
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
    await press(page, 'button', 'Done');

    const row = page.getByRole('row', { name: /Beacon of the shop/ });
    await row.getByText('never used').waitFor();
    await row.getByText(`${key.slice(0, 8)}…`).waitFor();
    expect(await page.content()).not.toContain(key);
    expect((await record(key)).data).toEqual({ recordHit: { recorded: 1 } });

    await press(page, 'button', 'Revoke Beacon of the shop');
    await page.getByRole('dialog', { name: 'Revoke the key “Beacon of the shop”?' }).waitFor();
    await press(page, 'button', 'Revoke key');
    const revoked = page.getByRole('table', { name: 'Revoked keys' });
    await revoked.getByRole('row', { name: /Beacon of the shop/ }).waitFor();
    expect(await page.getByRole('table', { name: 'Active keys' }).count()).toBe(0);
    await eventually(async () => (await record(key)).errors?.[0]?.extensions?.code).toBe('UNAUTHENTICATED');
  });

  it('need a scope, and a click outside the dialog does not lose a new key', async () => {
    const page = await dashboard.openSignedIn('/people/keys');
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.getByLabel('Purpose').fill('Nothing');
    await page.getByRole('button', { name: 'Create key' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('at least one');

    await page.getByRole('checkbox', { name: 'logs:read' }).check();
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('API key', { exact: true }).waitFor();
    await page.mouse.click(20, 400);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('row', { name: /Nothing/ }).waitFor();
  });

  it('show when they were last used', async () => {
    const { data } = await dashboard.product.request<{ createApiKey: { key: string } }>(
      'mutation { createApiKey(input: { name: "Reader", scopes: [HITS_READ] }) { key } }',
    );
    const key = data?.createApiKey.key ?? '';
    await dashboard.product.request('{ viewer { id } }', {}, key);
    const page = await dashboard.openSignedIn('/people/keys');
    await page
      .getByRole('row', { name: /Reader/ })
      .getByText('in the last minute')
      .waitFor();
  });
});
