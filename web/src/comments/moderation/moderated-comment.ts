/** What waits, and what a moderator decides. */
import type { CommentState, ModeratedCommentFragment } from '../../../generated/graphql.js';

/** A comment that waits for a moderator. */
export type ModeratedComment = ModeratedCommentFragment;

export type Decision = Exclude<CommentState, 'HELD'>;
