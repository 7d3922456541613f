/**
 * Moving nodes. Nothing below a node changes with it, because paths are not stored. The groups below it are counted as written, so that
 * the move conflicts with another one, or with a new child, that would make a cycle or a tree that is too deep.
 */
import type { ClientSession, Db } from 'mongodb';
import { LimitError } from '../../../shared/errors.js';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import { isGroup } from './group.js';
import { findNode, type NodeDocument, nodes } from './node.js';
import { changeNode, type EditConflict, type NodeNotFound, type Write } from './node-change.js';
import { requireSlug } from './node-input.js';
import { findGroupsBelow } from './node-path.js';
import { countChild, findPlace, NO_HEIGHT, type ParentNotFound, type SlugTaken } from './parent.js';
import { rankedFirst } from './photo-rank.js';
import { leaveRedirect, takePlace } from './redirect.js';

export interface Move {
  readonly id: string;
  readonly nonce: string;
  /** Undefined leaves it. */
  readonly slug?: string | undefined;
  /** As stored. Undefined leaves it. */
  readonly parentId?: string | undefined;
}

export type NodeCycle = Refusal<'NodeCycle'>;

const GROUPS_MAX = 1000;

/**
 * Gives a node another slug, another parent, or both, and leaves a redirect.
 * @throws InputError @throws LimitError the tree would become too deep, or there are over 1000 groups below the node
 */
export async function moveNode(
  db: Db,
  write: Write,
  { id, nonce, slug: newSlug, parentId }: Move,
): Promise<NodeDocument | NodeNotFound | EditConflict | SlugTaken | ParentNotFound | NodeCycle> {
  if (newSlug !== undefined) requireSlug('slug', newSlug);
  const moved = <Placed extends { slug: string; parent_id: string }>(node: Placed): Placed => ({
    ...node,
    slug: newSlug ?? node.slug,
    parent_id: parentId ?? node.parent_id,
  });
  return changeNode<SlugTaken | ParentNotFound | NodeCycle>(db, write, {
    id,
    nonce,
    wanted: moved,
    apply: async (session, before) => {
      const after = moved(before);
      if (after.slug === before.slug && after.parent_id === before.parent_id) return before;
      const placed = await takeNewPlace(db, session, before, after, write);
      if ('__typename' in placed) return placed;
      await leaveRedirect(db, session, before, write.at);
      return placed;
    },
  });
}

async function takeNewPlace(
  db: Db,
  session: ClientSession,
  before: NodeDocument,
  after: NodeDocument,
  write: Write,
): Promise<NodeDocument | SlugTaken | ParentNotFound | NodeCycle> {
  const { type, slug, parent_id: parentId } = after;
  const isElsewhere = parentId !== before.parent_id;
  const groups = isElsewhere && isGroup(type) ? await holdGroups(db, session, before._id) : [];
  if (parentId === before._id || groups.some(({ node }) => node._id === parentId))
    return refuse('NodeCycle', 'A node cannot be below itself');
  const above = await findPlace(db, session, { type, parentId, slug, height: heightOf(before, groups) }, write);
  if ('__typename' in above) return above;
  if (isElsewhere) {
    const former = await findNode(db, before.parent_id, session);
    if (former) await countChild(db, session, former, -1);
    const [parent] = above;
    if (parent) await countChild(db, session, parent, 1);
  }
  await takePlace(db, session, after);
  return isElsewhere ? rankedFirst(db, session, above[0], after) : after;
}

type Group = Awaited<ReturnType<typeof findGroupsBelow>>[number];

/** Reads the groups below a node, and marks each as written. @throws LimitError */
async function holdGroups(db: Db, session: ClientSession, id: string): Promise<Group[]> {
  const groups = await findGroupsBelow(db, session, id, GROUPS_MAX);
  if (groups.length > GROUPS_MAX)
    throw new LimitError(`At most ${GROUPS_MAX} folders, blogs and galleries can be moved at once`, GROUPS_MAX);
  if (groups.length === 0) return groups;
  const marks = groups.map(({ node: { _id, parent_id, slug } }) => ({
    updateOne: { filter: { _id, parent_id, slug }, update: { $inc: { revision: 1 } } }, // guard: the transaction
  }));
  await nodes(db).bulkWrite(marks, { session });
  return groups;
}

/** How many levels are below the node: of groups, and of any nodes. */
function heightOf({ type, children }: NodeDocument, groups: readonly Group[]) {
  if (!isGroup(type)) return NO_HEIGHT;
  const height = groups.reduce((highest, { distance }) => Math.max(highest, distance), 0);
  const deepest = groups.filter(({ distance }) => distance === height);
  const hasLeaves = height === 0 ? children > 0 : deepest.some(({ node }) => node.children > 0);
  return { groups: height, leaves: hasLeaves ? height + 1 : height };
}
