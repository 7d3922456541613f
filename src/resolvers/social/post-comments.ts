/** Comments on posts: of whoever sees the post, without those of people on the other side of a block. */
import { findDiscussionPage } from '../../models/comments/comment-list.js';
import type { Comment } from '../../models/comments/discussion/comment.js';
import { findHiddenFrom } from '../../models/social/network/relation.js';
import { graphFeed } from '../../models/social/news/graph-feed.js';
import type { PostDocument } from '../../models/social/posts/post.js';
import { POST_TYPE, subjectOfPost } from '../../models/social/posts/post-comments.js';
import { findSeenPosts } from '../../models/social/posts/post-sight.js';
import type { Context } from '../../server/context/context.js';
import { toGlobalId } from '../../shared/global-id.js';
import type { Commentables, Commented } from '../support/commentable.js';

const SHOWN = 3;

/** The last ones that the viewer sees, as they were posted. */
export async function latestComments(post: PostDocument, { db, viewer }: Context): Promise<Comment[]> {
  const { comments } = post;
  if (!comments || comments.count === 0) return [];
  const hidden = await findHiddenFrom(db, viewer.id);
  const { discussion } = subjectOfPost(post);
  const seen = comments.latest.filter(({ author }) => author._id === undefined || !hidden.has(author._id));
  const isEnough = seen.length >= SHOWN || comments.latest.length >= comments.count;
  if (isEnough)
    return seen.slice(-SHOWN).map((comment) => ({ ...comment, discussion, about: withType(post) }) as never);
  // So many in a row are hidden that the summary has too few.
  const page = await findDiscussionPage(
    db,
    discussion,
    { order: 'NEWEST_FIRST', first: SHOWN },
    { hiddenAuthors: hidden },
  );
  return page.edges.map(({ node }) => ({ ...node, about: withType(post) }) as never).toReversed();
}

const withType = (post: PostDocument) => ({ ...post, __typename: POST_TYPE });

export const postComments: Commentables = {
  find: async (context, ids) => {
    const { db, viewer } = context;
    const seen = await findSeenPosts(db, viewer.id, ids);
    if (seen.size === 0) return new Map();
    const hiddenAuthors = await findHiddenFrom(db, viewer.id);
    const { id } = viewer;
    const guard = id === null ? undefined : { follow: ({ hub }: Context) => hub.follow(graphFeed, { person: id }) };
    return new Map(
      [...seen].map(([id, post]): [string, Commented] => [
        id,
        { subject: subjectOfPost(post), object: withType(post), hiddenAuthors, ...(guard && { guard }) },
      ]),
    );
  },
  changePolicy: async () => null,
  urlOf: async (context, object) => {
    const id = toGlobalId(POST_TYPE, (object as PostDocument)._id);
    return new URL(`/social/post/${id}`, context.publicUrl()).href;
  },
};
