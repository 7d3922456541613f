/** Pages for what cannot be shown. */

import { html } from './html.js';
import { layout } from './layout.js';
import type { SiteView } from './views.js';

const failurePage = (site: SiteView, title: string, text: string): string =>
  layout(site, {
    title,
    description: '',
    path: null,
    main: html`<header class="opening">
<h1>${title}</h1>
<p class="lead">${text}</p>
</header>
<p class="onward"><a href="${site.home}">Go to the start page</a></p>`,
  });

export const missingPage = (site: SiteView): string =>
  failurePage(
    site,
    'Page not found',
    'There is nothing at this address. It may have been removed, or the link may be wrong.',
  );

export const gonePage = (site: SiteView): string =>
  failurePage(site, 'Page removed', 'What was at this address has been removed.');

export const readOnlyPage = (site: SiteView): string =>
  failurePage(site, 'Nothing can be sent here', 'The pages of this site can only be read.');

export const busyPage = (site: SiteView): string =>
  failurePage(site, 'Please try again', 'The server is busy. The page will be back in a moment.');
