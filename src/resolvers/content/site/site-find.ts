/** Finds what is at an address of the site, in few queries; texts are rendered later, if at all. */
import type { NodeDocument } from '../../../models/content/nodes/node.js';
import { isPublic, ROOT } from '../../../models/content/nodes/node.js';
import { findTagged } from '../../../models/content/nodes/node-list.js';
import { findLineages, lookUpPath, pathOf } from '../../../models/content/nodes/node-path.js';
import { findPhotos } from '../../../models/content/posts/photo-list.js';
import { findRecentPosts } from '../../../models/content/posts/post.js';
import type { Found, FoundPage } from '../../../models/content/site/page-cache.js';
import { SextantError } from '../../../shared/errors.js';
import type { Connection } from '../../../shared/page.js';
import { addressOf, feedsAt, HOME, olderPath, type Place, ROOTS, tagPath } from './addresses.js';
import { type DiscussionQuery, findDiscussionOf } from './discussion-find.js';
import { type FeedFormat, feedOf, MEDIA_TYPES } from './feeds/feed.js';
import {
  addressOfNode,
  blogView,
  changedAt,
  entryView,
  folderView,
  galleryView,
  type Lineage,
  linkTo,
  trailOf,
  versionOf,
} from './node-views.js';
import { articlePage } from './pages/article.js';
import { folderPage, galleryPage } from './pages/group.js';
import { blogPage, tagPage } from './pages/list.js';
import type { AdPlaceView, EntryView, LinkView, ListView } from './pages/views.js';
import { present, videoView } from './presentation.js';
import { findRoots } from './roots-find.js';
import { findSitemap, findSitemapPart, type Site, type SiteServices } from './sitemap-find.js';

const HTML = 'text/html; charset=utf-8';
const POSTS_PER_PAGE = 20; // the script follows as many
const POSTS_PER_FEED = 30;
const PHOTOS_PER_PAGE = 60;
const CHILDREN_PER_PAGE = 100;
const GROUPS: ReadonlySet<string> = new Set(['BLOG', 'GALLERY', 'FOLDER']);
const BLOG_TYPES: ReadonlySet<string> = new Set(['BLOG_POST', 'VIDEO', 'IMAGE', 'QUOTE']);

type Posts = Connection<NodeDocument>;

export class SiteFinder {
  constructor(private readonly services: SiteServices) {}

  /** @param query of lists, only the cursor @throws CursorError it is damaged */
  async find(place: Place, site: Site, query: DiscussionQuery): Promise<Found> {
    const { after } = query;
    switch (place.kind) {
      case 'roots':
        return findRoots(this.services, site, ROOTS);
      case 'sitemap':
        return findSitemap(this.services, site);
      case 'sitemap-part':
        return findSitemapPart(this.services, site, new Date(place.fromMs));
      case 'tag':
        return this.#tag(site, place.tag, after);
      case 'feed':
        return this.#node(site, place.path, place.format, query);
      case 'node':
        return this.#node(site, place.path, null, query);
    }
  }

  /** The entry at a place, below which comments can be posted. */
  async findEntry(place: Place): Promise<NodeDocument | null> {
    if (place.kind !== 'node') return null;
    const found = await lookUpPath(this.services.db, place.path).catch(asMissing);
    if (!found || found === 'GONE' || found.isMoved || GROUPS.has(found.node.type)) return null;
    return this.#isPublic(found.node) ? found.node : null;
  }

  async #node(site: Site, path: string, format: FeedFormat | null, query: DiscussionQuery): Promise<Found> {
    const { db } = this.services;
    const found = await lookUpPath(db, path).catch(asMissing);
    if (!found || found === 'GONE' || !this.#isPublic(found.node)) {
      if (path === HOME && !format) return findRoots(this.services, site, HOME);
      return found === 'GONE' ? { isGone: true } : null;
    }
    const { node, isMoved } = found;
    if (format && node.type !== 'BLOG') return null;
    const lineage = await this.#lineageOf(node);
    if (isMoved) return { to: addressOf(pathOf(node, lineage), format) };
    if (format) return this.#feed(site, node, lineage, format);
    switch (node.type) {
      case 'BLOG':
        return this.#blog(site, node, lineage, query.after);
      case 'GALLERY':
        return this.#gallery(site, node, lineage, query.after);
      case 'FOLDER':
        return this.#folder(site, node, lineage);
      default:
        return this.#article(site, node, lineage, query);
    }
  }

  async #article(site: Site, node: NodeDocument, lineage: Lineage, query: DiscussionQuery): Promise<Found> {
    const path = addressOfNode(node, lineage);
    const shown = lineage.filter((above) => this.#isPublic(above));
    const blog = BLOG_TYPES.has(node.type) ? shown.find(({ type }) => type === 'BLOG') : undefined;
    const surroundings = {
      ancestors: trailOf(lineage, (above) => this.#isPublic(above)),
      feeds: blog ? feedsAt(addressOfNode(blog, lineage.slice(lineage.indexOf(blog) + 1))) : null,
      ads: blog ? await this.#adsOf(site, blog, node.tags) : null,
    };
    const discussion = await findDiscussionOf(this.services, node, path, query);
    return {
      ...this.#page(site, [node], [path, surroundings, discussion?.version, query]),
      ...(discussion?.hasComments && { changedAt: null }), // a comment that was deleted leaves no time
      frames: [...framesOf([node]), ...framesFor(surroundings.ads)],
      render: async () => {
        const entries = await this.#entries([node], () => path, true);
        return entries.map((entry) => articlePage(site.view, entry, surroundings, discussion?.view() ?? null)).join('');
      },
    };
  }

  async #blog(site: Site, node: NodeDocument, lineage: Lineage, after: string | null): Promise<Found> {
    const path = addressOfNode(node, lineage);
    const posts = await this.#below(node, POSTS_PER_PAGE, after);
    const nodes = posts.edges.map((edge) => edge.node);
    const ads = await this.#adsOf(site, node, []);
    return {
      ...this.#page(site, [node, ...nodes], [path, after, posts.pageInfo, ads]),
      frames: [...framesOf(nodes), ...framesFor(ads)],
      render: async () => {
        const entries = await this.#entries(nodes, (post) => `${path}/${post.slug}`, false);
        const here = after === null ? path : olderPath(path, after);
        return blogPage(site.view, blogView(node, path), listOf(entries, posts, path, after), here, ads);
      },
    };
  }

  async #gallery(site: Site, node: NodeDocument, lineage: Lineage, after: string | null): Promise<Found> {
    const path = addressOfNode(node, lineage);
    const { db, now } = this.services;
    const photos = await findPhotos(db, node, { first: PHOTOS_PER_PAGE, after }, now());
    const nodes = photos.edges.map((edge) => edge.node);
    const ancestors = trailOf(lineage, (above) => this.#isPublic(above));
    return {
      ...this.#page(site, [node, ...nodes], [path, after, photos.pageInfo, ancestors]),
      render: async () => {
        const entries = await this.#entries(nodes, (photo) => `${path}/${photo.slug}`, false);
        const here = after === null ? path : olderPath(path, after);
        return galleryPage(site.view, galleryView(node, path), listOf(entries, photos, path, after), ancestors, here);
      },
    };
  }

  async #folder(site: Site, node: NodeDocument, lineage: Lineage): Promise<Found> {
    const path = addressOfNode(node, lineage);
    const { edges } = await this.#below(node, CHILDREN_PER_PAGE, null);
    const nodes = edges.map((edge) => edge.node);
    const ancestors = trailOf(lineage, (above) => this.#isPublic(above));
    return {
      ...this.#page(site, [node, ...nodes], [path, ancestors]),
      render: () => {
        const children = nodes
          .map((child) => ({ ...linkTo(child, [node, ...lineage]), excerpt: child.excerpt }))
          .sort((one, other) => one.title.localeCompare(other.title, 'en'));
        return folderPage(site.view, folderView(node, path, children), ancestors);
      },
    };
  }

  async #feed(site: Site, node: NodeDocument, lineage: Lineage, format: FeedFormat): Promise<Found> {
    const path = addressOfNode(node, lineage);
    const { edges } = await this.#below(node, POSTS_PER_FEED, null);
    const nodes = edges.map((edge) => edge.node);
    const page = this.#page(site, [node, ...nodes], [path, site.view.origin]);
    return {
      ...page,
      type: MEDIA_TYPES[format],
      render: async () => {
        const entries = await this.#entries(nodes, (post) => `${path}/${post.slug}`, true);
        return feedOf(site.view, blogView(node, path), entries, format, page.changedAt ?? node.edited);
      },
    };
  }

  async #tag(site: Site, tag: string, after: string | null): Promise<Found> {
    const { db, now } = this.services;
    const tagged = await findTagged(db, [tag], { first: POSTS_PER_PAGE, after }, now());
    const nodes = tagged.edges.map((edge) => edge.node);
    if (nodes.length === 0) return null;
    const lineages = await findLineages(db, [...new Set(nodes.map(({ parent_id }) => parent_id))]);
    const addresses = new Map(nodes.map((node) => [node, addressOfNode(node, lineages.get(node.parent_id) ?? [])]));
    const link: LinkView = { title: tag, path: tagPath(tag) };
    return {
      ...this.#page(site, nodes, [tag, after, tagged.pageInfo, [...addresses.values()]]),
      frames: framesOf(nodes),
      render: async () => {
        const entries = await this.#entries(nodes, (node) => addresses.get(node) ?? '', false);
        const here = after === null ? link.path : olderPath(link.path, after);
        return tagPage(site.view, link, listOf(entries, tagged, link.path, after), here);
      },
    };
  }

  /** The ads of a blog's zone, where the site takes part in analytics: otherwise it accepts nothing from this page. */
  async #adsOf({ view }: Site, { _id }: NodeDocument, keywords: readonly string[]): Promise<AdPlaceView | null> {
    const { countedAs } = view;
    if (countedAs === null) return null;
    for (const domain of this.services.domains) {
      const place = await domain.adPlaceOf(_id, countedAs);
      if (place) return { ...place, keywords };
    }
    return null;
  }

  /** @param nodes all that are shown @param others what else the page depends on */
  #page(site: Site, nodes: readonly NodeDocument[], others: readonly unknown[]): Omit<FoundPage, 'render'> {
    const version = [site.version, nodes.map(versionOf), others];
    return { version, changedAt: changedAt(nodes), type: HTML, frames: [] };
  }

  async #entries(
    nodes: readonly NodeDocument[],
    addressIn: (node: NodeDocument) => string,
    withText: boolean,
  ): Promise<EntryView[]> {
    const presented = await present(this.services.db, nodes, addressIn, withText);
    return presented.flatMap((each, at) => {
      const node = nodes[at];
      return node ? [entryView(node, addressIn(node), each)] : [];
    });
  }

  #below(node: NodeDocument, first: number, after: string | null): Promise<Posts> {
    return findRecentPosts(this.services.db, node._id, { first, after }, this.services.now());
  }

  async #lineageOf({ parent_id }: NodeDocument): Promise<Lineage> {
    if (parent_id === ROOT) return [];
    return (await findLineages(this.services.db, [parent_id])).get(parent_id) ?? [];
  }

  #isPublic(node: NodeDocument): boolean {
    return isPublic(node, this.services.now());
  }
}

/** The sites whose players may be opened. */
function framesOf(nodes: readonly NodeDocument[]): string[] {
  const addresses = nodes.flatMap((node) => videoView(node)?.embedUrl ?? []);
  return [...new Set(addresses.map((address) => new URL(address).origin))];
}

/** An ad may be a page of its own, which this server sends. */
const framesFor = (ads: AdPlaceView | null): readonly string[] => (ads ? ["'self'"] : []);

const listOf = (entries: readonly EntryView[], { pageInfo }: Posts, path: string, after: string | null): ListView => ({
  entries,
  isFirst: after === null,
  older: pageInfo.hasNextPage && pageInfo.endCursor !== null ? olderPath(path, pageInfo.endCursor) : null,
});

/** No node can have such a path. */
function asMissing(error: unknown): null {
  if (error instanceof SextantError && error.code === 'BAD_USER_INPUT') return null;
  throw error;
}
