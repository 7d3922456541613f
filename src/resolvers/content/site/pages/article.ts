/** The page of a leaf: a post of any kind, a page, a photo. */

import { discussionPart } from './discussion.js';
import { day, picture, prose, quotation, tagList, videoLink } from './entry.js';
import { html, type Markup } from './html.js';
import { layout } from './layout.js';
import type { AdPlaceView, DiscussionView, EntryView, FeedsView, LinkView, SiteView } from './views.js';

const DAY_MS = 86_400_000;

export interface Surroundings {
  /** The way from the root, the parent last. */
  readonly ancestors: readonly LinkView[];
  /** Of the blog that it belongs to. */
  readonly feeds: FeedsView | null;
  readonly ads?: AdPlaceView | null;
}

/** @param discussion null where there is none */
export function articlePage(
  site: SiteView,
  entry: EntryView,
  { ancestors, feeds, ads = null }: Surroundings,
  discussion: DiscussionView | null = null,
): string {
  const { publishedAt, editedAt, author } = entry;
  return layout(site, {
    title: entry.title,
    description: entry.excerpt,
    path: entry.path,
    feeds,
    picture: entry.picture,
    published: { at: publishedAt, editedAt, author },
    follows: { node: entry.id, nonce: entry.nonce },
    ads,
    main: html`<article class="article">
<header class="opening">
${trail(ancestors)}
<h1>${entry.title}</h1>
${entry.type !== 'PAGE' && byline(entry)}
</header>
${body(entry)}
<footer class="ending">
${tagList(entry.tags)}
${wasRevised(entry) && html`<p class="revised">Last changed on ${day(editedAt)}</p>`}
</footer>
</article>
${discussion && discussionPart(discussion)}`,
  });
}

/** A post that is changed within a day of its publication was corrected, not revised. */
const wasRevised = ({ publishedAt, editedAt }: EntryView): boolean =>
  editedAt.getTime() - publishedAt.getTime() > DAY_MS;

const byline = ({ publishedAt, author, readingMinutes }: EntryView): Markup =>
  html`<p class="byline">${day(publishedAt)}${author !== null && html` <span>by ${author}</span>`}${
    // Of a short text, a reader sees the length anyway.
    readingMinutes > 1 && html` <span>· ${readingMinutes} minutes to read</span>`
  }</p>`;

export const trail = (ancestors: readonly LinkView[]): Markup | null =>
  ancestors.length === 0
    ? null
    : html`<nav class="trail" aria-label="Breadcrumbs"><ol>${ancestors.map(({ title, path }) => html`<li><a href="${path}">${title}</a></li>`)}</ol></nav>`;

function body(entry: EntryView): Markup {
  if (entry.type === 'QUOTE') return html`<div class="prose">${quotation(entry)}</div>`;
  const above = entry.video
    ? videoLink(entry.video, entry.title)
    : entry.picture && html`<figure class="plate">${picture(entry.picture, true)}</figure>`;
  return html`${above}${entry.html !== '' && html`<div class="prose">${prose(entry.html)}</div>`}`;
}
