/** Untrusted text that contains a script: it must be shown as plain text. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { hostileHtml, hostileMarkdown } from '../shared/rendering/hostile-html.js';
import { logLine } from './support/access-log.js';
import { describeInBrowser } from './support/chromium.js';
import { create, createBlog, editorOf, textOf } from './support/content.js';
import { eventually, figure, useDashboard } from './support/dashboard.js';

const HOST = 'field-notes.example';
const SCRIPT = `<img src="/none" onerror="globalThis.hurt = true"><script>globalThis.hurt = true</script>`;
const PAGE = `/${SCRIPT}`;
const REJECTED = '"><svg onload="globalThis.hurt = true">';
const FILE = '<svg onload=globalThis.hurt=true>.log'; // quotes would be escaped in transit

const RUNS = /^\s*(javascript|vbscript|data):/i;
const HOSTILE_MARKDOWN = [
  '[a link](javascript:globalThis.hurt=true)',
  '<javascript:globalThis.hurt=true>',
  '![a picture](https://elsewhere.example/a.png)',
  '![a picture](x" onerror="globalThis.hurt=true)',
  SCRIPT,
  '```html"onload="globalThis.hurt=true\n<script>globalThis.hurt = true</script>\n```',
];

describeInBrowser('a script in untrusted text', () => {
  const dashboard = useDashboard();
  const ask = async (query: string, variables: object = {}) => {
    const { errors } = await dashboard.product.request(query, variables);
    expect(errors).toBeUndefined();
  };
  const expectUnhurt = async (page: Page) => {
    expect(await page.evaluate('globalThis.hurt')).toBeUndefined();
    expect(await page.locator('[onerror], [onload]').count()).toBe(0);
  };

  it('is shown as text in the name of a page, in the ranking and in the chart', async () => {
    await ask(
      'mutation ($page: String!) { recordHit(hit: { site: "field-notes.example", page: $page }) { recorded } }',
      {
        page: PAGE,
      },
    );
    const page = await dashboard.openSignedIn(`/?site=${HOST}&page=${encodeURIComponent(PAGE)}`);
    await eventually(() => figure(page, 'In the chart')).toBe('1');
    await page.getByRole('button', { name: `Page: ${PAGE}. Choose another` }).click();
    await page.getByRole('option', { name: PAGE }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('radio', { name: 'Table' }).click();
    await page.getByRole('row', { name: /^Total/ }).waitFor();
    await expectUnhurt(page);
  });

  it('is shown as text in a rejected log line and in a file name', async () => {
    const lines = [logLine({ at: Date.now() - 3_600_000, path: '/' }), REJECTED];
    await dashboard.product.upload(
      'mutation ($file: Upload!) { importLog(file: $file, input: { site: "field-notes.example" }) { __typename } }',
      {},
      new File([`${lines.join('\n')}\n`], FILE),
    );
    const page = await dashboard.openSignedIn(`/?site=${HOST}`);
    await page.getByRole('button', { name: '1 rejected' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('row').nth(1).waitFor();
    expect(await dialog.locator('td code').allTextContents()).toEqual([REJECTED]);
    expect(await dialog.getByRole('heading').textContent()).toContain(FILE);
    await expectUnhurt(page);
  });

  it('does nothing in a post: not in the editor, its preview and history, nor on the public site', async () => {
    const { product, url } = dashboard;
    const blog = await createBlog(product, 'blog');
    const text = ['As it begins.', ...HOSTILE_MARKDOWN, ...hostileMarkdown, ...hostileHtml, 'As it ends.'].join('\n\n');
    const post = await create(product, {
      type: 'BLOG_POST',
      parentId: blog.id,
      title: `${SCRIPT}</title>`,
      slug: 'hostile',
      excerpt: REJECTED,
      tags: ['<svg/onload=globalThis.hurt=1>'],
      text: text.replaceAll('\0', ''),
      publishedAt: '2026-02-01T00:00:00Z',
    });
    const seen: string[] = [];
    const open = async (path: string) => {
      const page = await dashboard.openSignedIn('/');
      page.on('dialog', (dialog) => {
        seen.push(dialog.message());
        void dialog.dismiss();
      });
      page.on('request', (request) => {
        if (!request.url().startsWith(url) && !/^(data|blob):/.test(request.url())) seen.push(request.url());
      });
      await page.goto(`${url}${path}`);
      return page;
    };
    const editor = await open(editorOf(post));
    await textOf(editor).waitFor();
    const preview = editor.getByRole('region', { name: 'Preview' });
    await preview.getByText('As it ends.').waitFor();
    for (const link of await preview.getByRole('link').all()) expect(await link.getAttribute('href')).not.toMatch(RUNS);
    await expectUnhurt(editor);
    await editor.getByRole('button', { name: 'History' }).click();
    await editor.getByRole('dialog', { name: 'History' }).getByText(SCRIPT).first().waitFor();
    await expectUnhurt(editor);
    const reader = await open('/blog/hostile');
    await reader.getByText('As it ends.').waitFor();
    expect(await reader.getByRole('heading', { level: 1 }).first().textContent()).toContain(SCRIPT);
    for (const link of await reader.getByRole('link').all()) expect(await link.getAttribute('href')).not.toMatch(RUNS);
    await expectUnhurt(reader);
    for (const path of ['/blog', `/blog/~tag/${encodeURIComponent('<svg/onload=globalThis.hurt=1>')}`, '/content']) {
      await reader.goto(`${url}${path}`);
      await reader.getByText(SCRIPT).first().waitFor();
      await expectUnhurt(reader);
    }
    expect(seen).toEqual([]);
  });

  it('is shown as text in the name of a person or a key, and in the audit trail', async () => {
    await ask('mutation ($name: String!) { changeName(name: $name) { id } }', { name: SCRIPT });
    await ask('mutation ($name: String!) { createApiKey(input: { name: $name, scopes: [HITS_READ] }) { key } }', {
      name: SCRIPT,
    });
    const page = await dashboard.openSignedIn('/people');
    await page.getByRole('button', { name: `Roles of ${SCRIPT}`, exact: true }).click();
    await page.getByRole('dialog', { name: `Roles of ${SCRIPT}` }).waitFor();
    await expectUnhurt(page);
    await page.goto(`${dashboard.url}/people/keys`);
    await page.getByRole('row').filter({ hasText: SCRIPT }).waitFor();
    await expectUnhurt(page);
    await page.goto(`${dashboard.url}/people/audit`);
    await page
      .getByRole('row')
      .filter({ hasText: `Created the API key ${SCRIPT}` })
      .waitFor();
    await expectUnhurt(page);
  });
});
