/** From nodes to views. */
import type { NodeDocument } from '../../../models/content/nodes/node.js';
import { pathOf } from '../../../models/content/nodes/node-path.js';
import { publicPathOf } from '../../../models/content/nodes/public-path.js';
import { toGlobalId } from '../../../shared/global-id.js';
import { readingMinutesOf } from '../../../shared/rendering/plain-text.js';
import { feedsAt, tagPath } from './addresses.js';
import type { BlogView, EntryType, EntryView, FolderView, GalleryView, LinkView } from './pages/views.js';
import type { Presented } from './presentation.js';

/** The nodes above one, nearest first. */
export type Lineage = readonly NodeDocument[];

export const addressOfNode = (node: NodeDocument, lineage: Lineage): string => publicPathOf(pathOf(node, lineage));

/** A part of a page's version. */
export const versionOf = ({ _id, revision }: NodeDocument): string => `${_id}:${revision}`;

const globalId = ({ _id }: NodeDocument): string => toGlobalId('ContentNode', _id);

export const linkTo = (node: NodeDocument, lineage: Lineage): LinkView => ({
  title: node.title,
  path: addressOfNode(node, lineage),
});

/** From the root to the parent. */
export const trailOf = (lineage: Lineage, isShown: (node: NodeDocument) => boolean): LinkView[] =>
  lineage
    .map((node, at) => ({ node, above: lineage.slice(at + 1) }))
    .filter(({ node }) => isShown(node))
    .map(({ node, above }) => linkTo(node, above))
    .toReversed();

export const entryView = (node: NodeDocument, path: string, presented: Presented): EntryView => ({
  ...presented,
  id: globalId(node),
  type: node.type as EntryType, // groups have views of their own
  nonce: node.nonce,
  path,
  title: node.title,
  author: node.author.name === '' ? null : node.author.name,
  publishedAt: node.published ?? node.created,
  editedAt: editedAt(node),
  tags: node.tags.map((tag) => ({ title: tag, path: tagPath(tag) })),
  source: node.detail.source ?? '',
  readingMinutes: readingMinutesOf(node.words),
});

/** A node that was stored once was not edited, even if it was published long before, as imported texts are. */
function editedAt({ version, edited, published, created }: NodeDocument): Date {
  const shownSince = published ?? created;
  return version > 1 && edited > shownSince ? edited : shownSince;
}

const descriptionOf = ({ detail, excerpt }: NodeDocument): string => detail.description ?? excerpt;

export const blogView = (node: NodeDocument, path: string): BlogView => ({
  id: globalId(node),
  path,
  title: node.title,
  description: descriptionOf(node),
  feeds: feedsAt(path),
});

export const galleryView = (node: NodeDocument, path: string): GalleryView => ({
  id: globalId(node),
  nonce: node.nonce,
  path,
  title: node.title,
  description: descriptionOf(node),
});

export const folderView = (node: NodeDocument, path: string, children: FolderView['children']): FolderView => ({
  path,
  title: node.title,
  description: descriptionOf(node),
  children,
});

/** The latest change of what is shown. A scheduled post changes a list when its time has come. */
export function changedAt(nodes: readonly NodeDocument[]): Date | null {
  const times = nodes.flatMap(({ edited, published }) => [edited.getTime(), published?.getTime() ?? 0]);
  return times.length === 0 ? null : new Date(Math.max(...times));
}
