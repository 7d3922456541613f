/** Nodes for tests. */
import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import { visitOnly } from '../../../src/database/collections/snapshot-batches.js';
import { existing, type Subject } from '../../../src/models/comments/discussion/discussion.js';
import { DiscussionWriter } from '../../../src/models/comments/discussion-write.js';
import { postComment } from '../../../src/models/comments/posting.js';
import {
  findNodeViolations,
  findRedirectViolations,
  findTagViolations,
} from '../../../src/models/content/invariants.js';
import type { NodeDocument } from '../../../src/models/content/nodes/node.js';
import type { Write } from '../../../src/models/content/nodes/node-change.js';
import { discussionOfNode } from '../../../src/models/content/nodes/node-comments.js';
import { createNode, type NewNode } from '../../../src/models/content/nodes/node-creation.js';
import { editNode, type NodeChanges } from '../../../src/models/content/nodes/node-edit.js';

export const NOW = new Date('2026-03-01T12:00:00Z');
export const later = (ms: number): Date => new Date(NOW.getTime() + ms);

export const ann = { _id: 'ann', name: 'Ann' };
export const ben = { _id: 'ben', name: 'Ben' };

/** A write of a new call. */
export const write = (given: Partial<Write> = {}): Write => ({ call: randomUUID(), at: NOW, author: ann, ...given });

/** @returns the node, which must not be refused */
export function requireStored<T extends object>(outcome: T): Exclude<T, { readonly __typename: string }> {
  expect(outcome).not.toHaveProperty('__typename');
  return outcome as Exclude<T, { readonly __typename: string }>;
}

export const add = async (db: Db, input: Partial<NewNode> = {}, given: Partial<Write> = {}): Promise<NodeDocument> =>
  requireStored(await createNode(db, write(given), { type: 'PAGE', title: 'A page', ...input }));

export const edit = (
  db: Db,
  { _id: id, nonce }: Pick<NodeDocument, '_id' | 'nonce'>,
  changes: NodeChanges,
  given: Partial<Write> = {},
) => editNode(db, write(given), { id, nonce, changes });

/** A blog as a root. */
export const addBlog = (db: Db, slug = 'blog'): Promise<NodeDocument> =>
  add(db, { type: 'BLOG', title: 'A blog', slug });

export const addPost = (
  db: Db,
  blog: Pick<NodeDocument, '_id'>,
  title: string,
  input: Partial<NewNode> = {},
  given: Partial<Write> = {},
): Promise<NodeDocument> =>
  add(db, { type: 'BLOG_POST', parentId: blog._id, title, text: 'A text', publishedAt: NOW, ...input }, given);

/** A comment on a node, whose discussion is in pages. */
export async function comment(db: Db, node: string): Promise<void> {
  const subject: Subject = { ...existing(discussionOfNode(node)), policy: 'MEMBERS', design: 'HYBRID' };
  const post = { author: ann, isMember: true, text: 'A comment', replyTo: null, now: NOW };
  requireStored(await postComment(db, new DiscussionWriter(), subject, post));
}

/** The violated invariants of content. */
export async function violations(db: Db): Promise<string[]> {
  const found: string[] = [];
  for (const check of [findNodeViolations, findRedirectViolations, findTagViolations])
    for await (const { invariant, subject, expected, found: counted } of check(db, visitOnly))
      found.push(`${invariant} ${subject}: ${counted} instead of ${expected}`);
  return found;
}
