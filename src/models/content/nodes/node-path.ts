/**
 * Paths: from a path to its node, and from nodes to the nodes above them. A path is not stored: it follows from parents and slugs, so
 * that a move changes one document. A former path leads to the node through the redirects that moves and deletions leave.
 */
import type { ClientSession, Db, Document } from 'mongodb';
import { InputError } from '../../../shared/errors.js';
import { DEPTH_MAX } from './group.js';
import { asNode, findChild, groupTypes, type NodeDocument, nodes, ROOT, type StoredNode } from './node.js';
import { type FormerNode, findFormer } from './redirect.js';

const PATH_LENGTH_MAX = 1000;

/** @returns the slugs, or null when no node can have this path @throws InputError */
function slugsOf(path: string): string[] | null {
  if (!path.startsWith('/') || path.length > PATH_LENGTH_MAX)
    throw new InputError('path', `must start with / and have at most ${PATH_LENGTH_MAX} characters`);
  const slugs = path.slice(1).split('/');
  return slugs.includes('') || slugs.length > DEPTH_MAX ? null : slugs;
}

export interface FoundByPath {
  readonly node: NodeDocument;
  /** Whether the path is a former one. */
  readonly isMoved: boolean;
}

/** @returns also null when the node was deleted @throws InputError the path does not start with / or is too long */
export async function findByPath(db: Db, path: string): Promise<FoundByPath | null> {
  const found = await lookUpPath(db, path);
  return found === 'GONE' ? null : found;
}

/**
 * One query, unless there is no node at the path.
 * @returns `GONE` when everybody could once see what was there, and it was deleted @throws InputError as `findByPath`
 */
export async function lookUpPath(db: Db, path: string): Promise<FoundByPath | 'GONE' | null> {
  const slugs = slugsOf(path);
  if (!slugs) return null;
  const node = await findBySlugs(db, slugs);
  if (node) return { node, isMoved: false };
  const former = await findByFormerSlugs(db, slugs);
  if (former?.node && !former.node.trash) return { node: former.node, isMoved: true };
  return former?.wasPublic ? 'GONE' : null;
}

/** All levels in one command: each one is looked up by parent and slug, on the unique index. */
async function findBySlugs(db: Db, [first = '', ...below]: readonly string[]): Promise<NodeDocument | null> {
  if (below.length === 0) return findChild(db, ROOT, first);
  const levels = below.flatMap((slug): Document[] => [
    {
      $lookup: {
        from: nodes.collectionName,
        localField: '_id',
        foreignField: 'parent_id',
        pipeline: [{ $match: { slug } }],
        as: 'child',
      },
    },
    { $unwind: '$child' },
    { $replaceRoot: { newRoot: '$child' } },
  ]);
  const [found] = await nodes(db)
    .aggregate<StoredNode>([{ $match: { parent_id: ROOT, slug: first } }, ...levels])
    .toArray();
  return found ? asNode(found) : null;
}

/**
 * Level by level, each either a node or a redirect: at most three reads per level, which ends because each uses up a slug. What was below
 * a deleted group is found through the group's redirect.
 */
async function findByFormerSlugs(db: Db, slugs: readonly string[]): Promise<FormerNode | null> {
  let former: FormerNode | null = null;
  for (const slug of slugs) {
    const parentId: string = former?.id ?? ROOT;
    const child = await findChild(db, parentId, slug);
    if (child?.trash) return null; // by the slug of the trash, which is nobody's address
    former = child ? { id: child._id, node: child, wasPublic: false } : await findFormer(db, parentId, slug);
    if (!former) return null;
  }
  return former;
}

interface Lineage extends StoredNode {
  above: (StoredNode & { distance: number })[];
}

/**
 * The nodes above each of these parents and the parents themselves, nearest first, in one command.
 * @returns by parent; empty for `ROOT` and for unknown ids
 */
export async function findLineages(
  db: Db,
  parentIds: readonly string[],
  session?: ClientSession,
): Promise<ReadonlyMap<string, readonly NodeDocument[]>> {
  const ids = parentIds.filter((id) => id !== ROOT);
  if (ids.length === 0) return new Map();
  const found = await nodes(db)
    .aggregate<Lineage>(
      [
        { $match: { _id: { $in: ids } } },
        {
          $graphLookup: {
            from: nodes.collectionName,
            startWith: '$parent_id',
            connectFromField: 'parent_id',
            connectToField: '_id',
            as: 'above',
            maxDepth: DEPTH_MAX,
            depthField: 'distance',
          },
        },
      ],
      { ...(session && { session }) },
    )
    .toArray();
  return new Map(
    found.map(({ above, ...parent }) => [
      parent._id,
      [parent, ...above.sort((one, other) => one.distance - other.distance)].map(asNode),
    ]),
  );
}

/** The path of a node below these nodes. @param lineage nearest first */
export const pathOf = ({ slug }: Pick<NodeDocument, 'slug'>, lineage: readonly Pick<NodeDocument, 'slug'>[]): string =>
  `/${[...lineage.map((above) => above.slug).toReversed(), slug].join('/')}`;

/** The path of one node: two commands, or one for a root. Lists use the loader. */
export async function findPath(db: Db, node: NodeDocument, session?: ClientSession): Promise<string> {
  const lineages = await findLineages(db, [node.parent_id], session);
  return pathOf(node, lineages.get(node.parent_id) ?? []);
}

/** The ids of the groups in a subtree with their depth below its root, which has 0. @param limit one more is read */
export async function findGroupsBelow(
  db: Db,
  session: ClientSession,
  root: string,
  limit: number,
): Promise<{ node: NodeDocument; distance: number }[]> {
  const groups: { node: NodeDocument; distance: number }[] = [];
  let parents = [root];
  for (let distance = 1; parents.length > 0 && groups.length <= limit; distance += 1) {
    const level = await nodes(db)
      .find({ parent_id: { $in: parents }, type: { $in: [...groupTypes] } }, { session })
      .limit(limit + 1 - groups.length)
      .map(asNode)
      .toArray();
    groups.push(...level.map((node) => ({ node, distance })));
    parents = level.map(({ _id }) => _id);
  }
  return groups;
}
