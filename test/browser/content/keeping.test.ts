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

  it('goes to the trash and comes back', async () => {
    const post = await addPost('To the trash', { slug: 'to-the-trash', publishedAt: '2026-02-01T00:00:00Z' });
    const page = await dashboard.openSignedIn(editorOf(post));
    await page.getByRole('button', { name: 'Move to the trash' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Move to the trash' }).click();
    await page.getByRole('heading', { name: /The blog/ }).waitFor();
    expect((await find(dashboard.product, post.id)).state).toBe('DELETED');
    await page.getByRole('link', { name: 'Trash', exact: true }).click();
    await page.getByRole('row', { name: /To the trash/ }).waitFor();
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
