/** Posts of blogs. */
import type {
  BlogPostResolvers,
  ImagePostResolvers,
  QueryResolvers,
  QuoteResolvers,
  SubscriptionResolvers,
  VideoResolvers,
} from '../../generated/resolvers.js';
import { findRecentPosts } from '../../models/content/posts/post.js';
import { type PostsChange, postFeed, requirePostsArgs } from '../../models/content/posts/post-feed.js';
import { SextantError } from '../../shared/errors.js';
import { idOfType, toGlobalId } from '../../shared/global-id.js';
import { videoOf } from '../../shared/rendering/video.js';
import type { FollowedEvent } from '../support/followed-event.js';
import { withImage, withText } from './node-fields.js';
import { nodeIdOf } from './node-type.js';

export const BlogPost: BlogPostResolvers = withText;
export const ImagePost: ImagePostResolvers = { ...withText, ...withImage };
export const Video: VideoResolvers = {
  ...withText,
  videoUrl: ({ detail }) => detail.video_url ?? '',
  embedUrl: ({ detail }) => videoOf(detail.video_url ?? '')?.embedUrl ?? null,
};
export const Quote: QuoteResolvers = { ...withText, source: ({ detail }) => detail.source ?? '' };

export const Query: Pick<QueryResolvers, 'recentPosts'> = {
  recentPosts: (_root, { blogId, first, after }, { db, now }) =>
    findRecentPosts(db, nodeIdOf(blogId), { first, after }, now()),
};

export const Subscription: Pick<SubscriptionResolvers, 'recentPostsChanged'> = {
  recentPostsChanged: {
    subscribe: (_root, { blogId: globalId, first, after }, { hub }) => {
      const blogId = idOfType('ContentNode', globalId);
      if (blogId === null) throw new SextantError('NOT_FOUND', 'There is no such blog');
      return hub.follow(postFeed, requirePostsArgs(blogId, first), { after });
    },
    resolve: (event: FollowedEvent<PostsChange>) => {
      const { posts, removed } = event.kind === 'snapshot' ? event.view : event.change;
      const ids = removed.map((id) => toGlobalId('ContentNode', id));
      return { cursor: event.cursor, reset: event.reset, posts, removed: ids };
    },
  },
};
