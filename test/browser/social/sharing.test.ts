/** Posts about objects of other domains: begun from their pages in the dashboard, and leading back to them. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { faultsOf } from '../support/axe.js';
import { describeInBrowser } from '../support/chromium.js';
import { create, createBlog, editorOf } from '../support/content.js';
import { eventually, useDashboard } from '../support/dashboard.js';
import { ask } from '../support/narrow-pages.js';
import { fillShop } from '../support/sample-shop.js';

describeInBrowser('sharing in the network', () => {
  const dashboard = useDashboard();
  const post = async (page: Page, text: string) => {
    await page.getByLabel('What is new?').fill(text);
    await page.getByRole('button', { name: 'Public' }).click();
    await page.getByRole('button', { name: 'Post', exact: true }).click();
    const shared = page.getByRole('article').filter({ hasText: text });
    await shared.waitFor();
    return shared;
  };

  it('begins at a node that is published', async () => {
    await ask(dashboard.product, 'mutation { saveProfile(input: {}) { id } }');
    const blog = await createBlog(dashboard.product, 'notes');
    const node = await create(dashboard.product, {
      type: 'BLOG_POST',
      parentId: blog.id,
      title: 'Tides',
      slug: 'tides',
      text: 'Twice a day.',
      publishedAt: '2026-01-01T00:00:00Z',
    });
    const page = await dashboard.openSignedIn(editorOf(node));
    await page.getByRole('link', { name: 'Share' }).click();
    await page.getByRole('form', { name: 'New post' }).getByText('Tides').waitFor();
    const shared = await post(page, 'Worth reading');
    await shared.getByRole('link', { name: 'Blog post Tides' }).waitFor();
    const address = await shared.getByRole('link', { name: 'Blog post Tides' }).getAttribute('href');
    expect(new URL(address ?? '', dashboard.url).pathname).toBe('/blog/~/notes/tides');
    expect(await faultsOf(page)).toEqual([]);
  });

  it('begins at a product, and shows its price', async () => {
    await fillShop(dashboard.product);
    const page = await dashboard.openSignedIn('/commerce?sku=DVD-2001');
    await page.getByRole('dialog').getByRole('link', { name: 'Share' }).click();
    await eventually(() => new URL(page.url()).pathname).toBe('/social');
    const shared = await post(page, 'Bought it');
    await shared.getByText('€').waitFor();
    expect(await shared.getByRole('link', { name: /€/ }).getAttribute('href')).toMatch(/^\/shop\/p\//);
  });
});
