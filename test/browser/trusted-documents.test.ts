import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runSextant } from '../../harness/command.js';
import { administrator } from '../../harness/product.js';
import { saveProducts } from '../../src/models/commerce/catalog/catalog.js';
import { addCategory } from '../../src/models/commerce/catalog/category-change.js';
import { restock } from '../../src/models/commerce/orders/inventory.js';
import { testAct } from '../support/people.js';
import { describeInBrowser } from './support/chromium.js';
import { eventually, figure, useDashboard } from './support/dashboard.js';
import { enter } from './support/shop.js';

describeInBrowser('a server that accepts only the dashboard’s trusted documents', () => {
  let folder: string | undefined;
  const dashboard = useDashboard(async () => {
    const { code, output } = await runSextant(['collect-documents', 'web/src']);
    expect(code).toBe(0);
    folder = await mkdtemp(join(tmpdir(), 'sextant-documents-'));
    const path = join(folder, 'trusted-documents.json');
    await writeFile(path, output);
    return { TRUSTED_DOCUMENTS: path };
  });
  afterAll(() => folder && rm(folder, { recursive: true }));

  it('rejects any other document', async () => {
    const answer = await fetch(`${dashboard.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ viewer { id } }' }),
    });
    const { data, errors } = (await answer.json()) as { data?: unknown; errors?: unknown[] };
    expect(data).toBeUndefined();
    expect(errors).toHaveLength(1);
  });

  it('accepts the whole dashboard: sites, a live chart, the log, sessions, the system, people, keys, the audit trail, the profile', async () => {
    const page = await dashboard.open('/');
    await enter(page, administrator);
    await page.getByLabel('Hostname').fill('field-notes.example');
    await page.getByRole('button', { name: 'Register site' }).click();
    await page.getByText('field-notes.example is registered').waitFor();
    await page.getByRole('button', { name: 'Go to the chart' }).click();
    await page.getByText('Waiting for the first hit').waitFor();
    await fetch(`${dashboard.url}/hit`, {
      method: 'POST',
      headers: { origin: 'https://field-notes.example' },
      body: JSON.stringify({ site: 'field-notes.example', page: '/atlas' }),
    });
    await page.getByRole('button', { name: 'Page: /atlas. Choose another' }).waitFor();
    await eventually(() => figure(page, 'In the chart')).toBe('1'); // over the socket
    const traffic = page.getByRole('navigation', { name: 'Traffic' });
    await traffic.getByRole('link', { name: 'Requests' }).click();
    await page.getByText('No requests to field-notes.example yet').waitFor();
    await traffic.getByRole('link', { name: 'Sessions' }).click();
    await page.getByText('Send the first one').waitFor();
    await traffic.getByRole('link', { name: 'Growth' }).click();
    await page.getByText('takes new requests').waitFor();

    const links = page.getByRole('navigation', { name: 'Pages' });
    expect(await links.getByRole('link').allTextContents()).toEqual([
      'Traffic',
      'Commerce',
      'Content',
      'Comments',
      'Ads',
      'Network',
      'Game',
      'People',
      'System',
    ]);

    await links.getByRole('link', { name: 'System' }).click();
    await page.getByRole('heading', { name: 'Storage' }).waitFor();
    await links.getByRole('link', { name: 'People' }).click();
    await page.getByRole('row', { name: /Administrator/ }).waitFor();
    await page.getByText('No pending invitations').waitFor();
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByText('No API keys yet').waitFor();
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.getByLabel('Purpose').fill('Reader');
    await page.getByRole('checkbox', { name: 'hits:read' }).check();
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('API key', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('link', { name: 'Audit trail' }).click();
    await page.getByRole('row', { name: /Created the API key Reader for hits:read/ }).waitFor();
    await page.goto(`${dashboard.url}/profile`);
    await page.getByLabel('Name').fill('Captain');
    await page.getByRole('button', { name: 'Save name' }).click();
    await page.getByRole('button', { name: 'Signed in as Captain' }).waitFor();
    await eventually(() => page.getByRole('banner').getByRole('status').textContent()).toBe('Live');
  });

  it('accepts the whole shop: categories, search, a live product, the cart, the checkout', async () => {
    await addCategory(dashboard.db, 'test', { name: 'Music', slug: 'music' });
    const price = { amount: 1299, currency: 'EUR' };
    const record = { sku: 'CD-1', title: 'Kind of Blue', type: 'CD', price, categories: ['music'], properties: [] };
    expect(await saveProducts(dashboard.db, testAct(), [record], 'EUR')).toMatchObject({ saved: 1 });
    await restock(dashboard.db, testAct(), { call: 'test', sku: 'CD-1', quantity: 3 });
    const page = await dashboard.open('/');
    await enter(page, administrator);
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    await page.goto(`${dashboard.url}/shop`);
    await page.getByRole('link', { name: /^Music/ }).click();
    await page.getByRole('link', { name: 'Kind of Blue' }).waitFor();
    await page.getByRole('link', { name: 'All products' }).click();
    await page.getByRole('link', { name: /^€10 to €25/ }).click();
    await page.getByRole('combobox', { name: 'Search the shop' }).fill('kind');
    await page.getByRole('option', { name: 'Kind of Blue' }).click();
    await page.getByRole('button', { name: 'Add to cart' }).click();
    await page.getByText('Only 2 left').waitFor(); // over the socket
    await page.getByRole('link', { name: /^Cart, / }).click();
    await page.getByRole('link', { name: 'Go to checkout' }).click();
    await page.getByRole('button', { name: 'Open an account with €1,000.00' }).click();
    const question = page.getByRole('dialog', { name: 'Open an account with €1,000.00?' });
    await question.getByText(/^It belongs to .+ \(.+@.+\), and its €1,000\.00 are created/).waitFor();
    expect(await dashboard.db.collection('accounts').countDocuments({ owner: { $ne: null } })).toBe(0);
    await question.getByRole('button', { name: 'Open it with €1,000.00' }).click();
    await page.getByRole('button', { name: 'Pay €12.99' }).click();
    await page.getByRole('heading', { level: 1, name: 'Thank you for your order' }).waitFor();
    await page.getByRole('link', { name: 'All your orders' }).click();
    await page.getByText('Kind of Blue').waitFor();
  });
});
