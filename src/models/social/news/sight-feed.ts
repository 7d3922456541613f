/**
 * That something has changed around a post and its reader: the post is gone, or the graph is another one around the reader. For
 * subscriptions that depend on it, which look again. Votes and comments do not matter, and nothing is read: so it tells at once.
 */
import { type ChangeEvent, defineFeed, type StateFeed } from '../../../database/index.js';
import { graphChanges } from '../network/person.js';
import { posts } from '../posts/post.js';
import { graphOf } from './graph-topics.js';
import { isGone } from './list-feed.js';
import { type PostArgs, postOf, topicsAround } from './post-feed.js';

const WHOLE = ['sight'];
const STATE_BYTES = 100;

const matters = (event: ChangeEvent): boolean => event.collection !== posts.collectionName || isGone(event);

export const sightFeed: StateFeed<PostArgs, object, null, null> = defineFeed({
  kind: 'state',
  name: 'social sight',
  collections: [posts, graphChanges],

  key: ({ id, reader }: PostArgs) => JSON.stringify([id, reader]),
  topic: ({ id }: PostArgs) => postOf(id),
  topicsOf: (_state: object, { reader }: PostArgs) => (reader === null ? [] : [graphOf(reader)]),
  topics: topicsAround,

  snapshot: async () => ({}),
  touched: (event: ChangeEvent) => (matters(event) ? WHOLE : []),
  apply: (_state: object, event: ChangeEvent) => (matters(event) ? WHOLE : []),
  view: () => null,
  change: () => null,
  bytes: () => STATE_BYTES,
});
