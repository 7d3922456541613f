/** The parts of an entry that lists and its own page share. */

import { SITE_STYLE } from '../../../../models/content/text-html.js';
import { html, type Markup, sanitized } from './html.js';
import type { EntryView, LinkView, PictureView, VideoView } from './views.js';

const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

export const day = (date: Date, name = ''): Markup =>
  html`<time${name !== '' && html` class="${name}"`} datetime="${date.toISOString()}">${DAY.format(date)}</time>`;

export const tagList = (tags: readonly LinkView[]): Markup | null =>
  tags.length === 0
    ? null
    : html`<ul class="tags" aria-label="Tags">${tags.map(({ title, path }) => html`<li><a href="${path}" rel="tag">${title}</a></li>`)}</ul>`;

/** @param isFirst on the screen: it is loaded at once */
export const picture = (
  { src, srcset, width, height, alt }: PictureView,
  isFirst: boolean,
  sizes = SITE_STYLE.sizes,
): Markup =>
  html`<img src="${src}"${srcset !== '' && html` srcset="${srcset}" sizes="${sizes}"`} width="${width}" height="${height}" alt="${alt}"${
    isFirst ? html` fetchpriority="high"` : html` loading="lazy"`
  } decoding="async">`;

/** A link to the video's page. The script plays it in place, after a click: until then the other site learns nothing. */
export const videoLink = ({ pageUrl, embedUrl, host }: VideoView, title: string): Markup =>
  html`<a class="video" href="${pageUrl}"${embedUrl !== null && html` data-embed="${embedUrl}" data-title="${title}"`} rel="noopener noreferrer">
<span class="play" aria-hidden="true"></span>
<span class="caption">Play the video <small>${embedUrl === null ? `on ${host}` : `from ${host}, which then learns of your visit`}</small></span>
</a>`;

export const quotation = ({ html: text, source }: Pick<EntryView, 'html' | 'source'>): Markup =>
  html`<figure class="quotation"><blockquote>${prose(text)}</blockquote>${
    source !== '' && html`<figcaption>${source}</figcaption>`
  }</figure>`;

/** Wide tables and long lines of code scroll within their own box, which the keyboard must be able to reach. */
export const prose = (text: string): Markup =>
  sanitized(
    text
      .replaceAll('<table', '<div class="scroll" role="region" aria-label="Table" tabindex="0"><table')
      .replaceAll('</table>', '</table></div>')
      .replaceAll('<pre', '<pre tabindex="0"'),
  );
