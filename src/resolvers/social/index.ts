/** The network's part of the API. */
import type { SocialServices } from '../../models/social/domain.js';
import { makeSocialLoaders, type SocialLoaders } from '../../models/social/loaders.js';
import { POST_TYPE } from '../../models/social/posts/post-comments.js';
import { findSeenPost } from '../../models/social/posts/post-sight.js';
import { anybody } from '../support/access.js';
import type { DomainResolvers } from '../support/domain-resolvers.js';
import { workNode } from '../support/work.js';
import * as circle from './circle.js';
import * as fanOut from './fan-out.js';
import * as moderation from './moderation.js';
import * as networkImport from './network-import.js';
import * as news from './news.js';
import { postModule } from './post.js';
import { postComments } from './post-comments.js';
import * as postDetail from './post-detail.js';
import * as profile from './profile.js';
import { publishingModule } from './publishing.js';

const { circleNode, circleIdOf: _circleIdOf, circlesOfViewer: _circlesOfViewer, ...circles } = circle;
const { fanOutNode, ...deliveries } = fanOut;
const { detailOf: _detailOf, ...details } = postDetail;

export const resolvers: DomainResolvers = {
  modules: [profile, circles, postModule, details, news, deliveries, moderation, networkImport],
  nodes: {
    Circle: circleNode,
    FanOut: fanOutNode,
    NewsRebuild: workNode('NewsRebuild'),
    [POST_TYPE]: { mayAsk: anybody, find: ({ db, viewer }, id) => findSeenPost(db, viewer.id, id) },
  },
  commentables: { [POST_TYPE]: postComments },
  partFor: (domains) => ({ modules: [publishingModule(domains)], nodes: {} }),
  loaders: makeSocialLoaders,
};

declare module '../../server/context/context.js' {
  interface Services extends SocialServices {}
  interface Loaders extends SocialLoaders {}
}
