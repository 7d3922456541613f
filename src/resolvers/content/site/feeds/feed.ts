/**
 * A blog's feeds: RSS 2.0, Atom and JSON Feed. The library `feed` writes them; it leaves some escaping to its caller (`asWritten`).
 */
import { Feed, type Item } from 'feed';
import { picture, quotation } from '../pages/entry.js';
import { escapeHtml, html } from '../pages/html.js';
import type { BlogView, EntryView, SiteView } from '../pages/views.js';
import { feedHtml, xmlText } from './feed-text.js';

export const feedFormats = ['rss', 'atom', 'json'] as const;
export type FeedFormat = (typeof feedFormats)[number];

export const MEDIA_TYPES: Readonly<Record<FeedFormat, string>> = {
  rss: 'application/rss+xml; charset=utf-8',
  atom: 'application/atom+xml; charset=utf-8',
  json: 'application/feed+json; charset=utf-8',
};

/** @param updatedAt when the newest of its entries changed; of a blog without entries, the blog itself */
export function feedOf(
  { origin }: Pick<SiteView, 'origin'>,
  blog: BlogView,
  entries: readonly EntryView[],
  format: FeedFormat,
  updatedAt: Date,
): string {
  const address = (path: string) => new URL(path, origin).href;
  const { inElement } = asWritten[format];
  const feed = new Feed({
    id: nameOf(blog.id),
    title: inElement(blog.title),
    description: inElement(blog.description),
    link: address(blog.path),
    language: 'en',
    copyright: '',
    updated: updatedAt,
    generator: 'Sextant',
    feedLinks: { rss: address(blog.feeds.rss), atom: address(blog.feeds.atom), json: address(blog.feeds.json) },
    feed: address(blog.feeds[format]),
    author: { name: inElement(blog.title) }, // of entries whose author's account was deleted
  });
  for (const entry of entries) feed.addItem(itemOf(entry, address(entry.path), format));
  if (format === 'rss') return feed.rss2();
  return format === 'atom' ? feed.atom1() : feed.json1();
}

function itemOf(entry: EntryView, link: string, format: FeedFormat): Item {
  const { inElement, inSection, inCategory } = asWritten[format];
  const author = entry.author === null ? null : inElement(entry.author);
  return {
    id: nameOf(entry.id),
    link,
    title: inSection(entry.title),
    description: inSection(entry.excerpt),
    content: contentOf(entry, link),
    date: entry.editedAt,
    published: entry.publishedAt,
    category: entry.tags.map(({ title }) => ({ name: inCategory(title), term: inCategory(title) })),
    // RSS wants an e-mail address as the author, which nobody should publish: it has the name in the element of Dublin Core.
    ...(author !== null && format !== 'rss' && { author: [{ name: author }] }),
    ...(author !== null && format === 'rss' && { extensions: [{ name: 'dc:creator', objects: { _text: author } }] }),
  };
}

/** Stays the same when the entry is moved, so that nobody gets it twice. */
const nameOf = (id: string): string => `urn:sextant:${id}`;

type Escape = (text: string) => string;

/** The library's writer takes `&amp;` in an element for an escaped `&`. */
const inElement: Escape = (text) => xmlText(text).replaceAll('&amp;', '&amp;amp;');
/**
 * A text as HTML, for the titles and summaries of entries: by definition in Atom, and so are they read in RSS. It is in a CDATA section,
 * which no `]]>` can end, because `>` is escaped.
 */
const asHtml: Escape = (text) => escapeHtml(xmlText(text));
/** It escapes no `<` in an attribute. */
const inAttribute: Escape = (text) => xmlText(text).replaceAll('<', '‹');

/** How the library must be given a plain text, so that readers get that text. */
const asWritten: Readonly<Record<FeedFormat, Readonly<Record<'inElement' | 'inSection' | 'inCategory', Escape>>>> = {
  rss: { inElement, inSection: asHtml, inCategory: inElement },
  atom: { inElement, inSection: asHtml, inCategory: inAttribute },
  json: { inElement: xmlText, inSection: xmlText, inCategory: xmlText },
};

function contentOf(entry: EntryView, link: string): string {
  const shown = entry.picture && html`<p>${picture(entry.picture, true)}</p>`;
  const watched =
    entry.video && html`<p><a href="${entry.video.pageUrl}">Watch the video on ${entry.video.host}</a></p>`;
  const text = entry.type === 'QUOTE' ? quotation(entry).text : entry.html;
  return feedHtml(html`${shown}${watched}`.text + text, link) || '<p></p>';
}
