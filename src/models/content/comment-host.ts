/** Nodes, for imports and exports of their comments: by path, and in the order in which an export of content has them. */
import type { Db } from 'mongodb';
import type { CommentHost } from '../commentable.js';
import { beginWalk, type WalkPosition, walkFrom } from './export/export-walk.js';
import { findNode, findNodesById, ROOT } from './nodes/node.js';
import { subjectOf } from './nodes/node-comments.js';
import { findByPath, findPath } from './nodes/node-path.js';

/** Of the node itself, or of one below it. */
type Position = { readonly isOwn: true } | WalkPosition;

export const nodeHost: CommentHost = {
  type: 'ContentNode',

  find: async (db, ids) => {
    const found = await findNodesById(db, ids);
    return new Map(found.filter(({ trash }) => !trash).map((node) => [node._id, subjectOf(node)]));
  },

  findByPath: async (db, below, path) => {
    const above = await pathAbove(db, below);
    const full = `${above}/${path.replace(/^\//, '')}`;
    if (above === null || full.length > PATH_LENGTH_MAX) return null;
    const found = await findByPath(db, full);
    return found && subjectOf(found.node);
  },

  async *walk(db, below, from) {
    const position = from as Position | null;
    const own = below === null ? null : await findNode(db, below);
    if (below !== null && (!own || own.trash)) return;
    if (own && (position === null || 'isOwn' in position))
      yield { subject: subjectOf(own), on: null, position: { isOwn: true } satisfies Position };
    const begin = position && 'frames' in position ? position : { frames: beginWalk(below ?? ROOT) };
    for await (const { node, path, frames } of walkFrom(db, begin))
      yield { subject: subjectOf(node), on: path, position: { frames, node: { id: node._id } } satisfies Position };
  },
};

const PATH_LENGTH_MAX = 1000;

/** @returns null if there is no such node */
async function pathAbove(db: Db, below: string | null): Promise<string | null> {
  if (below === null) return '';
  const node = await findNode(db, below);
  return node && !node.trash ? findPath(db, node) : null;
}
