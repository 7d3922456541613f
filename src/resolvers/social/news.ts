/** Walls, incoming posts and news: read and followed. */
import type { FeedEvent } from '../../database/index.js';
import type { QueryResolvers, SubscriptionResolvers } from '../../generated/resolvers.js';
import { type ListChange, listFeed } from '../../models/social/news/list-feed.js';
import { findNews } from '../../models/social/news/news.js';
import { postFeed } from '../../models/social/news/post-feed.js';
import { findIncoming, findWall } from '../../models/social/news/wall-list.js';
import type { PostDocument } from '../../models/social/posts/post.js';
import { POST_TYPE } from '../../models/social/posts/post-comments.js';
import { requirePerson } from '../../server/identity/viewer.js';
import { toGlobalId } from '../../shared/global-id.js';
import { followedAs } from '../support/followed-event.js';
import { personIdOf } from './people.js';
import { postIdOf } from './post.js';

export const Query: Pick<QueryResolvers, 'wall' | 'incoming' | 'news'> = {
  wall: (_root, { userId, first, after }, { db, viewer }) =>
    findWall(db, viewer.id, personIdOf(userId), { first, after }),
  incoming: (_root, { first, after }, { db, viewer }) => findIncoming(db, requirePerson(viewer), { first, after }),
  news: (_root, { first, after }, { db, viewer }) => findNews(db, requirePerson(viewer), { first, after }),
};

type ListEvent = FeedEvent<ListChange, ListChange>;

const asPostsEvent = (event: ListEvent) => {
  const { posts, removed } = event.kind === 'snapshot' ? event.view : event.change;
  return {
    cursor: event.cursor,
    reset: event.reset,
    posts: [...posts],
    removed: removed.map((id) => toGlobalId(POST_TYPE, id)),
  };
};

type Live = 'wallChanged' | 'incomingChanged' | 'newsChanged' | 'postChanged';

export const Subscription: Pick<SubscriptionResolvers, Live> = {
  wallChanged: {
    subscribe: (_root, { userId, after }, { hub, viewer }) =>
      hub.follow(listFeed, { list: 'WALL', owner: personIdOf(userId), reader: viewer.id }, { after }),
    resolve: asPostsEvent,
  },
  incomingChanged: {
    subscribe: (_root, { after }, { hub, viewer }) => {
      const reader = requirePerson(viewer);
      return hub.follow(listFeed, { list: 'INCOMING', owner: reader, reader }, { after });
    },
    resolve: asPostsEvent,
  },
  newsChanged: {
    subscribe: (_root, { after }, { hub, viewer }) => {
      const reader = requirePerson(viewer);
      return hub.follow(listFeed, { list: 'NEWS', owner: reader, reader }, { after });
    },
    resolve: asPostsEvent,
  },
  postChanged: {
    subscribe: (_root, { id, after }, { hub, viewer }) =>
      hub.follow(postFeed, { id: postIdOf(id), reader: viewer.id }, { after }),
    resolve: (event: FeedEvent<PostDocument | null, PostDocument | null>) => followedAs('post', event),
  },
};
