/** Paths below the node whose content is exported, for what is not found by walking there. */
import type { Db } from 'mongodb';
import { TRASH_SLUG } from '../import/import-row.js';
import { type NodeContent, ROOT } from '../nodes/node.js';
import { findLineages } from '../nodes/node-path.js';

type Place = Pick<NodeContent, 'parent_id' | 'slug'>;

/** @param root the node, or `ROOT` @returns null if the place is not below it */
export async function findPathBelow(db: Db, root: string, { parent_id, slug }: Place): Promise<string | null> {
  if (parent_id === root) return slug;
  const lineage = (await findLineages(db, [parent_id])).get(parent_id) ?? [];
  const end = root === ROOT ? lineage.length : lineage.findIndex(({ _id }) => _id === root);
  const above = lineage.slice(0, Math.max(0, end));
  if (above.length === 0 || above.some(({ trash }) => trash)) return null;
  return [...above.map((node) => node.slug).toReversed(), slug].join('/');
}

/**
 * Where a version was, if not at the path of its node. A former parent that is not exported is replaced by the present one.
 * @param path of the node
 */
export async function findPreviousPath(
  db: Db,
  root: string,
  { path, node, version }: { readonly path: string; readonly node: Place; readonly version: Place },
): Promise<string | undefined> {
  if (version.slug === node.slug && version.parent_id === node.parent_id) return undefined;
  const slug = version.slug.startsWith(TRASH_SLUG) ? TRASH_SLUG : version.slug;
  const atPresent = `${path.slice(0, path.lastIndexOf('/') + 1)}${slug}`;
  const found =
    version.parent_id === node.parent_id
      ? atPresent
      : ((await findPathBelow(db, root, { ...version, slug })) ?? atPresent);
  return found === path ? undefined : found;
}
