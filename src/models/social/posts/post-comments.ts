/**
 * Posts are commented on by the members who see them. All comments of one are a document; before they outgrow it, they are moved while
 * people go on.
 */
import type { Db } from 'mongodb';
import { toGlobalId } from '../../../shared/global-id.js';
import type { CommentHost, HostedSubject, Subject } from '../../commentable.js';
import { findPostsById, type PostDocument, posts } from './post.js';

export const POST_TYPE = 'Post';

export const discussionOfPost = (id: string): string => `${POST_TYPE}:${id}`;

export const subjectOfPost = ({
  _id,
  author_id,
  wall_id,
}: Pick<PostDocument, '_id' | 'author_id' | 'wall_id'>): Subject => ({
  discussion: discussionOfPost(_id),
  policy: 'MEMBERS',
  design: 'EMBEDDED',
  ownerIds: [...new Set([author_id, wall_id])],
});

const POSTS_AT_ONCE = 50;

export const postHost: CommentHost = {
  type: POST_TYPE,
  isPrivate: true,
  outgrownBy: 'ONE_EACH', // shows any number of comments in every order
  find: async (db, ids) => new Map((await findPostsById(db, ids)).map((post) => [post._id, subjectOfPost(post)])),
  async *walk(db, below, from) {
    const { id = '' } = (from ?? {}) as { readonly id?: string };
    if (below !== null) {
      for (const post of await findPostsById(db, [below])) yield hosted(post, null);
      return;
    }
    for (let where: { $gte: string } | { $gt: string } = { $gte: id }; ; ) {
      const some = await posts(db).find({ _id: where }).sort({ _id: 1 }).limit(POSTS_AT_ONCE).toArray();
      for (const post of some) if (post.live) yield hosted(post, toGlobalId(POST_TYPE, post._id));
      const last = some.at(-1);
      if (!last) return;
      where = { $gt: last._id };
    }
  },
  isThere: async (db: Db, session, id) =>
    (await posts(db).findOne({ _id: id, live: true }, { session, projection: { _id: 1 } })) !== null,
  // In the transaction of the comments: so every change of the discussion is a change of the post, for those who follow it.
  summarize: async (db: Db, session, id, summary) => {
    await posts(db).updateOne({ _id: id, live: true }, { $set: { comments: summary } }, { session });
  },
};

const hosted = (post: PostDocument, on: string | null): HostedSubject => ({
  subject: subjectOfPost(post),
  on,
  position: { id: post._id },
});
