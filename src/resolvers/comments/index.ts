/** The part of comments in the API. */
import { findCommentsById, isSeen } from '../../models/comments/comment-list.js';
import type { CommentServices } from '../../models/comments/domain.js';
import { type CommentLoaders, makeCommentLoaders } from '../../models/comments/loaders.js';
import { anybody } from '../support/access.js';
import type { DomainResolvers } from '../support/domain-resolvers.js';
import { workNode } from '../support/work.js';
import { commentModules, isVisible } from './comment.js';
import { commentExportModule } from './comment-export.js';
import { commentImportModule } from './comment-import.js';
import { commentMoveModule } from './comment-move.js';
import { designAdviceModule } from './design-advice.js';
import { liveModule } from './live.js';
import { moderationModule } from './moderation.js';
import { Subjects } from './subjects.js';

export const resolvers: DomainResolvers = {
  modules: [],
  nodes: {},
  loaders: makeCommentLoaders,
  partFor: (domains) => {
    const subjects = new Subjects(domains);
    return {
      modules: [
        commentModules(subjects),
        liveModule(subjects),
        moderationModule(subjects),
        commentMoveModule(subjects),
        designAdviceModule(subjects),
        commentImportModule(subjects),
        commentExportModule(subjects),
      ],
      nodes: {
        CommentMove: workNode('CommentMove'),
        Comment: {
          mayAsk: anybody,
          find: async (context, id) => {
            const [found] = await findCommentsById(context.db, [id]);
            const commented = found && isVisible(found, context) && (await subjects.of(context, found.discussion));
            if (!commented || !isSeen(found, commented.hiddenAuthors)) return null;
            return { ...found, about: commented.object, hiddenAuthors: commented.hiddenAuthors };
          },
        },
      },
    };
  },
};

declare module '../../server/context/context.js' {
  interface Services extends CommentServices {}
  interface Loaders extends CommentLoaders {}
}
