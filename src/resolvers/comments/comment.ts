/** Comments: reading, posting, editing and deleting. */
import type {
  CommentResolvers,
  DeleteCommentResultResolvers,
  DeletedCommentResolvers,
  EditCommentResultResolvers,
  MutationResolvers,
  PostCommentResultResolvers,
  QueryResolvers,
} from '../../generated/resolvers.js';
import {
  explainDiscussion,
  findCommentBySlug,
  findDiscussionPage,
  findReplies,
  isSeen,
} from '../../models/comments/comment-list.js';
import { findCommentsOfAuthor } from '../../models/comments/comments-of-author.js';
import {
  type Comment as CommentOfModel,
  commentIdOf,
  depthOf,
  parentOf,
  partsOfId,
  slugOf,
} from '../../models/comments/discussion/comment.js';
import { requireCommentText } from '../../models/comments/discussion/comment-text.js';
import {
  type Commenter,
  commentableNotFound,
  commentNotFound,
  deleteComment,
  editComment,
  findClosed,
  type LookAgain,
} from '../../models/comments/posting.js';
import type { Context } from '../../server/context/context.js';
import { requirePerson } from '../../server/identity/viewer.js';
import { SextantError } from '../../shared/errors.js';
import { idOfType, toGlobalId } from '../../shared/global-id.js';
import { mapConnection, NO_CONNECTION, toConnection } from '../../shared/page.js';
import { renderMarkdown } from '../../shared/rendering/markdown.js';
import { editors } from '../support/access.js';
import type { Commented } from '../support/commentable.js';
import type { ResolverModule } from '../support/domain-resolvers.js';
import { resultType } from '../support/result-type.js';
import { commenterOf, postOnce } from './comment-post.js';
import type { CommentMapper } from './mappers.js';
import type { Subjects } from './subjects.js';

const globalIdOf = (id: string): string => toGlobalId('Comment', id);
export const notFound = () => new SextantError('NOT_FOUND', 'There is nothing with this id that can be commented on');

const isOwn = ({ author }: Pick<CommentOfModel, 'author'>, { viewer }: Context): boolean =>
  author._id !== undefined && author._id === viewer.id;

/** What the caller may read of it: a hidden text is for moderators and for its author. */
function textOf({ text, state, author }: CommentMapper, context: Context): string | null {
  if (state !== 'HIDDEN' && state !== 'HELD') return text;
  return editors(context) || isOwn({ author }, context) ? text : null;
}

/** Whether the caller may see a comment that is asked for by its id or slug. */
export const isVisible = ({ shown, author }: CommentOfModel, context: Context): boolean =>
  shown || editors(context) || isOwn({ author }, context);

export function commentModules(subjects: Subjects): ResolverModule {
  const Comment: CommentResolvers = {
    id: ({ discussion, number }) => globalIdOf(commentIdOf(discussion, number)),
    slug: ({ path }) => slugOf(path),
    url: async (comment, _args, context) => {
      const about = comment.about ?? (await subjects.of(context, comment.discussion))?.object;
      if (!about) return context.publicUrl();
      const url = await subjects.urlOf(context, comment.discussion, about);
      return `${url}#comment-${comment.number.toString(36)}`;
    },
    on: async (comment, _args, context) =>
      (comment.about ?? (await subjects.of(context, comment.discussion))?.object ?? null) as never,
    postedAt: ({ posted }) => posted,
    editedAt: ({ edited }) => edited ?? null,
    author: async ({ author }, _args, { loaders }) =>
      author._id === undefined || author.name !== ''
        ? author
        : { _id: author._id, name: await loaders().personName.load(author._id) },
    text: (comment, _args, context) => textOf(comment, context),
    html: (comment, _args, context) => {
      const text = textOf(comment, context);
      return text === null ? null : renderMarkdown(text);
    },
    depth: ({ path }) => depthOf(path),
    parentId: ({ discussion, path }) => {
      const parent = parentOf(path);
      return parent === null ? null : globalIdOf(commentIdOf(discussion, parent));
    },
    replyCount: ({ replies }) => replies,
    replies: async (comment, { first, after }, context) => {
      const { about, hiddenAuthors } = await withAbout(subjects, comment, context);
      if (!about) return NO_CONNECTION; // moderators see what was reported, and not what others have said below it
      const page = await findReplies(context.db, comment, { first, after, hiddenAuthors });
      return mapConnection(page, (reply) => ({ ...reply, about, hiddenAuthors }));
    },
  };

  const Query: Pick<QueryResolvers, 'discussion' | 'comment' | 'commentsOfAuthor' | 'explainDiscussion'> = {
    discussion: async (_root, { nodeId, order, first, after }, context) => {
      const commented = await subjects.find(context, nodeId);
      if (!commented) throw notFound();
      const { subject, object: about, hiddenAuthors } = commented;
      const page = await findDiscussionPage(context.db, subject.discussion, { order, first, after, hiddenAuthors });
      return mapConnection(page, (comment) => ({ ...comment, about, hiddenAuthors }));
    },
    comment: async (_root, { nodeId, slug }, context) => {
      const commented = await subjects.find(context, nodeId);
      const found = commented && (await findCommentBySlug(context.db, commented.subject.discussion, slug));
      if (!found || !isVisible(found, context) || !isSeen(found, commented.hiddenAuthors)) return null;
      return { ...found, about: commented.object, hiddenAuthors: commented.hiddenAuthors };
    },
    commentsOfAuthor: async (_root, { authorId, first, after }, context) => {
      const id = idOfType('User', authorId);
      if (id === null) return toConnection<CommentMapper>([], first, () => '');
      return findCommentsOfAuthor<CommentMapper>(context.db, id, { first, after }, async (some) => {
        const about = await subjects.ofAll(
          context,
          some.map(({ discussion }) => discussion),
        );
        return some.map((comment) => {
          const { object, hiddenAuthors } = about.get(comment.discussion) ?? {};
          return object && isSeen(comment, hiddenAuthors) ? { ...comment, about: object, hiddenAuthors } : null;
        });
      });
    },
    explainDiscussion: async (_root, { nodeId, order }, context) => {
      const commented = await subjects.find(context, nodeId);
      if (!commented) throw notFound();
      return explainDiscussion(context.db, commented.subject.discussion, order);
    },
  };

  const Mutation: Pick<MutationResolvers, 'postComment' | 'editComment' | 'deleteComment' | 'changeCommentPolicy'> = {
    postComment: async (_root, { idempotencyKey, ...input }, context) => {
      const commenter = commenterOf(context.viewer, input.authorName);
      requireCommentText(input.text); // before it counts for the throttle
      const commented = await subjects.find(context, input.nodeId);
      if (!commented) return commentableNotFound();
      const posted = await postOnce(context, context, commenter, commented.subject, {
        input,
        text: input.text,
        replyTo: input.replyTo ? (idOfType('Comment', input.replyTo) ?? '') : null,
        hiddenAuthors: commented.hiddenAuthors,
        lookAgain: lookingAgain(commented, commenter, () => subjects.find(context, input.nodeId)),
        idempotencyKey,
      });
      if ('number' in posted) return { ...posted, about: commented.object, hiddenAuthors: commented.hiddenAuthors };
      return '__typename' in posted && posted.__typename === 'ThreadTooDeep'
        ? { ...posted, replyTo: globalIdOf(posted.replyTo) }
        : posted;
    },

    editComment: async (_root, { id, text }, context) => {
      const found = await findOwn(subjects, context, id);
      if (!found) return commentNotFound();
      const { subject, number, object: about, hiddenAuthors } = found;
      const changer = { accountId: requirePerson(context.viewer), isModerator: false };
      const { db, discussionWriter, now } = context;
      const lookAgain = lookingAgain(found, { isMember: true }, () => subjects.of(context, subject.discussion));
      const change = { number, text, changer, lookAgain, now: now() };
      const edited = await editComment(db, discussionWriter, subject, change);
      return 'number' in edited ? { ...edited, about, hiddenAuthors } : edited;
    },

    deleteComment: async (_root, { id }, context) => {
      const found = await findOwn(subjects, context, id);
      if (!found) return commentNotFound();
      const { subject, number } = found;
      const accountId = requirePerson(context.viewer);
      const changer = { accountId, isModerator: editors(context) || subject.ownerIds.includes(accountId) };
      return deleteComment(context.db, context.discussionWriter, subject, { number, changer });
    },

    changeCommentPolicy: async (_root, { nodeId, policy }, context) => {
      const changed = await subjects.changePolicy(context, nodeId, policy);
      if (!changed) throw notFound();
      return changed as never;
    },
  };

  const PostCommentResult: PostCommentResultResolvers = { __resolveType: resultType('Comment') };
  const EditCommentResult: EditCommentResultResolvers = { __resolveType: resultType('Comment') };
  const DeleteCommentResult: DeleteCommentResultResolvers = { __resolveType: resultType('DeletedComment') };
  const DeletedComment: DeletedCommentResolvers = { id: ({ _id }) => globalIdOf(_id) };
  return { Comment, Query, Mutation, PostCommentResult, EditCommentResult, DeleteCommentResult, DeletedComment };
}

/** Where the caller may cease to see it. */
const lookingAgain = (
  { guard }: Commented,
  commenter: Pick<Commenter, 'isMember'>,
  find: () => Promise<Commented | null>,
): LookAgain | undefined =>
  guard &&
  (async () => {
    const found = await find();
    return found ? findClosed(found.subject, commenter) : commentableNotFound();
  });

/** What a comment is about, if the caller sees it, and whose replies the caller does not see. */
async function withAbout(
  subjects: Subjects,
  comment: CommentMapper,
  context: Context,
): Promise<Pick<CommentMapper, 'about' | 'hiddenAuthors'>> {
  if (comment.about && 'hiddenAuthors' in comment) return comment;
  const seen = await subjects.of(context, comment.discussion);
  return { about: seen?.object, hiddenAuthors: seen?.hiddenAuthors };
}

/** The discussion of a comment that a signed-in caller wants to change. */
async function findOwn(subjects: Subjects, context: Context, globalId: string) {
  requirePerson(context.viewer);
  const parts = partsOfId(idOfType('Comment', globalId) ?? '');
  const commented = parts && (await subjects.of(context, parts.discussion));
  return commented && { ...commented, number: parts.number };
}
