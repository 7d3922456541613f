/** The public site as readers see it, and what its script adds. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { faultsOf } from '../support/axe.js';
import { describeInBrowser } from '../support/chromium.js';
import { eventually, useDashboard } from '../support/dashboard.js';
import { ask, LONG } from '../support/narrow-pages.js';

const PAGE_BYTES_MAX = 100_000;
const PAST = '2026-01-01T00:00:00Z';
const VIDEO = 'https://www.youtube.com/watch?v=aqz-KE-bpKQ';

const TEXT = `The **horizon** was gone.

## An artificial one

\`\`\`js
const altitude = (angle) => angle / 2; // ${'a long comment '.repeat(20)}
\`\`\`

| Star | Magnitude | ${LONG} |
| --- | ---: | --- |
| Vega | 0.03 | Almost overhead in July |

1. A tray, out of the wind
2. Patience

> Nobody has reached it.

[A link](https://example.org) and ${LONG}.`;

interface Made {
  readonly id: string;
  readonly nonce: string;
  readonly path: string;
}

describeInBrowser('the public site', () => {
  const dashboard = useDashboard();
  let blog = '';

  const send = async (mutation: string, variables: object): Promise<Made> => {
    const { made } = await ask<{ made: Made }>(dashboard.product, mutation, variables);
    expect(made).toHaveProperty('nonce');
    return made;
  };
  const create = (input: object) =>
    send(
      `mutation ($input: CreateNodeInput!) {
        made: createNode(input: $input) { ... on ContentNode { id nonce path } ... on Refusal { message } }
      }`,
      { input: { publishedAt: PAST, ...input } },
    );
  const post = (title: string, own: object = {}) =>
    create({ type: 'BLOG_POST', parentId: blog, title, text: TEXT, ...own });
  const change = ({ id, nonce }: Made, changes: object) =>
    send(
      `mutation ($id: ID!, $nonce: String!, $changes: NodeChanges!) {
        made: editNode(id: $id, nonce: $nonce, changes: $changes) { ... on ContentNode { id nonce path } ... on Refusal { message } }
      }`,
      { id, nonce, changes },
    );
  const titles = (page: Page) => page.locator('.entry h2').allTextContents();
  /** A mark that a reload would remove. */
  const mark = (page: Page) => page.evaluate('window.isSame = true');
  const isSame = (page: Page) => page.evaluate('window.isSame === true');
  const isTooWide = (page: Page) =>
    page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');

  it('says that nothing is there before anything is published', async () => {
    const page = await dashboard.open('/blog');
    await page.getByText('Nothing has been published here yet.').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    ({ id: blog } = await create({ type: 'BLOG', title: 'Notes', slug: 'blog', description: 'On coasts' }));
    await eventually(async () => {
      await page.reload();
      return page.getByRole('heading', { level: 1 }).textContent();
    }).toBe('Notes');
    expect(await faultsOf(page)).toEqual([]);
  });

  it('is accessible and fits on a phone: lists, posts of each kind, pages, folders, galleries, tags', async () => {
    const { path } = await post(`A post with a title of its own: ${LONG}`, {
      excerpt: LONG,
      tags: ['sea', LONG.slice(0, 50)],
    });
    const quote = await create({
      type: 'QUOTE',
      parentId: blog,
      title: 'A quotation',
      text: `So *it* goes. ${LONG}`,
      source: LONG,
    });
    const video = await create({ type: 'VIDEO', parentId: blog, title: 'A video', text: 'Watch.', videoUrl: VIDEO });
    const folder = await create({ type: 'FOLDER', title: `Guides ${LONG}`, slug: 'guides' });
    await create({
      type: 'PAGE',
      parentId: folder.id,
      title: `Knots ${LONG}`,
      slug: 'knots',
      text: TEXT,
      excerpt: LONG,
    });
    await create({ type: 'GALLERY', title: 'Photos', slug: 'photos', description: LONG });
    const page = await dashboard.open('/blog');
    for (const address of [
      '/blog',
      path,
      quote.path,
      video.path,
      '/blog/~/guides',
      '/blog/~/guides/knots',
      '/blog/~/photos',
      '/blog/~tag/sea',
    ]) {
      const answer = await page.goto(dashboard.url + address);
      expect([address, answer?.status()]).toEqual([address, 200]);
      expect([address, await faultsOf(page)]).toEqual([address, []]);
      for (const width of [320, 390, 2560]) {
        await page.setViewportSize({ width, height: 900 });
        expect([address, width, await isTooWide(page)]).toEqual([address, width, false]);
      }
    }
  });

  it('has a page for what is not there', async () => {
    dashboard.expectErrors(/status of 404/);
    const page = await dashboard.open('/blog/nothing');
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('link', { name: 'Go to the start page' }).click();
    await page.getByRole('heading', { level: 1, name: 'Notes' }).waitFor();
  });

  it('can be read without scripts', async () => {
    await post('Without scripts', { text: 'The whole text.' });
    const first = await dashboard.open('/blog');
    const context = await first.context().browser()?.newContext({ javaScriptEnabled: false });
    const page = await context?.newPage();
    const isListed = async () => {
      await page?.goto(`${dashboard.url}/blog`); // served for a second without looking again
      return page?.getByRole('link', { name: 'Without scripts' }).isVisible();
    };
    await eventually(isListed).toBe(true);
    await page?.getByRole('link', { name: 'Without scripts' }).click();
    expect(await page?.locator('.prose').textContent()).toContain('The whole text.');
    await page?.goto(`${dashboard.url}/blog/a-video`);
    expect(await page?.getByRole('link', { name: /^Play the video/ }).getAttribute('href')).toBe(VIDEO);
  });

  it('loads less than 100 kB for a post with its live discussion, and nothing that has to arrive before its first line is shown', async () => {
    const { path } = await post('A small page');
    const page = await dashboard.open('/blog');
    const sizes: Promise<number>[] = [];
    const kinds: string[] = [];
    page.on('requestfinished', (request) => {
      if (request.url().includes('/graphql/')) return;
      kinds.push(request.resourceType());
      sizes.push(
        request.sizes().then(({ responseBodySize, responseHeadersSize }) => responseBodySize + responseHeadersSize),
      );
    });
    const session = await page.context().newCDPSession(page);
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    await page.goto(dashboard.url + path);
    await page.getByRole('heading', { level: 1, name: 'A small page' }).waitFor();
    await page.locator('#discussion[aria-busy=false]').waitFor();
    await page.waitForLoadState('networkidle');
    const bytes = (await Promise.all(sizes)).reduce((sum, each) => sum + each, 0);
    expect(kinds).toEqual(expect.arrayContaining(['document', 'script']));
    expect(kinds).not.toContain('stylesheet');
    expect(kinds).not.toContain('font');
    expect(await page.evaluate('getComputedStyle(document.body).margin')).toBe('0px'); // the policy lets the page's own style sheet in
    expect(bytes).toBeLessThan(PAGE_BYTES_MAX);
  });

  it('shows a new post on an open list without a reload, also one that was scheduled', async () => {
    const page = await dashboard.open('/blog');
    await mark(page);
    await post('Just published', { publishedAt: new Date().toISOString() });
    await eventually(async () => (await titles(page))[0]).toBe('Just published');
    const inSeconds = new Date(Date.now() + 3000).toISOString();
    await post('Scheduled for now', { publishedAt: inSeconds });
    expect(await titles(page)).not.toContain('Scheduled for now');
    await eventually(async () => (await titles(page))[0]).toBe('Scheduled for now');
    expect(await isSame(page)).toBe(true);
    expect(await faultsOf(page)).toEqual([]);
  });

  it('tells a reader who has scrolled down of a new post, and takes one that is taken back off the list', async () => {
    const page = await dashboard.open('/blog');
    await mark(page);
    await page.setViewportSize({ width: 390, height: 500 });
    await page.evaluate('scrollTo(0, 1000)');
    const made = await post('Far above', { publishedAt: new Date().toISOString() });
    await page.getByRole('button', { name: '1 new post' }).click();
    await eventually(() => page.evaluate('scrollY')).toBe(0);
    expect((await titles(page))[0]).toBe('Far above');
    await change(made, { publishedAt: null });
    await eventually(async () => (await titles(page)).includes('Far above')).toBe(false);
    expect(await isSame(page)).toBe(true);
  });

  it('shows a correction on an open page, and says when the page is no longer public', async () => {
    const made = await post('Corrected', { text: 'With an eror.' });
    const page = await dashboard.open(made.path);
    await mark(page);
    const corrected = await change(made, { text: 'Without an error.' });
    await page.getByText('Without an error.').waitFor();
    expect(await isSame(page)).toBe(true);
    await change(corrected, { publishedAt: null });
    await page.getByText('This page is no longer public').waitFor();
  });

  it('asks no other site for a video before it is played', async () => {
    const page = await dashboard.open('/blog');
    const foreign: string[] = [];
    await page.route(/youtube/, (route) => {
      foreign.push(new URL(route.request().url()).origin);
      return route.fulfill({ contentType: 'text/html', body: '<title>Player</title>' });
    });
    await page.goto(`${dashboard.url}/blog/a-video`);
    await page.getByText('Watch.').waitFor();
    expect(foreign).toEqual([]);
    await page.getByRole('link', { name: /^Play the video/ }).click();
    await page.frameLocator('iframe[title="A video"]').locator('title').waitFor({ state: 'attached' });
    expect(foreign).toEqual(['https://www.youtube-nocookie.com']);
  });

  it('counts the hits of a post once its site is registered', async () => {
    const { path } = await post('Counted');
    const { host } = new URL(dashboard.url);
    const page = await dashboard.open(path);
    expect(await page.locator('script[src="/hit.js"]').count()).toBe(0);
    await ask(
      dashboard.product,
      'mutation ($input: RegisterSiteInput!) { registerSite(input: $input) { ... on Site { id } ... on Refusal { message } } }',
      { input: { host, allowedOrigins: [dashboard.url] } },
    );
    const hits = async () => {
      await page.goto(dashboard.url + path); // at first, a page from before the registration may be served
      const { topPages } = await ask<{ topPages: { page: string; count: number }[] }>(
        dashboard.product,
        'query ($site: String!, $range: DateRange!) { topPages(site: $site, range: $range) { page count } }',
        { site: host, range: { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) } },
      );
      return topPages.filter((each) => each.page === path && each.count > 0).length;
    };
    await eventually(hits).toBe(1);
  });
});
