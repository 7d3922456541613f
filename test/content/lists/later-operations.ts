/** The contract's operations that are not there yet. */
import type { Reasons } from '../../support/domain/test-domain.js';

const COMMENTS = 'comments come later';

export const laterOperations: Reasons = {
  PostComment: COMMENTS,
  EditComment: COMMENTS,
  DeleteComment: COMMENTS,
  Discussion: COMMENTS,
  CommentBySlug: COMMENTS,
  CommentsOfAuthor: COMMENTS,
  CommentsChanged: COMMENTS,
  ReportComment: COMMENTS,
  CommentsToModerate: COMMENTS,
  ModerateComments: COMMENTS,
  CommentsToModerateChanged: COMMENTS,
  ChangeCommentPolicy: COMMENTS,
  CommentDesignAdvice: COMMENTS,
  ExplainDiscussion: COMMENTS,
  ChangeCommentDesign: COMMENTS,
  CommentShardAdvice: COMMENTS,
};
