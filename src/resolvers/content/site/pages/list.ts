/** Lists, newest first: a blog, and what has a tag. */

import { day, picture, quotation, tagList, videoLink } from './entry.js';
import { html, type Markup, sanitized } from './html.js';
import { layout } from './layout.js';
import type { AdPlaceView, BlogView, EntryView, LinkView, ListView, SiteView } from './views.js';

export function blogPage(
  site: SiteView,
  blog: BlogView,
  list: ListView,
  path: string,
  ads: AdPlaceView | null = null,
): string {
  return layout(site, {
    title: blog.title,
    description: blog.description,
    path,
    feeds: blog.feeds,
    follows: list.isFirst ? { blog: blog.id } : null,
    ads,
    main: html`<header class="opening">
<h1>${blog.title}</h1>
${blog.description !== '' && html`<p class="lead">${blog.description}</p>`}
</header>
${list.entries.length > 0 ? entryList(list) : empty('Nothing has been published here yet.')}
${pager(list, blog.path)}`,
  });
}

export function tagPage(site: SiteView, tag: LinkView, list: ListView, path: string): string {
  return layout(site, {
    title: `Tagged “${tag.title}”`,
    description: '',
    path,
    main: html`<header class="opening">
<p class="kicker">Tagged</p>
<h1>${tag.title}</h1>
</header>
${list.entries.length > 0 ? entryList(list) : empty('Nothing has this tag.')}
${pager(list, tag.path)}`,
  });
}

export const empty = (text: string): Markup => html`<p class="empty">${text}</p>`;

const entryList = ({ entries }: ListView): Markup =>
  html`<div class="entries" data-entries>${entries.map((entry, at) => listed(entry, at === 0))}</div>`;

function pager({ isFirst, older }: ListView, first: string): Markup | null {
  if (isFirst && older === null) return null;
  return html`<nav class="pager" aria-label="Pages">${!isFirst && html`<a href="${first}">Newest</a>`}${
    older !== null && html`<a href="${older}" rel="next">Older</a>`
  }</nav>`;
}

const listed = (entry: EntryView, isFirst: boolean): Markup =>
  html`<article class="entry" data-id="${entry.id}" data-nonce="${entry.nonce}">
<p class="when"><a href="${entry.path}" tabindex="-1" aria-hidden="true">${day(entry.publishedAt)}</a></p>
<div class="what">
<h2><a href="${entry.path}">${entry.title}</a></h2>
${shown(entry, isFirst)}
${tagList(entry.tags)}
</div>
</article>
`;

/** Posts are summarized; a quotation, a picture and a video are shown as they are. */
function shown(entry: EntryView, isFirst: boolean): Markup | null {
  if (entry.type === 'QUOTE') return quotation(entry);
  const summary = entry.excerpt !== '' && html`<p class="summary">${entry.excerpt}</p>`;
  if (entry.video) return html`${videoLink(entry.video, entry.title)}${summary}`;
  if (entry.picture)
    return html`<a class="plate" href="${entry.path}" tabindex="-1" aria-hidden="true">${picture({ ...entry.picture, alt: '' }, isFirst)}</a>${summary}`;
  return summary === false ? null : summary;
}

export const lead = (text: string): Markup | null =>
  text === '' ? null : html`<div class="lead">${sanitized(text)}</div>`;
