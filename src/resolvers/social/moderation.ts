/** Reports of posts, and what editors decide about them. */
import type {
  MutationResolvers,
  PostReportResolvers,
  PostResolvers,
  QueryResolvers,
} from '../../generated/resolvers.js';
import { dismissReports, findReportedPosts, reportPost, requireReason } from '../../models/social/posts/moderation.js';
import { findSeenPost } from '../../models/social/posts/post-sight.js';
import { requirePerson } from '../../server/identity/viewer.js';
import { actOfViewer } from '../people/act.js';
import { editors } from '../support/access.js';
import { asAuthor } from './people.js';
import { postIdOf } from './post.js';

export const Post: Pick<PostResolvers, 'reports'> = {
  reports: ({ reports = [] }, _args, context) => (editors(context) ? reports.toReversed() : null),
};

/** By the name in the network, or that of the account: everybody may report public posts. */
export const PostReport: PostReportResolvers = {
  by: async ({ by }, _args, context) => {
    const author = await asAuthor(by, context);
    return author.name === '' ? { ...author, name: await context.loaders().personName.load(by) } : author;
  },
};

export const Query: Pick<QueryResolvers, 'reportedPosts'> = {
  reportedPosts: (_root, { first, after }, { db }) => findReportedPosts(db, { first, after }),
};

export const Mutation: Pick<MutationResolvers, 'reportPost' | 'dismissReports'> = {
  reportPost: async (_root, { id, reason: given }, { db, viewer, now }) => {
    const reason = requireReason(given);
    const by = requirePerson(viewer);
    const post = await findSeenPost(db, by, postIdOf(id));
    if (post) await reportPost(db, post._id, { by, reason, at: now() });
    return { reported: post !== null };
  },
  dismissReports: async (_root, { id }, context) => {
    await dismissReports(context.db, await actOfViewer(context), postIdOf(id));
    return { reported: false };
  },
};
