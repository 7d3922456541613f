/** Galleries, folders, and the home of a site that has no blog. */

import { trail } from './article.js';
import { picture } from './entry.js';
import { html, type Markup } from './html.js';
import { layout } from './layout.js';
import { empty } from './list.js';
import type { FolderView, GalleryView, LinkView, ListView, SiteView } from './views.js';

/** How wide a photo is in the grid, for the browser's choice among its sizes. */
const TILE_SIZES = '(min-width: 48rem) 24rem, 100vw';

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
    main: html`<header class="opening">
${trail(ancestors)}
<h1>${gallery.title}</h1>
${gallery.description !== '' && html`<p class="lead">${gallery.description}</p>`}
</header>
${photos.entries.length > 0 ? grid(photos) : empty('There are no photos here yet.')}
${photos.older !== null && html`<nav class="pager" aria-label="Pages"><a href="${photos.older}" rel="next">More</a></nav>`}`,
  });
}

const grid = ({ entries }: ListView): Markup =>
  html`<ul class="grid">${entries.map(
    ({ picture: shown, path, title }, at) =>
      shown &&
      html`<li><a href="${path}">${picture({ ...shown, alt: shown.alt === '' ? title : shown.alt }, at === 0, TILE_SIZES)}<span>${title}</span></a></li>`,
  )}</ul>`;

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
