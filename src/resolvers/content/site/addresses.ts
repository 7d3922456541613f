/**
 * The addresses of the public site. The paths of nodes consist of slugs, which have neither a `~` nor a dot: what begins with `~` and
 * the names of files never collide with a node. Each place has one address; `placeAt` also understands other forms of it.
 */
import { publicPathOf } from '../../../models/content/nodes/public-path.js';
import { type FeedFormat, feedFormats } from './feeds/feed.js';
import type { FeedsView } from './pages/views.js';

export const HOME = '/blog';
/** The list of the roots besides the home, which are all below it. */
export const ROOTS = `${HOME}/~`;
export const SITEMAP = `${HOME}/sitemap.xml`;
const TAGS = `${HOME}/~tag/`;
const TAG_LENGTH_MAX = 50;

const FEED_FILES: Readonly<Record<FeedFormat, string>> = { rss: 'rss.xml', atom: 'atom.xml', json: 'feed.json' };

/** What is at an address. Paths are those of nodes. */
export type Place =
  | { readonly kind: 'node'; readonly path: string }
  | { readonly kind: 'feed'; readonly path: string; readonly format: FeedFormat }
  | { readonly kind: 'roots' }
  | { readonly kind: 'tag'; readonly tag: string }
  | { readonly kind: 'sitemap' }
  /** A part of the sitemap of a large site: what was published from this time on. */
  | { readonly kind: 'sitemap-part'; readonly fromMs: number };

/** Whether an address that is not below `HOME` as it is written means a place there: with capitals, or with more slashes. */
export const isMeantForHome = (address: string): boolean =>
  partsOf(address.split('?', 1)[0] ?? '')?.[0]?.toLowerCase() === HOME.slice(1);

/**
 * The place that an address means, whether or not it is written as it should be: with capitals, more slashes than it needs, or
 * characters that need no encoding.
 * @param address below `HOME`, URL-encoded, without a query @returns null when there can be nothing
 */
export function placeAt(address: string): Place | null {
  const parts = partsOf(address)?.slice(1);
  if (!parts) return null;
  const [first = '', ...below] = parts;
  if (first === '~tag') return tagOf(below.join('/'));
  const names = parts.map((part) => part.toLowerCase());
  return fileNamed(names) ?? nodeAt(names);
}

/** @returns null when it is not well encoded */
function partsOf(address: string): string[] | null {
  try {
    return address.split('/').filter(Boolean).map(decodeURIComponent);
  } catch {
    return null;
  }
}

function tagOf(text: string): Place | null {
  const tag = text.normalize('NFC').trim(); // as tags are stored
  return tag === '' || tag.length > TAG_LENGTH_MAX || !tag.isWellFormed() ? null : { kind: 'tag', tag };
}

function fileNamed([name = '', ...below]: readonly string[]): Place | null {
  if (below.length > 0) return null;
  if (name === 'sitemap.xml') return { kind: 'sitemap' };
  const [, from] = /^sitemap-(\d{1,15})\.xml$/.exec(name) ?? [];
  return from === undefined ? null : { kind: 'sitemap-part', fromMs: Number(from) };
}

const IN_SLUGS = /^[a-z0-9-]+$/;

function nodeAt(names: readonly string[]): Place | null {
  const last = names.at(-1);
  const format = feedFormats.find((each) => FEED_FILES[each] === last) ?? null;
  const slugs = names.slice(0, format ? -1 : undefined);
  const isElsewhere = slugs[0] === '~';
  if (isElsewhere && slugs.length === 1) return format ? null : { kind: 'roots' };
  const below = isElsewhere ? slugs.slice(1) : [HOME.slice(1), ...slugs];
  if (!below.every((slug) => IN_SLUGS.test(slug))) return null;
  const path = `/${below.join('/')}`;
  return format ? { kind: 'feed', path, format } : { kind: 'node', path };
}

/** The one address of a place. */
export function addressOfPlace(place: Place): string {
  switch (place.kind) {
    case 'node':
      return addressOf(place.path, null);
    case 'feed':
      return addressOf(place.path, place.format);
    case 'roots':
      return ROOTS;
    case 'tag':
      return tagPath(place.tag);
    case 'sitemap':
      return SITEMAP;
    case 'sitemap-part':
      return sitemapPartPath(place.fromMs);
  }
}

/** A tag that is `.` or `..` has a space before it: browsers take it for a step in the path, even if it is encoded. */
export const tagPath = (tag: string): string => TAGS + encodeURIComponent(/^\.\.?$/.test(tag) ? ` ${tag}` : tag);

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
