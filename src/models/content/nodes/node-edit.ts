/** Editing the content of nodes, and restoring old content. */
import type { Db } from 'mongodb';
import { InputError } from '../../../shared/errors.js';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import type { NodeContent, NodeDocument, NodeType } from './node.js';
import { changeNode, type EditConflict, type NodeNotFound, type Write } from './node-change.js';
import { isSameContent } from './node-difference.js';
import { type DetailInput, requireDetail, requireExcerpt, requirePublished, requireTitle } from './node-input.js';
import { findVersionByNumber } from './node-version.js';

/** Undefined leaves a field as it is. */
export interface NodeChanges extends DetailInput {
  readonly title?: string | null | undefined;
  readonly excerpt?: string | null | undefined;
  readonly publishedAt?: Date | null | undefined;
}

export interface Edit {
  readonly id: string;
  readonly nonce: string;
  readonly changes: NodeChanges;
}

/**
 * Changes a node that still has the nonce that the editor loaded. Of two editors who loaded the same version, one wins. The other gets
 * the differences, with both changes merged where they do not touch the same lines, and decides.
 * @throws InputError
 */
export function editNode(
  db: Db,
  write: Write,
  { id, nonce, changes }: Edit,
): Promise<NodeDocument | NodeNotFound | EditConflict> {
  return changeNode<never>(db, write, {
    id,
    nonce,
    wanted: (base, { type }) => changed(type, base, changes),
    apply: async (_session, before) => {
      const content = changed(before.type, before, changes);
      return isSameContent(before, content) ? before : { ...before, ...content };
    },
  });
}

/** @throws InputError */
function changed(type: NodeType, before: NodeContent, changes: NodeChanges): NodeContent {
  const { title, excerpt, publishedAt } = changes;
  if (title === null) throw new InputError('changes.title', 'must not be null');
  return {
    slug: before.slug,
    parent_id: before.parent_id,
    title: title === undefined ? before.title : requireTitle('changes.title', title),
    excerpt: excerpt === undefined ? before.excerpt : requireExcerpt('changes.excerpt', excerpt ?? ''),
    published: publishedAt === undefined ? before.published : requirePublished('changes.publishedAt', publishedAt),
    detail: requireDetail('changes', type, before.detail, changes),
  };
}

export type VersionNotFound = Refusal<'VersionNotFound'>;

export interface Restoration {
  readonly id: string;
  readonly nonce: string;
  /** The number of the old version. */
  readonly version: number;
}

/** Creates a new version with the content of an old one. Place, publication time and tags stay. */
export async function restoreVersion(
  db: Db,
  write: Write,
  { id, nonce, version: number }: Restoration,
): Promise<NodeDocument | NodeNotFound | EditConflict | VersionNotFound> {
  // A version never changes, so it may be read before.
  const old = await findVersionByNumber(db, undefined, id, number);
  const restored = (content: NodeContent): NodeContent => ({
    ...(old ?? content),
    slug: content.slug,
    parent_id: content.parent_id,
    published: content.published,
  });
  return changeNode(db, write, {
    id,
    nonce,
    wanted: restored,
    apply: async (session, before) => {
      const found = await findVersionByNumber(db, session, id, number);
      if (!found) return refuse('VersionNotFound', `The node has no version ${number}`);
      const { title, excerpt, detail } = found;
      const content = { ...before, title, excerpt, detail };
      return isSameContent(before, content) ? before : content;
    },
  });
}
