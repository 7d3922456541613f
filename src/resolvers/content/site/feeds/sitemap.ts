/** The sitemap of the public site, by the protocol of sitemaps.org: a file has at most 50,000 addresses, and an index lists the files. */
import { escapeHtml } from '../pages/html.js';

export const SITEMAP_ADDRESSES_MAX = 50_000;
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

export interface SitemapEntry {
  /** Absolute. */
  readonly url: string;
  readonly changedAt?: Date;
}

export const sitemap = (entries: Iterable<SitemapEntry>): string => listing('urlset', 'url', entries);

/** @param files one for every 50,000 addresses */
export const sitemapIndex = (files: Iterable<SitemapEntry>): string => listing('sitemapindex', 'sitemap', files);

function listing(root: string, element: string, entries: Iterable<SitemapEntry>): string {
  let text = `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${NAMESPACE}">\n`;
  for (const { url, changedAt } of entries)
    text += `<${element}><loc>${escapeHtml(url)}</loc>${changedAt ? `<lastmod>${changedAt.toISOString()}</lastmod>` : ''}</${element}>\n`;
  return `${text}</${root}>\n`;
}
