import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import { faultsOf } from '../support/axe.js';
import { describeInBrowser } from '../support/chromium.js';
import { type Created, create, createBlog, editorOf, waitUntilSaved } from '../support/content.js';
import { eventually, useDashboard } from '../support/dashboard.js';
import { ask } from '../support/narrow-pages.js';

const png = (background: string) =>
  sharp({ create: { width: 320, height: 200, channels: 3, background } })
    .png()
    .toBuffer();
const file = async (name: string, background: string) => ({
  name,
  mimeType: 'image/png',
  buffer: await png(background),
});

describeInBrowser('pictures of nodes', () => {
  const dashboard = useDashboard();
  let gallery: Created;
  beforeAll(async () => {
    gallery = await create(dashboard.product, { type: 'GALLERY', title: 'Winter', slug: 'winter' });
  });

  it('fill a gallery, several at once, and say which file is no picture', async () => {
    const page = await dashboard.openSignedIn(`/content/gallery?id=${encodeURIComponent(gallery.id)}`);
    await page.getByText('No photos yet').waitFor();
    await page
      .getByLabel('Photos to upload')
      .setInputFiles([
        await file('ice_one.png', '#336699'),
        { name: 'false.png', mimeType: 'image/png', buffer: Buffer.from('not a picture') },
        await file('ice-two.png', '#993333'),
      ]);
    const photos = page.getByRole('list', { name: 'Photos' }).getByRole('link');
    await eventually(async () => (await photos.allTextContents()).toSorted()).toEqual(['ice one', 'ice two']);
    await page.getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'Dismiss false.png' }).click();
    await eventually(() => page.evaluate('document.querySelector("li img").naturalWidth')).toBe(320);
    expect(await faultsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await photos.first().click();
    await page.getByLabel('Description').fill('Taken from the jetty.');
    await page.keyboard.press('Control+s');
    await waitUntilSaved(page);
    expect(await faultsOf(page)).toEqual([]);
  });

  it('are chosen for a post, and saved with it', async () => {
    const blog = await createBlog(dashboard.product, 'blog');
    const post = await create(dashboard.product, { type: 'IMAGE', parentId: blog.id, title: 'One picture' });
    const page = await dashboard.openSignedIn(editorOf(post));
    await page.getByText('Drop a picture here').waitFor();
    await page.getByLabel('Picture', { exact: true }).setInputFiles(await file('one.png', '#224466'));
    await page.getByRole('img', { name: 'As readers will see it' }).waitFor();
    await page.keyboard.press('Control+s');
    await waitUntilSaved(page);
    const { node } = await ask<{ node: { image: { width: number } } }>(
      dashboard.product,
      'query ($id: ID!) { node(id: $id) { ... on ImagePost { image { width } } } }',
      { id: post.id },
    );
    expect(node.image.width).toBe(320);
  });
});
