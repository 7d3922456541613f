/** Whatever goes in, nothing that a browser runs comes out. Judged by a parser that reads HTML as browsers do. */
import { type DefaultTreeAdapterMap, parseFragment } from 'parse5';
import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../../src/shared/rendering/markdown.js';
import { safeHtml } from '../../../src/shared/rendering/safe-html.js';
import { hostileHtml, hostileMarkdown } from './hostile-html.js';

type Node = DefaultTreeAdapterMap['childNode'];

const TAGS = new Set(
  'h1 h2 h3 h4 h5 h6 p br hr blockquote pre ul ol li a em strong s del ins sub sup code span img table thead tbody tr th td figure figcaption'.split(
    ' ',
  ),
);
const ATTRIBUTES = new Set('href title rel src srcset sizes alt width height loading id class start'.split(' '));
/** As a browser reads it. */
const schemeOf = (address: string): string =>
  URL.canParse(address, 'https://own.example') ? new URL(address, 'https://own.example').protocol : 'none';

/** What a browser could run or fetch. */
function faultsIn(html: string): string[] {
  const faults: string[] = [];
  const visit = (node: Node) => {
    if (node.nodeName.startsWith('#')) {
      if (node.nodeName !== '#text') faults.push(node.nodeName);
      return;
    }
    const { tagName, attrs, childNodes } = node as DefaultTreeAdapterMap['element'];
    if (!TAGS.has(tagName)) faults.push(tagName);
    for (const { name, value } of attrs) {
      if (!ATTRIBUTES.has(name)) faults.push(`${tagName} ${name}`);
      if (name === 'href' && !['http:', 'https:', 'mailto:', 'none'].includes(schemeOf(value)))
        faults.push(`${name}=${value}`);
      if (name === 'src' && !/^(?:https:\/\/[^/]+)?\/assets\//.test(value)) faults.push(`${name}=${value}`);
      if (name === 'srcset' && /script|data:/i.test(value)) faults.push(`${name}=${value}`);
      if (name === 'id' && !value.startsWith('section-')) faults.push(`${name}=${value}`);
      if (name === 'class' && !/^(?:hljs|language-|align-|\w+_\b)/.test(value)) faults.push(`${name}=${value}`);
    }
    childNodes.forEach(visit);
  };
  parseFragment(html).childNodes.forEach(visit);
  return faults;
}

describe('the judge', () => {
  it.each([
    '<script>a</script>',
    '<p onclick="a">',
    '<a href="javascript:a">',
    '<a href=" javascript:a">',
    '<img src="https://a.example/a">',
    '<!-- a -->',
    '<h1 id="a">',
    '<span class="a">',
    '<a href="java&#10;script:a">',
  ])('objects to %s', (html) => {
    expect(faultsIn(html)).not.toEqual([]);
  });
});

describe('HTML', () => {
  it.each(hostileHtml)('is harmless afterwards: %s', (html) => {
    expect(faultsIn(safeHtml(html))).toEqual([]);
    expect(faultsIn(renderMarkdown(html))).toEqual([]);
  });

  it('is harmless when it is cleaned twice, and the same', () => {
    for (const html of hostileHtml) {
      const once = safeHtml(html);
      expect(safeHtml(once)).toBe(once);
    }
  });

  it('is harmless when hostile parts are nested in each other', () => {
    for (const outer of hostileHtml) {
      const inner = hostileHtml[(outer.length * 7) % hostileHtml.length] ?? '';
      const middle = Math.floor(outer.length / 2);
      expect(faultsIn(safeHtml(outer.slice(0, middle) + inner + outer.slice(middle)))).toEqual([]);
    }
  });

  it('keeps what is allowed', () => {
    const html =
      '<h2 id="section-a">A</h2><p><strong>b</strong> <a href="https://a.example/?b&amp;c" rel="nofollow">c</a></p><img src="/assets/a/640" alt="d" width="640" height="480" loading="lazy" />';
    expect(safeHtml(html)).toBe(html);
  });

  it('keeps pictures of this product at an absolute address, too', () => {
    expect(safeHtml('<img src="https://blog.example/assets/a">')).toContain('src="https://blog.example/assets/a"');
    expect(safeHtml('<img src="https://evil.example\\@blog.example/assets/a">')).toBe('');
    expect(safeHtml('<img src="https://evil.example?/assets/a">')).toBe('');
  });
});

describe('Markdown', () => {
  it.each(hostileMarkdown)('is harmless afterwards: %s', (markdown) => {
    const html = renderMarkdown(markdown, { pictureOf: () => ({ src: '/assets/a', width: 1, height: 1 }) });
    expect(faultsIn(html)).toEqual([]);
    expect(html).not.toMatch(/(?:href|src)="\s*(?:javascript|vbscript|data|file)/i);
  });
});
