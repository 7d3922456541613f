/**
 * Every page of the storefront and its dialogs, checked by axe-core: WCAG 2.2 A and AA and best practices, light and dark,
 * wide and narrow.
 */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expireCarts } from '../../../src/models/commerce/orders/cart-expiry.js';
import { faultsOf } from '../support/axe.js';
import { describeInBrowser } from '../support/chromium.js';
import { eventually, useDashboard } from '../support/dashboard.js';
import { addCustomer, enter, fillShelves, unitsInCart } from '../support/shop.js';

describeInBrowser('axe-core on the storefront', () => {
  const dashboard = useDashboard(async () => ({ SIGN_UP: 'open' }));
  /** Opens another page of the shop in the same tab. */
  const go = (page: Page, path: string) => page.goto(`${dashboard.url}/shop${path}`);

  it('finds no violations in an empty shop', async () => {
    const page = await dashboard.open('/shop');
    await page.getByRole('heading', { level: 1, name: 'Opening soon' }).waitFor();
    expect.soft(await faultsOf(page)).toEqual([]);
    await go(page, '/all');
    await page.getByText('No products here').waitFor();
    expect.soft(await faultsOf(page)).toEqual([]);
    await go(page, '/cart');
    await page.getByText('Your cart is empty').waitFor();
    expect.soft(await faultsOf(page)).toEqual([]);
  });

  it('finds no violations in the home page, a category, a list, the search, and available, sold-out and unknown products', async () => {
    await fillShelves(dashboard.product);
    const page = await dashboard.open('/shop');
    await page.getByRole('heading', { name: 'Browse the shop' }).waitFor();
    expect.soft(await faultsOf(page)).toEqual([]);
    await go(page, '/c/jazz');
    await page.getByRole('link', { name: 'Blue Train' }).waitFor();
    expect.soft(await faultsOf(page)).toEqual([]);
    await go(page, '/all');
    await page.getByRole('link', { name: 'Folding chair' }).waitFor();
    expect.soft(await faultsOf(page)).toEqual([]);
    await page.getByRole('combobox', { name: 'Search the shop' }).fill('bl');
    await page.getByRole('option', { name: 'Blue Train' }).waitFor();
    expect.soft(await faultsOf(page)).toEqual([]);
    await go(page, '/p/CD-1');
    await page.getByRole('heading', { name: 'One track, 9 min 22 s' }).waitFor();
    await page.getByRole('heading', { name: 'More from this category' }).waitFor();
    expect.soft(await faultsOf(page)).toEqual([]);
    await go(page, '/p/CHAIR-1');
    await page.getByText('It is sold out.').waitFor();
    expect.soft(await faultsOf(page)).toEqual([]);
    await go(page, '/p/NOTHING');
    await page.getByText('This product is not available').waitFor();
    expect.soft(await faultsOf(page)).toEqual([]);
  });

  it('finds no violations from cart to order: cart, sign-in, checkout, confirmation, orders, an expired cart', async () => {
    const customer = await addCustomer(dashboard.product, 'Ann', 100);
    const page = await dashboard.open('/shop/p/CD-1');
    await page.getByRole('button', { name: 'Add to cart' }).click();
    await page.getByText('“Kind of Blue” is in your cart').waitFor();
    expect.soft(await faultsOf(page)).toEqual([]);
    await go(page, '/cart');
    await page.getByRole('link', { name: 'Go to checkout' }).waitFor();
    expect.soft(await faultsOf(page)).toEqual([]);
    await go(page, '/checkout');
    await page.getByRole('radio', { name: 'I am new here' }).click();
    await page.getByRole('button', { name: 'Create account' }).waitFor();
    expect.soft(await faultsOf(page)).toEqual([]);
    await page.getByRole('radio', { name: 'I have an account' }).click();
    await enter(page, customer);
    await page.getByRole('button', { name: 'Pay €12.99' }).click();
    await page.getByText('This account has insufficient funds').waitFor();
    expect.soft(await faultsOf(page)).toEqual([]);
    await dashboard.db
      .collection('accounts')
      .updateOne({ balance: 100 }, { $inc: { balance: 1300, opened_with: 1300 } });
    await page.getByRole('button', { name: 'Pay €12.99' }).click();
    await page.getByRole('heading', { level: 1, name: 'Thank you for your order' }).waitFor();
    expect.soft(await faultsOf(page)).toEqual([]);
    await page.getByRole('link', { name: 'All your orders' }).click();
    await page.getByText('Kind of Blue').waitFor();
    expect.soft(await faultsOf(page)).toEqual([]);
    await go(page, '/all');
    await page.getByRole('button', { name: 'Add Blue Train to the cart' }).click();
    await eventually(() => unitsInCart(page)).toBe('1');
    await expireCarts(dashboard.db, new Date(Date.now() + 1000), new Date());
    await go(page, '/cart');
    await page.getByRole('button', { name: 'Restore all items' }).waitFor();
    expect.soft(await faultsOf(page)).toEqual([]);
  });
});
