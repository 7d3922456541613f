import { parseFragment } from 'parse5';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { rowOfItem } from '../../../src/models/content/import/feed-item.js';
import { FeedParser } from '../../../src/models/content/import/feed-parser.js';
import { type FeedFormat, feedOf } from '../../../src/resolvers/content/site/feeds/feed.js';
import { feedHtml } from '../../../src/resolvers/content/site/feeds/feed-text.js';
import { blog, entry, HOSTILE, picture, READABLE, site, video } from './example-views.js';
import { faultsOfJsonFeed, faultsOfXml } from './schemas/validation.js';

const UPDATED = new Date('2026-11-20T10:30:00Z');

const hostile = entry({
  title: HOSTILE,
  excerpt: HOSTILE,
  author: HOSTILE,
  source: HOSTILE,
  tags: [{ title: HOSTILE, path: '/blog/~tag/x' }],
});
const hostileBlog = { ...blog, title: HOSTILE, description: HOSTILE };

/** The texts of an XML document by their paths, in order; attributes as `path@name`. @throws Error it is not well-formed */
function readXml(text: string): [path: string, text: string][] {
  const found: [string, string][] = [];
  const path: string[] = [];
  let content = '';
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    path.push(name);
    content = '';
    for (const { name: attribute, value } of Object.values(attributes))
      found.push([`${path.join('/')}@${attribute}`, value]);
  });
  const add = (part: string) => {
    content += part;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', () => {
    if (content.trim() !== '') found.push([path.join('/'), content]);
    path.pop();
    content = '';
  });
  parser.write(text).close();
  return found;
}

const all = (found: [string, string][], path: string) =>
  found.filter(([each]) => each === path).map(([, text]) => text);

describe('a feed in RSS 2.0', () => {
  it('has absolute addresses, ids that survive a move, authors by name, and the whole content', () => {
    const found = readXml(feedOf(site, blog, [entry()], 'rss', UPDATED));
    const channel = (name: string) => all(found, `rss/channel/${name}`);
    expect(channel('title')).toEqual(['Field Notes']);
    expect(channel('description')).toEqual(['Instruments & coasts']);
    expect(channel('link')).toEqual(['https://notes.example/blog']);
    expect(channel('atom:link@href')).toEqual(['https://notes.example/blog/rss.xml']);
    expect(channel('lastBuildDate')).toEqual(['Fri, 20 Nov 2026 10:30:00 GMT']);
    expect(channel('item/title')).toEqual(['The horizon']);
    expect(channel('item/link')).toEqual(['https://notes.example/blog/horizon']);
    expect(channel('item/guid')).toEqual(['urn:sextant:QmxvZ1Bvc3Q6MQ']);
    expect(channel('item/guid@isPermaLink')).toEqual(['false']);
    expect(channel('item/pubDate')).toEqual(['Fri, 20 Nov 2026 09:00:00 GMT']);
    expect(channel('item/dc:creator')).toEqual(['Marta Lind']);
    expect(channel('item/author')).toEqual([]); // which would have to be an e-mail address
    expect(channel('item/category')).toEqual(['navigation']);
    expect(channel('item/content:encoded')).toEqual([
      '<p>Look <a href="https://notes.example/blog/other">here</a>.</p>',
    ]);
  });

  it('is valid without entries', () => {
    const found = readXml(feedOf(site, blog, [], 'rss', UPDATED));
    expect(all(found, 'rss/channel/title')).toEqual(['Field Notes']);
  });
});

describe('a feed in Atom', () => {
  it('has the times of publication and of the last change', () => {
    const found = readXml(feedOf(site, blog, [entry()], 'atom', UPDATED));
    expect(all(found, 'feed/updated')).toEqual(['2026-11-20T10:30:00.000Z']);
    expect(all(found, 'feed/link@rel')).toEqual(['alternate', 'self']);
    expect(all(found, 'feed/link@href')).toEqual(['https://notes.example/blog', 'https://notes.example/blog/atom.xml']);
    expect(all(found, 'feed/entry/id')).toEqual(['urn:sextant:QmxvZ1Bvc3Q6MQ']);
    expect(all(found, 'feed/entry/published')).toEqual(['2026-11-20T09:00:00.000Z']);
    expect(all(found, 'feed/entry/updated')).toEqual(['2026-11-20T10:30:00.000Z']);
    expect(all(found, 'feed/entry/author/name')).toEqual(['Marta Lind']);
    expect(all(found, 'feed/entry/category@term')).toEqual(['navigation']);
  });

  it('names the blog as the author of an entry whose account was deleted', () => {
    const found = readXml(feedOf(site, blog, [entry({ author: null })], 'atom', UPDATED));
    expect(all(found, 'feed/author/name')).toEqual(['Field Notes']);
    expect(all(found, 'feed/entry/author/name')).toEqual([]);
  });
});

describe('a feed in JSON', () => {
  it('has the same content', () => {
    expect(JSON.parse(feedOf(site, blog, [entry()], 'json', UPDATED))).toEqual({
      version: 'https://jsonfeed.org/version/1',
      title: 'Field Notes',
      description: 'Instruments & coasts',
      home_page_url: 'https://notes.example/blog',
      feed_url: 'https://notes.example/blog/feed.json',
      author: { name: 'Field Notes' },
      items: [
        {
          id: 'urn:sextant:QmxvZ1Bvc3Q6MQ',
          url: 'https://notes.example/blog/horizon',
          title: 'The horizon',
          summary: 'Where it is.',
          content_html: '<p>Look <a href="https://notes.example/blog/other">here</a>.</p>',
          date_published: '2026-11-20T09:00:00.000Z',
          date_modified: '2026-11-20T10:30:00.000Z',
          author: { name: 'Marta Lind' },
          tags: ['navigation'],
        },
      ],
    });
  });
});

describe('texts with characters that have a meaning', () => {
  /** What a reader shows of HTML. Not a text alone if it has elements. */
  const shown = (html = '') =>
    parseFragment(html).childNodes.map((node) => ('value' in node ? node.value : node.nodeName));

  it('arrive in RSS without what XML does not allow, the titles and descriptions of items as HTML that shows them', () => {
    const found = readXml(feedOf(site, hostileBlog, [hostile], 'rss', UPDATED));
    expect(all(found, 'rss/channel/title')).toEqual([READABLE]);
    expect(all(found, 'rss/channel/item/title').map(shown)).toEqual([[READABLE]]);
    expect(all(found, 'rss/channel/item/description').map(shown)).toEqual([[READABLE]]);
    expect(all(found, 'rss/channel/item/dc:creator')).toEqual([READABLE]);
    expect(all(found, 'rss/channel/item/category')).toEqual([READABLE]);
  });

  it('arrive in Atom as HTML that shows them', () => {
    const found = readXml(feedOf(site, hostileBlog, [hostile], 'atom', UPDATED));
    expect(all(found, 'feed/entry/title').map(shown)).toEqual([[READABLE]]);
    expect(all(found, 'feed/entry/summary').map(shown)).toEqual([[READABLE]]);
    expect(all(found, 'feed/title')).toEqual([READABLE]);
    expect(all(found, 'feed/entry/category@term')).toEqual([READABLE.replaceAll('<', '‹')]);
  });

  it('arrive in JSON as they are', () => {
    const read = JSON.parse(feedOf(site, hostileBlog, [hostile], 'json', UPDATED));
    expect(read.items[0].title).toBe(READABLE);
    expect(read.items[0].tags).toEqual([READABLE]);
  });
});

describe('a feed that is imported again', () => {
  it.each(['rss', 'atom'] as const)('has the titles and excerpts of its entries: %s', (format) => {
    const title = 'Use <em> & <br>, not <font> or &amp; ]]>';
    const excerpt = 'Why <table> beats <div> for <script>data</script>';
    const parsed = new FeedParser().write(feedOf(site, blog, [entry({ title, excerpt })], format, UPDATED));
    expect(parsed.map(({ item }) => rowOfItem(item))).toMatchObject([{ title, excerpt }]);
  });
});

describe('by the rules of the formats', () => {
  const write = (format: FeedFormat, entries = [entry()], of = blog) => feedOf(site, of, entries, format, UPDATED);
  const examples = (format: FeedFormat) => ({
    'no entries': write(format, []),
    'a post': write(format),
    'a post without text, tags and author': write(format, [entry({ author: null, excerpt: '', html: '', tags: [] })]),
    'posts of other kinds': write(format, [
      entry({ type: 'IMAGE', picture }),
      entry({ type: 'VIDEO', video }),
      entry({ type: 'QUOTE', source: 'K. V.' }),
    ]),
    'characters that have a meaning': write(format, [hostile], hostileBlog),
  });
  /** A feed with a fault that the validator must find. */
  const broken = (format: FeedFormat, part: string | RegExp, fault: string) => {
    const text = write(format);
    if (text.search(part) < 0) throw new Error(`Nothing to break: ${part}`);
    return text.replace(part, fault);
  };

  it('Atom is valid', async () => {
    const valid = examples('atom');
    const faults = await faultsOfXml('atom', {
      ...valid,
      'no id': broken('atom', /<id>urn:sextant:QmxvZzpi<\/id>/, ''),
      'a time without a zone': broken('atom', /(?<=<updated>)[^<]*/, '10:30'),
      'two titles': broken('atom', /<author>/, '<title>Again</title><author>'),
      'an unknown element': broken('atom', /<author>/, '<writer/><author>'),
      'a category without a term': broken('atom', /term="[^"]*"/, ''),
    });
    for (const [name, found] of Object.entries(faults))
      if (name in valid) expect(found, name).toEqual([]);
      else expect(found, name).not.toEqual([]);
  });

  it('RSS is valid', async () => {
    const valid = examples('rss');
    const faults = await faultsOfXml('rss', {
      ...valid,
      'no link': broken('rss', /<link>[^<]*<\/link>/, ''),
      'a date in another form': broken('rss', /(?<=<pubDate>)[^<]*/, '2026-11-20T09:00:00Z'),
      'a permanent link that is none': broken('rss', / isPermaLink="false"/, ''),
      'an author without an e-mail address': broken('rss', /<category>/, '<author>Marta Lind</author><category>'),
      'neither title nor description': broken(
        'rss',
        /<item>.*<\/item>/s,
        '<item><link>https://a.example/</link></item>',
      ),
      'an element without a namespace': broken('rss', /<category>/, '<creator>Marta Lind</creator><category>'),
    });
    for (const [name, found] of Object.entries(faults))
      if (name in valid) expect(found, name).toEqual([]);
      else expect(found, name).not.toEqual([]);
  });

  it('JSON Feed is valid', () => {
    for (const text of Object.values(examples('json'))) expect(faultsOfJsonFeed(text)).toEqual([]);
  });

  it.each([
    ['an item without an id', { id: undefined }, 'items.0.id: Invalid input: expected string, received undefined'],
    ['a date in another form', { date_published: 'Fri, 20 Nov 2026' }, 'items.0.date_published: Invalid ISO datetime'],
    ['an address without a host', { url: '/blog/a' }, 'items.0.url: Invalid URL'],
    ['an unknown member', { body: '' }, 'items.0: A member is neither of the format nor a custom object'],
    ['an item without content', { content_html: undefined }, 'items.0: An item has a text or HTML'],
  ])('JSON Feed with %s is not', (_fault, change, fault) => {
    const { items, ...feed } = JSON.parse(write('json'));
    expect(faultsOfJsonFeed(JSON.stringify({ ...feed, items: [{ ...items[0], ...change }] }))).toEqual([fault]);
  });
});

describe('the content of an entry', () => {
  const contentOf = (own: Parameters<typeof entry>[0]) =>
    JSON.parse(feedOf(site, blog, [entry(own)], 'json', UPDATED)).items[0].content_html as string;

  it('shows the picture of an image post, and links to a video', () => {
    expect(contentOf({ type: 'IMAGE', picture, html: '<p>Rain.</p>' })).toBe(
      '<p><img src="https://notes.example/assets/p1/1280" width="1600" height="1000" alt="A ridge" /></p><p>Rain.</p>',
    );
    expect(contentOf({ type: 'VIDEO', video, html: '' })).toBe(
      '<p><a href="https://www.youtube.com/watch?v=abc">Watch the video on YouTube</a></p>',
    );
  });

  it('names the source of a quotation', () => {
    expect(contentOf({ type: 'QUOTE', html: '<p>So it goes.</p>', source: 'K. V. <b>' })).toBe(
      '<figure><blockquote><p>So it goes.</p></blockquote><figcaption>K. V. &lt;b&gt;</figcaption></figure>',
    );
  });

  it('is never missing', () => {
    expect(contentOf({ html: '' })).toBe('<p></p>');
  });
});

describe('HTML for a feed', () => {
  it('loses classes and ids, and gets absolute addresses', () => {
    const html =
      '<h2 id="a" class="b">A</h2><p><a href="#a" rel="nofollow">up</a> <a href="c?d=1&amp;e">c</a> <a href="http://[">bad</a></p><img src="/assets/1" srcset="/assets/1/320 320w" alt="x"><pre class="hljs"><code><span class="hljs-keyword">if</span></code></pre>';
    expect(feedHtml(html, 'https://notes.example/blog/x')).toBe(
      '<h2>A</h2><p><a href="https://notes.example/blog/x#a">up</a> <a href="https://notes.example/blog/c?d=1&amp;e">c</a> <a>bad</a></p><img src="https://notes.example/assets/1" alt="x" /><pre><code><span>if</span></code></pre>',
    );
  });

  it('loses scripts and handlers, should any have come so far', () => {
    const html = '<p onclick="x()">a<script>x()</script><a href="javascript:x()">b</a></p>';
    expect(feedHtml(html, 'https://notes.example/blog/x')).toBe('<p>a<a>b</a></p>');
  });
});
