/** What the viewer does with posts. */
import type { PostInput } from '../../../generated/graphql.js';
import { mutate } from '../../api/client.js';
import {
  DeletePostDocument,
  EditPostDocument,
  PublishPostDocument,
  ReportPostDocument,
  VoteInPollDocument,
} from './documents.js';
import type { Post } from './post-list.js';

export interface NotPublished {
  readonly failure: string;
  /** Whether it may have been published although no answer came: sent again with the same key, it is published once. */
  readonly isOpen: boolean;
}

/** @returns the post, or why it was not published */
export async function publish(input: PostInput, key: string): Promise<Post | NotPublished> {
  const answer = await mutate(PublishPostDocument, { input, key });
  if (typeof answer === 'string') return { failure: answer, isOpen: true };
  const { publishPost: outcome } = answer;
  return outcome.__typename === 'Post' ? outcome : { failure: `${outcome.message}.`, isOpen: false };
}

export async function edit(id: string, text: string): Promise<Post | string> {
  const answer = await mutate(EditPostDocument, { id, text });
  if (typeof answer === 'string') return answer;
  return answer.editPost.__typename === 'Post' ? answer.editPost : `${answer.editPost.message}.`;
}

export async function vote(id: string, option: number): Promise<Post | string> {
  const answer = await mutate(VoteInPollDocument, { id, option });
  if (typeof answer === 'string') return answer;
  return answer.voteInPoll.__typename === 'Post' ? answer.voteInPoll : `${answer.voteInPoll.message}.`;
}

/** @returns why it failed, or null */
export async function remove(id: string): Promise<string | null> {
  const answer = await mutate(DeletePostDocument, { id });
  if (typeof answer === 'string') return answer;
  return answer.deletePost.__typename === 'DeletedPost' ? null : `${answer.deletePost.message}.`;
}

export async function report(id: string, reason: string): Promise<string | null> {
  const answer = await mutate(ReportPostDocument, { id, reason });
  if (typeof answer === 'string') return answer;
  return answer.reportPost.reported ? null : 'You cannot see this post any more.';
}
