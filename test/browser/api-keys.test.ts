import { expect, it } from 'vitest';
import { administrator } from '../support/product.js';
import { describeInBrowser } from './chromium.js';
import { eventually, useDashboard } from './dashboard.js';
import { press, tabTo } from './keyboard.js';

describeInBrowser('API keys', () => {
  const dashboard = useDashboard();
  const record = (key: string) =>
    dashboard.product.request(
      'mutation { recordHit(hit: { site: "field-notes.example", page: "/" }) { recorded } }',
      {},
      key,
    );

  it('are made and revoked by the keyboard alone, from signing in to the end', async () => {
    await dashboard.product.request(
      'mutation { registerSite(input: { host: "field-notes.example", allowedOrigins: [] }) { __typename } }',
    );
    const page = await dashboard.open('/');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByLabel('E-mail').and(page.locator(':focus')).waitFor();
    await page.keyboard.type(administrator.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(administrator.password);
    await page.keyboard.press('Enter');
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();

    await press(page, 'link', 'People');
    await page.getByRole('heading', { name: 'People', level: 1 }).waitFor();
    await press(page, 'link', 'API keys');
    await page.getByText('No program has a key').waitFor();
    expect(await page.locator(':focus').textContent()).toBe('API keys'); // where the keyboard was, it stays
    await press(page, 'button', 'Create a key');
    await page.getByLabel('What it is for').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Beacon of the shop');
    await tabTo(page, 'checkbox', 'hits:write');
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter'); // in a field of a form
    const shown = page.getByLabel('The key', { exact: true });
    await shown.waitFor();
    const key = await shown.inputValue();
    expect(key).toMatch(/^sxt_[\w-]{43}$/);
    await page.getByText('you will not see it again').waitFor();
    await press(page, 'button', 'Copy the key');
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
    await press(page, 'button', 'Revoke the key');
    const revoked = page.getByRole('table', { name: 'Revoked keys' });
    await revoked.getByRole('row', { name: /Beacon of the shop/ }).waitFor();
    expect(await page.getByRole('table', { name: 'Keys in use' }).count()).toBe(0);
    await eventually(async () => (await record(key)).errors?.[0]?.extensions?.code).toBe('UNAUTHENTICATED');
  });

  it('are not made without a scope, and a click beside the new key does not lose it', async () => {
    const page = await dashboard.openSignedIn('/people/keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('What it is for').fill('Nothing');
    await page.getByRole('button', { name: 'Create the key' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('at least one');

    await page.getByRole('checkbox', { name: 'logs:read' }).check();
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.getByLabel('The key', { exact: true }).waitFor();
    await page.mouse.click(20, 400);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('row', { name: /Nothing/ }).waitFor();
  });

  it('show when a program has used them', async () => {
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
