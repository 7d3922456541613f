/** The shop as customers use it: each in a browser of their own, on one product. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { expireCarts } from '../../src/models/commerce/cart-expiry.js';
import { toGlobalId } from '../../src/shared/global-id.js';
import { addAccount } from './accounts.js';
import { describeInBrowser } from './chromium.js';
import { eventually, useDashboard } from './dashboard.js';
import { addCustomer, enter, fillShelves, MONEY, restock, stockOf, unitsInCart } from './shop.js';

const card = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title });
const add = (page: Page, title: string) => page.getByRole('button', { name: `Add ${title} to the cart` });

describeInBrowser('the storefront', () => {
  const dashboard = useDashboard();
  beforeAll(() => fillShelves(dashboard.product));

  it('leads a visitor from the shelves to a product and into a cart, which a reload keeps', async () => {
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
    await page.getByText('2 are in your cart, held for you.').waitFor();
    await page.getByText('Only 2 left').waitFor();
    expect(await stockOf(dashboard.product, 'CD-2')).toEqual({ available: 2, inCarts: 2, sold: 0 });

    await page.reload();
    await eventually(() => unitsInCart(page)).toBe('2');
    await page.getByRole('link', { name: /^Cart, / }).click();
    await page.getByRole('link', { name: 'Blue Train' }).waitFor();
    await page.getByRole('button', { name: 'Quantity of Blue Train: one less' }).click();
    await eventually(() => unitsInCart(page)).toBe('1');
    await page.getByRole('button', { name: 'Take out Blue Train' }).click();
    await page.getByText('Nothing in it yet').waitFor();
    expect(await stockOf(dashboard.product, 'CD-2')).toEqual({ available: 4, inCarts: 0, sold: 0 });
  });

  it('finds a title by its beginning, whatever the accents, with the keyboard alone', async () => {
    const page = await dashboard.open('/shop');
    const field = page.getByRole('combobox', { name: 'Search the shop' });
    await field.focus();
    await page.keyboard.type('AGÆT');
    await page.getByRole('option', { name: 'Ágætis byrjun' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Ágætis byrjun' }).waitFor();
    await field.fill('blu'); // what is suggested for it is found by it
    await field.press('Enter');
    await page.getByRole('heading', { level: 1, name: '“blu”' }).waitFor();
    await card(page, 'Kind of Blue').waitFor();
    await card(page, 'Blue Train').waitFor();
    expect(await card(page, 'byrjun').count()).toBe(0);
  });

  it('keeps the brand when a price is chosen, and lets each be given up', async () => {
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
    expect(await page.getByRole('list', { name: 'Zorg, €10 to €25' }).getByRole('listitem').count()).toBe(1);
    await page.getByRole('link', { name: 'Without €10 to €25' }).click();
    await page.getByRole('heading', { level: 1, name: 'Zorg', exact: true }).waitFor();
    await card(page, 'Zorg throne').waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Without Zorg' }).click();
    await page.getByRole('heading', { level: 1, name: '€10 to €25', exact: true }).waitFor();
    await card(page, 'Kind of Blue').waitFor();
  });

  it('moves the stock on the shelf as others take and as more comes in', async () => {
    const page = await dashboard.open('/shop/all');
    const chair = card(page, 'Folding chair');
    await chair.getByText('Sold out').waitFor();
    expect(await add(page, 'Folding chair').isDisabled()).toBe(true);
    await restock(dashboard.product, 'CHAIR-1', 2);
    await chair.getByText('Only 2 left').waitFor();
    const other = await dashboard.open('/shop/all');
    await add(other, 'Folding chair').click();
    await chair.getByText('The last one').waitFor();
    await add(page, 'Folding chair').click();
    await card(other, 'Folding chair').getByText('All in carts just now').waitFor();
    for (const each of [page, other]) await emptyCart(each, 'Folding chair');
    await eventually(() => stockOf(dashboard.product, 'CHAIR-1')).toEqual({ available: 2, inCarts: 0, sold: 0 });
  });

  it('gives the last unit to one of two who take it at once, and tells the other kindly; who pays twice, pays once', async () => {
    const { product } = dashboard;
    const customers = await Promise.all([addCustomer(product, 'Ann', 2000), addCustomer(product, 'Bob', 2000)]);
    const pages = [await dashboard.open('/shop/p/CD-3'), await dashboard.open('/shop/p/CD-3')];
    for (const page of pages) await page.getByText('The last one').waitFor();
    await Promise.all(pages.map((page) => page.getByRole('button', { name: 'Add to cart' }).click()));
    await Promise.all(
      pages.map((page) =>
        page
          .getByText(/One is in your cart, held for you|lie in other customers’ carts/)
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
    if (!first || !second || !customer) throw new Error('Both are there');
    await second.getByRole('heading', { name: 'You may like one of these instead' }).waitFor();
    await card(second, 'Kind of Blue').waitFor();

    await first.goto(`${dashboard.url}/shop/checkout`);
    await enter(first, customer);
    await first.getByText('€20.00').waitFor();
    await first.getByRole('button', { name: 'Pay €15.50' }).dblclick();
    await first.getByRole('heading', { level: 1, name: 'Thank you. It is yours.' }).waitFor();
    await first.getByRole('link', { name: 'Ágætis byrjun' }).waitFor();
    await eventually(() => unitsInCart(first)).toBe('0');
    await second.getByText('It is sold out. When more comes in, this page shows it at once.').waitFor();
    expect(await stockOf(product, 'CD-3')).toEqual({ available: 0, inCarts: 0, sold: 1 });
    expect(await dashboard.db.collection('orders').countDocuments()).toBe(1);
    expect(await dashboard.db.collection('accounts').distinct('balance', { owner: { $ne: null } })).toEqual([
      450, 2000,
    ]);

    await restock(product, 'CD-3', 1);
    await second.getByRole('button', { name: 'Add to cart' }).click();
    await second.getByText('One is in your cart, held for you.').waitFor();
  });

  it('shows an account that is opened, and money that comes, while the checkout waits for them', async () => {
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
    await page.getByText(/^€9.99 is taken from the account of Flora/).waitFor();
    await emptyCart(page, 'Blue Train');
  });

  it('says that there is too little money, charges nothing, and keeps the cart until there is enough', async () => {
    const customer = await addCustomer(dashboard.product, 'Cleo', 100);
    const page = await dashboard.open('/shop/p/CD-1');
    await page.getByRole('button', { name: 'Add to cart' }).click();
    await page.getByText('One is in your cart').waitFor();
    await page.goto(`${dashboard.url}/shop/checkout`);
    await enter(page, customer);
    await page.getByText('€11.99 short').waitFor();
    await page.getByRole('button', { name: 'Pay €12.99' }).click();
    await page
      .getByText('There is not enough in this account. Nothing was charged, and your cart is as it was.')
      .waitFor();
    expect(await unitsInCart(page)).toBe('1');
    await dashboard.db
      .collection('accounts')
      .updateOne({ balance: 100 }, { $inc: { balance: 1200, opened_with: 1200 } });
    await page.getByRole('button', { name: 'Pay €12.99' }).click();
    await page.getByRole('heading', { level: 1, name: 'Thank you. It is yours.' }).waitFor();
    await page.getByRole('link', { name: 'All your orders' }).click();
    await page.getByText('Kind of Blue').waitFor();
  });

  it('asks again when the answer to a payment is lost, also after a reload, and is charged once', async () => {
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
      await route.fetch(); // the server has done it
      lost += 1;
      return route.abort();
    });
    await page.getByRole('button', { name: 'Pay €12.99' }).click();
    await page.getByText('it is not known yet whether you have paid').waitFor();
    expect(lost).toBe(4);
    await page.unroute('**/graphql');
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Thank you. It is yours.' }).waitFor();
    expect(await dashboard.db.collection('accounts').countDocuments({ balance: 5000 - 1299 })).toBe(1);
  });

  it('tells that a price has changed, that a product is no longer sold, and that the cart has expired; and helps on', async () => {
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
    await page.getByText('You took it at €45.00, and that is what one more costs you as well.').waitFor();
    await page.goto(`${dashboard.url}/shop/cart`);
    await page.getByText('It has become cheaper: €40.00.').waitFor();
    await page.getByRole('button', { name: 'Take today’s price' }).click();
    await page.getByText('€40.00 each').waitFor();

    await expireCarts(db, new Date(Date.now() + 1000), new Date());
    await page.getByText('This cart has not been touched for long').waitFor();
    expect(await stockOf(product, 'CHAIR-1')).toEqual({ available: 2, inCarts: 0, sold: 0 });
    await db.collection('products').deleteOne({ _id: 'CD-1' as never });
    await page.getByRole('button', { name: 'Put all of it back' }).click();
    await page.getByText('Gone meanwhile: Kind of Blue.').waitFor();
    await eventually(() => unitsInCart(page)).toBe('1');

    await db.collection('products').deleteOne({ _id: 'CHAIR-1' as never });
    await page.reload();
    await page.getByText('This is no longer sold. Take it out to pay for the rest.').waitFor();
    expect(await page.getByRole('button', { name: 'Go to checkout' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Take out Folding chair' }).click();
    await page.getByText('Nothing in it yet').waitFor();
  });

  it('says that the shop is away, and catches up with what was taken meanwhile', async () => {
    const other = await dashboard.startAnother();
    const page = await dashboard.open('/shop/p/CD-2');
    await page.getByText('Only 4 left').waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    const heightOfHeader = () => page.getByRole('banner').evaluate((header) => header.getBoundingClientRect().height);
    const height = await heightOfHeader();
    await dashboard.stop();
    await page.getByText(/The shop cannot be reached/).waitFor();
    await page.getByRole('banner').getByText('Offline').waitFor();
    expect(await heightOfHeader()).toBe(height); // a word has room in it: nothing below moves
    await restock(other, 'CD-2', 3);
    await page.getByText('Only 4 left').waitFor();
    await dashboard.restart();
    await page.getByText('In stock').waitFor();
    await eventually(() => page.getByRole('banner').getByRole('status').textContent()).toBe('Live');
    expect(await page.getByText(/The shop cannot be reached/).count()).toBe(0);
  });

  async function emptyCart(page: Page, title: string): Promise<void> {
    await page.getByRole('link', { name: /^Cart, / }).click();
    await page.getByRole('button', { name: `Take out ${title}` }).click();
    await page.getByText('Nothing in it yet').waitFor();
  }
});
