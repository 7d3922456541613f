/** Discussions, followed live. */

import type { FeedEvent } from '../../database/index.js';
import type { SubscriptionResolvers } from '../../generated/resolvers.js';
import { type CommentsView, commentFeed, requireLast } from '../../models/comments/comment-feed.js';
import { isSeen } from '../../models/comments/comment-list.js';
import { type Comment, commentIdOf } from '../../models/comments/discussion/comment.js';
import { guardFollow, isGuarded, type Sight } from '../../server/context/context.js';
import { toGlobalId } from '../../shared/global-id.js';
import type { Commented } from '../support/commentable.js';
import type { ResolverModule } from '../support/domain-resolvers.js';
import { notFound } from './comment.js';
import type { Subjects } from './subjects.js';

/** A comment that the caller does not see changes only the count. */
type Change = Comment & { readonly isLeftOut?: boolean };
type CommentEvent = FeedEvent<CommentsView, Change>;

export function liveModule(subjects: Subjects): ResolverModule {
  const Subscription: Pick<SubscriptionResolvers, 'commentsChanged'> = {
    commentsChanged: {
      subscribe: async (_root, { nodeId, last, after }, context) => {
        const commented = await subjects.find(context, nodeId);
        if (!commented) throw notFound();
        const { subject, guard, hiddenAuthors } = commented;
        const args = { discussion: subject.discussion, last: requireLast(last) };
        const { hub } = context;
        const open = (cursor: string | null) =>
          hub.follow<typeof args, unknown, CommentsView, Change>(commentFeed, args, { after: cursor });
        const resuming = { after, sealed: (text: string) => hub.sealed(JSON.stringify([context.viewer.id, text])) };
        if (!guard) {
          const ask = async () => withoutUnseen(hiddenAuthors);
          // Visitors see everybody; one may go on from what an account has seen.
          return hiddenAuthors || isGuarded(after) ? guardFollow(open, { ask }, resuming) : open(after ?? null);
        }
        const watching = {
          follow: () => guard.follow(context),
          ask: async () => {
            const again = await subjects.find(context, nodeId);
            if (!again) throw notFound();
            return withoutUnseen(again.hiddenAuthors);
          },
        };
        return guardFollow(open, watching, resuming);
      },
      resolve: (event: CommentEvent) => {
        const { cursor, reset } = event;
        if (event.kind === 'snapshot')
          return { cursor, reset, comments: [...event.view.comments], removed: [], commentCount: event.view.count };
        const { change } = event;
        const id = toGlobalId('Comment', commentIdOf(change.discussion, change.number));
        const isTold = !change.isLeftOut;
        return {
          cursor,
          reset,
          comments: isTold && change.shown ? [change] : [],
          removed: isTold && !change.shown ? [id] : [],
          commentCount: change.count,
        };
      },
    },
  };
  return { Subscription };
}

/** Events as a caller gets them who does not see the comments of these accounts. */
function withoutUnseen(hiddenAuthors: Commented['hiddenAuthors']): Sight<CommentEvent> {
  if (!hiddenAuthors || hiddenAuthors.key === '') return { key: '', deliver: (event) => event }; // rendered once for all of the caller's
  const deliver = (event: CommentEvent): CommentEvent => {
    if (event.kind === 'change') {
      const change = { ...event.change, hiddenAuthors, isLeftOut: !isSeen(event.change, hiddenAuthors) };
      return { ...event, change };
    }
    const seen = event.view.comments.filter((comment) => isSeen(comment, hiddenAuthors));
    return { ...event, view: { ...event.view, comments: seen.map((comment) => ({ ...comment, hiddenAuthors })) } };
  };
  return { key: hiddenAuthors.key, deliver };
}
