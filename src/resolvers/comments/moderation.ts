/** Reports, the queue of moderators, and their decisions. */

import type { FeedEvent } from '../../database/index.js';
import type {
  CommentReportResolvers,
  CommentResolvers,
  ModerationEventResolvers,
  MutationResolvers,
  QueryResolvers,
  SubscriptionResolvers,
} from '../../generated/resolvers.js';
import { type CaseChange, caseFeed, countCases, findCases } from '../../models/comments/comment-case.js';
import { findCommentsById } from '../../models/comments/comment-list.js';
import { commentIdOf, partsOfId } from '../../models/comments/discussion/comment.js';
import { moderateComments, reportComment, requireReason } from '../../models/comments/moderation.js';
import type { Context } from '../../server/context/context.js';
import { requirePerson } from '../../server/identity/viewer.js';
import { idOfType, toGlobalId } from '../../shared/global-id.js';
import { actOfViewer } from '../people/act.js';
import type { ResolverModule } from '../support/domain-resolvers.js';
import type { Subjects } from './subjects.js';

export function moderationModule(subjects: Subjects): ResolverModule {
  const Comment: Pick<CommentResolvers, 'reports'> = {
    reports: async ({ discussion, number }, _args, { loaders }) => {
      const found = await loaders().commentCase.load(commentIdOf(discussion, number));
      return found?.reports.toReversed() ?? [];
    },
  };
  const CommentReport: CommentReportResolvers = {
    by: async ({ by }, _args, { loaders }) => ({ _id: by, name: await loaders().personName.load(by) }),
  };

  const Query: Pick<QueryResolvers, 'commentsToModerate'> = {
    commentsToModerate: async (_root, { first, after }, context) => {
      const { edges, pageInfo } = await findCases(context.db, { first, after });
      const found = await findWaiting(
        context,
        subjects,
        edges.map(({ node }) => node._id),
      );
      return { edges: edges.flatMap(({ cursor }, at) => (found[at] ? [{ cursor, node: found[at] }] : [])), pageInfo };
    },
  };

  const Mutation: Pick<MutationResolvers, 'reportComment' | 'moderateComments'> = {
    reportComment: async (_root, { id, reason: given }, context) => {
      const reason = requireReason(given);
      const by = requirePerson(context.viewer);
      const parts = partsOfId(idOfType('Comment', id) ?? '');
      const commented = parts && (await subjects.of(context, parts.discussion));
      if (!commented) return { reported: false };
      const { db, discussionWriter, now } = context;
      const report = { number: parts.number, by, reason, now: now(), hiddenAuthors: commented.hiddenAuthors };
      return { reported: await reportComment(db, discussionWriter, commented.subject, report) };
    },
    moderateComments: async (_root, { ids, state }, context) => {
      const stored = ids.map((id) => idOfType('Comment', id) ?? '');
      const act = await actOfViewer(context);
      const names = await findNames(context, subjects, stored);
      const nameOf = (discussion: string) => names.get(discussion) ?? discussion;
      const { db, discussionWriter } = context;
      const input = { ids: stored, state, nameOf };
      const { moderated, rejected } = await moderateComments(db, discussionWriter, act, input);
      return { moderated, rejected: [...rejected] };
    },
  };

  const Subscription: Pick<SubscriptionResolvers, 'commentsToModerateChanged'> = {
    commentsToModerateChanged: {
      subscribe: (_root: object, { after }: { after?: string | null | undefined }, { hub }: Context) =>
        hub.follow(caseFeed, {}, { after }),
      resolve: ({ cursor, reset, ...event }: FeedEvent<readonly CaseChange[], CaseChange>) => ({
        cursor,
        reset,
        changes: event.kind === 'snapshot' ? event.view : [event.change],
      }),
    },
  };
  // Read as asked for: the number alone, as a page shows it everywhere, takes no comments.
  const ModerationEvent: ModerationEventResolvers = {
    comments: async ({ changes }, _args, context) => {
      const open = changes.filter(({ isClosed }) => !isClosed).map(({ id }) => id);
      const found = await findWaiting(context, subjects, open);
      return found.flatMap((comment) => comment ?? []);
    },
    removed: ({ changes }) => changes.filter(({ isClosed }) => isClosed).map(({ id }) => toGlobalId('Comment', id)),
    waiting: (_event, _args, { db }) => countCases(db),
  };
  return { Comment, CommentReport, Query, Mutation, Subscription, ModerationEvent };
}

/** The comments with these ids, with what they are about. */
async function findWaiting(context: Context, subjects: Subjects, ids: readonly string[]) {
  const found = await findCommentsById(context.db, ids);
  const about = await subjects.ofAll(
    context,
    found.flatMap((comment) => comment?.discussion ?? []),
  );
  return found.map((comment) => {
    const seen = comment && about.get(comment.discussion);
    return comment && { ...comment, ...(seen && { about: seen.object, hiddenAuthors: seen.hiddenAuthors }) };
  });
}

/** The addresses of what these comments are about, by discussion. */
async function findNames(context: Context, subjects: Subjects, ids: readonly string[]) {
  const about = await subjects.ofAll(
    context,
    ids.flatMap((id) => partsOfId(id)?.discussion ?? []),
  );
  const names = [...about].map(async ([discussion, { object }]) => {
    const url = await subjects.urlOf(context, discussion, object);
    return [discussion, new URL(url).pathname] as const;
  });
  return new Map(await Promise.all(names));
}
