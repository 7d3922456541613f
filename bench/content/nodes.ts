/**
 * Whether a query of nodes costs more among more of them. Each query alternates between 10,000 and a million nodes, with pages of the
 * same size. Measures its time and the index keys that the database reads.
 */
import type { Db } from 'mongodb';
import type { Random } from '../../harness/random.js';
import { findChild, findNode, ROOT } from '../../src/models/content/nodes/node.js';
import { findNodes, findTagged, type NodeFilter } from '../../src/models/content/nodes/node-list.js';
import { findByPath, findLineages, lookUpPath } from '../../src/models/content/nodes/node-path.js';
import { findVersions } from '../../src/models/content/nodes/node-version.js';
import { findTags } from '../../src/models/content/nodes/tag.js';
import { announceScheduled } from '../../src/models/content/posts/announcement.js';
import { findAllPhotos, findOwnPhotos, findPhotos } from '../../src/models/content/posts/photo-list.js';
import { findOldestPosts, findRecentPosts } from '../../src/models/content/posts/post.js';
import { findPartStarts, findPublicFrom } from '../../src/models/content/posts/sitemap.js';
import type { Benchmark } from '../support/benchmark.js';
import { compareSizes, type SizedQuery } from '../support/sizes.js';
import {
  authorOf,
  blogOf,
  fillNodes,
  formerPath,
  galleryOf,
  idOf,
  NOW,
  orderedGallery,
  pagePath,
  photographerOf,
  postPath,
  someNode,
  tagOf,
  typeOf,
} from './many-nodes.js';

const FIRST = 20;
const page = { first: FIRST, after: null };
const SITEMAP_ADDRESSES = 50_000;
/** As `findMenu` reads: seven links, the home, and one more. */
const MENU_ROOTS = 9;

const orderedBy = (random: Random) => ({ _id: orderedGallery(random), photo_order: 'BY_HAND' as const });

const query = (name: string, choose: (random: Random, size: number) => (db: Db) => Promise<unknown>): SizedQuery => ({
  name,
  prepare: (db, random, size) => {
    const ask = choose(random, size);
    return () => ask(db);
  },
});
const listed = (name: string, filterOf: (random: Random) => NodeFilter): SizedQuery =>
  query(name, (random) => {
    const filter = filterOf(random);
    return (db) => findNodes(db, filter, page);
  });

const queries: readonly SizedQuery[] = [
  query('a node', (random, size) => {
    const id = idOf(random.below(size));
    return (db) => findNode(db, id);
  }),
  query('a post by its path', (random, size) => {
    const path = postPath(random, size);
    return (db) => requireFound(findByPath(db, path));
  }),
  query('a page five levels deep by its path', (random, size) => {
    const path = pagePath(random, size);
    return (db) => requireFound(findByPath(db, path));
  }),
  query('a path without a node', (random) => {
    const path = `/${blogOf(random)}/nothing`;
    return (db) => findByPath(db, path);
  }),
  query('a node by parent and slug', (random) => {
    const parent = blogOf(random);
    return (db) => findChild(db, parent, 'nothing');
  }),
  query('the groups above', () => (db) => findLineages(db, ['folder-1-3', 'folder-2-3', 'blog-1'])),
  query('recent posts', (random) => {
    const blog = blogOf(random);
    return (db) => findRecentPosts(db, blog, page, NOW);
  }),
  {
    name: 'recent posts, second page',
    prepare: async (db, random) => {
      const blog = blogOf(random);
      const { pageInfo } = await findRecentPosts(db, blog, page, NOW);
      return () => findRecentPosts(db, blog, { first: FIRST, after: pageInfo.endCursor }, NOW);
    },
  },
  query('photos of a gallery, newest first', (random) => {
    const gallery = { _id: galleryOf(random) };
    return (db) => findPhotos(db, gallery, page, NOW);
  }),
  query('photos of a gallery by rank', (random) => {
    const gallery = orderedBy(random);
    return (db) => findPhotos(db, gallery, page, NOW);
  }),
  query('for editors: photos, drafts first', (random) => {
    const gallery = { _id: galleryOf(random) };
    return (db) => findAllPhotos(db, gallery, page);
  }),
  query('for editors: photos by rank', (random) => {
    const gallery = orderedBy(random);
    return (db) => findAllPhotos(db, gallery, page);
  }),
  query('for authors: their own photos of a gallery', (random) => {
    const [gallery, author] = [galleryOf(random), photographerOf(random)];
    return (db) => findOwnPhotos(db, gallery, author, page);
  }),
  query('the menu of the public site', () => (db) => findOldestPosts(db, ROOT, MENU_ROOTS, NOW)),
  query('a former path', (random, size) => {
    const path = formerPath(random, size, 'moved');
    return (db) => requireFound(findByPath(db, path));
  }),
  query('a path whose node was removed', (random, size) => {
    const path = formerPath(random, size, 'gone');
    return async (db) => {
      if ((await lookUpPath(db, path)) !== 'GONE') throw new Error('The path does not say that it is gone');
    };
  }),
  query('with a tag', (random) => {
    const tag = tagOf(random);
    return (db) => findTagged(db, [tag], page, NOW);
  }),
  {
    name: 'with a tag, second page',
    prepare: async (db, random) => {
      const tags = [tagOf(random)];
      const { pageInfo } = await findTagged(db, tags, page, NOW);
      return () => findTagged(db, tags, { first: FIRST, after: pageInfo.endCursor }, NOW);
    },
  },
  {
    ...query('with two tags', (random) => {
      const tags = [tagOf(random), tagOf(random)];
      return (db) => findTagged(db, tags, page, NOW);
    }),
    bounded: true,
  },
  query('tags, most used first', () => (db) => findTags(db, '', FIRST)),
  query('tags with a prefix', () => (db) => findTags(db, 'tag 1', FIRST)),
  listed('for editors: all', () => ({})),
  {
    name: 'for editors: all, second page',
    prepare: async (db) => {
      const { pageInfo } = await findNodes(db, {}, page);
      return () => findNodes(db, {}, { first: FIRST, after: pageInfo.endCursor });
    },
  },
  listed('for editors: drafts', () => ({ state: 'DRAFT' })),
  listed('for editors: below a parent', (random) => ({ parentId: blogOf(random) })),
  listed('for editors: of an author', (random) => ({ authorId: authorOf(random) })),
  listed('for editors: of a type', (random) => ({ type: typeOf(random) })),
  listed('for editors: drafts of a type', (random) => ({ type: typeOf(random), state: 'DRAFT' })),
  query('versions of a node', (random) => {
    const id = someNode(random);
    return (db) => findVersions(db, id, page);
  }),
  query('what is to be announced', () => (db) => announceScheduled(db, NOW)),
  {
    ...query('a file of the sitemap', () => async (db) => {
      const [start = new Date(0)] = await findPartStarts(db, SITEMAP_ADDRESSES, 1, NOW);
      return findPublicFrom(db, start, SITEMAP_ADDRESSES, NOW);
    }),
    bounded: true,
    turns: 2,
  },
];

async function requireFound<T>(finding: Promise<T | null>): Promise<T> {
  const found = await finding;
  if (found === null) throw new Error('The path has no node');
  return found;
}

export const nodesAtScale: Benchmark = {
  name: 'nodes',
  title: 'A million nodes',
  run: (surroundings) =>
    compareSizes(surroundings, {
      things: 'nodes',
      query: 'query of nodes',
      fill: fillNodes,
      queries,
      notes: [
        'Nodes of 400 to 1,900 bytes in blogs, galleries and folders below folders, with three of 50 tags each; one in twenty is a draft. Each has a version, a hundred of them have 30.',
        'Bounded: a search for two tags reads the nodes with the first until it has found a page with both, so its cost depends on how often they are together. A file of the sitemap has up to 50,000 addresses, of which the small collection has fewer. Both are exempt from the goal.',
      ],
    }),
};
