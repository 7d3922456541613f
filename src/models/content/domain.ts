/** Content: nodes in a tree, their versions and tags, and the blogs and galleries that group them. */
import { SECOND_MS } from '../../shared/time.js';
import type { Domain } from '../domain.js';
import type { PictureCheck } from '../system/assets/asset-copy.js';
import type { PictureBounds } from '../system/assets/asset-storing.js';
import { PictureTurns } from '../system/assets/pictures/picture-turns.js';
import { nodeHost } from './comment-host.js';
import { contentExport } from './export/content-export.js';
import { contentImport } from './import/content-import.js';
import { findNodeViolations, findRedirectViolations, findTagViolations } from './invariants.js';
import { nodeMigration } from './migration/node-migration.js';
import { authors, followNames } from './nodes/author-name.js';
import { nodes } from './nodes/node.js';
import { assetUses } from './nodes/node-picture.js';
import { purgeTrash } from './nodes/node-trash.js';
import { versions } from './nodes/node-version.js';
import { redirects } from './nodes/redirect.js';
import { tags } from './nodes/tag.js';
import { personalData } from './personal-data.js';
import { announceScheduled } from './posts/announcement.js';
import { rankMissing } from './posts/photo-ranking.js';
import { contentSteps, isContentEmpty } from './seed/content-seed.js';
import { PageCache } from './site/page-cache.js';
import { repairTags } from './tags/tag-repair.js';

/** The schedule looks for due jobs as often. */
const ANNOUNCE_MS = 5 * SECOND_MS;

/** They live as long as the process. */
export interface ContentServices {
  /** Rendered pages of the public site. */
  readonly sitePages: PageCache;
  /** Pictures of imports. */
  readonly pictureCheck: PictureCheck;
}

export const content: Domain<PictureBounds, ContentServices> = {
  name: 'content',
  collections: [nodes, versions, redirects, tags, authors],
  invariantChecks: [
    { name: 'Nodes and their versions', collections: [nodes], find: findNodeViolations },
    { name: 'Former paths', collections: [redirects], find: findRedirectViolations },
    { name: 'Tags', collections: [tags], find: findTagViolations },
  ],
  recoveryWorkers: [
    { name: 'Copy changed names of authors', work: (_services, { db, now }) => followNames(db, now) },
    { name: 'Remove what has been in the trash for 30 days', work: (_services, { db, now }) => purgeTrash(db, now) },
    { name: 'Rank photos that have no rank', isDaily: true, work: (_services, { db, now }) => rankMissing(db, now) },
    { name: 'Recount the tags of published content', isDaily: true, work: (_services, { db }) => repairTags(db) },
  ],
  jobs: [
    {
      name: 'Announce scheduled content',
      everyMs: ANNOUNCE_MS,
      atStart: true,
      run: async (_services, { db, now }) => {
        await announceScheduled(db, now());
      },
    },
  ],
  workKinds: [contentImport, contentExport, nodeMigration],
  metrics: [
    {
      kind: 'gauge',
      name: 'sextant_site_pages',
      help: 'Rendered pages of the public site in memory',
      read: ({ sitePages }) => sitePages.count,
    },
    {
      kind: 'gauge',
      name: 'sextant_site_page_bytes',
      help: 'Bytes of the rendered pages of the public site in memory',
      read: ({ sitePages }) => sitePages.bytes,
    },
    {
      kind: 'counter',
      name: 'sextant_site_renders_total',
      help: 'Pages of the public site that were rendered',
      read: ({ sitePages }) => sitePages.rendered,
    },
  ],
  seed: { isEmpty: isContentEmpty, steps: () => contentSteps() },
  assetUses,
  commentHost: nodeHost,
  personalData,
  open: async (_runtime, bounds) => ({
    sitePages: new PageCache(),
    pictureCheck: { bounds, turns: new PictureTurns() },
  }),
  close: async () => undefined,
};

declare module '../people/audit.js' {
  interface AuditActions {
    NODE_DELETED: true;
    NODES_MIGRATED: true;
  }
}

declare module '../people/api-key.js' {
  interface Scopes {
    CONTENT_READ: true;
    CONTENT_WRITE: true;
  }
}
