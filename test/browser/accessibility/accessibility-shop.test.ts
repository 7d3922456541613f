/** The staff pages of the shop, checked by axe-core. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { faultsOf } from '../support/axe.js';
import { describeInBrowser } from '../support/chromium.js';
import { useDashboard } from '../support/dashboard.js';
import { fillShop } from '../support/sample-shop.js';

const expectNoFaults = async (page: Page) => expect.soft(await faultsOf(page)).toEqual([]);

describeInBrowser('axe-core on the staff pages of the shop', () => {
  const dashboard = useDashboard();

  it('finds no violations in an empty shop', async () => {
    const page = await dashboard.openSignedIn('/commerce');
    await page.getByRole('button', { name: 'Fill with sample data' }).waitFor();
    await expectNoFaults(page);
    for (const [path, text] of [
      ['categories', 'No categories yet'],
      ['carts', 'No cart is active'],
      ['till', 'No account yet'],
      ['orders', 'No orders yet'],
      ['accounts', 'No transfers yet'],
    ] as const) {
      await page.goto(`${dashboard.url}/commerce/${path}`);
      await page.getByText(text).waitFor({ state: 'attached' });
      await expectNoFaults(page);
    }
  });

  it('finds no violations in the catalog, its facets, a product and the search suggestions', async () => {
    await fillShop(dashboard.product);
    const page = await dashboard.openSignedIn('/commerce');
    await page.getByRole('row', { name: /Brass sextant/ }).waitFor();
    await expectNoFaults(page);
    await page.getByRole('combobox', { name: 'Find a product' }).fill('night');
    await page.getByRole('option', { name: 'Night Watch' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await expectNoFaults(page);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('Jonas Veld').waitFor();
    await expectNoFaults(page);
  });

  it('finds no violations in the categories: the tree, a move and the dialogs', async () => {
    const page = await dashboard.openSignedIn('/commerce/categories?category=music');
    await page.getByRole('row', { name: /Night Watch/ }).waitFor();
    await page.getByRole('treeitem', { name: /^Music/ }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('treeitem', { name: /^Folk/ }).waitFor();
    await expectNoFaults(page);
    await page.keyboard.press('m');
    await page.getByText('Where does Music go?').waitFor();
    await expectNoFaults(page);
    await page.getByRole('button', { name: 'Add subcategory' }).click();
    await expectNoFaults(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByLabel('Move its contents to').waitFor();
    await expectNoFaults(page);
  });

  it('finds no violations in the till, the carts, a receipt and an order', async () => {
    const page = await dashboard.openSignedIn('/commerce?sku=LP-1001');
    await page.getByRole('button', { name: 'Add one to the cart at the till' }).click();
    await page.getByRole('link', { name: 'Go to the till' }).click();
    await page.getByRole('button', { name: 'Open an account with €500.00' }).click();
    await page.getByRole('button', { name: 'Open it with €500.00' }).click();
    await page.getByText('Balance: €500.00').waitFor();
    await page.getByText('39 left').waitFor();
    await expectNoFaults(page);
    await page.getByRole('link', { name: 'Carts' }).click();
    await page.getByRole('button', { name: /^Open the cart/ }).click();
    await page.getByRole('dialog').waitFor();
    await expectNoFaults(page);
    await page.getByRole('button', { name: 'Open at the till' }).click();
    await page.getByRole('button', { name: 'Pay €14.90' }).click();
    await page.getByRole('heading', { name: 'Charge Administrator €14.90?' }).waitFor();
    await expectNoFaults(page);
    await page.getByRole('button', { name: 'Charge €14.90' }).click();
    await page.getByText('Paid: €14.90.').waitFor();
    await expectNoFaults(page);
    await page.getByRole('button', { name: 'See all orders' }).click();
    await page.getByRole('button', { name: /^Open the order/ }).click();
    await page.getByRole('dialog').waitFor();
    await page.getByRole('button', { name: /^One more of/ }).click();
    await page.getByRole('button', { name: 'Charge €14.90' }).click();
    await page.getByRole('button', { name: /^Refund 1 of/ }).waitFor();
    await expectNoFaults(page);
  });

  it('finds no violations in the accounts and the list of violated invariants', async () => {
    const page = await dashboard.openSignedIn('/commerce/accounts');
    await page.getByRole('table', { name: 'Transfers' }).getByText('Done').first().waitFor();
    await expectNoFaults(page);
    await page.getByRole('button', { name: 'Open an account' }).click();
    await page.getByRole('radio', { name: /^Someone else’s/ }).check();
    await page.getByRole('option').first().waitFor();
    await expectNoFaults(page);
    await page.keyboard.press('Escape');
    await dashboard.db.collection('catalog.facets').updateMany({ kind: 'TYPE' }, { $inc: { count: 5 } });
    await page.getByRole('link', { name: 'Recovery' }).click();
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByRole('table', { name: 'Violations' }).waitFor();
    await expectNoFaults(page);
    await page.getByRole('button', { name: 'Recover now' }).click();
    await page.getByText('Every invariant holds').waitFor();
    await expectNoFaults(page);
  });
});
