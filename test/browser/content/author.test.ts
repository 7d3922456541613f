import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import { addAccount } from '../support/accounts.js';
import { faultsOf } from '../support/axe.js';
import { describeInBrowser } from '../support/chromium.js';
import { type Created, create, createBlog, editorOf, textOf, type, waitUntilSaved } from '../support/content.js';
import { type Credentials, eventually, useDashboard } from '../support/dashboard.js';

const file = async (name: string, width: number) => ({
  name,
  mimeType: 'image/png',
  buffer: await sharp({ create: { width, height: 200, channels: 3, background: '#336699' } })
    .png()
    .toBuffer(),
});

describeInBrowser('an author in the dashboard', () => {
  const dashboard = useDashboard();
  let foreign: Created;
  let ada: Credentials;
  beforeAll(async () => {
    const blog = await createBlog(dashboard.product, 'blog');
    foreign = await create(dashboard.product, {
      type: 'BLOG_POST',
      parentId: blog.id,
      title: 'By the administrator',
      publishedAt: '2026-02-01T00:00:00Z',
    });
    ada = await addAccount(dashboard.product, 'Ada', ['AUTHOR']);
  });

  it('lists what is theirs, writes a post and publishes it', async () => {
    const page = await dashboard.openSignedIn(`/content?in=${encodeURIComponent(foreign.id)}`, ada);
    await page.getByRole('heading', { name: 'My content' }).waitFor();
    await page.getByText('Nothing here').waitFor();
    expect(await page.getByText('All content').count()).toBe(0);
    await page.getByRole('button', { name: 'New' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title').fill('By Ada');
    expect(await dialog.getByRole('radio').count()).toBe(4); // post, picture, video, quote
    await dialog.getByRole('button', { name: 'Create draft' }).click();
    await type(page, 'end', 'Half a league.');
    await waitUntilSaved(page);
    await page.getByRole('radio', { name: /^Now/ }).check();
    await page.getByRole('button', { name: 'Publish now' }).click();
    await page.getByRole('heading', { name: 'Readers' }).waitFor(); // the hits of their own post
    await page.getByText('0 hits').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.goto(new URL('/content', page.url()).href);
    await page.getByRole('link', { name: 'By Ada' }).waitFor();
    expect(await page.getByText('By the administrator').count()).toBe(0);
    expect(await faultsOf(page)).toEqual([]);
  });

  it('uploads photos to a gallery, replaces and edits them, and places none', async () => {
    const winter = await create(dashboard.product, {
      type: 'GALLERY',
      title: 'Winter',
      slug: 'winter',
      publishedAt: '2026-02-01T00:00:00Z',
    });
    for (const [title, publishedAt] of [
      ['A draft by the administrator', null],
      ['By the administrator, too', '2026-02-01T00:00:00Z'],
    ])
      await create(dashboard.product, { type: 'PHOTO', parentId: winter.id, title, publishedAt });
    const page = await dashboard.openSignedIn('/content', ada);
    await page.getByRole('region', { name: 'Galleries' }).getByRole('link', { name: 'Winter' }).click();
    await page.getByText('No photos of yours yet').waitFor();
    expect(await page.getByRole('link', { name: 'Edit gallery' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'What readers see' }).getAttribute('href')).toMatch(
      /\/blog\/~\/winter$/,
    );
    await page.getByLabel('Photos to upload').setInputFiles([await file('ice.png', 320), await file('snow.png', 300)]);
    const photos = page.getByRole('list', { name: 'Photos' }).getByRole('link');
    await eventually(async () => (await photos.allTextContents()).toSorted()).toEqual(['ice', 'snow']);
    expect(await page.getByRole('button', { name: /^Move/ }).count()).toBe(0);
    expect(await page.getByText('Drag photos').count()).toBe(0);
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Replace the picture of ice' }).click();
    await (await chooser).setFiles(await file('other.png', 200));
    await eventually(() => photos.filter({ hasText: 'ice' }).locator('img').getAttribute('width')).toBe('200');
    expect(await page.getByRole('alert').count()).toBe(0);
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBeLessThanOrEqual(0);
      expect(await faultsOf(page)).toEqual([]);
    }
    await photos.filter({ hasText: 'ice' }).click();
    await page.getByLabel('Description').fill('Taken from the jetty.');
    await page.keyboard.press('Control+s');
    await waitUntilSaved(page);
    expect(await faultsOf(page)).toEqual([]);
  });

  it('reads the posts of others where readers do', async () => {
    const page = await dashboard.openSignedIn(editorOf(foreign), ada);
    await page.getByText('Authors edit posts and photos of their own').waitFor();
    expect(await textOf(page).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Read it' }).getAttribute('href')).toMatch(
      /\/blog\/by-the-administrator$/,
    );
  });
});
