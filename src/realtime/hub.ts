/** The realtime hub's interface for resolvers. */
import type { EventFeed, FeedEvent, StateFeed } from '../database/index.js';

export interface FollowOptions {
  /** The cursor of an event already seen. */
  readonly after?: string | null | undefined;
}

/** What a subscription's `subscribe` returns. graphql-js iterates it; the socket's fast path recognises it and shares executions. */
export interface Follow<Event> extends AsyncIterableIterator<Event> {}

export interface Hub {
  follow<Args, State, View, Change>(
    feed: StateFeed<Args, State, View, Change> | EventFeed<Args, View, Change>,
    args: Args,
    options?: FollowOptions,
  ): Promise<Follow<FeedEvent<View, Change>>>;
}
