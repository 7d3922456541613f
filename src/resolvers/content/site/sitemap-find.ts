/** The sitemap: one file, or an index of several. */
import { findLineages, pathOf } from '../../../models/content/nodes/node-path.js';
import { publicPathOf } from '../../../models/content/nodes/public-path.js';
import { findPartStarts, findPublicFrom, type PublicNode } from '../../../models/content/posts/sitemap.js';
import type { FoundPage } from '../../../models/content/site/page-cache.js';
import type { Services } from '../../../server/context/context.js';
import { MINUTE_MS } from '../../../shared/time.js';
import { sitemapPartPath } from './addresses.js';
import { SITEMAP_ADDRESSES_MAX, sitemap, sitemapIndex } from './feeds/sitemap.js';
import type { SiteView } from './pages/views.js';

const XML = 'application/xml; charset=utf-8';
/** An index may list as many files as a file may list addresses. */
const PARTS_MAX = 1000;
/** A large sitemap takes seconds to read, and search engines are in no hurry. */
const KEPT_MS = 10 * MINUTE_MS;
const FIRST = new Date(0);

export interface Site {
  readonly view: SiteView;
  /** What every page shows of other nodes, and how. */
  readonly version: readonly string[];
  /** The blog at `HOME`. Null while there is none. */
  readonly homeId: string | null;
}

export type SiteServices = Pick<Services, 'db' | 'now' | 'domains'>;

export async function findSitemap(services: SiteServices, site: Site): Promise<FoundPage> {
  const { db, now } = services;
  const starts = await findPartStarts(db, SITEMAP_ADDRESSES_MAX, PARTS_MAX, now());
  if (starts.length <= 1) return findSitemapPart(services, site, FIRST);
  const files = starts.map((start) => ({ url: new URL(sitemapPartPath(start.getTime()), site.view.origin).href }));
  return {
    version: [site.version, 'sitemaps', starts],
    changedAt: null,
    type: XML,
    frames: [],
    keptMs: KEPT_MS,
    render: () => sitemapIndex(files),
  };
}

export async function findSitemapPart({ db, now }: SiteServices, site: Site, from: Date): Promise<FoundPage> {
  const found = await findPublicFrom(db, from, SITEMAP_ADDRESSES_MAX, now());
  const lineages = await findLineages(db, [...new Set(found.map(({ parent_id }) => parent_id))]);
  const urlOf = (node: PublicNode) =>
    new URL(publicPathOf(pathOf(node, lineages.get(node.parent_id) ?? [])), site.view.origin).href;
  return {
    version: [site.version, 'sitemap', found.map((node) => [urlOf(node), node.edited])],
    changedAt: null,
    type: XML,
    frames: [],
    keptMs: found.length < SITEMAP_ADDRESSES_MAX / 10 ? MINUTE_MS : KEPT_MS,
    render: () => sitemap(found.map((node) => ({ url: urlOf(node), changedAt: node.edited }))),
  };
}
