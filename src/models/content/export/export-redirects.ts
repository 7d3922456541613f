/** The redirects of an export: those whose place is below the exported node and that lead to an exported one, group by group. */
import type { Db } from 'mongodb';
import { findNodesById, type NodeDocument } from '../nodes/node.js';
import { findRedirectsBelow, type RedirectDocument } from '../nodes/redirect.js';
import { findPathBelow } from './export-paths.js';
import { afterNode, beginWalk, type Frame, findChildren, framesBelow } from './export-walk.js';

export interface RedirectPosition {
  /** From the outermost to the innermost group. */
  readonly frames: readonly Frame[];
  /** The slug of the last redirect of the innermost group. Null when those are written: its groups come next. */
  readonly place: string | null;
}

const REDIRECTS_AT_ONCE = 50;

export const beginRedirects = (root: string): RedirectPosition => ({ frames: beginWalk(root), place: '' });

export interface RedirectLine {
  /** As `import-row.ts` reads it. */
  readonly row: object;
  /** After it. */
  readonly position: RedirectPosition;
}

export async function* readRedirects(
  db: Db,
  root: string,
  from: RedirectPosition,
): AsyncGenerator<RedirectLine, undefined> {
  let { frames, place } = from;
  for (let group = frames.at(-1); group; group = frames.at(-1)) {
    if (place === null) {
      frames = await nextGroup(db, frames, group);
      place = '';
      continue;
    }
    const batch = await findRedirectsBelow(db, group.parent, place, REDIRECTS_AT_ONCE);
    const paths = await findPaths(db, root, batch);
    for (const { node_id, slug, at } of batch) {
      const path = paths.get(node_id);
      if (path === undefined) continue;
      yield { row: { redirect: `${group.prefix}${slug}`, path, at }, position: { frames, place: slug } };
    }
    place = batch.length < REDIRECTS_AT_ONCE ? null : (batch.at(-1)?.slug ?? null);
  }
}

/** The frames of the group that comes next: below this one, or after it. Empty when it was the last. */
async function nextGroup(db: Db, from: readonly Frame[], innermost: Frame): Promise<readonly Frame[]> {
  let frames = from;
  for (let frame: Frame | undefined = innermost; frame; frame = frames.at(-1)) {
    const batch: NodeDocument[] = frame.isLast ? [] : await findChildren(db, frame);
    if (batch.length === 0) frames = frames.slice(0, -1);
    for (const node of batch) {
      frames = [...afterNode(frames, node), ...framesBelow(node, frame.prefix)];
      if (frames.at(-1)?.parent === node._id) return frames;
    }
  }
  return frames;
}

/** The paths of the nodes to which redirects lead. Those in the trash or elsewhere have none. */
async function findPaths(
  db: Db,
  root: string,
  redirects: readonly RedirectDocument[],
): Promise<ReadonlyMap<string, string>> {
  if (redirects.length === 0) return new Map();
  const paths = new Map<string, string>();
  for (const node of await findNodesById(db, [...new Set(redirects.map(({ node_id }) => node_id))])) {
    const path = node.trash ? null : await findPathBelow(db, root, node);
    if (path !== null) paths.set(node._id, path);
  }
  return paths;
}
