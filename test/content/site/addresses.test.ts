/** Addresses of the public site: each place has one, other forms of it lead there at once, and nothing that a client sends is a fault. */
import { request } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeRandom } from '../../../harness/random.js';
import { findChild, ROOT } from '../../../src/models/content/nodes/node.js';
import { moveNode } from '../../../src/models/content/nodes/node-move.js';
import { deleteNode } from '../../../src/models/content/nodes/node-trash.js';
import { placeAt, tagPath } from '../../../src/resolvers/content/site/addresses.js';
import { useDatabase } from '../../support/database.js';
import { testAct } from '../../support/people.js';
import { useServer } from '../../support/server.js';
import { add, addBlog, addPost, edit, NOW, requireStored, write } from '../nodes/node-support.js';

const database = useDatabase();
const server = useServer(database);

interface Answer {
  readonly status: number;
  readonly location: string | null;
  readonly type: string;
  readonly allow: string | null;
  readonly text: string;
}

/** Sends a path as it is: `fetch` would mend it. */
const ask = (path: string, method = 'GET', body = ''): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const headers = body === '' ? {} : { 'content-type': 'text/x-unknown', 'content-length': Buffer.byteLength(body) };
    request(new URL(server.url), { path, method, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () => {
        const { location = null, allow = null, 'content-type': type = '' } = answer.headers;
        resolve({ status: answer.statusCode ?? 0, location, type, allow, text: Buffer.concat(parts).toString() });
      });
    })
      .on('error', reject)
      .end(body);
  });

beforeAll(async () => {
  const { db } = database;
  const blog = requireStored(await edit(db, await addBlog(db), { publishedAt: NOW }));
  await addPost(db, blog, 'Evil', { slug: 'evil', tags: ['a+b', 'Jazz', 'é', 'a/b', '.', '..'] });
  const other = await add(db, { type: 'BLOG', title: 'Other', slug: 'other', publishedAt: NOW });
  for (let at = 0; at < 50; at += 1) await addPost(db, other, `Other ${at}`, { slug: `other-${at}` });
  const moved = await addPost(db, blog, 'Moved', { slug: 'before' });
  requireStored(await moveNode(db, write(), { id: moved._id, nonce: moved.nonce, slug: 'after' }));
  const deleted = await addPost(db, blog, 'Deleted', { slug: 'deleted' });
  requireStored(await deleteNode(db, write(), testAct(), { id: deleted._id, nonce: deleted.nonce }));
});

describe('an address', () => {
  it.each([
    ['/blog/', '/blog'],
    ['/blog//', '/blog'],
    ['/blog/%65vil', '/blog/evil'],
    ['/blog/EVIL', '/blog/evil'],
    ['/blog//evil', '/blog/evil'],
    ['/blog/evil/', '/blog/evil'],
    ['/%62log/evil', '/blog/evil'],
    ['/blog/evil/?after=x&utm_source=a?b', '/blog/evil?after=x&utm_source=a?b'],
    ['/blog/~/blog', '/blog'],
    ['/blog/~/blog/Evil', '/blog/evil'],
    ['/blog/~/blog/atom.xml', '/blog/atom.xml'],
    ['/blog/RSS.xml', '/blog/rss.xml'],
    ['/blog/Sitemap.xml', '/blog/sitemap.xml'],
    ['/blog/%7E/other/', '/blog/~/other'],
    ['/blog/~/', '/blog/~'],
    ['/blog/~tag/a+b', '/blog/~tag/a%2Bb'],
    ['/blog/~tag/a%2bb/', '/blog/~tag/a%2Bb'],
    ['/blog/~tag/a/b', '/blog/~tag/a%2Fb'],
    ['/blog/~tag/e%CC%81', '/blog/~tag/%C3%A9'],
    ['/blog/Before/', '/blog/after'],
    ['/blog/before?after=x', '/blog/after?after=x'],
    ['/BLOG', '/blog'],
    ['/Blog?x=1', '/blog?x=1'],
    ['/Blog/Evil', '/blog/evil'],
    ['/bLOG/RSS.xml', '/blog/rss.xml'],
    ['/%42log/evil', '/blog/evil'],
    ['//blog', '/blog'],
    ['//blog/evil', '/blog/evil'],
    ['///Blog///evil//', '/blog/evil'],
    ['/Blog/~tag/Jazz', '/blog/~tag/Jazz'],
    ['/blog/~tag/%20Jazz', '/blog/~tag/Jazz'],
  ])('has one form: %s is %s', async (path, canonical) => {
    expect(await ask(path)).toMatchObject({ status: 301, location: canonical });
    const [place = ''] = canonical.split('?');
    expect((await ask(place)).status).toBe(200);
  });

  it.each([
    '/blog/nothing',
    '/blog/NOTHING/',
    '/blog/nothing/rss.xml',
    '/blog/evil/rss.xml',
    '/blog/before/rss.xml',
    '/blog/a//b',
    '/blog/~tag',
    '/blog/~tag/',
    '/blog/~tag/nothing',
    '/blog/~tag/jazz',
    '/blog/~/nothing/',
    '/blog/~/~/other',
    '/blog/~/rss.xml',
    '/blog/1/2/3/4/5/6/7/8/9/10',
    '/blog?after=broken',
    '/blog/?after=broken',
    '/blog/sitemap-x.xml',
    '/blog/%',
    '/blog/%ff',
    '/blog/%E0%A4%A?x=%',
    '/blog/ev%00il',
    '/blog/~/%2Fother',
    '/blog/../blog/evil',
    '/blog/\\evil',
    `/blog/${'x'.repeat(2000)}`,
    `/blog/${'/'.repeat(2000)}x`,
    '/BLOG/nothing',
    '//blog/nothing',
    '/Blog/%ff',
    '//blog/..',
  ])('without anything gets a page that says so, without a redirect: %s', async (path) => {
    const { status, type, text } = await ask(path);
    expect({ status, type }).toEqual({ status: 404, type: 'text/html; charset=utf-8' });
    expect(text).toContain('<h1>Page not found</h1>');
  });

  it('that is not found is kept by no cache', async () => {
    expect((await fetch(`${server.url}/blog/nothing`)).headers.get('cache-control')).toBe('no-store');
  });

  it('that only resembles the home is left to the rest of the server', async () => {
    for (const path of ['/blogs', '//blogs/evil', '//graphql', '//', '/BLOGS'])
      expect((await ask(path)).type, path).not.toBe('text/html; charset=utf-8');
  });

  it.each(['.', '..'])('of the tag %s is none that browsers shorten', async (tag) => {
    const path = tagPath(tag);
    expect(new URL(path, 'https://notes.example').pathname).toBe(path);
    expect(placeAt(path)).toEqual({ kind: 'tag', tag });
    expect(await ask(path)).toMatchObject({ status: 200, text: expect.stringContaining(`<h1>${tag}</h1>`) });
    expect((await ask('/blog/evil')).text).toContain(`<a href="${path}" rel="tag">${tag}</a>`);
  });

  it('of what was deleted says so in any form', async () => {
    for (const path of ['/blog/deleted', '/blog/Deleted/']) expect((await ask(path)).status).toBe(410);
  });
});

describe('a request that is no reading', () => {
  it('is not allowed where nobody may comment: POST', async () => {
    for (const path of ['/blog', '/blog/nothing', '/blog/rss.xml'])
      expect(await ask(path, 'POST', 'a body')).toMatchObject({ status: 405, allow: 'GET, HEAD' });
    expect(await ask('/blog/evil', 'POST', 'a body')).toMatchObject({ status: 403 });
  });

  it.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])('is not allowed: %s', async (method) => {
    for (const path of ['/blog', '/blog/evil', '/blog/nothing']) {
      const { status, allow, type, text } = await ask(path, method, method === 'TRACE' ? '' : 'a body');
      expect({ status, allow, type }).toEqual({ status: 405, allow: 'GET, HEAD', type: 'text/html; charset=utf-8' });
      expect(text).toContain('<h1>Nothing can be sent here</h1>');
    }
  });
});

/** What addresses are made of, and what they should not be made of. */
const PIECES = [
  ...[
    '/',
    '/',
    '/',
    '//',
    '~',
    '~/',
    '~tag/',
    'blog',
    'Blog',
    'evil',
    'EVIL',
    '%65vil',
    'before',
    'deleted',
    'other',
    'other-7',
  ],
  ...[
    'rss.xml',
    'ATOM.xml',
    'feed.json',
    'sitemap.xml',
    'sitemap-0.xml',
    'sitemap-999999999999999.xml',
    '.',
    '..',
    '-',
    '+',
  ],
  ...[
    'a+b',
    'Jazz',
    '%C3%A9',
    'e%CC%81',
    '%',
    '%2',
    '%ff',
    '%2F',
    '%2f',
    '%5C',
    '%00',
    '%0d%0a',
    '%F0%9F%98%80',
    '%ED%A0%80',
    '\\',
  ],
  ...[
    '?',
    '?after=',
    '?after=x',
    '&',
    '=',
    ';',
    ':',
    '@',
    '#',
    '"',
    "'",
    '<',
    '*',
    'x'.repeat(101),
    '__proto__',
    'constructor',
  ],
];

it('answers any path with a page, a feed or one redirect to one of these', async () => {
  const random = makeRandom(20_260_301);
  const statuses = new Map<number, number>();
  for (let n = 0; n < 800; n += 1) {
    const path = `/blog/${Array.from({ length: random.below(7) }, () => PIECES[random.below(PIECES.length)]).join('')}`;
    const { status, location, type } = await ask(path);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    expect([200, 301, 404, 410], path).toContain(status);
    if (status === 404 || status === 410) expect(type, path).toBe('text/html; charset=utf-8');
    if (status === 301) {
      expect(location, path).toMatch(/^\/blog(?:[/?]|$)/);
      expect((await ask(location ?? '')).status, `${path} leads to ${location}`).toBe(200);
    } else if (status === 200) {
      const [address = ''] = path.split('?');
      expect(placeAt(address), path).not.toBeNull();
    }
  }
  for (const status of [200, 301, 404, 410]) expect(statuses.get(status) ?? 0, String(status)).toBeGreaterThan(1);
});

describe('the menu', () => {
  const textOf = async (path: string) => (await ask(path)).text;
  const linksIn = (text: string, list: RegExp) =>
    [...(list.exec(text)?.[0] ?? '').matchAll(/<a href="([^"]+)"[^>]*>([^<]+)<\/a>/g)].map(([, to, title]) => [
      to,
      title,
    ]);
  const menuOf = (text: string) => linksIn(text, /<nav aria-label="Site">.*?<\/nav>/s);
  /** A page is served for a second without looking again. */
  const soon = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: 10_000 });

  it('shows seven roots, what was published first at first, and leads to the list of all by title', async () => {
    const types = ['PAGE', 'FOLDER', 'GALLERY', 'BLOG'] as const;
    for (let at = 9; at >= 1; at -= 1)
      await add(database.db, {
        type: types[at % 4] ?? 'PAGE',
        title: `Root ${10 - at}`,
        slug: `root-${at}`,
        publishedAt: new Date(NOW.getTime() + at * 60_000),
      });
    await add(database.db, { title: 'A draft' });
    const expected = [
      ['/blog/~/other', 'Other'],
      ...[1, 2, 3, 4, 5, 6].map((at) => [`/blog/~/root-${at}`, `Root ${10 - at}`]),
      ['/blog/~', 'More'],
    ];
    await soon(async () => menuOf(await textOf('/blog/evil'))).toEqual(expected);
    const text = await textOf('/blog/~');
    expect(menuOf(text)).toEqual(expected);
    expect(text).toContain('<a href="/blog/~" aria-current="page">More</a>');
    expect(linksIn(text, /<ul class="children">.*?<\/ul>/s)).toEqual([
      ['/blog/~/other', 'Other'],
      ...[9, 8, 7, 6, 5, 4, 3, 2, 1].map((at) => [`/blog/~/root-${at}`, `Root ${10 - at}`]),
    ]);
  });

  it('leads back to the home, whose name is on every page', async () => {
    expect(await textOf('/blog')).toContain('<a class="brand" href="/blog" aria-current="page">A blog</a>');
    for (const path of ['/blog/evil', '/blog/~', '/blog/nothing'])
      expect(await textOf(path)).toContain('<a class="brand" href="/blog">A blog</a>');
  });

  it('of a site without a home is its home', async () => {
    const { db } = database;
    const home = await findChild(db, ROOT, 'blog');
    if (!home) throw new Error('There is no blog');
    requireStored(await edit(db, home, { publishedAt: null }));
    await soon(async () => (await ask('/blog/~')).location).toBe('/blog');
    // Each address is kept for a second, apart from the others.
    await soon(() => textOf('/blog')).toContain('<h1>Blog</h1>');
    expect(linksIn(await textOf('/blog'), /<ul class="children">.*?<\/ul>/s)).toHaveLength(10);
    await soon(async () => (await ask('/blog/rss.xml')).status).toBe(404);
  });
});
