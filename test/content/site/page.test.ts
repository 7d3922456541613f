import { type DefaultTreeAdapterMap, parse } from 'parse5';
import { describe, expect, it } from 'vitest';
import { articlePage } from '../../../src/resolvers/content/site/pages/article.js';
import { missingPage } from '../../../src/resolvers/content/site/pages/failure.js';
import { folderPage, galleryPage } from '../../../src/resolvers/content/site/pages/group.js';
import { html } from '../../../src/resolvers/content/site/pages/html.js';
import { blogPage, tagPage } from '../../../src/resolvers/content/site/pages/list.js';
import type { EntryView } from '../../../src/resolvers/content/site/pages/views.js';
import { blog, entry, HOSTILE, picture, site, video } from './example-views.js';

type Element = DefaultTreeAdapterMap['element'];

/** Every element of a page, in order. */
function elementsOf(page: string): Element[] {
  const found: Element[] = [];
  const visit = (node: DefaultTreeAdapterMap['node']) => {
    if ('tagName' in node) found.push(node);
    if ('childNodes' in node) node.childNodes.forEach(visit);
  };
  visit(parse(page));
  return found;
}

const attribute = ({ attrs }: Element, name: string) => attrs.find((each) => each.name === name)?.value;

/** The values of an attribute of the elements with this name. */
const valuesOf = (page: string, tag: string, name: string) =>
  elementsOf(page)
    .filter(({ tagName }) => tagName === tag)
    .flatMap((element) => attribute(element, name) ?? []);

const metaOf = (page: string, name: string) =>
  elementsOf(page)
    .filter((each) => attribute(each, 'property') === name || attribute(each, 'name') === name)
    .map((each) => attribute(each, 'content'));

const surroundings = { ancestors: [{ title: 'Field Notes', path: '/blog' }], feeds: blog.feeds };
const list = (entries: readonly EntryView[]) => ({ entries, isFirst: true, older: null });

describe('templates', () => {
  it('escape every value that is no markup', () => {
    expect(html`<a title="${'"&\''}">${['<b>', html`<i>`, null, false, undefined, 0]}</a>`.text).toBe(
      '<a title="&quot;&amp;&#39;">&lt;b&gt;<i>0</a>',
    );
  });
});

describe('the head of a post', () => {
  const page = articlePage(site, entry({ picture }), surroundings);

  it('names the canonical address, the feeds and what link previews show', () => {
    expect(valuesOf(page, 'link', 'href')).toEqual([
      'https://notes.example/blog/horizon',
      '/blog/rss.xml',
      '/blog/atom.xml',
      '/blog/feed.json',
      '/sextant.svg',
    ]);
    expect(metaOf(page, 'description')).toEqual(['Where it is.']);
    expect(metaOf(page, 'og:type')).toEqual(['article']);
    expect(metaOf(page, 'og:title')).toEqual(['The horizon']);
    expect(metaOf(page, 'og:url')).toEqual(['https://notes.example/blog/horizon']);
    expect(metaOf(page, 'og:image')).toEqual(['https://notes.example/assets/p1/1280']);
    expect(metaOf(page, 'article:published_time')).toEqual(['2026-11-20T09:00:00.000Z']);
    expect(metaOf(page, 'author')).toEqual(['Marta Lind']);
    expect(page).toContain('<title>The horizon · Field Notes</title>');
    expect(page).toContain('<style>a > b { color: red }</style>');
  });
});

describe('the byline of a post', () => {
  const bylineOf = (readingMinutes: number) => articlePage(site, entry({ readingMinutes }), surroundings);

  it('tells how long it takes to read, unless that is a minute', () => {
    expect(bylineOf(7)).toContain('7 minutes to read');
    expect(bylineOf(1)).not.toContain('to read');
  });
});

describe('a page', () => {
  const hostile = entry({
    title: HOSTILE,
    excerpt: HOSTILE,
    author: HOSTILE,
    source: HOSTILE,
    picture: { ...picture, alt: HOSTILE },
    tags: [{ title: HOSTILE, path: '/blog/~tag/x' }],
  });
  const hostileBlog = { ...blog, title: HOSTILE, description: HOSTILE };
  const folder = { path: '/blog/~/f', title: HOSTILE, description: HOSTILE, children: [{ ...hostile }] };
  const pages: [string, string][] = [
    ['a post', articlePage(site, hostile, surroundings)],
    ['a quotation', articlePage(site, { ...hostile, type: 'QUOTE' }, surroundings)],
    ['a video', articlePage(site, { ...hostile, video, picture: null }, surroundings)],
    ['a blog', blogPage(site, hostileBlog, list([hostile, { ...hostile, type: 'QUOTE' }]), '/blog')],
    ['a tag', tagPage(site, { title: HOSTILE, path: '/blog/~tag/x' }, list([hostile]), '/blog/~tag/x')],
    ['a gallery', galleryPage(site, { ...folder, id: 'R2FsbGVyeTox', nonce: 'n1' }, list([hostile]), [], '/blog/~/f')],
    ['a folder', folderPage(site, folder, surroundings.ancestors)],
    ['a missing page', missingPage({ ...site, title: HOSTILE })],
  ];

  it.each(pages)('runs nothing that is in its texts: %s', (_name, page) => {
    const elements = elementsOf(page);
    const scripts = elements.filter(({ tagName }) => tagName === 'script');
    expect(scripts.map((script) => attribute(script, 'src'))).toEqual(['/assets/site.js']);
    const handlers = elements.flatMap(({ attrs }) => attrs).filter(({ name }) => name.startsWith('on'));
    expect(handlers).toEqual([]);
    expect(elements.filter((element) => attribute(element, 'style') !== undefined)).toEqual([]);
  });

  it('is not offered to search engines when there is nothing at its address', () => {
    expect(metaOf(missingPage(site), 'robots')).toEqual(['noindex']);
    expect(valuesOf(missingPage(site), 'link', 'rel')).not.toContain('canonical');
  });

  it('carries the beacon while analytics runs, and the image for browsers without scripts', () => {
    const counted = articlePage({ ...site, countedAs: 'notes.example:8080' }, entry(), surroundings);
    expect(counted).toContain('<script async src="/hit.js" data-site="notes.example:8080"></script>');
    expect(counted).toContain('src="/hit.gif?site=notes.example%3A8080"');
    expect(articlePage(site, entry(), surroundings)).not.toContain('/hit');
  });
});

describe('a zone for ads', () => {
  const ads = { site: 'notes.example', zone: 'blog', size: '300x250', keywords: ['tea', HOSTILE] };

  it('follows the main part of a post and of a list, with what they are about', () => {
    for (const page of [
      articlePage(site, entry(), { ...surroundings, ads }),
      blogPage(site, blog, list([entry()]), '/blog', ads),
    ]) {
      expect(valuesOf(page, 'div', 'data-zone')).toEqual(['blog']);
      expect(valuesOf(page, 'div', 'data-size')).toEqual(['300x250']);
      expect(valuesOf(page, 'div', 'data-keywords')).toEqual([`tea,${HOSTILE}`]);
      expect(valuesOf(page, 'script', 'src')).toContain('/ads.js');
      expect(page.indexOf('</main>')).toBeLessThan(page.indexOf('data-zone'));
    }
  });

  it('is absent where there is none', () => {
    expect(articlePage(site, entry(), surroundings)).not.toContain('/ads.js');
  });
});

describe('a list', () => {
  it('links to its older entries and, from those, to the newest', () => {
    const first = blogPage(site, blog, { ...list([entry()]), older: '/blog?after=x' }, '/blog');
    expect(valuesOf(first, 'a', 'href')).toContain('/blog?after=x');
    const second = blogPage(site, blog, { entries: [entry()], isFirst: false, older: null }, '/blog?after=x');
    expect(second).toContain('<a href="/blog">Newest</a>');
    expect(valuesOf(second, 'link', 'href')).toContain('https://notes.example/blog?after=x');
  });

  it('is followed by the script only where new posts appear', () => {
    const first = blogPage(site, blog, list([entry()]), '/blog');
    expect(valuesOf(first, 'main', 'data-blog')).toEqual([blog.id]);
    const second = blogPage(site, blog, { entries: [entry()], isFirst: false, older: null }, '/blog?after=x');
    expect(valuesOf(second, 'main', 'data-blog')).toEqual([]);
  });

  it('says that it is empty', () => {
    expect(blogPage(site, blog, list([]), '/blog')).toContain('Nothing has been published here yet.');
  });
});

describe('a video', () => {
  it('is a link to its page until it is played', () => {
    const page = articlePage(site, entry({ type: 'VIDEO', video }), surroundings);
    expect(valuesOf(page, 'a', 'data-embed')).toEqual([video.embedUrl]);
    expect(valuesOf(page, 'a', 'href')).toContain(video.pageUrl);
    expect(elementsOf(page).filter(({ tagName }) => tagName === 'iframe')).toEqual([]);
  });
});
