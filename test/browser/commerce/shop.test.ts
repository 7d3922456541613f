/** The shop as the staff see it. It starts empty. */
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Product } from '../../../harness/product.js';
import { parseCatalogLine } from '../../../src/models/commerce/catalog-import/catalog-line.js';
import { addAccount } from '../support/accounts.js';
import { describeInBrowser } from '../support/chromium.js';
import { eventually, useDashboard } from '../support/dashboard.js';
import { fillShop } from '../support/sample-shop.js';

/** A thread does it, which rests longer than it works. */
const SEED_MS = 60_000;

describeInBrowser('the shop’s staff pages', () => {
  const dashboard = useDashboard();

  it('guide an empty shop to its first products', async () => {
    const page = await dashboard.openSignedIn('/commerce');
    await page.getByRole('heading', { name: 'Your catalog is empty' }).waitFor();
    await page.getByText('sextant import-catalog').waitFor();
    const example = (await page.locator('pre').textContent()) ?? '';
    const lines = example
      .trim()
      .split('\n')
      .map((line) => parseCatalogLine(Buffer.from(line)));
    expect(lines.map(({ kind }) => kind)).toEqual(['category', 'product']);
    await page.getByRole('button', { name: 'Fill with sample data' }).click();
    await page.getByText('The sample data was added').waitFor({ timeout: SEED_MS });
    await page.getByRole('button', { name: 'Go to the catalog' }).click();
    await page.getByRole('row', { name: /Artificial horizon/ }).waitFor();
  });

  it('undo the sample data, and take other products', async () => {
    const page = await dashboard.openSignedIn('/system');
    await page.getByRole('button', { name: 'Undo the sample data of Commerce' }).click();
    await page.getByRole('button', { name: 'Undo sample data' }).click();
    await page.getByRole('button', { name: 'Add sample data to Commerce' }).waitFor({ timeout: SEED_MS });
    await page.goto(`${dashboard.url}/commerce`);
    await page.getByRole('heading', { name: 'Your catalog is empty' }).waitFor();
    await fillShop(dashboard.product);
    await page.reload();
    await eventually(() => titles(page)).toHaveLength(10);
  });

  it('filter the catalog by type, price, genre and property, and keep the filter in the URL', async () => {
    const page = await dashboard.openSignedIn('/commerce');
    const facets = page.getByRole('complementary', { name: 'Facets' });
    const choose = (value: string) => facets.getByRole('button', { name: value }).click();
    await choose('Instrument 3');
    await eventually(() => titles(page)).toEqual(['Brass sextant', 'Hand bearing compass', 'Parallel rulers, 45 cm']);
    await choose('€50 to under €100 1'); // a price can be combined with the type
    await eventually(() => titles(page)).toEqual(['Hand bearing compass']);
    for (const value of ['Instrument 3', '€50 to under €100 1', 'Folk 2']) await choose(value); // deselects the first two
    await eventually(() => titles(page)).toEqual(['Songs for a Slack Tide', 'Élégie pour un phare']);
    await choose('brass 1');
    await eventually(() => titles(page)).toEqual(['Brass sextant']);
    await page.reload();
    await page.getByRole('heading', { name: 'Material: brass' }).waitFor();
    await eventually(() => titles(page)).toEqual(['Brass sextant']);
    await page.goBack();
    await eventually(() => titles(page)).toEqual(['Songs for a Slack Tide', 'Élégie pour un phare']);
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByLabel('Sort by').selectOption('Highest discount first');
    await eventually(async () => (await titles(page))[0]).toBe('The Longitude Prize');
  });

  it('complete a title without its accents by keyboard only, and search for words', async () => {
    const page = await dashboard.openSignedIn('/commerce');
    const finder = page.getByRole('combobox', { name: 'Find a product' });
    await finder.pressSequentially('elegie');
    await page.getByRole('option', { name: 'Élégie pour un phare' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Élégie pour un phare' });
    await dialog.getByText('Ondine Kerval').waitFor();
    await page.keyboard.press('Escape');
    await finder.fill('night');
    await page.getByRole('option', { name: 'Night Watch' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '“night”' }).waitFor();
    await eventually(async () => (await titles(page)).toSorted()).toEqual(['Night Ferry to Ostend', 'Night Watch']);
  });

  it('show live stock without a reload, and restock', async () => {
    const page = await dashboard.openSignedIn('/commerce');
    await page.evaluate('globalThis.sameDocument = true');
    const row = page.getByRole('row', { name: /Night Watch/ });
    await eventually(() => stockIn(row)).toEqual(['12', '0', '0']);
    const cart = await startCart(dashboard.product);
    await addToCart(dashboard.product, cart, 'LP-1002', 5);
    await eventually(() => stockIn(row)).toEqual(['7', '5', '0']);
    await row.getByRole('button', { name: 'Night Watch' }).click();
    await page.getByLabel('Units received').fill('3');
    await page.getByRole('button', { name: 'Restock' }).click();
    await eventually(() => page.locator('dt:text-is("Total stocked") + dd').textContent()).toBe('15');
    await page.keyboard.press('Escape');
    await eventually(() => stockIn(row)).toEqual(['10', '5', '0']);
    expect(await page.evaluate('globalThis.sameDocument')).toBe(true);
  });

  it('move a category with its products by drag and drop', async () => {
    const page = await dashboard.openSignedIn('/commerce/categories');
    await node(page, 'Music').focus();
    await page.keyboard.press('ArrowRight');
    await node(page, 'Folk').waitFor();
    await node(page, 'Folk').dragTo(node(page, 'Films'));
    await page.getByText('Folk was moved').waitFor();
    await node(page, 'Films 4 products').waitFor(); // two films and two albums
    await node(page, 'Music 2 products').waitFor();
    await node(page, 'Films').focus();
    // The first one opens it; below Music, Folk may still be shown for a moment.
    await eventually(async () => {
      await page.keyboard.press('ArrowRight');
      return page.evaluate('document.activeElement.textContent');
    }).toMatch(/^Folk/);
  });

  it('move a category by keyboard only, and show why a move is refused', async () => {
    const page = await dashboard.openSignedIn('/commerce/categories');
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await node(page, 'Films').focus();
    await press('ArrowRight');
    await node(page, 'Folk').waitFor();
    await press('m', 'ArrowDown', 'Enter'); // Films under Folk, which is under Films
    await page.getByRole('alert').getByText('Films').waitFor();
    await press('m'); // Folk, which has the focus
    await page.getByText('Where does Folk go?').waitFor();
    await press('Escape');
    await page.getByText('focus it and press M').waitFor();
    await press('m');
    await page.getByRole('button', { name: 'Move to top level' }).click();
    await page.getByText('Folk is now at the top level').waitFor();
    await eventually(() => node(page, 'Folk').getAttribute('aria-level')).toBe('1'); // the message appears before the tree updates
    await node(page, 'Folk').focus();
    await press('m');
    await node(page, 'Music').focus();
    await press('Enter');
    await node(page, 'Music 3 products').waitFor();
  });

  it('add, rename and remove a category', async () => {
    const page = await dashboard.openSignedIn('/commerce/categories?category=music');
    await page.getByRole('button', { name: 'Add subcategory' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Chamber music');
    expect(await page.getByLabel('Slug').inputValue()).toBe('chamber-music');
    await page.getByRole('button', { name: 'Add category' }).click();
    await page.getByRole('heading', { name: 'Chamber music' }).waitFor();
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('Slug').fill('folk');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor(); // taken
    await page.getByLabel('Name', { exact: true }).fill('Quartets');
    await page.getByLabel('Slug').fill('quartets');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { name: 'Quartets' }).waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove category' }).click();
    await page.getByRole('heading', { name: 'Music' }).waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    expect(await page.getByLabel('Move its contents to').inputValue()).toBe(''); // no default
    await page.getByLabel('Move its contents to').selectOption('Films');
    await page.keyboard.press('Escape');
    await node(page, 'Music').waitFor();
  });

  it('sell at the till: a cart, a payment, an order', async () => {
    const page = await dashboard.openSignedIn('/commerce/till');
    await page.getByRole('button', { name: 'Open an account with €500.00' }).click();
    await page.getByRole('button', { name: 'Open it with €500.00' }).click();
    await page.getByText('Balance: €500.00').waitFor();
    await ringUp(page, 'brass', 'Brass sextant');
    await ringUp(page, 'song', 'Songs for a Slack Tide');
    const line = page.getByRole('row', { name: /Songs/ });
    await line.getByText('39 left').waitFor();
    await line.getByRole('button', { name: 'one more' }).click();
    await line.getByText('38 left').waitFor();
    await page
      .getByRole('row', { name: /sextant/ })
      .getByRole('button', { name: 'Remove Brass sextant' })
      .click();
    await eventually(() => page.getByRole('row', { name: /sextant/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Pay €29.80' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click(); // nothing was charged
    await page.getByText('Balance: €500.00').waitFor();
    await page.getByRole('button', { name: 'Pay €29.80' }).click();
    await page.getByRole('heading', { name: 'Charge Administrator €29.80?' }).waitFor();
    await page.getByRole('button', { name: 'Charge €29.80' }).click();
    await page.getByText('Paid: €29.80.').waitFor();
    await page.getByRole('button', { name: 'See all orders' }).click();
    const order = page.getByRole('row', { name: /Songs for a Slack Tide/ });
    await order.getByText('Paid').waitFor();
    await order.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('button', { name: 'One more of Songs for a Slack Tide' }).click();
    await page.getByRole('heading', { name: 'Charge Administrator €14.90?' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').getByText('€29.80 on').waitFor();
    await page.getByRole('button', { name: 'One more of Songs for a Slack Tide' }).click();
    await page.getByRole('button', { name: 'Charge €14.90' }).click();
    await page.getByRole('dialog').getByText('€44.70 on').waitFor();
    await page.getByText('Bought and paid for by Administrator').waitFor();
    await page.getByRole('button', { name: 'Refund 1 of Songs for a Slack Tide' }).click();
    await page.getByRole('button', { name: 'Refund €14.90' }).click();
    await page.getByRole('dialog').getByText('€29.80 on').waitFor();
    await page.getByText(/^Refunded: €14.90 on/).waitFor();
    await page.getByRole('button', { name: 'Refund order' }).click();
    await page.getByRole('button', { name: 'Refund €29.80' }).click();
    await page.getByText(/^Refunded: €14.90 on .*, €29.80 on/).waitFor();
  });

  it('show at the till what is out of stock and what cannot be paid, and charge nothing', async () => {
    const { product } = dashboard;
    await addToCart(product, await startCart(product), 'LP-1003', 1);
    const page = await dashboard.openSignedIn('/commerce/till');
    await ringUp(page, 'élégie', 'Élégie pour un phare');
    await page.getByRole('alert').getByText('LP-1003 is sold out').waitFor();
    await ringUp(page, 'brass', 'Brass sextant');
    await page
      .getByRole('row', { name: /sextant/ })
      .getByLabel('Units of Brass sextant', { exact: true })
      .fill('3');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Pay €867.00' }).click();
    await page.getByRole('button', { name: 'Charge €867.00' }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Balance: €500.00').waitFor();
    await page.getByRole('button', { name: 'Start new cart' }).click();
    await page.getByText('The cart is empty').waitFor();
  });

  it('list the carts of customers, which update live', async () => {
    const { product } = dashboard;
    const cart = await startCart(product);
    await addToCart(product, cart, 'MAP-4001', 1);
    const page = await dashboard.openSignedIn('/commerce/carts');
    const row = page.getByRole('row', { name: /Chart of the Lesser Skerries/ });
    await row.getByText('€32.00').waitFor();
    await addToCart(product, cart, 'MAP-4001', 2);
    await row.getByText('€96.00').waitFor();
    await row.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('button', { name: 'Open at the till' }).click();
    await page
      .getByRole('row', { name: /Skerries/ })
      .getByText('15 left')
      .waitFor();
    await page.goto(`${dashboard.url}/commerce/carts`);
    await page.getByRole('radio', { name: /^Expired/ }).click();
    await page.getByText('No cart is expired').waitFor();
    await page.getByText('Carts that have ended are kept for 30 days.').waitFor();
    await page.getByRole('radio', { name: /^Paid/ }).click();
    await page
      .getByRole('row', { name: /Songs for a Slack Tide/ })
      .first()
      .getByText('Paid')
      .waitFor();
  });

  it('show violated invariants, repair them on demand, and show the last runs of the workers', async () => {
    const page = await dashboard.openSignedIn('/commerce/recovery');
    await page.getByText('No check has run yet').waitFor();
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByText('Every invariant holds').waitFor();
    await dashboard.db
      .collection<{ _id: string }>('catalog.facets')
      .updateOne({ _id: 'TYPE//FILM' }, { $inc: { count: 5 } });
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByRole('table', { name: 'Violations' }).getByText('7 where 2 was expected').waitFor();
    await page.getByRole('button', { name: 'Recover now' }).click();
    await page.getByText('Rebuild the catalog counters and paths: 1').waitFor();
    await page.getByText('Every invariant holds').waitFor();
    const worker = page.getByRole('listitem').filter({ hasText: 'Finish or reverse stalled transfers' });
    await worker.getByText(/^Ran .* ago, took \d+ ms$/).waitFor();
  });

  it('offer editors only what they may do', async () => {
    const edith = await addAccount(dashboard.product, 'Edith', ['EDITOR']);
    const page = await dashboard.openSignedIn('/commerce/accounts', edith);
    await page.getByText('You have no account').waitFor();
    const links = page.getByRole('navigation', { name: 'Commerce' }).getByRole('link');
    expect(await links.allTextContents()).toEqual(['Catalog', 'Categories', 'Till', 'Orders', 'Accounts']);
    await page.getByRole('link', { name: 'Till' }).click();
    await page.getByRole('button', { name: 'Open an account' }).click();
    await page.getByText('Balance: €0.00').waitFor();
    await ringUp(page, 'chart of the', 'Chart of the Lesser Skerries');
    await page.getByRole('button', { name: 'Pay €32.00' }).click();
    await page.getByRole('button', { name: 'Charge €32.00' }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await page.goto(`${dashboard.url}/commerce/carts`);
    await page.getByRole('heading', { name: 'Carts' }).waitFor();
    await page.getByText('You cannot open this page').waitFor();
  });

  it('keep their data while the server is unreachable, and continue when it is back', async () => {
    const page = await dashboard.openSignedIn('/commerce');
    const row = page.getByRole('row', { name: /Hand bearing compass/ });
    await eventually(() => stockIn(row)).toEqual(['30', '0', '0']);
    await dashboard.stop();
    await page.getByText('The server cannot be reached. The data below may be outdated.').first().waitFor();
    expect(await titles(page)).toHaveLength(10);
    await dashboard.restart();
    const cart = await startCart(dashboard.product);
    await addToCart(dashboard.product, cart, 'NAV-3002', 4);
    await eventually(() => stockIn(row)).toEqual(['26', '4', '0']);
    await eventually(() => page.getByText('may be outdated').count()).toBe(0);
  });
});

/** The titles in the product list. */
const titles = (page: Page) =>
  page.getByRole('table', { name: 'Products' }).locator('tbody th button').allTextContents();

/** Available, in carts, sold: without the labels for narrow pages. */
async function stockIn(row: Locator): Promise<string[]> {
  const cells = await row.getByRole('cell').allTextContents();
  return cells.slice(-3).map((text) => text.replace(/^\D+/, ''));
}

const node = (page: Page, name: string) => page.getByRole('treeitem', { name: new RegExp(`^${name}`) });

/** Adds one to the cart by typing the start of its title. */
async function ringUp(page: Page, beginning: string, title: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Add a product' }).fill(beginning);
  await page.getByRole('option', { name: title }).click();
  await page.getByRole('combobox', { name: 'Add a product' }).and(page.locator('[value=""]')).waitFor();
}

async function startCart(product: Product): Promise<string> {
  const { data } = await product.request<{ startCart: { id: string } }>('mutation { startCart { id } }', {}, null);
  return data?.startCart.id ?? '';
}

async function addToCart(product: Product, cart: string, sku: string, quantity: number): Promise<void> {
  const { data } = await product.request(
    'mutation ($cart: ID!, $sku: String!, $quantity: Int!) { addToCart(cartId: $cart, sku: $sku, quantity: $quantity) { __typename } }',
    { cart, sku, quantity },
    null,
  );
  expect(data).toEqual({ addToCart: { __typename: 'Cart' } });
}
