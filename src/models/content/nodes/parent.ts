/** The place of a node: under a parent that groups its kind, at a depth that the tree allows, under a slug that is free. */
import { randomBytes } from 'node:crypto';
import type { ClientSession, Db } from 'mongodb';
import { LimitError } from '../../../shared/errors.js';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import { DEPTH_MAX, depthMaxOf, groups, mayBeRoot } from './group.js';
import { type NodeDocument, type NodeType, nodes, ROOT } from './node.js';
import { findLineages } from './node-path.js';
import { isSeen, sightOfWriter, type Writer } from './rights.js';

export type ParentNotFound = Refusal<'ParentNotFound'>;
export type SlugTaken = Refusal<'SlugTaken', { readonly suggestion: string }>;

export interface Place {
  readonly type: NodeType;
  readonly parentId: string;
  readonly slug: string;
  /** How many levels of groups, and of leaves, are below the node itself. */
  readonly height: { readonly groups: number; readonly leaves: number };
}

/** Who puts it there, and when. */
type PlacedBy = Writer & { readonly at: Date };

export const NO_HEIGHT = { groups: 0, leaves: 0 };

/**
 * Checks a place that a node is about to take, and what is above it.
 * @param by a parent that the writer may not see does not exist for them
 * @returns the nodes above, nearest first, or a refusal @throws LimitError the tree would become too deep
 */
export async function findPlace(
  db: Db,
  session: ClientSession,
  place: Place,
  by: PlacedBy,
): Promise<readonly NodeDocument[] | ParentNotFound | SlugTaken> {
  const { parentId, slug } = place;
  const lineage = await findLineage(db, session, place, by);
  if ('__typename' in lineage) return lineage;
  requireDepth(place, lineage.length + 1);
  const occupant = await nodes(db).findOne({ parent_id: parentId, slug }, { session, projection: { _id: 1 } });
  return occupant ? slugTaken(db, session, parentId, slug) : lineage;
}

async function findLineage(
  db: Db,
  session: ClientSession,
  { type, parentId }: Place,
  by: PlacedBy,
): Promise<readonly NodeDocument[] | ParentNotFound> {
  if (parentId === ROOT)
    return mayBeRoot(type) ? [] : refuse('ParentNotFound', `A node of the type ${type} needs a parent`);
  const lineage = (await findLineages(db, [parentId], session)).get(parentId) ?? [];
  const [parent] = lineage;
  if (!parent || parent.trash || !isSeen(parent, sightOfWriter(by), by.at))
    return refuse('ParentNotFound', 'There is no such parent, or it is in the trash');
  if (!groups(parent.type, type))
    return refuse('ParentNotFound', `A node of the type ${parent.type} does not group nodes of the type ${type}`);
  return lineage;
}

/** @throws LimitError */
function requireDepth({ type, height }: Place, depth: number): void {
  const fits = depth + height.groups <= depthMaxOf(type) && depth + height.leaves <= DEPTH_MAX;
  if (!fits) throw new LimitError(`The tree may be at most ${DEPTH_MAX} levels deep`, DEPTH_MAX);
}

const SUGGESTIONS = 20;

async function slugTaken(db: Db, session: ClientSession, parentId: string, slug: string): Promise<SlugTaken> {
  const stem = slug.slice(0, 90).replace(/-+$/, ''); // leaves room for the number
  const candidates = Array.from({ length: SUGGESTIONS }, (_, at) => `${stem}-${at + 2}`);
  const found = await nodes(db)
    .find({ parent_id: parentId, slug: { $in: candidates } }, { session, projection: { slug: 1 } })
    .toArray();
  const taken = new Set(found.map((node) => node.slug));
  const suggestion = candidates.find((each) => !taken.has(each)) ?? `${stem}-${randomBytes(4).toString('hex')}`;
  return refuse('SlugTaken', `Another node with the same parent has the slug ${slug}`, { suggestion });
}

/**
 * Counts a child in or out. Call it in the transaction that puts it there or takes it away: so it conflicts with one that moves or
 * deletes the parent at the same time.
 */
export async function countChild(db: Db, session: ClientSession, parent: NodeDocument, by: 1 | -1): Promise<void> {
  const { _id, parent_id, slug } = parent;
  await nodes(db).updateOne({ _id, parent_id, slug }, { $inc: { children: by, revision: 1 } }, { session });
}
