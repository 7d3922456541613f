/**
 * Who sees and writes which nodes. Editors: all. Authors: posts and photos of their own; they also see the groups that these go into.
 * Everybody else sees what is public. What an author's nodes may show is in `picture-rights.ts`.
 */
import type { ClientSession, Db } from 'mongodb';
import { SextantError } from '../../../shared/errors.js';
import type { AuthorReference } from '../../people/author.js';
import { isGroup } from './group.js';
import { findNode, isPublic, type NodeDocument, type NodeType } from './node.js';

/** What somebody sees besides public nodes: everything, nothing, or what an author sees. */
export type Sight = 'ALL' | 'PUBLIC' | { readonly authorId: string };

type Seen = Pick<NodeDocument, 'author' | 'type' | 'trash' | 'published'>;

export const isSeen = (node: Seen, sight: Sight, now: Date): boolean =>
  isPublic(node, now) || isSeenInEveryState(node, sight) || (sight !== 'PUBLIC' && isGroup(node.type) && !node.trash);

/** Also as a draft, in the trash, and in its former versions. */
export const isSeenInEveryState = ({ author }: Pick<Seen, 'author'>, sight: Sight): boolean =>
  sight === 'ALL' || (sight !== 'PUBLIC' && author._id === sight.authorId);

/** Whether everybody may see a picture now, because of any domain. */
export type IsPublicPicture = (id: string) => Promise<boolean>;

/** On whose behalf nodes are written. */
export interface Writer {
  readonly author: AuthorReference;
  /** Only posts and photos of `author` may be written. Omitted: all nodes. */
  readonly ownOnly?: boolean | undefined;
  /** For `ownOnly`. Omitted: none is known to be public. */
  readonly isPublicPicture?: IsPublicPicture | undefined;
}

export const sightOfWriter = ({ author, ownOnly = false }: Writer): Sight =>
  ownOnly ? { authorId: author._id ?? '' } : 'ALL';

const WORKS: readonly NodeType[] = ['BLOG_POST', 'VIDEO', 'IMAGE', 'QUOTE', 'PHOTO'];

const OWN_ONLY = 'Authors write posts and photos of their own';

/** @throws SextantError FORBIDDEN the writer creates no nodes of this kind */
export function requireCreatable(type: NodeType, { ownOnly = false }: Writer): void {
  if (ownOnly && !WORKS.includes(type)) throw new SextantError('FORBIDDEN', OWN_ONLY);
}

/**
 * The node, if the writer may change it. Read in the transaction of the write: a node keeps its author.
 * @returns null also if the writer does not see the node @throws SextantError FORBIDDEN they see it, but may not change it
 */
export async function findWritable(
  db: Db,
  id: string,
  { author, ownOnly = false, at }: Writer & { readonly at: Date },
  session?: ClientSession,
): Promise<NodeDocument | null> {
  const node = await findNode(db, id, session);
  if (!node || !ownOnly) return node;
  const authorId = author._id ?? '';
  if (node.author._id === authorId && WORKS.includes(node.type)) return node;
  if (!isSeen(node, { authorId }, at)) return null;
  throw new SextantError('FORBIDDEN', OWN_ONLY);
}
