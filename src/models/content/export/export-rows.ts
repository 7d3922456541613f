/**
 * The rows of an export: each version of each node below a node, in the order in which an import needs them: a parent before what is below
 * it, a version before the next one. Siblings are in the order of their slugs, so that the export of an import is the same file.
 */
import type { Db } from 'mongodb';
import { isGroup } from '../nodes/group.js';
import { findNode, nodes, type StoredNode } from '../nodes/node.js';
import { type StoredVersion, versions } from '../nodes/node-version.js';

/** A group whose children are being written. */
interface Frame {
  readonly parent: string;
  /** The path of its children begins with it. */
  readonly prefix: string;
  /** The slug of the child that was written last. */
  readonly after: string;
}

export interface ExportPosition {
  /** From the outermost to the innermost. */
  readonly frames: readonly Frame[];
  /** The node whose versions are being written, which is a child of the innermost group. */
  readonly node?: { readonly id: string; readonly version: number };
}

export interface ExportRow {
  readonly line: string;
  /** After it. */
  readonly position: ExportPosition;
}

const NODES_AT_ONCE = 50;
const VERSIONS_AT_ONCE = 20;

export const beginExport = (parentId: string): ExportPosition => ({
  frames: [{ parent: parentId, prefix: '', after: '' }],
});

/** The slugs of nodes in the trash start with `~`, which comes after all others. */
const notInTrash = (after: string) => ({ $gt: after, $lt: '~' });

export async function* readExportRows(db: Db, from: ExportPosition): AsyncGenerator<ExportRow, undefined> {
  let { frames } = from;
  if (from.node) {
    const node = await findNode(db, from.node.id);
    const frame = frames.at(-1);
    if (node && frame && !node.trash) {
      yield* versionsOf(db, node, frames, frame.prefix, from.node.version);
      frames = [...afterNode(frames, node), ...framesBelow(node, frame.prefix)];
    }
  }
  for (let frame = frames.at(-1); frame; frame = frames.at(-1)) {
    const batch = await findChildren(db, frame);
    if (batch.length === 0) frames = frames.slice(0, -1);
    for (const node of batch) {
      yield* versionsOf(db, node, frames, frame.prefix, 0);
      frames = [...afterNode(frames, node), ...framesBelow(node, frame.prefix)];
      if (frames.at(-1)?.parent === node._id) break; // what is below it comes next
    }
  }
}

const findChildren = (db: Db, { parent, after }: Frame): Promise<StoredNode[]> =>
  nodes(db)
    .find({ parent_id: parent, slug: notInTrash(after) })
    .sort({ slug: 1 })
    .limit(NODES_AT_ONCE)
    .toArray();

/** The innermost group has written this child. */
const afterNode = (frames: readonly Frame[], { slug }: StoredNode): Frame[] => {
  const innermost = frames.at(-1);
  return innermost ? [...frames.slice(0, -1), { ...innermost, after: slug }] : [];
};

const framesBelow = (node: StoredNode, prefix: string): Frame[] =>
  isGroup(node.type) ? [{ parent: node._id, prefix: `${prefix}${node.slug}/`, after: '' }] : [];

async function* versionsOf(
  db: Db,
  node: StoredNode,
  frames: readonly Frame[],
  prefix: string,
  after: number,
): AsyncGenerator<ExportRow> {
  let last = after;
  for (;;) {
    const batch = await versions(db)
      .find({ '_id.node': node._id, version: { $gt: last } })
      .sort({ version: 1 })
      .limit(VERSIONS_AT_ONCE)
      .toArray();
    for (const version of batch) {
      const line = `${JSON.stringify(rowOf(node, version, `${prefix}${node.slug}`))}\n`;
      yield { line, position: { frames, node: { id: node._id, version: version.version } } };
    }
    last = batch.at(-1)?.version ?? last;
    if (batch.length < VERSIONS_AT_ONCE) return;
  }
}

/** As `import-row.ts` reads it: the first version has what belongs to the node. Absent fields are left out. */
function rowOf(node: StoredNode, version: StoredVersion, path: string): object {
  const { detail } = version;
  const isFirst = version.version === 1;
  return {
    path,
    ...(isFirst ? { type: node.type } : { version: version.version }),
    title: version.title,
    ...(version.excerpt !== '' && { excerpt: version.excerpt }),
    text: detail.text,
    description: detail.description,
    videoUrl: detail.video_url,
    source: detail.source,
    ...(isFirst && node.tags.length > 0 && { tags: node.tags }),
    ...(version.published && { publishedAt: version.published }),
    at: version.at,
    author: version.author.name,
    ...(isFirst && { commentPolicy: node.comment_policy, commentDesign: node.comment_design }),
  };
}
