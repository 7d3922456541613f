/** Background work in the dashboard: imports, exports and the migration of nodes, live. */
import { readFile } from 'node:fs/promises';
import { beforeAll, expect, it } from 'vitest';
import { makeOld } from '../../content/migration/migration-support.js';
import { addAccount } from '../support/accounts.js';
import { faultsOf } from '../support/axe.js';
import { describeInBrowser } from '../support/chromium.js';
import { type Created, create, createBlog } from '../support/content.js';
import { type Credentials, eventually, useDashboard } from '../support/dashboard.js';
import { ask } from '../support/narrow-pages.js';

const IMPORT = `mutation ($file: Upload!, $input: ImportContentInput!) {
  importContent(file: $file, input: $input) { ... on DataImport { id } ... on Refusal { message } }
}`;

describeInBrowser('background work', () => {
  const dashboard = useDashboard();
  let blog: Created;
  let edith: Credentials;
  beforeAll(async () => {
    blog = await createBlog(dashboard.product, 'blog');
    edith = await addAccount(dashboard.product, 'Edith', ['EDITOR']);
  });
  const importRows = async (name: string, rows: readonly object[]) => {
    const file = new File([rows.map((row) => `${JSON.stringify(row)}\n`).join('')], name);
    const input = { parentId: blog.id, format: 'JSON_LINES' };
    const { errors } = await dashboard.product.upload(IMPORT, { input }, file);
    expect(errors).toBeUndefined();
  };

  it('says what will be listed while there is none, to editors too', async () => {
    const page = await dashboard.openSignedIn('/', edith);
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'System' }).click();
    await page.getByText('Nothing has run in the last 30 days').waitFor();
    expect(new URL(page.url()).pathname).toBe('/system/work');
    const links = page.getByRole('navigation', { name: 'System' }).getByRole('link');
    expect(await links.allTextContents()).toEqual(['Background work']);
    expect(await page.getByRole('heading', { name: 'Form of stored nodes' }).count()).toBe(0);
    expect(await page.getByLabel('Only what I started').count()).toBe(0);
    expect(await faultsOf(page)).toEqual([]);
    await page.goto(`${dashboard.url}/system`); // for administrators
    await page.waitForURL('**/system/work');
  });

  it('shows an import while it runs, its rejected rows, and undoes it', async () => {
    const page = await dashboard.openSignedIn('/system/work');
    await page.getByText('Nothing has run in the last 30 days').waitFor();
    const posts = Array.from({ length: 60 }, (_, at) => ({ title: `Post ${at}`, body: 'Some words' }));
    await importRows('posts.jsonl', [...posts, { title: 'Early', publishedAt: 'soon' }]);
    await page.reload(); // the list would show it at its next poll
    const row = page.getByRole('row', { name: /Import of posts\.jsonl/ });
    await row.getByRole('progressbar').waitFor();
    await row.getByText('Finished').waitFor();
    await row.getByText('60 imported').waitFor();

    await row.getByRole('button', { name: '1 rejected' }).click();
    const rejects = page.getByRole('dialog', { name: 'Rejected lines of posts.jsonl' });
    await rejects.getByRole('row', { name: /^61 .*: publishedAt/ }).waitFor(); // the field
    expect(await faultsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');

    await row.getByRole('button', { name: 'Undo: Import of posts.jsonl' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click();
    await row.getByText('Undone').waitFor();
    await row.getByText('0 imported').waitFor();
    expect(await row.getByRole('button', { name: /^Undo/ }).count()).toBe(0);

    await page.getByLabel('State').selectOption('FAILED');
    await page.getByText('Nothing is in this state').waitFor();
    await page.getByLabel('State').selectOption('UNDONE');
    await row.waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });

  it('offers the file of an export to the person who started it, and shows others only that it exists', async () => {
    await create(dashboard.product, { type: 'BLOG_POST', parentId: blog.id, title: 'To export', text: 'Some words' });
    await ask(dashboard.product, 'mutation ($id: ID!) { exportContent(parentId: $id) { id } }', { id: blog.id });
    const page = await dashboard.openSignedIn('/system/work');
    const row = page.getByRole('row', { name: /Export of content/ });
    await row.getByText('kept until').waitFor();
    const download = page.waitForEvent('download');
    await row.getByRole('link', { name: 'Download: Export of content' }).click();
    const file = await readFile(await (await download).path(), 'utf8');
    expect(file.includes('"title":"To export"')).toBe(true);

    const hers = await dashboard.openSignedIn('/system/work', edith);
    await hers.getByText('Nothing has run in the last 30 days').waitFor();
    const another = await dashboard.openSignedIn('/system/work');
    await another.getByLabel('Only what I started').check();
    await another.getByRole('row', { name: /Export of content/ }).waitFor();
  });

  it('migrates the nodes of an older form', async () => {
    const page = await dashboard.openSignedIn('/system/work');
    const card = page.getByRole('region', { name: 'Form of stored nodes' });
    await card.getByText('There is nothing to migrate').waitFor();
    await makeOld(dashboard.db);
    await page.reload();
    await card.getByText(/nodes? of an earlier release/).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await card.getByRole('button', { name: 'Migrate' }).click();
    await card.getByText('There is nothing to migrate').waitFor();
    const row = page.getByRole('row', { name: /Node migration/ });
    await row.getByText('Finished').waitFor();
    expect(await dashboard.db.collection('cms.nodes').countDocuments({ form: { $exists: false } })).toBe(0);
  });

  it('says why work failed, and that the server is gone', async () => {
    const at = new Date();
    await dashboard.db.collection<{ _id: string; failure: string }>('work').insertOne({
      _id: 'node-migration.900000',
      ...{ kind: 'node-migration', type: 'NodeMigration', owner: null, state: 'FAILED', input: { to_form: 2 } },
      ...{ done: 0, token: 1, steps: 0, attempts: 1, created_at: at, started_at: at, finished_at: at },
      failure: 'The disk is full',
    });
    const page = await dashboard.openSignedIn('/system/work');
    const row = page.getByRole('row').filter({ hasText: 'The disk is full' });
    await row.getByText('Failed', { exact: true }).waitFor();
    await dashboard.stop();
    await page.getByText('The server cannot be reached').waitFor();
    await row.waitFor();
    await dashboard.restart();
    await eventually(() => page.getByText('The server cannot be reached').count()).toBe(0);
  });
});
