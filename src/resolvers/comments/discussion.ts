/** The fields of everything that can be commented on. */

import { findDiscussionPage, type HiddenAuthors } from '../../models/comments/comment-list.js';
import type { CommentOrder } from '../../models/comments/discussion/comment.js';
import type { Subject } from '../../models/comments/discussion/discussion.js';
import type { Context } from '../../server/context/context.js';
import { mapConnection, type PageInput } from '../../shared/page.js';

interface DiscussionArgs extends PageInput {
  readonly order: CommentOrder;
}

/**
 * @param subjectOf what comments depend on, of an object of the type
 * @param typeOf the SDL type of an object
 * @param hiddenAuthorsOf the accounts whose comments on an object the caller does not see, if the type has such
 */
export const commentable = <T extends object>(
  subjectOf: (object: T) => Subject,
  typeOf: (object: T) => string,
  hiddenAuthorsOf?: (object: T, context: Context) => HiddenAuthors | Promise<HiddenAuthors>,
) => ({
  commentPolicy: (object: T) => subjectOf(object).policy,
  commentDesign: async (object: T, _args: unknown, { loaders }: Context) => {
    const { discussion, design } = subjectOf(object);
    return (await loaders().discussion.load(discussion))?.design ?? design;
  },
  commentCount: async (object: T, _args: unknown, { loaders }: Context) =>
    (await loaders().discussion.load(subjectOf(object).discussion))?.count ?? 0,
  discussion: async (object: T, { order, first, after }: DiscussionArgs, context: Context) => {
    const hiddenAuthors = await hiddenAuthorsOf?.(object, context);
    const { discussion } = subjectOf(object);
    const page = await findDiscussionPage(context.db, discussion, { order, first, after, hiddenAuthors });
    const about = { ...object, __typename: typeOf(object) };
    return mapConnection(page, (comment) => ({ ...comment, about, hiddenAuthors }));
  },
});
