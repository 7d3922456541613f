/** Pages with zones: what the script of the snippet shows, counts and keeps. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addAdvertiser, addZone, openPurse, READER, registerSite, runCampaign } from '../support/ads.js';
import { describeInBrowser } from '../support/chromium.js';
import { createBlog } from '../support/content.js';
import { eventually, servePage, useDashboard } from '../support/dashboard.js';
import { ask } from '../support/narrow-pages.js';

const HOST = 'field-notes.example';
const ROBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const KEY = 'sextant-ads-visitor';
const TALL = '300x1050';
const CAPS = [{ scope: 'CAMPAIGN', count: 1, period: 'P1D' }];

describeInBrowser('a page with a zone', () => {
  const dashboard = useDashboard();
  const served: Awaited<ReturnType<typeof servePage>>[] = [];
  const snippets: Record<string, string> = {};
  let site = '';
  let landing = '';
  let elsewhere = '';
  let visitsElsewhere = 0;
  let body = '';
  /** A campaign with one ad in one zone. */
  let run: (zone: string, unit: object, more?: object, site?: string) => Promise<void>;

  beforeAll(async () => {
    const serve = async (html: () => string) => {
      const page = await servePage(() => `<!doctype html><title>A page</title>${html()}`);
      served.push(page);
      return page.origin;
    };
    site = await serve(() => body);
    landing = await serve(() => 'The landing page');
    elsewhere = await serve(() => {
      visitsElsewhere += 1;
      return 'Another site';
    });
    const { product } = dashboard;
    const advertiserId = await addAdvertiser(product, 'Anna’s');
    const accountId = await openPurse(product, 'Anna', 100_000);
    run = async (zone, unit, more = {}, on = HOST) => {
      await runCampaign(product, { advertiserId, accountId, name: `For ${zone}`, site: on, zone, units: [unit], more });
    };
    await registerSite(product, HOST, [site]);
    snippets.tall = await addZone(product, HOST, 'tall', { size: TALL });
    for (const zone of ['top', 'capped', 'frame', 'leaving'])
      snippets[zone] = await addZone(product, HOST, zone, { design: zone === 'capped' ? 'CAPPED' : 'BASIC' });
    const landingUrl = `${landing}/tea?a=1`;
    await run('top', { headline: 'Black <b>tea</b>', text: 'From Assam', landingUrl });
    await run('capped', { headline: 'Rare tea', landingUrl }, { caps: CAPS });
    await run('tall', { size: TALL, headline: 'A tower of tea', landingUrl });
    await run('frame', { headline: undefined, html: hostile(elsewhere), landingUrl });
    const leaving = `<p>Here</p><script>location.href = '${elsewhere}/self';</script>`;
    await run('leaving', { headline: undefined, html: leaving, landingUrl });
  });
  afterAll(() => Promise.all(served.map(({ close }) => close())));

  /** A page in a profile of its own, of somebody who is no robot unless the options say so. */
  async function openAs(options: BrowserContextOptions = {}): Promise<Page> {
    const blank = await dashboard.open('/hit.js');
    const context = await blank
      .context()
      .browser()
      ?.newContext({ userAgent: READER, ...options });
    if (!context) throw new Error('There is no browser');
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    return page;
  }
  const counted = (letter: 'i' | 'c') =>
    dashboard.db.collection<{ _id: string }>('ad.receipts').countDocuments({ _id: new RegExp(`/${letter}$`) });
  const profiles = () => dashboard.db.collection('ad.profiles').countDocuments();
  const isMessage = (url: string) => url.includes('/ads/seen');

  it('shows an ad, and counts one impression once half of it was in view for a second', async () => {
    body = `<div style="height: 3000px"></div>${snippets.top}<div style="height: 3000px"></div>`;
    const page = await openAs();
    const sent: string[] = [];
    page.on('request', (request) => isMessage(request.url()) && sent.push(request.url()));
    await page.clock.install();
    await page.goto(site);
    const ad = page.getByRole('link', { name: 'Black <b>tea</b>' });
    await ad.waitFor({ state: 'attached' });
    const before = await counted('i');
    await page.clock.runFor(5000);
    /** Scrolls, and waits until observers were told. */
    const scrollTo = (top: number) =>
      page.evaluate(`new Promise((done) => {
        scrollTo(0, ${top});
        new IntersectionObserver((_entries, observer) => done(observer.disconnect())).observe(document.querySelector('[data-zone] > *'));
      })`);
    await scrollTo(2800);
    await page.clock.runFor(900);
    await scrollTo(0);
    await page.clock.runFor(5000);
    expect(sent).toEqual([]);
    await scrollTo(2800);
    await page.clock.runFor(1000);
    await eventually(() => counted('i')).toBe(before + 1);
    await scrollTo(0);
    await scrollTo(2800);
    await page.clock.runFor(5000);
    expect(sent).toHaveLength(1);
  });

  it('shows the headline of a flat ad whole on a phone, and the beginning of a long text', async () => {
    const size = '728x90';
    await addZone(dashboard.product, HOST, 'flat', { size });
    await run('flat', {
      size,
      headline: 'A mainsail in four weeks',
      text: 'Measured at your mooring. '.repeat(8),
      landingUrl: landing,
    });
    body = (snippets.top ?? '').replace(/data-zone="top" style="[^"]*"/, `data-zone="flat" data-size="${size}"`);
    const page = await openAs({ viewport: { width: 390, height: 700 } });
    await page.goto(site);
    await page.getByText('A mainsail in four weeks').waitFor();
    const inside = await page.evaluate(`(() => {
      const box = document.querySelector('[data-zone] > *').getBoundingClientRect();
      const parts = [...document.querySelectorAll('[data-zone] strong, [data-zone] span')];
      return parts.map((part) => part.getBoundingClientRect()).every(({ top, bottom }) => top >= box.top && bottom <= box.bottom);
    })()`);
    expect(inside).toBe(true);
  });

  it.each([
    ['a box of a pixel', 'width:1px; height:1px', ''],
    ['a box without a size', 'width:0; height:0', ''],
    ['a closed menu', '', 'position:fixed; top:0; visibility:hidden'],
    ['what is transparent', '', 'opacity:0'],
    ['a box of which less than half is shown', '', 'height:100px; overflow:hidden'],
  ])('counts no ad in %s, until it can be seen', async (_case, box, around) => {
    const place = snippets.top?.replace(/style="[^"]*"/, (style) => (box ? `style="${box}"` : style));
    body = `<div id="around" style="${around}">${place}</div>`;
    const page = await openAs();
    const sent: string[] = [];
    page.on('request', (request) => isMessage(request.url()) && sent.push(request.url()));
    await page.goto(site);
    await page.getByRole('link', { name: 'Black <b>tea</b>', includeHidden: true }).waitFor({ state: 'attached' });
    await page.waitForTimeout(1500);
    expect(sent).toEqual([]);
    const before = await counted('i');
    await page.evaluate(`
      document.querySelector('#around').style = '';
      document.querySelector('[data-zone]').style = 'width:300px; height:250px';
    `);
    await eventually(() => counted('i')).toBe(before + 1);
  });

  it('counts an ad that is larger than the window when half of the window was full of it', async () => {
    body = `<div style="height: 300px"></div>${snippets.tall}`;
    const page = await openAs({ viewport: { width: 844, height: 390 } });
    const sent: string[] = [];
    page.on('request', (request) => isMessage(request.url()) && sent.push(request.url()));
    await page.goto(site);
    await page.getByRole('link', { name: 'A tower of tea' }).waitFor();
    await page.waitForTimeout(1500);
    expect(sent).toEqual([]);
    const before = await counted('i');
    await page.mouse.wheel(0, 300);
    await eventually(() => counted('i')).toBe(before + 1);
  });

  it.each([{ hasTouch: false }, { hasTouch: true }])(
    'says why an ad is shown, by key and by touch: %o',
    async (options) => {
      body = snippets.top ?? '';
      const page = await openAs(options);
      await page.goto(site);
      const label = page.locator('summary', { hasText: 'Ad · Anna’s' });
      const why = page.getByText('Anna’s pays for ads in this place.');
      await label.waitFor();
      expect(await why.isVisible()).toBe(false);
      expect((await label.boundingBox())?.height).toBeGreaterThanOrEqual(24);
      await (options.hasTouch ? label.tap() : label.press('Enter'));
      await why.waitFor();
      await (options.hasTouch ? label.tap() : label.press('Space'));
      await why.waitFor({ state: 'hidden' });
      expect(page.url()).toBe(`${site}/`);
    },
  );

  it('leads from a click to the landing page, and counts it once', async () => {
    body = snippets.top ?? '';
    const page = await openAs();
    await page.goto(site);
    const before = await counted('c');
    const click = async () => {
      const [popup] = await Promise.all([page.waitForEvent('popup'), page.getByRole('link').click()]);
      await popup.getByText('The landing page').waitFor();
      expect(popup.url()).toBe(`${landing}/tea?a=1`);
      await popup.close();
    };
    await click();
    await eventually(() => counted('c')).toBe(before + 1);
    await click();
    expect(await counted('c')).toBe(before + 1);
    expect(page.url()).toBe(`${site}/`);
  });

  it('keeps the id of the visitor, so that an ad with a cap is shown as often as allowed', async () => {
    body = `${snippets.capped}`;
    const page = await openAs();
    await page.goto(site); // the visitor is unknown
    await page.waitForFunction(`localStorage.getItem('${KEY}') !== null`);
    const [before, known] = [await counted('i'), await profiles()];
    await page.reload();
    await page.getByRole('link', { name: 'Rare tea' }).waitFor();
    await eventually(() => counted('i')).toBe(before + 1);
    expect(await profiles()).toBe(known + 1);
    const [answer] = await Promise.all([page.waitForResponse(/ads\/decide/), page.reload()]);
    expect(await answer.json()).toMatchObject({ ads: [] });
  });

  it('uses one id for all zones of a page', async () => {
    body = `${snippets.top}${snippets.capped}`;
    const page = await openAs();
    const asked: (string | null)[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/ads/decide')) asked.push(JSON.parse(request.postData() ?? '').visitor);
    });
    await page.goto(site);
    await page.getByRole('link', { name: 'Rare tea' }).waitFor();
    expect(asked).toEqual([null, await page.evaluate(`localStorage.getItem('${KEY}')`)]);
  });

  it.each([
    ['Do Not Track', 'doNotTrack', '"1"', { dnt: '1' }],
    ['Global Privacy Control', 'globalPrivacyControl', 'true', { 'sec-gpc': '1' }],
  ])(
    'keeps and sends no id with %s, and forgets the one it had and its profile',
    async (_name, property, value, header) => {
      body = `${snippets.top}`;
      const visitor = await newVisitor();
      const page = await openAs({ extraHTTPHeaders: header });
      await page.addInitScript(`
      Object.defineProperty(navigator, '${property}', { get: () => ${value} });
      localStorage.setItem('${KEY}', '${visitor}');
    `);
      const before = await counted('i');
      const [question] = await Promise.all([page.waitForRequest(/ads\/decide/), page.goto(site)]);
      expect(JSON.parse(question.postData() ?? '')).toMatchObject({ visitor: null });
      await page.getByRole('link').waitFor();
      await eventually(() => counted('i')).toBe(before + 1);
      expect(await page.evaluate(`localStorage.getItem('${KEY}')`)).toBeNull();
      const kept = () =>
        dashboard.db.collection<{ _id: string }>('ad.profiles').findOne({ _id: String(visitor.split('.')[0]) });
      await eventually(async () => (await kept()) !== null).toBe(true);
      expect(await kept()).toMatchObject({ units: {}, forgotten: true });
    },
  );

  /** The id that a page gets. */
  async function newVisitor(): Promise<string> {
    const answer = await fetch(`${dashboard.url}/ads/decide`, {
      method: 'POST',
      headers: { origin: site, 'user-agent': READER },
      body: JSON.stringify({ site: HOST, zone: 'top' }),
    });
    return ((await answer.json()) as { visitor: string }).visitor;
  }

  it('shows a robot nothing', async () => {
    body = `${snippets.top}`;
    const page = await openAs({ userAgent: ROBOT });
    const [answer] = await Promise.all([page.waitForResponse(/ads\/decide/), page.goto(site)]);
    expect(await answer.json()).toEqual({ visitor: null, ads: [] });
    expect(await page.locator('[data-zone] *').count()).toBe(0);
  });

  it('shows HTML in a frame that cannot leave it, and opens the landing page in a new window', async () => {
    body = `<h1>The page</h1><script>document.cookie = 'secret=1'; localStorage.setItem('secret', '1');</script>${snippets.frame}`;
    const page = await openAs();
    await page.goto(site);
    const frame = page.frameLocator('[data-zone] iframe').frameLocator('iframe');
    await frame.getByText('All failed').waitFor();
    expect(await frame.locator('li').allTextContents()).toEqual([]);
    expect(page.url()).toBe(`${site}/`);
    expect(await page.locator('h1').textContent()).toBe('The page');
    expect(visitsElsewhere).toBe(0);
    expect(await frame.locator('a').first().evaluate('location.href')).not.toContain(await receiptOf(page));
    const before = await counted('c');
    const [popup] = await Promise.all([page.waitForEvent('popup'), frame.getByRole('link', { name: 'Tea' }).click()]);
    await popup.getByText('The landing page').waitFor();
    expect(await popup.evaluate('opener')).toBeNull();
    await eventually(() => counted('c')).toBe(before + 1);
  });

  const receiptOf = async (page: Page) =>
    new URL((await page.locator('[data-zone] iframe').getAttribute('src')) ?? '').searchParams.get('receipt');

  it('keeps HTML from replacing its own frame with another site', async () => {
    body = `${snippets.leaving}`;
    const page = await openAs();
    const [refused] = await Promise.all([
      page.waitForEvent('console', (message) => message.text().includes('frame-src')),
      page.goto(site),
    ]);
    expect(refused.text()).toContain(`frame-src ${dashboard.url}/ads/unit`);
    expect(visitsElsewhere).toBe(0);
  });

  it('is also a blog and its posts, whose tags are the keywords', async () => {
    const { product, url } = dashboard;
    const { host } = new URL(url);
    await registerSite(product, host, [url]);
    const blog = await createBlog(product, 'blog');
    await addZone(product, host, 'blog', { design: 'KEYWORDS', blogId: blog.id });
    await run('blog', { headline: undefined, html: hostile(elsewhere), landingUrl: `${landing}/` }, {}, host);
    await ask(product, 'mutation ($input: CreateNodeInput!) { createNode(input: $input) { __typename } }', {
      input: {
        type: 'BLOG_POST',
        parentId: blog.id,
        title: 'Kettles',
        slug: 'kettles',
        text: 'Hot.',
        tags: ['Tea', 'Copper'],
        publishedAt: '2026-01-01T00:00:00Z',
      },
    });
    const page = await openAs();
    // Those of the page itself: the policy of the frame has a lot to refuse.
    await page.addInitScript(`
      globalThis.refused = [];
      document.addEventListener('securitypolicyviolation', (event) => globalThis.refused.push(event.blockedURI));
    `);
    await eventually(async () => {
      await page.goto(`${url}/blog`); // served for a second without looking again
      return page.locator('aside [data-zone="blog"]').count();
    }).toBe(1);
    const [question] = await Promise.all([page.waitForRequest(/ads\/decide/), page.goto(`${url}/blog/kettles`)]);
    expect(JSON.parse(question.postData() ?? '')).toMatchObject({ site: host, keywords: ['Tea', 'Copper'] });
    // The frame comes from the same server as the page, and is a stranger nevertheless.
    await page.frameLocator('aside iframe').frameLocator('iframe').getByText('All failed').waitFor();
    expect([page.url(), visitsElsewhere]).toEqual([`${url}/blog/kettles`, 0]);
    expect(await page.locator('aside').boundingBox()).toMatchObject({ height: 250 });
    const before = await counted('i');
    await page.locator('aside iframe').scrollIntoViewIfNeeded();
    await eventually(() => counted('i')).toBe(before + 1);
    expect(await page.evaluate('refused')).toEqual([]);
  });
});

/** HTML that tries to leave its frame in every way, and lists what succeeded. */
const hostile = (elsewhere: string) => `<a href="{{clickUrl}}">Tea</a><p></p><ul></ul>
<form action="${elsewhere}/form" target="_top"><button>Send</button></form>
<a id="top" href="${elsewhere}/link" target="_top">Top</a>
<script>
const attempts = {
  'reads the page': () => parent.document.title,
  'changes the page': () => { parent.document.body.textContent = 'Changed'; },
  'reads storage': () => localStorage.length,
  'reads cookies': () => document.cookie,
  'replaces the page': () => { top.location.href = '${elsewhere}/location'; },
  'replaces the frame around it': () => { parent.location = '${elsewhere}/parent'; },
  'loads a script of another site': async () => import('${elsewhere}/script.js'),
  'sends data': async () => fetch('${elsewhere}/fetch', { mode: 'no-cors' }),
};
(async () => {
  const succeeded = [];
  for (const [name, attempt] of Object.entries(attempts))
    try { await attempt(); succeeded.push(name); } catch {}
  document.querySelector('form').submit();
  document.querySelector('#top').click();
  for (const name of succeeded) document.querySelector('ul').append(Object.assign(document.createElement('li'), { textContent: name }));
  document.querySelector('p').textContent = succeeded.length === 0 ? 'All failed' : 'Some succeeded';
})();
</script>`;
