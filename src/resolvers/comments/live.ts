/** Discussions, followed live. */

import type { FeedEvent } from '../../database/index.js';
import type { SubscriptionResolvers } from '../../generated/resolvers.js';
import { type CommentsView, commentFeed, requireLast } from '../../models/comments/comment-feed.js';
import { type Comment, commentIdOf } from '../../models/comments/discussion/comment.js';
import { toGlobalId } from '../../shared/global-id.js';
import type { ResolverModule } from '../support/domain-resolvers.js';
import { notFound } from './comment.js';
import type { Subjects } from './subjects.js';

export function liveModule(subjects: Subjects): ResolverModule {
  const Subscription: Pick<SubscriptionResolvers, 'commentsChanged'> = {
    commentsChanged: {
      subscribe: async (_root, { nodeId, last, after }, context) => {
        const commented = await subjects.find(context, nodeId);
        if (!commented) throw notFound();
        return context.hub.follow(
          commentFeed,
          { discussion: commented.subject.discussion, last: requireLast(last) },
          { after },
        );
      },
      resolve: (event: FeedEvent<CommentsView, Comment>) => {
        const { cursor, reset } = event;
        if (event.kind === 'snapshot')
          return { cursor, reset, comments: [...event.view.comments], removed: [], commentCount: event.view.count };
        const { change } = event;
        const id = toGlobalId('Comment', commentIdOf(change.discussion, change.number));
        return {
          cursor,
          reset,
          comments: change.shown ? [change] : [],
          removed: change.shown ? [] : [id],
          commentCount: change.count,
        };
      },
    },
  };
  return { Subscription };
}
