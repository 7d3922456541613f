import { describe, expect, it } from 'vitest';
import { picturesIn, renderMarkdown } from '../../../src/shared/rendering/markdown.js';
import { outlineOf, plainTextOf, readingMinutesOf, wordsIn } from '../../../src/shared/rendering/plain-text.js';

const pictureOf = (id: string) =>
  id === 'gone' ? null : { src: `/assets/${id}`, srcset: `/assets/${id}/320 320w`, width: 800, height: 600 };

describe('Markdown as HTML', () => {
  it('gives headings an id from their text, each another one', () => {
    expect(renderMarkdown('# Über *uns*\n\n## Über uns\n\n# !!!')).toBe(
      '<h1 id="section-über-uns">Über <em>uns</em></h1>\n<h2 id="section-über-uns-2">Über uns</h2>\n<h1 id="section-part">!!!</h1>\n',
    );
  });

  it('has tables, whose alignment is a class', () => {
    const html = renderMarkdown('| a | b |\n|---|--:|\n| 1 | 2 |');
    expect(html).toContain('<th>a</th>');
    expect(html).toContain('<td class="align-right">2</td>');
    expect(html).not.toContain('style');
  });

  it('marks code in a known language, and leaves other code as it is', () => {
    expect(renderMarkdown('```js\nconst a = 1 < 2;\n```')).toContain(
      '<code class="hljs language-js"><span class="hljs-keyword">const</span> a = <span class="hljs-number">1</span> &lt; ',
    );
    expect(renderMarkdown('```klingon\na < b\n```')).toBe('<pre><code>a &lt; b\n</code></pre>\n');
    expect(renderMarkdown(`\`\`\`js\n${'const a = 1;\n'.repeat(2000)}\`\`\``)).not.toContain('<span');
  });

  it('says of links to other sites that they are not endorsed, unless told otherwise', () => {
    expect(renderMarkdown('[a](https://a.example) [b](/b) <https://c.example>')).toBe(
      '<p><a href="https://a.example" rel="nofollow noopener noreferrer">a</a> <a href="/b">b</a> <a href="https://c.example" rel="nofollow noopener noreferrer">https://c.example</a></p>\n',
    );
    expect(renderMarkdown('https://a.example', { rel: 'noopener' })).toBe(
      '<p><a href="https://a.example" rel="noopener">https://a.example</a></p>\n',
    );
  });

  const hrefsIn = (html: string) => [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href);

  it.each([
    ['[a](//b.example/c)', 'https://b.example/c'],
    ['![a](//b.example/c.gif)', 'https://b.example/c.gif'],
    ['[a][r]\n\n[r]: //b.example/c', 'https://b.example/c'],
    ['[a](HTTPS://b.example)', 'HTTPS://b.example'],
    ['[a](mailto:b@example.org)', 'mailto:b@example.org'],
    ['<b@example.org>', 'mailto:b@example.org'],
    ['[a](/\\\\b.example)', '/%5Cb.example'],
    ['[a](/b?c=d#e)', '/b?c=d#e'],
    ['[a](?c=d)', '?c=d'],
    ['[a](<b c>)', 'b%20c'],
    ['[a](#)', '#'],
    ['[a](#nowhere)', '#nowhere'],
    ['[a](#%)', '#%25'],
  ])('links to where it can: %s', (text, href) => {
    const html = renderMarkdown(text);
    expect(hrefsIn(html)).toEqual([href]);
    expect(html.includes('rel="nofollow noopener noreferrer"')).toBe(/^[a-z]+:/i.test(href));
  });

  it.each([
    ['[a](javascript:alert)', '<p>[a](javascript:alert)</p>\n'],
    ['[a](<java script:alert>)', '<p><a href="java%20script:alert">a</a></p>\n'], // a relative address
    ['[a](data:text/html,b)', '<p>[a](data:text/html,b)</p>\n'],
    ['[a](vbscript:b)', '<p>[a](vbscript:b)</p>\n'],
    ['[a](file:///b)', '<p>[a](file:///b)</p>\n'],
    ['[a](tel:1)', '<p>[a](tel:1)</p>\n'],
    ['[a *b*](asset:c) d', '<p>a <em>b</em> d</p>\n'],
    ['see //b.example and b.example', '<p>see //b.example and b.example</p>\n'],
  ])('shows no link without an address, and none with another scheme: %s', (text, html) => {
    expect(renderMarkdown(text)).toBe(html);
  });

  it('leads from links to headings by their names, as authors write them', () => {
    const text = '[a](#Über-Uns) [b](#section-über-uns) [c](#two-lines)\n\n# Über uns\n\nTwo\nlines\n---';
    expect(hrefsIn(renderMarkdown(text))).toEqual([
      '#section-über-uns',
      '#section-%C3%BCber-uns',
      '#section-two-lines',
    ]);
  });

  it('leads from relative links by the page of the text, if that is known', () => {
    const text =
      '[a](b) [a](./b?c#d) [a](../b) [a](../../../../b) [a](/b) [a](//b) [a](?c) [a](#d) [a](<.//b>) [a](https:b)';
    expect(hrefsIn(renderMarkdown(text, { page: '/blog/~/one/two' }))).toEqual([
      ...['/blog/~/one/b', '/blog/~/one/b?c#d', '/blog/~/b', '/b', '/b', 'https://b', '/blog/~/one/two?c', '#d'],
      ...['/blog/~/one//b', 'https:b'],
    ]);
    expect(hrefsIn(renderMarkdown('[a](..//b)', { page: '/a' }))).toEqual(['/b']);
  });

  it('bounds the addresses of relative links, too', () => {
    const html = renderMarkdown('[a](b)\n'.repeat(10_000), { page: `/${'x'.repeat(100)}/y` });
    expect(html.length).toBeLessThan(1_000_000);
    expect(hrefsIn(html).length).toBe(Math.floor(400_000 / '/b'.padEnd(103).length));
  });

  it('shows pictures of this product, and leaves out unknown ones', () => {
    expect(renderMarkdown('![A "cat"](asset:abc "Tom")', { pictureOf })).toBe(
      '<p><img src="/assets/abc" srcset="/assets/abc/320 320w" sizes="(max-width: 800px) 100vw, 800px" alt="A &quot;cat&quot;" title="Tom" width="800" height="600" loading="lazy" /></p>\n',
    );
    expect(renderMarkdown('a ![x](asset:gone) b', { pictureOf })).toBe('<p>a  b</p>\n');
    expect(renderMarkdown('a ![x](asset:abc) b')).toBe('<p>a  b</p>\n');
  });

  it('links to pictures from elsewhere, and inside a link shows only their text', () => {
    expect(renderMarkdown('![A cat](https://a.example/cat.gif)')).toBe(
      '<p><a href="https://a.example/cat.gif" rel="nofollow noopener noreferrer">A cat</a></p>\n',
    );
    expect(renderMarkdown('[![A cat](https://a.example/cat.gif)](/cats)')).toBe('<p><a href="/cats">A cat</a></p>\n');
  });

  it('shows HTML as text', () => {
    expect(renderMarkdown('a <b>b</b>')).toBe('<p>a &lt;b&gt;b&lt;/b&gt;</p>\n');
  });

  it('shows a text of too many parts, or nested too deeply, as it was written', () => {
    expect(renderMarkdown('# <\n'.repeat(50_000))).toBe(`<pre>${'# &lt;\n'.repeat(50_000)}</pre>\n`);
    const nested = '*a '.repeat(100) + ' a*'.repeat(100);
    expect(renderMarkdown(nested)).toBe(`<pre>${nested}</pre>\n`);
  });

  describe.each([
    [
      'lists',
      (depth: number) =>
        Array.from({ length: depth }, (_, level) => `${'  '.repeat(level)}- level ${level + 1}`).join('\n'),
    ],
    [
      'numbered lists',
      (depth: number) =>
        Array.from({ length: depth }, (_, level) => `${'   '.repeat(level)}1. level ${level + 1}`).join('\n'),
    ],
    [
      'quotes',
      (depth: number) =>
        Array.from({ length: depth }, (_, level) => `${'> '.repeat(level + 1)}level ${level + 1}`).join('\n'),
    ],
    [
      'lists with paragraphs',
      (depth: number) =>
        Array.from({ length: depth }, (_, level) => `${'  '.repeat(level)}- level ${level + 1}`).join('\n\n'),
    ],
    [
      'lists in quotes',
      (depth: number) =>
        Array.from({ length: depth }, (_, level) => `${'> - '.repeat(level)}> - level ${level + 1}`).join('\n\n'),
    ],
  ])('of %s in each other', (_what, nest) => {
    it.each([9, 10, 11, 20, 30])('loses nothing, nor what follows, when there are %i', (depth) => {
      const text = `${nest(depth)}\n\nAfter it.\n\n## The end`;
      const html = renderMarkdown(text);
      for (let level = 1; level <= depth; level += 1) expect(html).toMatch(new RegExp(`level ${level}\\b`));
      expect(html).toMatch(/<p>After it\.<\/p>\s*<h2 id="section-the-end">The end<\/h2>\n$/);
      expect(plainTextOf(text)).toContain('After it.');
    });
  });

  it('keeps what follows in outer lists, too, when a list is too deep', () => {
    const nested = Array.from({ length: 12 }, (_, level) => `${'  '.repeat(level)}- level ${level + 1}`);
    const html = renderMarkdown([...nested, `${'  '.repeat(8)}- ninth`, '- first', '', 'After it.'].join('\n'));
    expect(html).toContain('<li>level 9\n- level 10\n- level 11\n- level 12</li>\n<li>ninth</li>');
    expect(html).toMatch(/<\/li>\n<li>first<\/li>\n<\/ul>\n<p>After it\.<\/p>\n$/);
    expect(renderMarkdown(`${'- '.repeat(30)}deep\n\nAfter it.`)).toMatch(
      /<li>(?:- ){21}deep<\/li>.*<p>After it\.<\/p>\n$/s,
    );
    expect(renderMarkdown(`${'> '.repeat(30)}deep\n\nAfter it.`)).toMatch(
      /<p>(?:&gt; ){11}deep<\/p>.*<p>After it\.<\/p>\n$/s,
    );
  });

  it('refuses more than 200,000 characters', () => {
    expect(() => renderMarkdown('a'.repeat(200_001))).toThrow(expect.objectContaining({ code: 'LIMIT_EXCEEDED' }));
  });
});

describe('the start of a text', () => {
  it.each([
    'One\ntwo\n\nthree',
    '- One\n- two\n\n> three',
    '| One | two |\n|---|---|\n| three | |',
    'One\\\ntwo\n***\nthree',
    '# Title\nOne *two*\n## Next\nthree',
    '1. One\n   two\n2. `three`',
  ])('keeps the words of neighboring lines and blocks apart: %j', (text) => {
    expect(outlineOf(text).excerpt).toBe('One two three');
  });
});

describe('the pictures in a text', () => {
  it('are found each once, in their order, also in links and by reference', () => {
    const text =
      '![a](asset:one) [![b](asset:two)](/b) ![c][r] ![d](asset:one) `![e](asset:no)` ![f](https://f.example)\n\n[r]: asset:three';
    expect(picturesIn(text)).toEqual(['one', 'two', 'three']);
  });
});

describe('plain text', () => {
  it('has the words and none of the marks', () => {
    expect(plainTextOf('# A *b*\n\nc [d](https://e.example) `f`\ng ![h](asset:i)\n\n- j\n- k\n\n```\nl < m\n```')).toBe(
      'A b\nc d f g h\nj\nk\nl < m',
    );
  });

  it('of an excerpt is cut between words, without headings and code', () => {
    expect(outlineOf('# Title\n\nOne two three.\n\n```\ncode\n```\n\nFour.').excerpt).toBe('One two three. Four.');
    expect(outlineOf('One two three four', 14).excerpt).toBe('One two three…');
    expect(outlineOf('One two, three four', 10).excerpt).toBe('One two…');
    expect(outlineOf('😀'.repeat(20), 12).excerpt).toBe(`${'😀'.repeat(5)}…`);
    expect(outlineOf('').excerpt).toBe('');
  });

  it.each([
    ['', 0],
    ['One, two: 3 — vier!', 4],
    ["don't well-known O’Neill", 3],
    ['a - b ’ c', 3],
    ['naïve Straße नमस्ते', 3],
    ['日本語', 2],
    ['The 日本語 text', 4],
    ['😀 …', 0],
  ])('%j has %i words', (text, words) => {
    expect(wordsIn(text)).toBe(words);
  });

  it.each([
    [0, 0],
    [1, 1],
    [344, 1],
    [346, 2],
    [2300, 10],
  ])('of %i words takes %i minutes to read', (words, minutes) => {
    expect(readingMinutesOf(words)).toBe(minutes);
  });
});

describe('a hostile text of 200,000 characters', () => {
  const LENGTH = 200_000;
  const full = (unit: string) => unit.repeat(Math.floor(LENGTH / unit.length));
  const halves = (left: string, right: string) =>
    left.repeat(LENGTH / 2 / left.length) + right.repeat(LENGTH / 2 / right.length);
  const texts: readonly (readonly [what: string, text: string])[] = [
    ...[
      '[',
      '![',
      '![[](',
      '](',
      '[a](',
      '[a](<',
      '<',
      '<a ',
      '&',
      '`',
      '*',
      '_',
      '*a ',
      '**a ',
      '_a_',
      '*a_ ',
      '~~',
      '\\',
      '> ',
      '- ',
      '1. ',
      '#',
      '# a\n',
      '|',
      '|-',
      ':',
      'http://',
      'https://a.',
      'a@b.',
      '"',
      "'",
      '\t',
      '\0',
      '&#x0;',
      '😀',
    ].map((unit) => [JSON.stringify(unit), full(unit)] as const),
    ['nested brackets', halves('[', ']')],
    ['nested links', halves('[', '](a)')],
    ['nested emphasis', halves('*a ', ' a*')],
    ['mixed emphasis', full('*_**__a')],
    ['nested quotes', full(`${'>'.repeat(50)}a\n`)],
    ['nested lists', Array.from({ length: 600 }, (_, depth) => `${' '.repeat(depth)}- a`).join('\n')],
    ['code marks of growing length', Array.from({ length: 620 }, (_, length) => `\`${'`'.repeat(length)} a`).join('')],
    ['fences without end', full('```\n')],
    ['comments without end', full('<!--')],
    ['declarations', full('<!A ')],
    ['instructions', full('<?')],
    ['a wide table', `${'|a'.repeat(40_000)}|\n${'|-'.repeat(40_000)}|\n${'|b\n'.repeat(10_000)}`],
    ['a long table', `|a|b|\n|-|-|\n${'|a|b|\n'.repeat(33_000)}`],
    ['definitions', Array.from({ length: 15_000 }, (_, index) => `[a${index}]: b`).join('\n')],
    ['one definition without end', `[a]: b "${full('c')}`.slice(0, LENGTH)],
    ['one long address, used often', `[a]: /${'b'.repeat(100_000)}\n\n${'[a]'.repeat(33_000)}`],
    ['one picture, used often', `[a]: asset:b\n\n${'![][a]'.repeat(33_000)}`],
    ['one foreign picture, used often', `[a]: https://a.example/${'b'.repeat(100_000)}\n\n${'![a]'.repeat(24_000)}`],
    ['equal headings', full('# a\n')],
    ['setext headings', full('a\n=\n')],
    ['hard breaks', full('a  \n')],
    ['code in many languages', full('```js\na\n```\n')],
    ['code that is slow to mark', `\`\`\`js\n${'/'.repeat(19_000)}\n\`\`\``],
    ['markup that is slow to mark', `\`\`\`xml\n${'<a '.repeat(6000)}\n\`\`\``],
    ['style sheets that are slow to mark', `\`\`\`css\n${'a:b(('.repeat(3900)}\n\`\`\``],
    ['Markdown in Markdown', `\`\`\`markdown\n${'[*_`'.repeat(4900)}\n\`\`\``],
  ];

  it.each(texts)('takes less than two seconds of the processor, and 3 MB: %s', (what, text) => {
    const begun = process.cpuUsage(); // the machine may be busy with other things
    const html = renderMarkdown(text.slice(0, LENGTH), { pictureOf });
    const { user } = process.cpuUsage(begun);
    const duration = user / 1000;
    if (process.env.SHOW_DURATIONS) process.stderr.write(`${duration.toFixed(0)} ms, ${html.length}: ${what}\n`);
    expect(html.length).toBeLessThan(3_000_000);
    expect(duration).toBeLessThan(2000);
    outlineOf(text.slice(0, LENGTH));
    wordsIn(text);
  });
});
