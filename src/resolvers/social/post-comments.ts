/** Comments on posts: of whoever sees the post, without those of people on the other side of a block. */

import { findDiscussionPage } from '../../models/comments/comment-list.js';
import type { CommentPolicy } from '../../models/comments/discussion/comment.js';
import type { Subject } from '../../models/comments/discussion/discussion.js';
import { notJoined } from '../../models/social/network/circle.js';
import { findHiddenFrom, type HiddenPeople } from '../../models/social/network/relation.js';
import { sightFeed } from '../../models/social/news/sight-feed.js';
import type { PostDocument } from '../../models/social/posts/post.js';
import { POST_TYPE, subjectOfPost } from '../../models/social/posts/post-comments.js';
import { findSeenPosts, type SeenPost } from '../../models/social/posts/post-sight.js';
import type { Context } from '../../server/context/context.js';
import { toGlobalId } from '../../shared/global-id.js';
import type { CommentMapper } from '../comments/mappers.js';
import { editors } from '../support/access.js';
import type { Commentables, Commented } from '../support/commentable.js';

const SHOWN = 3;

/** The last ones that the viewer sees, as they were posted. */
export async function latestComments(post: PostDocument, context: Context): Promise<CommentMapper[]> {
  const { comments } = post;
  if (!comments || comments.count === 0 || !(await hasSeenPost(post, context))) return [];
  const { db } = context;
  const hidden = await hiddenAuthors(context);
  const { discussion } = subjectOfPost(post);
  const published = comments.latest.filter(({ state }) => state === 'PUBLISHED');
  const seen = published.filter(({ author }) => author._id === undefined || !hidden.has(author._id));
  const isEnough = seen.length >= SHOWN || published.length >= comments.count;
  const about: Pick<CommentMapper, 'about' | 'hiddenAuthors'> = { about: withType(post), hiddenAuthors: hidden };
  if (isEnough)
    // What the resolvers of a comment do not read is only known where it is stored.
    return seen.slice(-SHOWN).map((comment) => ({ ...comment, discussion, ...about }) as CommentMapper);
  // So many in a row are hidden that the summary has too few.
  const page = await findDiscussionPage(db, discussion, { order: 'NEWEST_FIRST', first: SHOWN, hiddenAuthors: hidden });
  return page.edges.map(({ node }) => ({ ...node, ...about })).toReversed();
}

/** Whose comments the viewer does not see. */
export const hiddenAuthors = async ({ db, viewer, loaders }: Context): Promise<HiddenPeople> =>
  viewer.id === null ? findHiddenFrom(db, null) : loaders().hiddenFrom.load(viewer.id);

const withType = (post: PostDocument) => ({ ...post, __typename: POST_TYPE });

/** As somebody comments on it: the comments are newer than the post that was read before. */
const asCommented = (post: PostDocument) => ({ ...withType(post), isCommentedNow: true });

export const isCommentedNow = (post: PostDocument): boolean => 'isCommentedNow' in post;

/**
 * Nobody comments over a block, or before having joined the network, where they could not be blocked. What they wrote before, they can
 * only delete.
 */
function subjectFor({ post, isOverBlock, reader }: SeenPost): Subject {
  const subject = subjectOfPost(post);
  if (isOverBlock) return { ...subject, policy: 'NOBODY' };
  if (reader.id === null || reader.hasJoined) return subject;
  return { ...subject, policy: 'NOBODY', closedBecause: notJoined().message };
}

/** Editors have reported posts that they may not see. They read nothing of what others say there. */
export const hasSeenPost = async ({ _id, reported }: PostDocument, context: Context): Promise<boolean> =>
  !reported || !editors(context) || (await findSeenPosts(context.db, context.viewer.id, [_id])).has(_id);

/** The same without a question of its own for each post of a list. */
export async function commentPolicyOf(post: PostDocument, context: Context): Promise<CommentPolicy> {
  const { policy } = subjectOfPost(post);
  const { id } = context.viewer;
  if (id === null) return policy;
  if (post.reported && editors(context)) return askPolicy(post, id, context); // see `hasSeenPost`
  const { author_id, wall_id, audience } = post;
  if (id !== author_id && id !== wall_id) {
    // Others do not see it over a block. Whoever has joined has a name, which is read with those of the authors.
    const isOpen = audience !== 'PUBLIC' || (await context.loaders().socialName.load(id)) !== '';
    return isOpen ? policy : 'NOBODY';
  }
  if (author_id === wall_id) return policy;
  const hidden = await hiddenAuthors(context);
  if (!hidden.has(id === author_id ? wall_id : author_id)) return policy;
  return hidden.areAll ? 'NOBODY' : askPolicy(post, id, context); // otherwise the other may only count as hidden
}

async function askPolicy({ _id }: PostDocument, reader: string, { db }: Context): Promise<CommentPolicy> {
  const seen = (await findSeenPosts(db, reader, [_id])).get(_id);
  return seen ? subjectFor(seen).policy : 'NOBODY';
}

export const postComments: Commentables = {
  find: async (context, ids) => {
    const { db, viewer } = context;
    const seen = await findSeenPosts(db, viewer.id, ids);
    if (seen.size === 0) return new Map();
    const hidden = await findHiddenFrom(db, viewer.id); // as of now: a guard asks again
    return new Map(
      [...seen].map(([id, each]): [string, Commented] => {
        const guard = { follow: ({ hub }: Context) => hub.follow(sightFeed, { id, reader: viewer.id }) };
        return [id, { subject: subjectFor(each), object: asCommented(each.post), hiddenAuthors: hidden, guard }];
      }),
    );
  },
  changePolicy: async () => null,
  urlOf: async (context, object) => {
    const id = toGlobalId(POST_TYPE, (object as PostDocument)._id);
    return new URL(`/social/post/${id}`, context.publicUrl()).href;
  },
};
