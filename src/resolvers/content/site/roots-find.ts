/** What is at the root besides the home: the menu of every page, and the list to which it leads. */
import { type NodeDocument, ROOT } from '../../../models/content/nodes/node.js';
import { findOldestPosts, findRecentPosts } from '../../../models/content/posts/post.js';
import type { Found } from '../../../models/content/site/page-cache.js';
import { HOME, ROOTS } from './addresses.js';
import { changedAt, linkTo, versionOf } from './node-views.js';
import { folderPage } from './pages/group.js';
import type { LinkView } from './pages/views.js';
import type { Site, SiteServices } from './sitemap-find.js';

/** Links that a line has room for. */
const MENU_MAX = 7;
/** As many as a folder shows. */
const ROOTS_MAX = 100;

export interface Menu {
  readonly links: readonly LinkView[];
  /** What it depends on. */
  readonly version: readonly string[];
}

/** What was published first comes first: a new root changes no place of another one. @param homeId is not in the menu */
export async function findMenu(db: SiteServices['db'], homeId: string | null, now: Date): Promise<Menu> {
  const found = await findOldestPosts(db, ROOT, MENU_MAX + 2, now);
  const roots = found.filter(({ _id }) => _id !== homeId);
  const shown = roots.slice(0, MENU_MAX);
  const more = roots.length > MENU_MAX ? [{ title: 'More', path: ROOTS }] : [];
  return {
    links: [...shown.map((node) => linkTo(node, [])), ...more],
    version: [...shown.map(versionOf), `${more.length}`],
  };
}

/** @param path `ROOTS`, or `HOME` for a site without a blog there, whose home is this list */
export async function findRoots({ db, now }: SiteServices, site: Site, path: string): Promise<Found> {
  if (path === ROOTS && site.homeId === null) return { to: HOME };
  const { edges } = await findRecentPosts(db, ROOT, { first: ROOTS_MAX }, now());
  const roots = edges.map(({ node }) => node).filter(({ _id }) => _id !== site.homeId);
  if (path === ROOTS && roots.length === 0) return null;
  return {
    version: [site.version, path, roots.map(versionOf)],
    changedAt: path === HOME ? null : changedAt(roots),
    type: 'text/html; charset=utf-8',
    frames: [],
    render: () => folderPage(site.view, viewOf(site, path, roots), []),
  };
}

const viewOf = ({ view }: Site, path: string, roots: readonly NodeDocument[]) => ({
  path,
  title: path === HOME ? view.title : 'Contents',
  description: '',
  children: roots
    .map((node) => ({ ...linkTo(node, []), excerpt: node.excerpt }))
    .sort((one, other) => one.title.localeCompare(other.title, 'en')),
});
