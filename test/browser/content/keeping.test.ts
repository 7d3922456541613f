import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import { faultsOf } from '../support/axe.js';
import { describeInBrowser } from '../support/chromium.js';
import { type Created, create, createBlog, editorOf, find, textOf, type, waitUntilSaved } from '../support/content.js';
import { eventually, useDashboard } from '../support/dashboard.js';

describeInBrowser('content that is kept', () => {
  const dashboard = useDashboard();
  let blog: Created;
  beforeAll(async () => {
    blog = await createBlog(dashboard.product, 'blog');
  });
  const addPost = (title: string, more: object = {}) =>
    create(dashboard.product, { type: 'BLOG_POST', parentId: blog.id, title, text: 'As it was.', ...more });

  it('has a history with the differences of each version, any of which can be restored', async () => {
    const post = await addPost('With a history');
    const page = await dashboard.openSignedIn(editorOf(post));
    await type(page, 'end', ' As it became.');
    await page.keyboard.press('Control+s');
    await waitUntilSaved(page);
    await page.getByRole('button', { name: 'History' }).click();
    const dialog = page.getByRole('dialog', { name: 'History' });
    await dialog.getByText('Current').waitFor();
    await eventually(() => dialog.getByLabel('Text: before').innerText()).toBe('As it was.');
    expect(await dialog.getByLabel('Text: version 2').innerText()).toBe('As it was. As it became.');
    expect(await faultsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: /Version 1/ }).click();
    await dialog.getByRole('button', { name: 'Restore this version' }).click();
    await eventually(() => textOf(page).innerText()).toBe('As it was.');
    expect(await find(dashboard.product, post.id)).toMatchObject({ text: 'As it was.', version: 3 });
  });

  it('shows its only version as a whole', async () => {
    const post = await addPost('Written once', { excerpt: 'In short.' });
    const page = await dashboard.openSignedIn(editorOf(post));
    await page.getByRole('button', { name: 'History' }).click();
    const dialog = page.getByRole('dialog', { name: 'History' });
    await dialog.getByText('The first version, as a whole').waitFor();
    await dialog.getByText(/Administrator · 3 words/).waitFor();
    expect(await dialog.getByRole('term').allTextContents()).toEqual([
      'Title',
      'Excerpt',
      'Publication',
      'Address',
      'Text',
    ]);
    expect(await dialog.getByRole('definition').allTextContents()).toEqual([
      'Written once',
      'In short.',
      'A draft',
      'written-once',
      'As it was.',
    ]);
    expect(await faultsOf(page)).toEqual([]);
  });

  it('shows the picture of such a version, too', async () => {
    const bytes = await sharp({ create: { width: 320, height: 200, channels: 3, background: '#336699' } })
      .png()
      .toBuffer();
    const { data } = await dashboard.product.upload<{ uploadPicture: { id: string } }>(
      'mutation ($file: Upload!) { uploadPicture(file: $file) { ... on Asset { id } } }',
      {},
      new File([new Uint8Array(bytes)], 'a.png'),
    );
    const post = await addPost('With a picture', { type: 'IMAGE', imageId: data?.uploadPicture.id });
    const page = await dashboard.openSignedIn(editorOf(post));
    await page.getByRole('button', { name: 'History' }).click();
    const dialog = page.getByRole('dialog', { name: 'History' });
    await dialog.getByText('The first version, as a whole').waitFor();
    await dialog.getByRole('term').filter({ hasText: 'Picture' }).waitFor();
    await dialog.getByRole('img', { name: '320 by 200 pixels' }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });

  it('goes to the trash and comes back', async () => {
    const post = await addPost('To the trash', { slug: 'to-the-trash', publishedAt: '2026-02-01T00:00:00Z' });
    const page = await dashboard.openSignedIn(editorOf(post));
    await page.getByRole('button', { name: 'Move to the trash' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Move to the trash' }).click();
    await page.getByRole('heading', { name: /The blog/ }).waitFor();
    expect((await find(dashboard.product, post.id)).state).toBe('DELETED');
    await page.getByRole('link', { name: 'Trash', exact: true }).click();
    const row = page.getByRole('row', { name: /To the trash/ });
    await row.getByText('was at /blog/to-the-trash').waitFor();
    const [deleted, until] = await row.locator('time').evaluateAll((all) => all.map((time) => time.dateTime));
    expect(Date.now() - Date.parse(deleted ?? '')).toBeLessThan(60_000);
    expect(Date.parse(until ?? '') - Date.parse(deleted ?? '')).toBe(30 * 24 * 3_600_000);
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Restore To the trash' }).click();
    await page.getByText('To the trash is a draft again').waitFor();
    await eventually(() => page.getByRole('row', { name: /To the trash/ }).count()).toBe(0);
    expect((await find(dashboard.product, post.id)).state).toBe('DRAFT');
  });

  it('gets another address if its own was taken meanwhile', async () => {
    const post = await addPost('Replaced', { slug: 'replaced' });
    const page = await dashboard.openSignedIn(editorOf(post));
    await page.getByRole('button', { name: 'Move to the trash' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Move to the trash' }).click();
    await page.getByRole('heading', { name: /The blog/ }).waitFor();
    await addPost('The replacement', { slug: 'replaced' });
    await page.getByRole('link', { name: 'Trash', exact: true }).click();
    await page.getByRole('button', { name: 'Restore Replaced' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await page.getByText('Replaced is a draft again').waitFor();
  });

  it('is listed by group, by author, by kind and by state', async () => {
    const folder = await create(dashboard.product, { type: 'FOLDER', title: 'The station' });
    await create(dashboard.product, { type: 'PAGE', title: 'How to find us', parentId: folder.id });
    await addPost('Listed as published', { publishedAt: '2026-02-01T00:00:00Z' });
    const page = await dashboard.openSignedIn('/content');
    const rows = page.getByRole('table', { name: 'Content' }).locator('tbody tr');
    const places = page.getByRole('navigation', { name: 'Places' });
    await places.getByRole('link', { name: 'The station' }).click();
    await eventually(() => rows.allTextContents()).toEqual([expect.stringContaining('How to find us')]);
    await places.getByRole('link', { name: 'All content' }).click();
    await page.getByRole('link', { name: 'The station' }).last().click(); // a group in the list is walked into
    await eventually(() => rows.allTextContents()).toEqual([expect.stringContaining('How to find us')]);
    await places.getByRole('link', { name: 'Posts' }).click();
    await page.getByRole('radio', { name: 'Published' }).click();
    await page.getByRole('row', { name: /Listed as published/ }).waitFor();
    await eventually(() => page.getByRole('row', { name: /How to find us/ }).count()).toBe(0);
    await page.getByRole('radio', { name: 'Scheduled' }).click();
    await page.getByText('Nothing is in this state').waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });

  it('is listed with at most two lines of its title', async () => {
    const title = 'A title that is as long as titles may be. '.repeat(7).trim();
    await addPost(title);
    await addPost('One line');
    const page = await dashboard.openSignedIn('/content');
    const link = page.getByRole('link', { name: title });
    const heightOf = async (name: string) => (await page.getByRole('link', { name }).boundingBox())?.height ?? 0;
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await eventually(async () => Math.round((await heightOf(title)) / (await heightOf('One line')))).toBe(2);
    }
    expect(await link.getAttribute('title')).toBe(title);
  });

  it('is found by its tags when it is published', async () => {
    await addPost('Tagged and out', { tags: ['lighthouses'], publishedAt: '2026-02-01T00:00:00Z' });
    const page = await dashboard.openSignedIn('/content/tags?tag=lighthouses');
    await page.getByRole('row', { name: /Tagged and out/ }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });
});

describeInBrowser('a server without content', () => {
  const dashboard = useDashboard();

  it('says what to do first', async () => {
    const page = await dashboard.openSignedIn('/content');
    await page.getByText('Nothing is written yet').waitFor();
    await page.getByRole('button', { name: 'Fill with sample data' }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.goto(`${dashboard.url}/content/trash`);
    await page.getByText('The trash is empty').waitFor();
    await page.goto(`${dashboard.url}/content/edit`);
    await page.getByText('There is nothing to edit here').waitFor();
  });
});
