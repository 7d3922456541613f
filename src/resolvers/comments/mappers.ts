/** What the resolvers of each type get as their parent. `npm run generate` maps the type `Comment` to `CommentMapper`. */
import type { CaseChange, CommentReport } from '../../models/comments/comment-case.js';
import type { HiddenAuthors } from '../../models/comments/comment-list.js';
import type { Comment } from '../../models/comments/discussion/comment.js';
import type { WorkDocument } from '../../models/work.js';

/** With what it is about, where that is known, and the authors whose replies the caller does not see. */
export type CommentMapper = Comment & {
  readonly about?: object | undefined;
  readonly hiddenAuthors?: HiddenAuthors | undefined;
};
export type DeletedCommentMapper = { readonly _id: string };
export type CommentReportMapper = CommentReport;
export type CommentMoveMapper = WorkDocument;
export type ModerationEventMapper = {
  readonly cursor: string;
  readonly reset: boolean;
  readonly changes: readonly CaseChange[];
};
