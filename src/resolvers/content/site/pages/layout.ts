/** The frame of every page: head, masthead, main part, footer. */

import { builtStyles, html, type Markup } from './html.js';
import type { AdPlaceView, FeedsView, PictureView, SiteView } from './views.js';

export interface Page {
  readonly title: string;
  /** For search engines and link previews. */
  readonly description: string;
  /** The canonical address. Null for a page that is none, for example an error. */
  readonly path: string | null;
  readonly feeds?: FeedsView | null;
  readonly picture?: PictureView | null;
  /** Of articles. */
  readonly published?: { readonly at: Date; readonly editedAt: Date; readonly author: string | null } | null;
  /** What the script follows: a blog's newest posts, or a gallery with its photos or one node, with the nonce that is shown. */
  readonly follows?:
    | { readonly blog: string }
    | { readonly gallery: string; readonly nonce: string }
    | { readonly node: string; readonly nonce: string }
    | null;
  readonly ads?: AdPlaceView | null;
  readonly main: Markup;
}

export function layout(site: SiteView, page: Page): string {
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title === site.title ? page.title : `${page.title} · ${site.title}`}</title>
${headOf(site, page)}
<link rel="icon" href="/sextant.svg" type="image/svg+xml">
${site.styles !== '' && html`<style>${builtStyles(site.styles)}</style>\n`}${
  site.script && html`<script type="module" src="${site.script}"></script>\n`
}</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="masthead">
<a class="brand" href="${site.home}"${page.path === site.home && html` aria-current="page"`}>${site.title}</a>
${site.menu.length > 0 && html`<nav aria-label="Site"><ul>${site.menu.map((link) => menuItem(link, page.path))}</ul></nav>`}
</header>
<main id="content" tabindex="-1"${followed(page)}>
${page.main}
</main>
${page.ads && adPlace(page.ads)}${footer(page.feeds ?? null)}
${site.countedAs !== null && counter(site.countedAs)}
</body>
</html>
`;
  return text;
}

function headOf({ origin, title }: SiteView, page: Page): Markup {
  if (page.path === null) return html`<meta name="robots" content="noindex">`;
  const url = new URL(page.path, origin).href;
  const { description, feeds, picture, published } = page;
  return html`${description !== '' && html`<meta name="description" content="${description}">\n`}<link rel="canonical" href="${url}">
<meta property="og:url" content="${url}">
<meta property="og:site_name" content="${title}">
<meta property="og:title" content="${page.title}">
<meta property="og:type" content="${published ? 'article' : 'website'}">
${description !== '' && html`<meta property="og:description" content="${description}">\n`}${
  picture &&
  html`<meta property="og:image" content="${new URL(picture.src, origin).href}">
<meta property="og:image:width" content="${picture.width}">
<meta property="og:image:height" content="${picture.height}">
${picture.alt !== '' && html`<meta property="og:image:alt" content="${picture.alt}">\n`}`
}<meta name="twitter:card" content="${picture ? 'summary_large_image' : 'summary'}">
${
  published &&
  html`<meta property="article:published_time" content="${published.at.toISOString()}">
<meta property="article:modified_time" content="${published.editedAt.toISOString()}">
${published.author !== null && html`<meta name="author" content="${published.author}">\n`}`
}${feeds && feedLinks(feeds, title)}`;
}

const feedLinks = (feeds: FeedsView, title: string): Markup =>
  html`<link rel="alternate" type="application/rss+xml" title="${title} (RSS)" href="${feeds.rss}">
<link rel="alternate" type="application/atom+xml" title="${title} (Atom)" href="${feeds.atom}">
<link rel="alternate" type="application/feed+json" title="${title} (JSON Feed)" href="${feeds.json}">`;

const menuItem = ({ title, path }: { title: string; path: string }, current: string | null): Markup =>
  html`<li><a href="${path}"${path === current && html` aria-current="page"`}>${title}</a></li>`;

function followed({ follows = null }: Page): Markup | null {
  if (follows === null) return null;
  if ('blog' in follows) return html` data-blog="${follows.blog}"`;
  if ('gallery' in follows) return html` data-gallery="${follows.gallery}" data-nonce="${follows.nonce}"`;
  return html` data-node="${follows.node}" data-nonce="${follows.nonce}"`;
}

const footer = (feeds: FeedsView | null): Markup => html`<footer class="colophon">
${
  feeds &&
  html`<p>Follow by <a href="${feeds.rss}">RSS</a>, <a href="${feeds.atom}">Atom</a> or <a href="${feeds.json}">JSON Feed</a>.</p>`
}
</footer>`;

/** Takes no room until the script has something to show. */
const adPlace = ({ site, zone, size, keywords }: AdPlaceView): Markup =>
  html`<aside class="ads" aria-label="Advertisement">
<div data-zone="${zone}" data-size="${size}" data-keywords="${keywords.join(',')}"></div>
<script async src="/ads.js" data-site="${site}"></script>
</aside>
`;

/** The beacon of analytics. Without scripts, only the referrer tells the image which page was read. */
const counter = (host: string): Markup => html`<script async src="/hit.js" data-site="${host}"></script>
<noscript><img class="counter" src="/hit.gif?site=${encodeURIComponent(host)}" alt="" width="1" height="1" referrerpolicy="same-origin"></noscript>`;
