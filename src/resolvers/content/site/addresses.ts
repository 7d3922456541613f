/**
 * The addresses of the public site. The paths of nodes consist of slugs, which have neither a `~` nor a dot: what begins with `~` and
 * the names of files never collide with a node.
 */
import { publicPathOf } from '../../../models/content/nodes/public-path.js';
import { type FeedFormat, feedFormats } from './feeds/feed.js';
import type { FeedsView } from './pages/views.js';

export const HOME = '/blog';
export const SITEMAP = `${HOME}/sitemap.xml`;
const ELSEWHERE = `${HOME}/~/`;
const TAGS = `${HOME}/~tag/`;
const TAG_LENGTH_MAX = 50;

const FEED_FILES: Readonly<Record<FeedFormat, string>> = { rss: 'rss.xml', atom: 'atom.xml', json: 'feed.json' };

/** What is at an address. Paths are those of nodes. */
export type Place =
  | { readonly kind: 'node'; readonly path: string }
  | { readonly kind: 'feed'; readonly path: string; readonly format: FeedFormat }
  | { readonly kind: 'tag'; readonly tag: string }
  | { readonly kind: 'sitemap' }
  /** A part of the sitemap of a large site: what was published from this time on. */
  | { readonly kind: 'sitemap-part'; readonly fromMs: number }
  | { readonly kind: 'redirect'; readonly to: string };

/** @param path URL-encoded, without a query @returns null when there can be nothing */
export function placeAt(path: string): Place | null {
  if (path.length > HOME.length && path.endsWith('/')) return { kind: 'redirect', to: path.replace(/\/+$/, '') };
  if (path === SITEMAP) return { kind: 'sitemap' };
  const part = /^\/blog\/sitemap-(\d{1,15})\.xml$/.exec(path)?.[1];
  if (part !== undefined) return { kind: 'sitemap-part', fromMs: Number(part) };
  if (path.startsWith(TAGS)) return tagAt(path);
  const [folder, file] = [path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('/') + 1)];
  const format = feedFormats.find((each) => FEED_FILES[each] === file) ?? null;
  const node = nodePathAt(format ? folder : path);
  const canonical = addressOf(node, format);
  if (canonical !== path) return { kind: 'redirect', to: canonical };
  return format ? { kind: 'feed', path: node, format } : { kind: 'node', path: node };
}

const nodePathAt = (path: string): string => (path.startsWith(ELSEWHERE) ? path.slice(ELSEWHERE.length - 1) : path);

function tagAt(path: string): Place | null {
  try {
    const tag = decodeURIComponent(path.slice(TAGS.length)).normalize('NFC');
    if (tag === '' || tag.length > TAG_LENGTH_MAX) return null;
    const canonical = tagPath(tag);
    return canonical === path ? { kind: 'tag', tag } : { kind: 'redirect', to: canonical };
  } catch {
    return null; // not well encoded
  }
}

export const tagPath = (tag: string): string => TAGS + encodeURIComponent(tag);

/** @param path of a blog on the site */
export const feedPathOf = (path: string, format: FeedFormat): string => `${path}/${FEED_FILES[format]}`;

export const feedsAt = (path: string): FeedsView => ({
  rss: feedPathOf(path, 'rss'),
  atom: feedPathOf(path, 'atom'),
  json: feedPathOf(path, 'json'),
});

export const sitemapPartPath = (fromMs: number): string => `${HOME}/sitemap-${fromMs}.xml`;

/** The page of older entries. */
export const olderPath = (path: string, after: string): string => `${path}?after=${encodeURIComponent(after)}`;

/** The one address of a node or, with a format, of a blog's feed. @param path of the node */
export const addressOf = (path: string, format: FeedFormat | null): string =>
  format === null ? publicPathOf(path) : feedPathOf(publicPathOf(path), format);
