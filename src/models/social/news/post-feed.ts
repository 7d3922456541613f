/**
 * A post, followed live, as a reader sees it: with its votes and comments, until it is deleted or the reader may not see it any more.
 * After a block it is sent again, because comments of the other person are left out from then on.
 */
import type { ClientSession, Db } from 'mongodb';
import {
  type ChangeEvent,
  changedDocument,
  defineFeed,
  documentBytes,
  type StateFeed,
} from '../../../database/index.js';
import { graphChanges } from '../network/person.js';
import { findHiddenFrom, findReader, type HiddenPeople } from '../network/relation.js';
import { findPostsById, type PostDocument, posts } from '../posts/post.js';
import { filterSeen } from '../posts/post-sight.js';
import { graphOf, isRenaming, NAMES, peopleOfChange, showsChange } from './graph-topics.js';

export interface PostArgs {
  readonly id: string;
  /** Null for a visitor. */
  readonly reader: string | null;
}

interface FollowedPost {
  readonly reader: string | null;
  /** Null once the reader does not see it. */
  post: PostDocument | null;
  /** Whose comments the reader does not see. */
  readonly hidden: HiddenPeople;
  isUncertain: boolean;
}

const WHOLE = ['post'];
/** An id in the set. */
const HIDDEN_BYTES = 60;

/** Whether it is the same, and looks different after a change of a person. */
const changedIn = ({ post, reader }: FollowedPost, event: ChangeEvent): readonly string[] =>
  post && showsChange(event, reader)(post) ? WHOLE : [];

export const postOf = (id: string): string => `post ${id}`;

/** Of changes of a post, or of the graph around its reader. */
export const topicsAround = (event: ChangeEvent): string[] =>
  event.collection === posts.collectionName
    ? [postOf(String(event.documentKey._id))]
    : peopleOfChange(event).map(graphOf);

export const postFeed: StateFeed<PostArgs, FollowedPost, PostDocument | null, PostDocument | null> = defineFeed({
  kind: 'state',
  name: 'social post',
  collections: [posts, graphChanges],

  key: ({ id, reader }: PostArgs) => JSON.stringify([id, reader]),
  topic: ({ id }: PostArgs) => postOf(id),
  topicsOf: (_state: FollowedPost, { reader }: PostArgs) => (reader === null ? [NAMES] : [NAMES, graphOf(reader)]),
  topics: (event: ChangeEvent) => [...topicsAround(event), ...(isRenaming(event) ? [NAMES] : [])],

  snapshot: async (db: Db, { id, reader }: PostArgs, session: ClientSession) => {
    // Whether there is a post is not told to whoever does not see it.
    const found = await findPostsById(db, [id], session);
    const [seen] = await filterSeen(db, await findReader(db, reader, session), found, session);
    const hidden = await findHiddenFrom(db, reader, session);
    return { reader, post: seen?.post ?? null, hidden, isUncertain: false };
  },

  touched: (event: ChangeEvent, _args: PostArgs, state: FollowedPost) =>
    event.collection === graphChanges.collectionName && isRenaming(event) ? changedIn(state, event) : WHOLE,
  apply: (state: FollowedPost, event: ChangeEvent) => {
    if (event.collection === graphChanges.collectionName) {
      if (!isRenaming(event)) state.isUncertain = true;
      return changedIn(state, event);
    }
    if (!state.post) return [];
    const changed = event.operation === 'delete' ? null : changedDocument(state.post, event);
    state.post = changed?.live ? changed : null;
    return WHOLE;
  },
  view: ({ post }: FollowedPost) => post,
  change: ({ post }: FollowedPost) => post,
  reread: {
    isUncertain: ({ isUncertain }: FollowedPost) => isUncertain,
    compare: (before: FollowedPost, after: FollowedPost) =>
      JSON.stringify(before.post) === JSON.stringify(after.post) && before.hidden.key === after.hidden.key ? [] : WHOLE,
    late: (state: FollowedPost, event: ChangeEvent) =>
      event.collection === graphChanges.collectionName ? changedIn(state, event) : [],
  },
  bytes: ({ post, hidden }: FollowedPost) => (post ? documentBytes(post) : 0) + hidden.size * HIDDEN_BYTES,
});
