/** Comments for tests of the pages. They are posted by the model: an account and a network address post only some at a time. */
import type { Db } from 'mongodb';
import type { Product } from '../../../harness/product.js';
import { commentIdOf } from '../../../src/models/comments/discussion/comment.js';
import { discussionOf, existing } from '../../../src/models/comments/discussion/discussion.js';
import { DiscussionWriter } from '../../../src/models/comments/discussion-write.js';
import { reportComment } from '../../../src/models/comments/moderation.js';
import { postComment } from '../../../src/models/comments/posting.js';
import { idOfType, toGlobalId } from '../../../src/shared/global-id.js';
import { create } from './content.js';

const writer = new DiscussionWriter();

/** A page on which everybody may comment. @returns its id */
export async function createCommented(product: Product, title: string): Promise<string> {
  const input = { type: 'PAGE', title, commentPolicy: 'EVERYBODY', publishedAt: '2026-01-01T00:00:00Z' };
  return (await create(product, input)).id;
}

const discussionIn = (nodeId: string): string => discussionOf('ContentNode', idOfType('ContentNode', nodeId) ?? '');

/** @param by the name of a visitor, whose comment is held, or the id of a member @returns the id of the comment */
export async function post(
  db: Db,
  nodeId: string,
  by: { readonly name: string } | { readonly _id: string },
  text: string,
): Promise<string> {
  const isMember = '_id' in by;
  const author = isMember ? { _id: by._id, name: '' } : by;
  const subject = { ...existing(discussionIn(nodeId)), policy: 'EVERYBODY' as const };
  const posted = await postComment(db, writer, subject, { author, isMember, text, replyTo: null, now: new Date() });
  if ('__typename' in posted) throw new Error(posted.message);
  return toGlobalId('Comment', commentIdOf(posted.discussion, posted.number));
}

/** @param by the id of an account */
export async function report(db: Db, commentId: string, by: string, reason: string): Promise<void> {
  const [discussion = '', number = ''] = (idOfType('Comment', commentId) ?? '').split('/');
  const given = { number: Number.parseInt(number, 36), by, reason, now: new Date() };
  if (!(await reportComment(db, writer, existing(discussion), given))) throw new Error('It was not reported');
}

/** The id of an account. */
export async function accountOf(db: Db, email: string): Promise<string> {
  const found = await db.collection<{ _id: string }>('users').findOne({ email });
  if (!found) throw new Error(`There is no account ${email}`);
  return found._id;
}

/** What editors see of a comment. */
export async function stateOf(product: Product, id: string): Promise<{ state: string; text: string | null } | null> {
  const { data } = await product.request<{ node: { state: string; text: string | null } | null }>(
    'query ($id: ID!) { node(id: $id) { ... on Comment { state text } } }',
    { id },
  );
  return data?.node ?? null;
}
