/** Pictures of products: uploaded in the back office, shown wherever the product is. */
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import { faultsOf } from '../support/axe.js';
import { describeInBrowser } from '../support/chromium.js';
import { eventually, useDashboard } from '../support/dashboard.js';
import { addCustomer, enter, fillShelves } from '../support/shop.js';

const WIDTH = 300;

describeInBrowser('pictures of a product', () => {
  const dashboard = useDashboard();
  beforeAll(async () => {
    await fillShelves(dashboard.product);
  });
  const file = async (name: string, background: string) => ({
    name,
    mimeType: 'image/png',
    buffer: await sharp({ create: { width: WIDTH, height: 200, channels: 3, background } })
      .png()
      .toBuffer(),
  });
  const openProduct = async (title: string): Promise<{ page: Page; pictures: Locator }> => {
    const page = await dashboard.openSignedIn('/commerce');
    await page.getByRole('button', { name: title }).click();
    return { page, pictures: page.getByRole('dialog').getByRole('region', { name: 'Pictures' }) };
  };
  /** It was served, and decoded: a drawn cover has no `img`, and a missing file no width. */
  const isShown = (picture: Locator) =>
    eventually(() => picture.evaluate((img) => (img as unknown as { naturalWidth: number }).naturalWidth)).toBe(WIDTH);

  it('are uploaded, put into order and removed', async () => {
    const { page, pictures } = await openProduct('Blue Train');
    await pictures
      .getByLabel('Add pictures')
      .setInputFiles([await file('red.png', 'red'), await file('blue.png', 'blue')]);
    await isShown(pictures.getByRole('img', { name: 'Blue Train, 2 of 2' }));
    const addresses = () => pictures.getByRole('img').evaluateAll((all) => all.map((img) => img.getAttribute('src')));
    const before = await addresses();
    expect(await faultsOf(page)).toEqual([]);
    await pictures.getByRole('button', { name: 'Show first' }).click();
    await eventually(addresses).toEqual(before.toReversed());
    await pictures.getByRole('button', { name: 'Remove picture 2' }).click();
    await eventually(addresses).toEqual(before.slice(1));
  });

  it('say why one is not taken, and keep the others', async () => {
    const { pictures } = await openProduct('Folding chair');
    const broken = { name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('no picture') };
    await pictures.getByLabel('Add pictures').setInputFiles([broken]);
    await pictures.getByRole('alert').filter({ hasText: 'broken.png' }).waitFor();
    expect(await pictures.getByRole('img').count()).toBe(0);
  });

  it('are shown in the shop: in lists, on the page, in the cart and in the order', async () => {
    const { pictures } = await openProduct('Kind of Blue');
    await pictures.getByLabel('Add pictures').setInputFiles([await file('cover.png', 'navy')]);
    await isShown(pictures.getByRole('img', { name: 'Kind of Blue, 1 of 1' }));
    const customer = await addCustomer(dashboard.product, 'Paula', 10_000);

    const page = await dashboard.open('/shop/all');
    await isShown(page.getByRole('listitem').filter({ hasText: 'Kind of Blue' }).locator('img'));
    const withoutOne = page.getByRole('listitem').filter({ hasText: 'Ágætis byrjun' });
    await withoutOne.locator('svg').first().waitFor();
    expect(await withoutOne.locator('img').count()).toBe(0);
    await page.getByRole('link', { name: 'Kind of Blue' }).click();
    await page.getByRole('heading', { level: 1, name: 'Kind of Blue' }).waitFor();
    await isShown(page.locator('main img').first());
    await page.getByRole('button', { name: 'Add to cart' }).click();
    await page.getByText('“Kind of Blue” is in your cart').waitFor();

    await page.goto(`${dashboard.url}/shop/cart`);
    await isShown(page.getByRole('listitem').filter({ hasText: 'Kind of Blue' }).locator('img'));
    await page.goto(`${dashboard.url}/shop/checkout`);
    await enter(page, customer);
    await page.getByRole('button', { name: 'Pay €12.99' }).click();
    await page.getByRole('heading', { name: 'Thank you for your order' }).waitFor();
    await isShown(page.getByRole('list', { name: 'Items' }).locator('img'));
  });
});
