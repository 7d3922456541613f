/** Posts: reading, publishing, editing, deleting, voting. */
import type {
  DeletedPostResolvers,
  DeletePostResultResolvers,
  EditPostResultResolvers,
  MutationResolvers,
  PostDetailResolvers,
  PostResolvers,
  PublishPostResultResolvers,
  QueryResolvers,
  VoteInPollResultResolvers,
} from '../../generated/resolvers.js';
import { voteInPoll } from '../../models/social/posts/poll.js';
import type { PostDocument } from '../../models/social/posts/post.js';
import { deletePost, editPost } from '../../models/social/posts/post-change.js';
import { POST_TYPE, subjectOfPost } from '../../models/social/posts/post-comments.js';
import { findSeenPost } from '../../models/social/posts/post-sight.js';
import { postTitle } from '../../models/social/posts/post-title.js';
import type { Context } from '../../server/context/context.js';
import { requirePerson } from '../../server/identity/viewer.js';
import { idOfType, toGlobalId } from '../../shared/global-id.js';
import { NO_CONNECTION } from '../../shared/page.js';
import { commentable } from '../comments/discussion.js';
import { actOfViewer } from '../people/act.js';
import { editors } from '../support/access.js';
import type { ResolverModule } from '../support/domain-resolvers.js';
import { resultType, typeName } from '../support/result-type.js';
import { circlesOfViewer } from './circle.js';
import { asAuthor } from './people.js';
import { commentPolicyOf, hasSeenPost, hiddenAuthors, isCommentedNow, latestComments } from './post-comments.js';
import { detailOf } from './post-detail.js';

const isAuthor = ({ author_id }: PostDocument, { viewer }: Context): boolean => viewer.id === author_id;

export const postIdOf = (globalId: string): string => idOfType(POST_TYPE, globalId) ?? '';

const common = commentable(
  subjectOfPost,
  () => POST_TYPE,
  (_post: PostDocument, context: Context) => hiddenAuthors(context),
);

const Post: PostResolvers = {
  ...common,
  commentPolicy: (post, _args, context) => commentPolicyOf(post, context),
  commentCount: (post, args, context) =>
    isCommentedNow(post) ? common.commentCount(post, args, context) : (post.comments?.count ?? 0),
  discussion: async (post, args, context) =>
    (await hasSeenPost(post, context)) ? common.discussion(post, args, context) : NO_CONNECTION,
  latestComments: (post, _args, context) => latestComments(post, context),
  id: ({ _id }) => toGlobalId(POST_TYPE, _id),
  title: (post) => postTitle(post),
  author: ({ author_id }, _args, context) => asAuthor(author_id, context),
  onWallOf: ({ author_id, wall_id }, _args, context) => (wall_id === author_id ? null : asAuthor(wall_id, context)),
  detail: (post) => detailOf(post),
  postedAt: ({ posted }) => posted,
  editedAt: ({ edited }) => edited ?? null,
  audience: (post, _args, context) =>
    post.audience === 'CIRCLES' && !isAuthor(post, context) ? 'MY_CIRCLES' : post.audience,
  circles: (post, _args, context) => (isAuthor(post, context) ? circlesOfViewer(post.circle_ids, context) : []),
};

const PostDetail: PostDetailResolvers = { __resolveType: typeName };
const PublishPostResult: PublishPostResultResolvers = { __resolveType: resultType('Post') };
const EditPostResult: EditPostResultResolvers = { __resolveType: resultType('Post') };
const DeletePostResult: DeletePostResultResolvers = { __resolveType: resultType('DeletedPost') };
const VoteInPollResult: VoteInPollResultResolvers = { __resolveType: resultType('Post') };
const DeletedPost: DeletedPostResolvers = { id: ({ _id }) => toGlobalId(POST_TYPE, _id) };

const Query: Pick<QueryResolvers, 'post'> = {
  post: (_root, { id }, { db, viewer }) => findSeenPost(db, viewer.id, postIdOf(id)),
};

const Mutation: Pick<MutationResolvers, 'editPost' | 'deletePost' | 'voteInPoll'> = {
  editPost: (_root, { id, text }, { db, viewer, now }) =>
    editPost(db, requirePerson(viewer), postIdOf(id), text, now()),
  deletePost: async (_root, { id }, context) => {
    const own = requirePerson(context.viewer);
    const act = editors(context) ? await actOfViewer(context) : null;
    const nameOf = (author: string) => context.loaders().socialName.load(author);
    const outcome = await deletePost(context.db, postIdOf(id), { id: own, act, nameOf }, context.now());
    if ('_id' in outcome) context.courier.wake();
    return outcome;
  },
  voteInPoll: (_root, { postId, option }, { db, viewer, now }) =>
    voteInPoll(db, postIdOf(postId), requirePerson(viewer), option, now()),
};

export const postModule: ResolverModule = {
  Post,
  PostDetail,
  PublishPostResult,
  EditPostResult,
  DeletePostResult,
  VoteInPollResult,
  DeletedPost,
  Query,
  Mutation,
};
