import { hash, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { NodeDocument } from '../../../src/models/content/nodes/node.js';
import { moveNode } from '../../../src/models/content/nodes/node-move.js';
import { deleteNode, restoreNode } from '../../../src/models/content/nodes/node-trash.js';
import { addTags } from '../../../src/models/content/tags/node-tags.js';
import { useDatabase } from '../../support/database.js';
import { testAct } from '../../support/people.js';
import { useServer } from '../../support/server.js';
import { add, addBlog, addPost, edit, NOW, requireStored, write } from '../nodes/node-support.js';
import { faultsOfJsonFeed, faultsOfXml } from './schemas/validation.js';

const FUTURE = new Date('2999-01-01T00:00:00Z');

const database = useDatabase();
const server = useServer(database, { PUBLIC_URL: 'https://stats.example.org/' });

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(server.url + path, { method, headers, redirect: 'manual' });
const statusOf = async (path: string) => (await ask(path)).status;
const textOf = async (path: string) => (await ask(path)).text();
/** A page is served for a second without looking again. */
const soon = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: 10_000 });

/** No address is used twice, so that no test gets a page that another one has seen. */
const unique = (word: string) => `${word}-${randomUUID().slice(0, 8)}`;

let blog: NodeDocument;
beforeAll(async () => {
  const draft = await addBlog(database.db);
  blog = requireStored(await edit(database.db, draft, { publishedAt: NOW, description: 'Notes' }));
  // Posts that are on no page of these tests, so that a query that reads too much is noticed.
  const other = await addBlog(database.db, 'other');
  for (let at = 0; at < 50; at += 1) await addPost(database.db, other, `Other ${at}`, { tags: ['other'] });
});

describe('a post', () => {
  it('is shown at its path, with a way to its blog and to the feeds', async () => {
    const slug = unique('hello');
    await addPost(database.db, blog, 'Hello <world>', { slug, text: 'One.\n\nTwo.', tags: ['a b'] });
    const answer = await ask(`/blog/${slug}`);
    const text = await answer.text();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(text).toContain('<h1>Hello &lt;world&gt;</h1>');
    expect(text).toContain('<p>One.</p>');
    expect(text).toContain(`<link rel="canonical" href="https://stats.example.org/blog/${slug}">`);
    expect(text).toContain('href="/blog/rss.xml"');
    expect(text).toContain('href="/blog/~tag/a%20b"');
    expect(text).toContain('<li><a href="/blog">A blog</a></li>');
  });

  it('is not found before its time, as a draft and in the trash, on no page and in no feed', async () => {
    const [scheduled, draft, deleted] = [unique('scheduled'), unique('draft'), unique('thrown-away')];
    const tag = unique('hidden');
    await addPost(database.db, blog, 'Scheduled', { slug: scheduled, publishedAt: FUTURE, tags: [tag] });
    await addPost(database.db, blog, 'Draft', { slug: draft, publishedAt: null, tags: [tag] });
    const { _id: id, nonce } = await addPost(database.db, blog, 'Deleted', { slug: deleted, tags: [tag] });
    requireStored(await deleteNode(database.db, write(), testAct(), { id, nonce }));
    for (const slug of [scheduled, draft, `~${id}`]) expect(await statusOf(`/blog/${slug}`)).toBe(404);
    expect(await statusOf(`/blog/${deleted}`)).toBe(410);
    expect(await statusOf(`/blog/~tag/${tag}`)).toBe(404);
    for (const path of ['/blog', '/blog/rss.xml', '/blog/atom.xml', '/blog/feed.json', '/blog/sitemap.xml'])
      for (const slug of [scheduled, draft, deleted]) expect(await textOf(path)).not.toContain(slug);
  });

  it('vanishes within a second when it is taken back', async () => {
    const slug = unique('brief');
    const post = await addPost(database.db, blog, 'Brief', { slug });
    expect(await statusOf(`/blog/${slug}`)).toBe(200);
    requireStored(await edit(database.db, post, { publishedAt: null }));
    await soon(() => statusOf(`/blog/${slug}`)).toBe(404);
  });

  it('that was deleted leaves a page that says so, which no cache keeps, until it is restored and published', async () => {
    const slug = unique('deleted');
    const { _id: id, nonce } = await addPost(database.db, blog, 'Deleted', { slug });
    requireStored(await deleteNode(database.db, write(), testAct(), { id, nonce }));
    const answer = await ask(`/blog/${slug}`);
    expect(answer.status).toBe(410);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(await answer.text()).toContain('<h1>Page removed</h1>');
    const restored = requireStored(await restoreNode(database.db, write(), id));
    expect(await statusOf(`/blog/${slug}`)).toBe(404); // a draft
    requireStored(await edit(database.db, restored, { publishedAt: NOW }));
    expect(await statusOf(`/blog/${slug}`)).toBe(200);
  });

  it('redirects from where it was', async () => {
    const [slug, moved] = [unique('before'), unique('after')];
    const { _id: id, nonce } = await addPost(database.db, blog, 'Moved', { slug });
    requireStored(await moveNode(database.db, write(), { id, nonce, slug: moved }));
    const answer = await ask(`/blog/${slug}`);
    expect(answer.status).toBe(301);
    expect(answer.headers.get('location')).toBe(`/blog/${moved}`);
  });
});

describe('pages, folders and galleries at the root', () => {
  it('are below /blog/~, and in the menu of every page', async () => {
    const [about, guides] = [unique('about'), unique('guides')];
    await add(database.db, { type: 'PAGE', title: 'About us', slug: about, text: 'We.', publishedAt: NOW });
    const folder = await add(database.db, { type: 'FOLDER', title: 'Guides', slug: guides, publishedAt: NOW });
    await add(database.db, { type: 'PAGE', title: 'Knots', slug: 'knots', parentId: folder._id, publishedAt: NOW });
    await add(database.db, { type: 'PAGE', title: 'Draft', slug: 'draft', parentId: folder._id });
    expect(await textOf(`/blog/~/${about}`)).toContain('<h1>About us</h1>');
    const listed = await textOf(`/blog/~/${guides}`);
    expect(listed).toContain(`href="/blog/~/${guides}/knots"`);
    expect(listed).not.toContain('Draft');
    expect(await textOf(`/blog/~/${guides}/knots`)).toContain(`<li><a href="/blog/~/${guides}">Guides</a></li>`);
    await soon(() => textOf('/blog')).toContain(`<a href="/blog/~/${about}">About us</a>`);
  });

  it('show the photos of a gallery', async () => {
    const slug = unique('photos');
    const gallery = await add(database.db, { type: 'GALLERY', title: 'Photos', slug, publishedAt: NOW });
    await add(database.db, { type: 'PHOTO', title: 'Harbor', slug: 'harbor', parentId: gallery._id, publishedAt: NOW });
    expect(await statusOf(`/blog/~/${slug}`)).toBe(200);
    expect(await textOf(`/blog/~/${slug}/harbor`)).toContain('<h1>Harbor</h1>');
  });
});

describe('a list', () => {
  it('shows twenty posts, newest first, and leads to the older ones', async () => {
    const slug = unique('log');
    const log = await add(database.db, { type: 'BLOG', title: 'Log', slug, publishedAt: NOW });
    for (let at = 0; at < 25; at += 1)
      await addPost(database.db, log, `Post ${at}`, { publishedAt: new Date(NOW.getTime() - at * 1000) });
    const titles = (text: string) => [...text.matchAll(/<h2><a [^>]*>(Post \d+)<\/a>/g)].map(([, title]) => title);
    const first = await textOf(`/blog/~/${slug}`);
    expect(titles(first)).toEqual(Array.from({ length: 20 }, (_, at) => `Post ${at}`));
    const [, older = ''] = /<a href="([^"]+)" rel="next">/.exec(first) ?? [];
    const second = await textOf(older.replaceAll('&amp;', '&'));
    expect(titles(second)).toEqual(Array.from({ length: 5 }, (_, at) => `Post ${at + 20}`));
    expect(second).not.toContain('rel="next"');
  });

  it('of quotations leads on from each by its own address, and so does a feed', async () => {
    const slug = unique('quotes');
    const quotes = await add(database.db, { type: 'BLOG', title: 'Quotes', slug, publishedAt: NOW });
    const quote = { type: 'QUOTE', title: 'A quote', slug: 'one', text: '[Next](two) [Far](//far.example)' } as const;
    await add(database.db, { ...quote, parentId: quotes._id, publishedAt: NOW });
    for (const path of [`/blog/~/${slug}`, `/blog/~/${slug}/one`]) {
      const text = await textOf(path);
      expect(text).toContain(`<a href="/blog/~/${slug}/two">Next</a>`);
      expect(text).toContain('<a href="https://far.example" rel="noopener">Far</a>');
    }
    const feed = await textOf(`/blog/~/${slug}/feed.json`);
    expect(feed).toContain(`https://stats.example.org/blog/~/${slug}/two`);
  });

  it('of a tag shows nodes of every kind', async () => {
    const tag = unique('tag');
    const post = await addPost(database.db, blog, 'A tagged post', { tags: [tag] });
    const page = await add(database.db, { type: 'PAGE', title: 'A tagged page', slug: unique('p'), publishedAt: NOW });
    await addTags(database.db, page._id, [tag], write());
    const text = await textOf(`/blog/~tag/${tag}`);
    expect(text).toContain(`<a href="/blog/${post.slug}">A tagged post</a>`);
    expect(text).toContain(`<a href="/blog/~/${page.slug}">A tagged page</a>`);
  });
});

describe('feeds', () => {
  it.each([
    ['/blog/rss.xml', 'application/rss+xml; charset=utf-8'],
    ['/blog/atom.xml', 'application/atom+xml; charset=utf-8'],
    ['/blog/feed.json', 'application/feed+json; charset=utf-8'],
  ])('have the posts and their own type: %s', async (path, type) => {
    const slug = unique('fed');
    await addPost(database.db, blog, 'Fed', { slug, text: 'The whole text.' });
    await soon(() => textOf(path)).toContain(`https://stats.example.org/blog/${slug}`);
    const answer = await ask(path);
    expect(answer.headers.get('content-type')).toBe(type);
    expect(await answer.text()).toContain('The whole text.');
  });
});

describe('the feeds of a blog that was deleted', () => {
  it('tell their readers to stop asking', async () => {
    const slug = unique('ended');
    const { _id: id, nonce } = await add(database.db, { type: 'BLOG', title: 'Ended', slug, publishedAt: NOW });
    requireStored(await deleteNode(database.db, write(), testAct(), { id, nonce }));
    for (const file of ['rss.xml', 'atom.xml', 'feed.json'])
      expect(await statusOf(`/blog/~/${slug}/${file}`)).toBe(410);
  });
});

describe('feeds and the sitemap', () => {
  it('are valid by the rules of their formats', async () => {
    expect(await faultsOfXml('rss', { rss: await textOf('/blog/rss.xml') })).toEqual({ rss: [] });
    expect(await faultsOfXml('atom', { atom: await textOf('/blog/atom.xml') })).toEqual({ atom: [] });
    expect(faultsOfJsonFeed(await textOf('/blog/feed.json'))).toEqual([]);
    expect(await faultsOfXml('sitemap', { sitemap: await textOf('/blog/sitemap.xml') })).toEqual({ sitemap: [] });
  });
});

describe('the addresses of feeds', () => {
  it('are fields of a blog', async () => {
    const { data } = await server.request(
      '{ nodeByPath(path: "/blog") { ... on Blog { feeds { rss atom json } } } other: nodeByPath(path: "/other") { ... on Blog { feeds { rss } } } }',
    );
    expect(data).toEqual({
      nodeByPath: {
        feeds: {
          rss: 'https://stats.example.org/blog/rss.xml',
          atom: 'https://stats.example.org/blog/atom.xml',
          json: 'https://stats.example.org/blog/feed.json',
        },
      },
      other: { feeds: { rss: 'https://stats.example.org/blog/~/other/rss.xml' } },
    });
  });
});

describe('the sitemap', () => {
  it('lists what is public, and robots.txt leads to it', async () => {
    const slug = unique('mapped');
    await addPost(database.db, blog, 'Mapped', { slug });
    const answer = await ask('/blog/sitemap-0.xml'); // the first part: asked for once
    expect(answer.headers.get('content-type')).toBe('application/xml; charset=utf-8');
    const text = await answer.text();
    expect(text).toContain(`<loc>https://stats.example.org/blog/${slug}</loc><lastmod>`);
    expect(text).toContain('<loc>https://stats.example.org/blog</loc>');
    expect(await textOf('/robots.txt')).toContain('Sitemap: https://stats.example.org/blog/sitemap.xml');
  });
});

describe('a conditional request', () => {
  it('is answered without the page while nothing has changed', async () => {
    const slug = unique('same');
    const post = await addPost(database.db, blog, 'Same', { slug });
    for (const path of [`/blog/${slug}`, '/blog', '/blog/rss.xml', '/blog/feed.json']) {
      const whole = await ask(path);
      await whole.text();
      const etag = whole.headers.get('etag') ?? '';
      expect(etag).toMatch(/^W\/"[\w-]{27}"$/);
      expect(whole.headers.get('cache-control')).toBe('public, no-cache');
      const again = await ask(path, { 'if-none-match': `"other", ${etag}` });
      expect({ status: again.status, text: await again.text(), etag: again.headers.get('etag') }).toEqual({
        status: 304,
        text: '',
        etag,
      });
      const time = whole.headers.get('last-modified') ?? '';
      expect((await ask(path, { 'if-modified-since': time })).status).toBe(304);
      expect((await ask(path, { 'if-modified-since': time, 'if-none-match': '"other"' })).status).toBe(200);
    }
    const etag = (await ask(`/blog/${slug}`)).headers.get('etag') ?? '';
    requireStored(await edit(database.db, post, { text: 'Another text' }));
    await soon(async () => (await ask(`/blog/${slug}`, { 'if-none-match': etag })).status).toBe(200);
  });

  it('notices new tags, which make no new version', async () => {
    const slug = unique('tagged');
    const { _id } = await addPost(database.db, blog, 'Tagged later', { slug });
    const etag = (await ask(`/blog/${slug}`)).headers.get('etag') ?? '';
    await addTags(database.db, _id, ['late'], write());
    await soon(async () => (await ask(`/blog/${slug}`, { 'if-none-match': etag })).status).toBe(200);
  });
});

describe('a response', () => {
  it('lets no foreign code into a page', async () => {
    const answer = await ask('/blog');
    const policy = answer.headers.get('content-security-policy') ?? '';
    const [, styles] = /<style>(.*?)<\/style>/s.exec(await answer.text()) ?? [];
    expect(policy.split(';').toSorted()).toEqual([
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "frame-src 'none'",
      "img-src 'self'",
      "script-src 'self'",
      styles === undefined ? "style-src 'none'" : `style-src 'sha256-${hash('sha256', styles, 'base64')}'`,
    ]);
  });

  it.each(['/blog', '/blog/nothing', '/blog/rss.xml'])('is protected like other pages: %s', async (path) => {
    const { headers } = await ask(path);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });

  it('is compressed as the client accepts it, once', async () => {
    const slug = unique('large');
    await addPost(database.db, blog, 'Large', { slug, text: 'A long text. '.repeat(500) });
    const answer = await ask(`/blog/${slug}`, { 'accept-encoding': 'br' }); // fetch decompresses
    expect(answer.headers.get('content-encoding')).toBe('br');
    expect(answer.headers.get('vary')).toBe('Accept-Encoding');
    expect(await answer.text()).toContain('A long text.');
  });

  it('has no body for HEAD', async () => {
    const answer = await ask('/blog', {}, 'HEAD');
    expect({ status: answer.status, text: await answer.text() }).toEqual({ status: 200, text: '' });
  });
});
