/** Imports of feeds: RSS, Atom, their HTML, and what a hostile feed may try. */
import { beforeEach, describe, expect, it } from 'vitest';
import { rowOfItem } from '../../../src/models/content/import/feed-item.js';
import { FeedParser } from '../../../src/models/content/import/feed-parser.js';
import type { NodeDocument } from '../../../src/models/content/nodes/node.js';
import { markdownOf } from '../../../src/shared/rendering/html-markdown.js';
import { useDatabase } from '../../support/database.js';
import { add } from '../nodes/node-support.js';
import { below, useImports } from './import-support.js';

const database = useDatabase();
const { importAll, rejectsOf } = useImports(database);
let blog: NodeDocument;
let count = 0;

beforeEach(async () => {
  count += 1;
  blog = await add(database.db, { type: 'BLOG', title: 'A blog', slug: `blog-${count}` });
});

const importFeed = (feed: string | Buffer) => importAll(feed, { parent: blog, format: 'FEED' });

const RSS = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel><title>A blog elsewhere</title><link>https://blog.example.org/</link>
<item><title>Salt &amp; pepper</title><link>https://blog.example.org/2020/01/Salt_and-pepper.html</link>
  <pubDate>Wed, 01 Jan 2020 10:00:00 +0100</pubDate><dc:creator>Cleo</dc:creator><category>food</category><category>spices</category>
  <description>Two &lt;b&gt;spices&lt;/b&gt;</description>
  <content:encoded><![CDATA[<p>One <b>bold</b> word.</p><ul><li>salt</li><li>pepper</li></ul>]]></content:encoded></item>
<item><link>https://blog.example.org/untitled</link><author>dan@example.org (Dan)</author><description>&lt;p&gt;Without a title&lt;/p&gt;</description></item>
<item><title>When?</title><pubDate>tomorrow</pubDate></item>
</channel></rss>`;

const ATOM = `<feed xmlns="http://www.w3.org/2005/Atom"><title>A blog elsewhere</title>
<entry><title type="html">More &amp;lt;b&amp;gt; &lt;i&gt;less&lt;/i&gt;</title><id>urn:uuid:1</id><published>2021-02-03T04:05:06Z</published>
  <updated>2022-01-01T00:00:00Z</updated><link rel="edit" href="https://x.example.org/edit"/><link href="https://x.example.org/posts/more/"/>
  <author><name>Eva</name><email>eva@example.org</email></author><category term="tags"/>
  <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>A &lt; B &amp; <em>so on</em></p></div></content></entry>
<entry><title>Updated only</title><updated>2022-01-01T00:00:00Z</updated><summary>Short</summary></entry>
</feed>`;

describe('a feed', () => {
  it('of RSS becomes posts', async () => {
    const done = await importFeed(RSS);
    expect(done).toMatchObject({ state: 'FINISHED', done: 3, total: 3, imported: 2, rejected: 1 });
    expect(await rejectsOf(done._id)).toEqual([[9, 'INVALID_FEED_DATE']]);
    expect(await below(database.db, blog)).toMatchObject([
      {
        slug: 'salt-and-pepper',
        type: 'BLOG_POST',
        title: 'Salt & pepper',
        excerpt: 'Two spices',
        published: new Date('2020-01-01T09:00:00Z'),
        author: { name: 'Cleo' },
        tags: ['food', 'spices'],
        detail: { text: 'One **bold** word.\n\n- salt\n- pepper\n' },
      },
      { slug: 'untitled', title: 'Without a title', author: { name: 'Dan' }, published: null },
    ]);
    expect(await importFeed(RSS)).toMatchObject({ imported: 0, skipped: 2, rejected: 1 });
  });

  it('of Atom becomes posts', async () => {
    expect(await importFeed(ATOM)).toMatchObject({ imported: 2, rejected: 0 });
    expect(await below(database.db, blog)).toMatchObject([
      {
        slug: 'more',
        title: 'More <b> less',
        published: new Date('2021-02-03T04:05:06Z'),
        author: { name: 'Eva' },
        tags: ['tags'],
        detail: { text: 'A \\< B & *so on*\n' },
      },
      { slug: 'updated-only', published: new Date('2022-01-01'), detail: { text: 'Short\n' } },
    ]);
  });

  it('is read in the encoding that it declares', async () => {
    const feed =
      '<?xml version="1.0" encoding="ISO-8859-1"?><rss><channel><item><title>Caf\u00e9</title></item></channel></rss>';
    await importFeed(Buffer.from(feed, 'latin1'));
    expect(await below(database.db, blog)).toMatchObject([{ slug: 'cafe', title: 'Caf\u00e9' }]);
  });

  it.each([
    ['another document', '<html><body/></html>', 'The file is no feed: neither RSS nor Atom'],
    ['a feed that ends in the middle', '<rss><channel><item><title>x', /^The feed is not well-formed: /],
    ['an element that does not end', '<rss><channel><a></b></channel></rss>', /^The feed is not well-formed: /],
  ])('fails for %s', async (_what, feed, failure) => {
    expect(await importFeed(feed)).toMatchObject({
      state: 'FAILED',
      failure: typeof failure === 'string' ? failure : expect.stringMatching(failure),
    });
    expect(await below(database.db, blog)).toEqual([]);
  });
});

describe('a feed that is damaged', () => {
  const items = (count: number) =>
    Array.from({ length: count }, (_, at) => `<item><title>Post ${at}</title></item>`).join('\n');

  it.each([1, 50, 250, 3000])('fails, and keeps the %i entries before the damage', async (count) => {
    const done = await importFeed(
      `<rss><channel>${items(count)}<item><title>Damaged</b></item>${items(5)}</channel></rss>`,
    );
    expect(done).toMatchObject({ state: 'FAILED', imported: count, done: count });
    expect(done.failure).toMatch(/^The feed is not well-formed: /);
    expect(await below(database.db, blog)).toHaveLength(count);
  });

  it('keeps what it had when it ends in the middle', async () => {
    expect(await importFeed(`<rss><channel>${items(3)}<item>`)).toMatchObject({ state: 'FAILED', imported: 3 });
  });
});

describe('a hostile feed', () => {
  it('cannot expand entities, or have anything read', async () => {
    const bomb = `<!DOCTYPE rss [<!ENTITY a "ha"><!ENTITY b "&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>
<rss><channel><item><title>Title &b; &f;</title></item></channel></rss>`;
    expect(await importFeed(bomb)).toMatchObject({
      state: 'FAILED',
      failure: expect.stringContaining('not well-formed'),
    });
    expect(await below(database.db, blog)).toEqual([]);
  });

  it('cannot bring scripts or addresses that run', () => {
    const hostile = `<script>alert(1)</script><p onclick="alert(1)">Text <a href="javascript:alert(1)">link</a>
      <iframe src="https://evil.example.org"></iframe><img src="data:text/html,x" onerror="alert(1)"><style>p{}</style>
      <svg onload="alert(1)"></svg></p>&lt;script&gt;alert(2)&lt;/script&gt;<a href="https://x.example.org/a)b c">ok</a>`;
    expect(markdownOf(hostile)).toBe(
      'Text link\n\n\\<script>alert(2)\\</script>[ok](https://x.example.org/a%29b%20c)\n',
    );
  });

  /** Whatever is repeated, the parser must not collect it. */
  it.each([
    ['a text', 'x', '<rss><channel><title>'],
    ['a comment', 'x', '<rss><!--'],
    ['a CDATA section', 'x', '<rss><channel><item><title><![CDATA['],
    ['attributes', ' a="1"', '<rss'],
    ['a name', 'x', '<rss><x'],
    ['a document type', '<!ENTITY x "y">', '<!DOCTYPE rss ['],
    ['elements in each other', '<a>', '<rss>'],
  ])('is refused before %s of 1 GB fills the memory', (_what, repeated, start) => {
    const parser = new FeedParser();
    const chunk = repeated.repeat(Math.ceil(65_536 / repeated.length));
    parser.write(start);
    let written = 0;
    const write = () => {
      for (; written < 2 ** 30; written += chunk.length) parser.write(chunk);
    };
    expect(write).toThrow();
    expect(written).toBeLessThan(8 * 1024 * 1024);
  });

  it.each([
    ['<ul><li>', 200_000],
    ['<ul></x>', 200_000],
    ['<td><li>', 200_000],
    ['<blockquote>', 160_000],
    ['<svg><math>', 100_000],
  ])('keeps no thread busy with elements in elements: %s', (tags, count) => {
    const before = process.cpuUsage();
    expect(markdownOf(`${tags.repeat(count)}x`).length).toBeLessThan(1000); // as deep as is kept
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000_000).toBeLessThan(15); // minutes, if it took the square of the depth
  });

  it('may have any number of entries, of which none stays in memory', () => {
    const parser = new FeedParser();
    parser.write('<rss><channel>');
    const item = `<item><title>${'x'.repeat(1000)}</title></item>`.repeat(100);
    const before = process.memoryUsage().heapUsed;
    let entries = 0;
    for (let round = 0; round < 100; round += 1) entries += parser.write(item).length;
    expect(entries).toBe(10_000);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(50_000_000);
  });

  it('has entries that are too long rejected, and the others imported', async () => {
    const long = `<item><title>Long</title><description>${'<![CDATA[xxxxxxxxx]]>'.repeat(230_000)}</description></item>`;
    const feed = `<rss><channel>${long}<item><title>Fine</title></item></channel></rss>`;
    const done = await importFeed(feed);
    expect(done).toMatchObject({ state: 'FINISHED', imported: 1, rejected: 1 });
    expect(await rejectsOf(done._id)).toEqual([[1, 'TOO_LONG']]);
  });
});

describe('a title that is made of the text', () => {
  it.each([
    'Some words<p>Next words</p>last',
    '<p>Some words</p><p>Next words</p><p>last</p>',
    '<b>Some words</b><h2>Next words</h2>last',
    '<p>Some words<br>Next words<br/>last</p>',
    '<article>Some words</article><section>Next words</section><div>last</div>',
    '<ul><li>Some words</li><li>Next words<ul><li>last</li></ul></li></ul>',
    '<table><tr><td>Some words</td><td>Next words</td></tr><tr><td>last</td></tr></table>',
    '<b>Some words<p>Next words</p></b>last',
    '<details><summary>Some words</summary>Next words<hr>last</details>',
    'Some words<blockquote>Next words</blockquote><pre>last</pre>',
  ])('keeps its words apart: %s', (content) => {
    const item = { title: '', link: 'https://x.example.org/a', id: '', date: '', author: '', tags: [], summary: '' };
    expect(rowOfItem({ ...item, content }).title).toBe('Some words Next words last');
    expect(rowOfItem({ ...item, content, summary: content, title: content })).toMatchObject({
      title: 'Some words Next words last',
      excerpt: 'Some words Next words last',
    });
  });
});

describe('HTML as Markdown', () => {
  it.each([
    ['<h2>Head <i>line</i></h2><p>One<br>two</p>', '## Head *line*\n\nOne\\\ntwo\n'],
    ['<blockquote><p>a</p><p>b</p></blockquote>', '> a\n>\n> b\n'],
    ['<ol><li>a<ul><li>b</li></ul></li><li>c</li></ol>', '1. a\n\n   - b\n2. c\n'],
    ['<pre><code>let x = `1`;\n</code></pre>', '```\nlet x = `1`;\n```\n'],
    ['<p>Use <code>a`b</code> and <strong> b </strong>.</p>', 'Use ``a`b`` and **b** .\n'],
    ['<img src="https://x.example.org/p.png" alt="A [cat]">', '![A \\[cat\\]](https://x.example.org/p.png)\n'],
    [
      '<p>1. no list</p><p># no heading</p><p>*no* _mark_ &amp;amp;</p>',
      '1\\. no list\n\n\\# no heading\n\n\\*no\\* \\_mark\\_ \\&amp;\n',
    ],
    ['text <div>and <p>blocks</p> mixed</div>', 'text\n\nand\n\nblocks\n\nmixed\n'],
    ['<table><tr><td>a</td><td>b</td></tr></table>', 'a · b\n'],
    ['<p> </p>', ''],
    ['<section>One</section><section>Two</section>', 'One\n\nTwo\n'],
    ['<dl><dt>Ebb</dt><dd>Falls</dd></dl>', 'Ebb\n\nFalls\n'],
    ['<pre><div>a</div><div>  b</div>c<br>d</pre>', '```\na\n  b\nc\nd\n```\n'],
    ['<p>unclosed <b>and <i>nested', 'unclosed **and *nested***\n'],
  ])('%s', (html, markdown) => {
    expect(markdownOf(html)).toBe(markdown);
  });
});
