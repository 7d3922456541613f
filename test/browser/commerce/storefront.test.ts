/** The shop as customers use it, each in a separate browser context. */
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { expireCarts } from '../../../src/models/commerce/orders/cart-expiry.js';
import { toGlobalId } from '../../../src/shared/global-id.js';
import { addAccount } from '../support/accounts.js';
import { describeInBrowser } from '../support/chromium.js';
import { eventually, useDashboard } from '../support/dashboard.js';
import { addCustomer, enter, fillShelves, MONEY, restock, stockOf, unitsInCart } from '../support/shop.js';

const card = (page: Page | Locator, title: string) => page.getByRole('listitem').filter({ hasText: title });
const add = (page: Page, title: string) => page.getByRole('button', { name: `Add ${title} to the cart` });

describeInBrowser('the storefront', () => {
  const dashboard = useDashboard();
  beforeAll(() => fillShelves(dashboard.product));

  it('guides a visitor from the categories to a product and into a cart, which a reload keeps', async () => {
    const page = await dashboard.open('/shop');
    await page.getByRole('link', { name: /^Music/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Music' }).waitFor();
    await page.getByRole('navigation', { name: 'Categories' }).getByRole('link', { name: /^Jazz/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Jazz' }).waitFor();
    expect(await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').allTextContents()).toEqual([
      'Shop',
      'Music',
    ]);
    await page.getByRole('link', { name: 'Blue Train' }).click();
    await page.getByText('Only 4 left').waitFor();
    await page.getByRole('button', { name: 'Quantity: one more' }).click();
    await page.getByRole('button', { name: 'Add to cart' }).click();
    await page.getByText('“Blue Train” is in your cart').waitFor();
    await page.getByText('2 are in your cart, reserved for you.').waitFor();
    await page.getByText('Only 2 left').waitFor();
    expect(await stockOf(dashboard.product, 'CD-2')).toEqual({ available: 2, inCarts: 2, sold: 0 });

    await page.reload();
    await eventually(() => unitsInCart(page)).toBe('2');
    await page.getByRole('link', { name: /^Cart, / }).click();
    await page.getByRole('link', { name: 'Blue Train' }).waitFor();
    await page.getByRole('button', { name: 'Quantity of Blue Train: one less' }).click();
    await eventually(() => unitsInCart(page)).toBe('1');
    await page.getByRole('button', { name: 'Remove Blue Train' }).click();
    await page.getByText('Your cart is empty').waitFor();
    expect(await stockOf(dashboard.product, 'CD-2')).toEqual({ available: 4, inCarts: 0, sold: 0 });
  });

  it('finds a title by its start, ignoring accents, by keyboard only', async () => {
    const page = await dashboard.open('/shop');
    const field = page.getByRole('combobox', { name: 'Search the shop' });
    await field.focus();
    await page.keyboard.type('AGÆT');
    await page.getByRole('option', { name: 'Ágætis byrjun' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Ágætis byrjun' }).waitFor();
    await field.fill('blu'); // a search for a prefix finds what it suggests
    await field.press('Enter');
    await page.getByRole('heading', { level: 1, name: '“blu”' }).waitFor();
    await card(page, 'Kind of Blue').waitFor();
    await card(page, 'Blue Train').waitFor();
    expect(await card(page, 'byrjun').count()).toBe(0);
  });

  it('combines a brand and a price filter, and removes each of them', async () => {
    const chair = (sku: string, title: string, amount: number) => ({
      sku,
      title,
      type: 'GARDEN_CHAIR',
      price: MONEY(amount),
      properties: [{ name: 'brand', value: 'Zorg' }],
    });
    const products = [chair('Z-1', 'Zorg stool', 1999), chair('Z-2', 'Zorg throne', 19_900)];
    await dashboard.product.request(
      'mutation ($products: [ProductInput!]!) { saveProducts(products: $products) { saved } }',
      { products },
    );
    const page = await dashboard.open('/shop/p/Z-1');
    await page.getByRole('link', { name: 'Zorg', exact: true }).click();
    await card(page, 'Zorg throne').waitFor();
    await page.getByRole('navigation', { name: 'Price' }).getByRole('link', { name: '€10 to €25' }).click();
    await page.getByRole('heading', { level: 1, name: 'Zorg, €10 to €25' }).waitFor();
    await card(page, 'Zorg throne').waitFor({ state: 'detached' });
    const found = page.getByRole('list', { name: 'Zorg, €10 to €25' }).getByRole('listitem');
    await eventually(() => found.count()).toBe(1); // none while they are loading
    await page.getByRole('link', { name: 'Remove €10 to €25' }).click();
    await page.getByRole('heading', { level: 1, name: 'Zorg', exact: true }).waitFor();
    await card(page, 'Zorg throne').waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Remove Zorg' }).click();
    await page.getByRole('heading', { level: 1, name: '€10 to €25', exact: true }).waitFor();
    await card(page, 'Kind of Blue').waitFor();
  });

  it('lists under “See all” the deals that the home page shows', async () => {
    const deal = { sku: 'DEAL-7', title: 'Seven percent off', type: 'BOOK', price: MONEY(930), listPrice: MONEY(1000) };
    const saved = await dashboard.product.request(
      'mutation ($products: [ProductInput!]!) { saveProducts(products: $products) { saved } }',
      { products: [deal] },
    );
    expect(saved.data).toEqual({ saveProducts: { saved: 1 } });
    const page = await dashboard.open('/shop');
    await card(page.getByRole('region', { name: 'Deals' }), deal.title).waitFor();
    await page.getByRole('link', { name: 'Deals: see all' }).click();
    await page.getByRole('heading', { level: 1, name: 'Deals' }).waitFor();
    await card(page, deal.title).waitFor();
  });

  it('updates stock live as others buy and on a restock', async () => {
    const page = await dashboard.open('/shop/all');
    const chair = card(page, 'Folding chair');
    await chair.getByText('Sold out').waitFor();
    expect(await add(page, 'Folding chair').isDisabled()).toBe(true);
    await restock(dashboard.product, 'CHAIR-1', 2);
    await chair.getByText('Only 2 left').waitFor();
    const other = await dashboard.open('/shop/all');
    await add(other, 'Folding chair').click();
    await chair.getByText('Only one left').waitFor();
    await add(page, 'Folding chair').click();
    await card(other, 'Folding chair').getByText('All in carts right now').waitFor();
    for (const each of [page, other]) await emptyCart(each, 'Folding chair');
    await eventually(() => stockOf(dashboard.product, 'CHAIR-1')).toEqual({ available: 2, inCarts: 0, sold: 0 });
  });

  it('gives the last unit to one of two concurrent customers and explains it to the other; a double click pays once', async () => {
    const { product } = dashboard;
    const customers = await Promise.all([addCustomer(product, 'Ann', 2000), addCustomer(product, 'Bob', 2000)]);
    const pages = [await dashboard.open('/shop/p/CD-3'), await dashboard.open('/shop/p/CD-3')];
    for (const page of pages) await page.getByText('Only one left').waitFor();
    // Found before either clicks: once the first customer has the unit, the second one's button has another name.
    const buttons = await Promise.all(
      pages.map((page) => page.getByRole('button', { name: 'Add to cart' }).elementHandle()),
    );
    await Promise.all(buttons.map((button) => button?.dispatchEvent('click')));
    await Promise.all(
      pages.map((page) =>
        page
          .getByText(/One is in your cart, reserved for you|are in other customers’ carts/)
          .first()
          .waitFor(),
      ),
    );
    await eventually(async () => (await Promise.all(pages.map(unitsInCart))).toSorted()).toEqual(['0', '1']);
    const units = await Promise.all(pages.map(unitsInCart));
    expect(await stockOf(product, 'CD-3')).toEqual({ available: 0, inCarts: 1, sold: 0 });
    const winner = units.indexOf('1');
    const [first, second] = [pages[winner], pages[1 - winner]];
    const customer = customers[winner];
    if (!first || !second || !customer) throw new Error('There is no winner');
    await second.getByRole('heading', { name: 'You may like these instead' }).waitFor();
    await card(second, 'Kind of Blue').waitFor();

    await first.goto(`${dashboard.url}/shop/checkout`);
    await enter(first, customer);
    await first.getByText('€20.00').waitFor();
    await first.getByRole('button', { name: 'Pay €15.50' }).dblclick();
    await first.getByRole('heading', { level: 1, name: 'Thank you for your order' }).waitFor();
    await first.getByRole('link', { name: 'Ágætis byrjun' }).waitFor();
    await eventually(() => unitsInCart(first)).toBe('0');
    await second.getByText('It is sold out. This page updates as soon as it is back in stock.').waitFor();
    expect(await stockOf(product, 'CD-3')).toEqual({ available: 0, inCarts: 0, sold: 1 });
    expect(await dashboard.db.collection('orders').countDocuments()).toBe(1);
    expect(await dashboard.db.collection('accounts').distinct('balance', { owner: { $ne: null } })).toEqual([
      450, 2000,
    ]);

    await restock(product, 'CD-3', 1);
    await second.getByRole('button', { name: 'Add to cart' }).click();
    await second.getByText('One is in your cart, reserved for you.').waitFor();
  });

  it('shows a new account and incoming money during the checkout, without a reload', async () => {
    const { product } = dashboard;
    const flora = await addAccount(product, 'Flora', ['MEMBER']);
    const page = await dashboard.open('/shop/p/CD-2');
    await page.getByRole('button', { name: 'Add to cart' }).click();
    await page.getByText('One is in your cart').waitFor();
    await page.goto(`${dashboard.url}/shop/checkout`);
    await enter(page, flora);
    await page.getByText('You have no account with this shop yet.').waitFor();
    const { _id: owner } =
      (await dashboard.db.collection<{ _id: string }>('users').findOne({ email: flora.email })) ?? {};
    const opened = await product.request<{ openAccount: { id: string } }>(
      'mutation ($input: OpenAccountInput!) { openAccount(input: $input) { id } }',
      { input: { owner: toGlobalId('User', owner ?? ''), openingBalance: MONEY(500) } },
    );
    await page.getByText('€4.99 short').waitFor();
    const from = await product.request<{ openAccount: { id: string } }>(
      'mutation ($input: OpenAccountInput!) { openAccount(input: $input) { id } }',
      { input: { owner: 'Petty cash', openingBalance: MONEY(500) } },
    );
    await product.request(
      `mutation ($from: ID!, $to: ID!, $amount: MoneyInput!) {
        transfer(from: $from, to: $to, amount: $amount, idempotencyKey: "more") { __typename }
      }`,
      { from: from.data?.openAccount.id, to: opened.data?.openAccount.id, amount: MONEY(500) },
    );
    await page.getByText('€10.00').waitFor();
    await page.getByText(/^€9.99 will be charged to the account of Flora/).waitFor();
    await emptyCart(page, 'Blue Train');
  });

  it('shows insufficient funds, charges nothing, and keeps the cart until there is enough', async () => {
    const customer = await addCustomer(dashboard.product, 'Cleo', 100);
    const page = await dashboard.open('/shop/p/CD-1');
    await page.getByRole('button', { name: 'Add to cart' }).click();
    await page.getByText('One is in your cart').waitFor();
    await page.goto(`${dashboard.url}/shop/checkout`);
    await enter(page, customer);
    await page.getByText('€11.99 short').waitFor();
    await page.getByRole('button', { name: 'Pay €12.99' }).click();
    await page
      .getByText('This account has insufficient funds. Nothing was charged, and your cart is unchanged.')
      .waitFor();
    expect(await unitsInCart(page)).toBe('1');
    await dashboard.db
      .collection('accounts')
      .updateOne({ balance: 100 }, { $inc: { balance: 1200, opened_with: 1200 } });
    await page.getByRole('button', { name: 'Pay €12.99' }).click();
    await page.getByRole('heading', { level: 1, name: 'Thank you for your order' }).waitFor();
    await page.getByRole('link', { name: 'All your orders' }).click();
    await page.getByText('Kind of Blue').waitFor();
  });

  it('retries when the response to a payment is lost, even after a reload, and charges once', async () => {
    const customer = await addCustomer(dashboard.product, 'Dora', 5000);
    const page = await dashboard.open('/shop/p/CD-1');
    await page.getByRole('button', { name: 'Add to cart' }).click();
    await page.getByText('One is in your cart').waitFor();
    await page.goto(`${dashboard.url}/shop/checkout`);
    await enter(page, customer);
    dashboard.expectErrors(/ERR_FAILED|ERR_CONNECTION/);
    let lost = 0;
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('mutation CheckOut')) return route.continue();
      await route.fetch(); // the mutation takes effect on the server
      lost += 1;
      return route.abort();
    });
    await page.getByRole('button', { name: 'Pay €12.99' }).click();
    await page.getByText('we do not know yet whether your payment went through').waitFor();
    expect(lost).toBe(4);
    await page.unroute('**/graphql');
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Thank you for your order' }).waitFor();
    expect(await dashboard.db.collection('accounts').countDocuments({ balance: 5000 - 1299 })).toBe(1);
  });

  it('shows price changes, products no longer sold and an expired cart, with what to do next', async () => {
    const { product, db } = dashboard;
    const page = await dashboard.open('/shop/all');
    await add(page, 'Kind of Blue').click();
    await add(page, 'Folding chair').click();
    await eventually(() => unitsInCart(page)).toBe('2');
    const cheaper = {
      sku: 'CHAIR-1',
      title: 'Folding chair',
      type: 'GARDEN_CHAIR',
      price: MONEY(4000),
      categories: ['garden'],
    };
    await product.request('mutation ($products: [ProductInput!]!) { saveProducts(products: $products) { saved } }', {
      products: [cheaper],
    });
    await page.goto(`${dashboard.url}/shop/p/CHAIR-1`);
    await page.getByText('You added it at €45.00; more units cost the same.').waitFor();
    await page.goto(`${dashboard.url}/shop/cart`);
    await page.getByText('The price has dropped to €40.00.').waitFor();
    await page.getByRole('button', { name: 'Use the new price' }).click();
    await page.getByText('€40.00 each').waitFor();

    await expireCarts(db, new Date(Date.now() + 1000), new Date());
    await page.getByText('This cart has expired').waitFor();
    expect(await stockOf(product, 'CHAIR-1')).toEqual({ available: 2, inCarts: 0, sold: 0 });
    await db.collection('products').deleteOne({ _id: 'CD-1' as never });
    await page.getByRole('button', { name: 'Restore all items' }).click();
    await page.getByText('Some items are no longer available: Kind of Blue.').waitFor();
    await eventually(() => unitsInCart(page)).toBe('1');

    await db.collection('products').deleteOne({ _id: 'CHAIR-1' as never });
    await page.reload();
    await page.getByText('This product is no longer sold. Remove it to pay for the rest.').waitFor();
    expect(await page.getByRole('button', { name: 'Go to checkout' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Remove Folding chair' }).click();
    await page.getByText('Your cart is empty').waitFor();
  });

  it('shows that the shop is unreachable, and catches up on changes when it is back', async () => {
    const other = await dashboard.startAnother();
    const page = await dashboard.open('/shop/p/CD-2');
    await page.getByText('Only 4 left').waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    const heightOfHeader = () => page.getByRole('banner').evaluate((header) => header.getBoundingClientRect().height);
    const height = await heightOfHeader();
    await dashboard.stop();
    await page.getByText(/The shop cannot be reached/).waitFor();
    await page.getByRole('banner').getByText('Offline').waitFor();
    expect(await heightOfHeader()).toBe(height); // the status has room in it: nothing below shifts
    await restock(other, 'CD-2', 3);
    await page.getByText('Only 4 left').waitFor();
    await dashboard.restart();
    await page.getByText('In stock').waitFor();
    await eventually(() => page.getByRole('banner').getByRole('status').textContent()).toBe('Live');
    expect(await page.getByText(/The shop cannot be reached/).count()).toBe(0);
  });

  async function emptyCart(page: Page, title: string): Promise<void> {
    await page.getByRole('link', { name: /^Cart, / }).click();
    await page.getByRole('button', { name: `Remove ${title}` }).click();
    await page.getByText('Your cart is empty').waitFor();
  }
});
