/**
 * What posts are about: the global id of any object. Some of these ids hold the id of a post, and with it those of two accounts. They go with
 * that post, or with the account.
 */
import type { Db } from 'mongodb';
import { fromGlobalId, toGlobalId } from '../../../shared/global-id.js';
import { findPost, type PostDocument, posts } from './post.js';
import { POST_TYPE } from './post-comments.js';

/** The types whose ids are those of posts: administrators may write about the fan-out of one. */
const OF_POSTS = [POST_TYPE, 'FanOut'];

/** A post has been deleted: whoever follows one about it is told, and no longer shows what it said. */
export async function forgetPost(db: Db, id: string): Promise<void> {
  const ids = OF_POSTS.map((type) => toGlobalId(type, id));
  await posts(db).updateMany({ about: { $in: ids } }, { $unset: { about: '' } });
}

/** The post that it is about may have been deleted while it was published, and the removal has ended without it. */
export async function forgetGone(db: Db, { _id, about }: PostDocument): Promise<void> {
  const { type = '', id = '' } = fromGlobalId(about ?? '') ?? {};
  if (!OF_POSTS.includes(type) || (await findPost(db, id))?.live) return;
  await posts(db).updateOne({ _id }, { $unset: { about: '' } }); // guard: what was deleted stays so, and nobody changes what a post is about
}

/** Posts about an account, which administrators may write. @returns how many there were */
export async function forgetAccount(db: Db, id: string): Promise<number> {
  const about = toGlobalId('User', id);
  return (await posts(db).updateMany({ about }, { $unset: { about: '' } })).modifiedCount;
}
