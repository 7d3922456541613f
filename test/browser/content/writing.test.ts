import { beforeAll, expect, it } from 'vitest';
import { faultsOf } from '../support/axe.js';
import { describeInBrowser } from '../support/chromium.js';
import { type Created, create, createBlog, editorOf, find, textOf, type, waitUntilSaved } from '../support/content.js';
import { eventually, useDashboard } from '../support/dashboard.js';
import { ask } from '../support/narrow-pages.js';

const SITE_TIME = /UTC/;
/** Long enough to choose the time and save. */
const SCHEDULED_MS = 10_000;

describeInBrowser('the editor of a post', () => {
  const dashboard = useDashboard();
  let blog: Created;
  beforeAll(async () => {
    blog = await createBlog(dashboard.product, 'blog');
  });
  const addPost = (title: string, more: object = {}) =>
    create(dashboard.product, { type: 'BLOG_POST', parentId: blog.id, title, text: 'The first line.', ...more });

  it('creates a draft, saves it while one writes, and publishes it', async () => {
    const page = await dashboard.openSignedIn('/content');
    await page.getByRole('button', { name: 'New' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: /^Post/ }).check();
    await dialog.getByLabel('Title').fill('Ships that pass');
    await dialog.getByRole('button', { name: 'Create draft' }).click();
    await textOf(page).waitFor();
    const id = new URL(page.url()).searchParams.get('id') ?? '';
    await type(page, 'end', 'Two lights, and **a horn**.');
    await waitUntilSaved(page);
    expect(await find(dashboard.product, id)).toMatchObject({
      text: 'Two lights, and **a horn**.',
      state: 'DRAFT',
      version: 2,
    });
    await type(page, 'end', ' Then nothing.');
    await page.getByRole('radio', { name: /^Now/ }).check();
    await page.getByRole('button', { name: 'Publish now' }).click();
    await page.getByRole('main').getByText('Published', { exact: true }).waitFor();
    expect(await find(dashboard.product, id)).toMatchObject({
      text: 'Two lights, and **a horn**. Then nothing.',
      state: 'PUBLISHED',
      version: 3, // the text and its publication are one version
    });
  });

  it('does not show readers the changes of a published post before they are told to', async () => {
    const post = await addPost('Already out', { publishedAt: '2026-02-01T00:00:00Z' });
    const page = await dashboard.openSignedIn(editorOf(post));
    await type(page, 'end', ' Half a sen');
    await page.getByText('Not published yet').waitFor();
    await page.getByText('the version before your changes').waitFor();
    expect(await find(dashboard.product, post.id)).toMatchObject({ text: 'The first line.', version: 1 });
    await page.keyboard.press('Control+s');
    await waitUntilSaved(page);
    expect(await find(dashboard.product, post.id)).toMatchObject({ text: 'The first line. Half a sen', version: 2 });
  });

  it('schedules a post, with the time of the site and of the user', async () => {
    const post = await addPost('For the new year');
    const page = await dashboard.openSignedIn(editorOf(post));
    await page.getByRole('radio', { name: /^At a time/ }).check();
    await page.getByLabel('Date and time in UTC').fill('2031-01-01T00:00');
    await page.getByRole('button', { name: 'Schedule' }).click();
    await page.getByRole('main').getByText('Scheduled', { exact: true }).waitFor();
    expect(await page.getByText('1 Jan 2031').first().textContent()).toMatch(SITE_TIME);
    expect(await find(dashboard.product, post.id)).toMatchObject({
      state: 'SCHEDULED',
      publishedAt: '2031-01-01T00:00:00.000Z',
    });
  });

  it('schedules a post a few seconds ahead, which then appears in an open page of the blog by itself', async () => {
    const post = await addPost('On the dot');
    const reader = await dashboard.open('/blog');
    const entry = reader.locator('.entry').filter({ hasText: 'On the dot' });
    const page = await dashboard.openSignedIn(editorOf(post));
    await page.getByRole('radio', { name: /^At a time/ }).check();
    const at = new Date(Date.now() + SCHEDULED_MS).toISOString();
    await page.getByLabel('Date and time in UTC').fill(at.slice(0, 19)); // with seconds
    await page.getByRole('button', { name: 'Schedule' }).click();
    await page.getByRole('main').getByText('Scheduled', { exact: true }).waitFor();
    expect(await entry.count()).toBe(0);
    await entry.waitFor({ timeout: SCHEDULED_MS + 30_000 });
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(at.slice(0, 19).concat('Z')));
    await page.getByRole('main').getByText('Published', { exact: true }).waitFor(); // the editor learns of it, too
  });

  it('keeps the text while the server is away, through a reload, and saves it when the server is back', async () => {
    const post = await addPost('Through the storm');
    const page = await dashboard.openSignedIn(editorOf(post));
    await textOf(page).waitFor();
    await dashboard.stop();
    await type(page, 'end', ' Written without a server.');
    await page.keyboard.press('Control+s');
    await page.getByText('Not saved: offline').waitFor();
    await dashboard.restart();
    await waitUntilSaved(page);
    expect((await find(dashboard.product, post.id)).text).toBe('The first line. Written without a server.');
  });

  it('brings back what was not saved after the window was closed without asking', async () => {
    const post = await addPost('Lost and found', { publishedAt: '2026-02-01T00:00:00Z' });
    const page = await dashboard.openSignedIn(editorOf(post));
    await type(page, 'end', ' Never saved.');
    await eventually(() =>
      page.evaluate('Object.keys(localStorage).filter((key) => key.startsWith("sextant.unsaved")).length'),
    ).toBe(1);
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await page.getByText('which was not saved on the server, is back').waitFor();
    expect(await textOf(page).innerText()).toBe('The first line. Never saved.');
    await page.getByRole('button', { name: 'Discard it' }).click();
    await eventually(() => textOf(page).innerText()).toBe('The first line.');
    expect((await find(dashboard.product, post.id)).version).toBe(1);
  });

  it('asks before one leaves unsaved text of a published post, and not before one leaves a draft', async () => {
    const published = await addPost('Ask me', { publishedAt: '2026-02-01T00:00:00Z' });
    const page = await dashboard.openSignedIn(editorOf(published));
    await type(page, 'end', ' Unsaved.');
    await page.getByText('Not published yet').waitFor();
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.message());
      void dialog.dismiss();
    });
    await page.getByRole('link', { name: 'Tags' }).click();
    expect(asked).toEqual([expect.stringContaining('not saved on the server')]);
    expect(new URL(page.url()).pathname).toBe('/content/edit');

    const draft = await addPost('Do not ask me');
    const another = await dashboard.openSignedIn(editorOf(draft));
    await type(another, 'end', ' Saved on leaving.');
    await another.getByRole('link', { name: 'Tags' }).click();
    await another.getByText('No tag selected').waitFor();
    await eventually(async () => (await find(dashboard.product, draft.id)).text).toBe(
      'The first line. Saved on leaving.',
    );
  });

  it('says what the server refuses, and saves when it is mended', async () => {
    const post = await addPost('A title');
    const page = await dashboard.openSignedIn(editorOf(post));
    await page.getByLabel('Title').fill('');
    await page.keyboard.press('Control+s');
    await page.getByRole('alert').filter({ hasText: 'The title' }).waitFor();
    await page.getByLabel('Title').fill('Another title');
    await page.keyboard.press('Control+s');
    await waitUntilSaved(page);
    expect((await find(dashboard.product, post.id)).title).toBe('Another title');
  });

  it('adds and removes tags at once, without a version', async () => {
    const post = await addPost('Tagged');
    const page = await dashboard.openSignedIn(editorOf(post));
    await page.getByRole('combobox', { name: 'Tags' }).fill('sea, weather');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove the tag weather' }).waitFor();
    await page.getByRole('button', { name: 'Remove the tag sea' }).click();
    await eventually(() => page.getByRole('list', { name: 'Tags' }).getByRole('listitem').allTextContents()).toEqual([
      'weather',
    ]);
    expect((await find(dashboard.product, post.id)).version).toBe(1);
  });

  it('changes the address, and suggests a free one', async () => {
    await addPost('Taken', { slug: 'taken' });
    const post = await addPost('Wants it');
    const page = await dashboard.openSignedIn(editorOf(post));
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address').fill('taken');
    await dialog.getByRole('button', { name: 'Change address' }).click();
    await dialog.getByRole('button', { name: /^Use taken-/ }).click();
    await dialog.getByRole('button', { name: 'Change address' }).click();
    await page.getByText(/^\/blog\/taken-/).waitFor();
    await type(page, 'end', ' After the move.');
    await page.keyboard.press('Control+s');
    await waitUntilSaved(page);
  });

  it('offers unsaved changes of a published post in a new window, right after the old one was left', async () => {
    const post = await addPost('Left', { publishedAt: '2026-02-01T00:00:00Z' });
    const page = await dashboard.openSignedIn(editorOf(post));
    await type(page, 'end', ' And more.');
    const unsaved = () => page.evaluate("Object.keys(localStorage).some((key) => key.startsWith('sextant.unsaved/'))");
    await eventually(unsaved).toBe(true);
    const other = await page.context().newPage();
    for (const each of [page, other]) each.on('dialog', (dialog) => void dialog.accept()); // "Leave the page?"
    await page.goto('about:blank');
    await other.goto(`${dashboard.url}${editorOf(post)}`);
    await eventually(() => textOf(other).innerText()).toContain(' And more.');
    await other.goto(`${dashboard.url}/content/tags`); // by its address, as somebody who types it
    await other.goto(`${dashboard.url}${editorOf(post)}`);
    await eventually(() => textOf(other).innerText()).toContain(' And more.');
  });

  it('shows how often a published post was read', async () => {
    const draft = await addPost('Not read by anybody');
    const post = await addPost('Read', { publishedAt: '2026-02-01T00:00:00Z' });
    const page = await dashboard.openSignedIn(editorOf(post));
    const readers = page.getByRole('region', { name: 'Readers' });
    await readers.getByText('0 hits').waitFor();
    const { host } = new URL(dashboard.url);
    await readers.getByText(`Hits of ${host} are counted`).waitFor();
    const at = new Date().toISOString();
    await ask(
      dashboard.product,
      'mutation ($input: RegisterSiteInput!, $hits: [HitInput!]!) { registerSite(input: $input) { __typename } recordHits(hits: $hits) { recorded } }',
      {
        input: { host, allowedOrigins: [] },
        hits: [post.path, post.path, post.path, '/blog/another'].map((path) => ({ site: host, page: path, at })),
      },
    );
    await page.reload();
    await readers.getByText('3 hits').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.goto(`${dashboard.url}${editorOf(draft)}`);
    await textOf(page).waitFor();
    expect(await readers.count()).toBe(0);
  });

  it('is as long as its text on a phone', async () => {
    const post = await addPost('Short');
    const page = await dashboard.openSignedIn(editorOf(post));
    await textOf(page).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    const top = async (name: string) => (await page.getByRole('region', { name }).boundingBox())?.y ?? 0;
    await eventually(async () => (await top('Publication')) - (await top('Text'))).toBeLessThan(450);
  });

  it('has no accessibility faults', async () => {
    const post = await addPost('Accessible', { tags: ['one', 'two'] });
    const page = await dashboard.openSignedIn(editorOf(post));
    await textOf(page).waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });
});
