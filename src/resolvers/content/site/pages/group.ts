/** Galleries, folders, and the home of a site that has no blog. */

import { trail } from './article.js';
import { picture } from './entry.js';
import { html, type Markup } from './html.js';
import { layout } from './layout.js';
import { empty } from './list.js';
import { photoSizes } from './photo-sizes.js';
import type { FolderView, GalleryView, LinkView, ListView, PictureView, SiteView } from './views.js';

/** Beyond these, a photo is cut off a little: a row would be too low, or a photo too narrow to be seen. */
const [RATIO_MIN, RATIO_MAX] = [0.3, 9.99];

const ratioOf = ({ width, height }: PictureView): number => Math.min(RATIO_MAX, Math.max(RATIO_MIN, width / height));

/**
 * The proportion of a picture, by which the style sheet fills the rows, in hundredths: one class for each digit, because the page allows
 * no styles but those of the style sheet.
 */
function proportion(picture: PictureView): string {
  const [ones, tenths, hundredths] = ratioOf(picture).toFixed(2).replace('.', '');
  return `o${ones} t${tenths} h${hundredths}`;
}

export function galleryPage(
  site: SiteView,
  gallery: GalleryView,
  photos: ListView,
  ancestors: readonly LinkView[],
  path: string,
): string {
  return layout(site, {
    title: gallery.title,
    description: gallery.description,
    path,
    picture: photos.entries[0]?.picture ?? null,
    follows: photos.isFirst ? { gallery: gallery.id, nonce: gallery.nonce } : null,
    main: html`<header class="opening">
${trail(ancestors)}
<h1>${gallery.title}</h1>
${gallery.description !== '' && html`<p class="lead">${gallery.description}</p>`}
</header>
${photos.entries.length > 0 ? grid(photos) : empty('There are no photos here yet.')}
${photos.older !== null && html`<nav class="pager" aria-label="Pages"><a href="${photos.older}" rel="next">More</a></nav>`}`,
  });
}

/** The title is the text of the link: a picture that says the same would be read twice. */
function grid({ entries }: ListView): Markup {
  const photos = entries.flatMap(({ picture: shown, ...entry }) => (shown ? [{ ...entry, shown }] : []));
  const sizes = photoSizes(photos.map(({ shown }) => ratioOf(shown)));
  return html`<ul class="grid">${photos.map(({ id, nonce, path, title, shown }, at) => {
    const alt = shown.alt === title ? '' : shown.alt;
    return html`<li class="${proportion(shown)}" data-id="${id}" data-nonce="${nonce}"><a href="${path}">${picture({ ...shown, alt }, at === 0, sizes[at])}<span>${title}</span></a></li>`;
  })}</ul>`;
}

export function folderPage(site: SiteView, folder: FolderView, ancestors: readonly LinkView[]): string {
  return layout(site, {
    title: folder.title,
    description: folder.description,
    path: folder.path,
    main: html`<header class="opening">
${trail(ancestors)}
<h1>${folder.title}</h1>
${folder.description !== '' && html`<p class="lead">${folder.description}</p>`}
</header>
${folder.children.length > 0 ? children(folder) : empty('Nothing has been published here yet.')}`,
  });
}

const children = ({ children }: FolderView): Markup =>
  html`<ul class="children">${children.map(
    ({ title, path, excerpt }) =>
      html`<li><h2><a href="${path}">${title}</a></h2>${excerpt !== '' && html`<p class="summary">${excerpt}</p>`}</li>`,
  )}</ul>`;
