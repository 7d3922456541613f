/** The way of an export through a tree: a parent before what is below it, siblings in the order of their slugs. Any position can be kept. */
import type { Db } from 'mongodb';
import { isGroup } from '../nodes/group.js';
import { asNode, findNode, type NodeDocument, nodes } from '../nodes/node.js';

/** A group whose children are being written. */
export interface Frame {
  readonly parent: string;
  /** The path of its children begins with it. */
  readonly prefix: string;
  /** The slug of the child that was written last. */
  readonly after: string;
  /** There are no groups below it. */
  readonly isLast?: true;
}

export interface WalkPosition {
  /** From the outermost to the innermost. */
  readonly frames: readonly Frame[];
  /** The node at which the walk is, a child of the innermost group. */
  readonly node?: { readonly id: string };
}

export interface WalkedNode {
  readonly node: NodeDocument;
  readonly path: string;
  /** Before it. */
  readonly frames: readonly Frame[];
}

const NODES_AT_ONCE = 50;

export const beginWalk = (parentId: string): readonly Frame[] => [{ parent: parentId, prefix: '', after: '' }];

/** Begins with the node of the position again, if it is still there. */
export async function* walkFrom(db: Db, from: WalkPosition): AsyncGenerator<WalkedNode, undefined> {
  let { frames } = from;
  const current = from.node && (await findNode(db, from.node.id));
  const innermost = frames.at(-1);
  if (current && innermost && !current.trash) {
    yield { node: current, path: `${innermost.prefix}${current.slug}`, frames };
    frames = [...afterNode(frames, current), ...framesBelow(current, innermost.prefix)];
  }
  for (let frame = frames.at(-1); frame; frame = frames.at(-1)) {
    const batch = await findChildren(db, frame);
    if (batch.length === 0) frames = frames.slice(0, -1);
    for (const node of batch) {
      yield { node, path: `${frame.prefix}${node.slug}`, frames };
      frames = [...afterNode(frames, node), ...framesBelow(node, frame.prefix)];
      if (frames.at(-1)?.parent === node._id) break; // what is below it comes next
    }
  }
}

/** The slugs of nodes in the trash start with `~`, which comes after all others. */
const notInTrash = (after: string) => ({ $gt: after, $lt: '~' });

export const findChildren = (db: Db, { parent, after }: Frame): Promise<NodeDocument[]> =>
  nodes(db)
    .find({ parent_id: parent, slug: notInTrash(after) })
    .sort({ slug: 1 })
    .limit(NODES_AT_ONCE)
    .map(asNode)
    .toArray();

/** The innermost group has written this child. */
export const afterNode = (frames: readonly Frame[], { slug }: NodeDocument): Frame[] => {
  const innermost = frames.at(-1);
  return innermost ? [...frames.slice(0, -1), { ...innermost, after: slug }] : [];
};

export const framesBelow = ({ _id, type, slug }: NodeDocument, prefix: string): Frame[] =>
  isGroup(type)
    ? [{ parent: _id, prefix: `${prefix}${slug}/`, after: '', ...(type !== 'FOLDER' && { isLast: true }) }]
    : [];
