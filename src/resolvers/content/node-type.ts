/** The SDL types of nodes, and who sees which nodes. */
import type { NodeDocument, NodeType } from '../../models/content/nodes/node.js';
import { isSeen, type Sight } from '../../models/content/nodes/rights.js';
import type { Context } from '../../server/context/context.js';
import { hasRole } from '../../server/identity/viewer.js';
import { idOfType } from '../../shared/global-id.js';
import { readersOf } from '../support/access.js';

const TYPES = {
  PAGE: 'Page',
  BLOG_POST: 'BlogPost',
  PHOTO: 'Photo',
  VIDEO: 'Video',
  IMAGE: 'ImagePost',
  QUOTE: 'Quote',
  FOLDER: 'Folder',
  BLOG: 'Blog',
  GALLERY: 'Gallery',
} as const satisfies Record<NodeType, string>;

export const typeOfNode = ({ type }: Pick<NodeDocument, 'type'>) => TYPES[type];

/** `__resolveType` of a result union: refusals carry their type, nodes have a kind. */
export const typeOfOutcome = (outcome: { readonly __typename?: string } | NodeDocument) =>
  ('type' in outcome ? typeOfNode(outcome) : outcome.__typename) as never;

const seesAll = readersOf('CONTENT_READ');

/** What the caller sees besides public nodes. */
export function sightOf(context: Context): Sight {
  const { viewer } = context;
  if (seesAll(context)) return 'ALL';
  return viewer.id !== null && hasRole(viewer, 'AUTHOR') ? { authorId: viewer.id } : 'PUBLIC';
}

/** @returns the node if the caller may see it; otherwise null, as if it did not exist */
export const visible = (context: Context, node: NodeDocument | null): NodeDocument | null =>
  node && isSeen(node, sightOf(context), context.now()) ? node : null;

/** The stored id. An id of another type is one of no node. */
export const nodeIdOf = (globalId: string): string => idOfType('ContentNode', globalId) ?? '';
