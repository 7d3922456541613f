/** Comments on whatever the other domains let people comment on, in three storage designs. */

import type { CommentHost } from '../commentable.js';
import type { Domain } from '../domain.js';
import { commentCases } from './comment-case.js';
import { commentImport } from './comment-import.js';
import { commentPages } from './designs/comment-page.js';
import { comments } from './discussion/comment.js';
import { discussions } from './discussion/discussion.js';
import { DiscussionWriter } from './discussion-write.js';
import { commentExport } from './export/comment-export.js';
import { removeLeftRows, stagedRows } from './import/staged-row.js';
import { findDiscussionViolations } from './invariants.js';
import { commentMove } from './move/comment-move.js';
import { moveOutgrown } from './move/growing.js';
import { endFailedMoves } from './move/move-repair.js';
import { personalData } from './personal-data.js';

/** They live as long as the process. */
export interface CommentServices {
  readonly discussionWriter: DiscussionWriter;
  /** What can be commented on, in the domains that are on. */
  readonly commentHosts: readonly CommentHost[];
}

export const commentsDomain: Domain<object, CommentServices> = {
  name: 'comments',
  collections: [discussions, comments, commentPages, commentCases, stagedRows],
  invariantChecks: [{ name: 'Discussions', collections: [discussions], find: findDiscussionViolations }],
  recoveryWorkers: [
    { name: 'Remove rows that failed imports of comments have left', work: (_services, { db }) => removeLeftRows(db) },
    { name: 'End moves of discussions that have failed', work: (_services, { db }) => endFailedMoves(db) },
    {
      name: 'Move discussions that outgrow their design',
      work: ({ commentHosts }, { db, now }) => moveOutgrown(db, commentHosts, now),
    },
  ],
  workKinds: [commentMove, commentImport, commentExport],
  jobs: [],
  personalData,
  metrics: [],
  open: async ({ commentHosts }) => ({ discussionWriter: new DiscussionWriter(commentHosts), commentHosts }),
  close: async () => undefined,
};

declare module '../people/audit.js' {
  interface AuditActions {
    COMMENTS_MODERATED: true;
    COMMENT_DESIGN_CHANGED: true;
  }
}
