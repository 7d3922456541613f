/** Creating nodes. */
import type { ClientSession, Db } from 'mongodb';
import type { CommentDesign, CommentPolicy } from '../../comments/discussion/comment.js';
import { noteAuthors } from './author-name.js';
import type { NodeDocument, NodeType } from './node.js';
import { findNode, nodes, ROOT } from './node.js';
import { derived, inNodeTransaction, type Write } from './node-change.js';
import {
  type DetailInput,
  requireDetail,
  requireExcerpt,
  requirePublished,
  requireSlug,
  requireTags,
  requireTitle,
  slugOf,
} from './node-input.js';
import { claimPictures } from './node-picture.js';
import { versionOf, versions } from './node-version.js';
import { countChild, findPlace, NO_HEIGHT, type ParentNotFound, type SlugTaken } from './parent.js';
import { rankedAsGiven } from './photo-rank.js';
import { takePlace } from './redirect.js';
import { requireCreatable } from './rights.js';
import { moveTagCounts } from './tag.js';

export interface NewNode extends DetailInput {
  readonly type: NodeType;
  /** As stored. Null or omitted for a root. */
  readonly parentId?: string | null | undefined;
  readonly slug?: string | null | undefined;
  readonly title: string;
  readonly excerpt?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly publishedAt?: Date | null | undefined;
  readonly commentPolicy?: CommentPolicy | undefined;
  readonly commentDesign?: CommentDesign | undefined;
}

/**
 * Creates a node. A repeat with the same call returns the node that the first attempt created, as it is now.
 * @returns a refusal, with nothing changed, when its slug is taken or its parent does not group such nodes
 * @throws InputError @throws LimitError the tree would become too deep @throws SextantError FORBIDDEN
 */
export async function createNode(
  db: Db,
  write: Write,
  input: NewNode,
): Promise<NodeDocument | SlugTaken | ParentNotFound> {
  const node = requireNewNode(input, write);
  return inNodeTransaction(db, (session) => insertNode(db, session, node, write), write.attempt);
}

/** The same within a transaction of the caller, for imports of many nodes. */
export async function insertNode(
  db: Db,
  session: ClientSession,
  node: NodeDocument,
  write: Omit<Write, 'call'>,
): Promise<NodeDocument | SlugTaken | ParentNotFound> {
  const done = await findNode(db, node._id, session);
  if (done) return done; // an earlier attempt of the same call
  const { type, parent_id: parentId, slug } = node;
  const above = await findPlace(db, session, { type, parentId, slug, height: NO_HEIGHT }, write);
  if ('__typename' in above) return above;
  const [parent] = above;
  if (parent) await countChild(db, session, parent, 1);
  await takePlace(db, session, node);
  await claimPictures(db, session, null, node, write, { prefix: 'input', now: node.created });
  const placed = await rankedAsGiven(db, session, parent, node);
  await nodes(db).insertOne(placed, { session });
  await noteAuthors(db, session, [write.author]);
  await versions(db).insertOne(versionOf(placed, write.author), { session });
  await moveTagCounts(db, session, [{ before: null, after: placed }]);
  return placed;
}

/** @param write.now default: `at` @throws InputError @throws LimitError @throws SextantError FORBIDDEN */
export function requireNewNode(
  input: NewNode,
  { call, at, now = at, ...writer }: Write & { readonly now?: Date },
): NodeDocument {
  requireCreatable(input.type, writer);
  const { type, parentId, slug, publishedAt, commentPolicy, commentDesign } = input;
  const title = requireTitle('input.title', input.title);
  const fallback = `${type.toLowerCase().replace('_', '-')}-${call.slice(0, 8).toLowerCase()}`;
  return derived(
    {
      _id: call,
      type,
      parent_id: parentId ?? ROOT,
      slug: slug === null || slug === undefined ? slugOf(title, fallback) : requireSlug('input.slug', slug),
      title,
      excerpt: requireExcerpt('input.excerpt', input.excerpt ?? ''),
      published: requirePublished('input.publishedAt', publishedAt ?? null),
      detail: requireDetail('input', type, {}, input),
      nonce: call,
      version: 1,
      revision: 1,
      author: writer.author,
      created: at,
      edited: at,
      tags: requireTags('input.tags', input.tags ?? []),
      children: 0,
      comment_policy: commentPolicy ?? 'MEMBERS',
      comment_design: commentDesign ?? 'ONE_EACH',
    },
    now,
  );
}
