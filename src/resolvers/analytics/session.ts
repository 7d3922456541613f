/** Sessions: recording them, rolling them up, and reading the roll-ups, including subscriptions. */
import type {
  MutationResolvers,
  QueryResolvers,
  SessionStatsResolvers,
  SubscriptionResolvers,
} from '../../generated/resolvers.js';
import type { RollUpDocument } from '../../models/analytics/sessions/roll-up.js';
import { rollUpSessions } from '../../models/analytics/sessions/roll-up-run.js';
import { recordSessions } from '../../models/analytics/sessions/session.js';
import { findSessionStats } from '../../models/analytics/sessions/session-stats.js';
import { requireSessionStatsArgs, sessionStatsFeed } from '../../models/analytics/sessions/session-stats-feed.js';
import { type FollowedEvent, followedAs } from '../support/followed-event.js';

export const SessionStats: Pick<SessionStatsResolvers, 'userId' | 'at' | 'total' | 'count' | 'mean'> = {
  userId: ({ _id }) => _id.u,
  at: ({ _id }) => _id.d,
  total: ({ value }) => value.total,
  count: ({ value }) => value.count,
  mean: ({ value }) => value.mean,
};

export const Query: Pick<QueryResolvers, 'sessionStats'> = {
  sessionStats: (_root, { userId, range, level, first, after, sort }, { db }) =>
    findSessionStats(db, { userId, range, level, sort }, { first, after }),
};

export const Mutation: Pick<MutationResolvers, 'recordSessions' | 'rollUp'> = {
  recordSessions: (_root, { sessions, durability }, { db, now }) => recordSessions(db, sessions, durability, now()),
  rollUp: (_root, { cutoff }, { db, now }) => {
    const at = now();
    return rollUpSessions(db, { before: new Date(at.getTime() - cutoff.ms), now: at });
  },
};

export const Subscription: Pick<SubscriptionResolvers, 'sessionStatsChanged'> = {
  sessionStatsChanged: {
    subscribe: (_root, { userId, level, after }, { hub }) =>
      hub.follow(sessionStatsFeed, requireSessionStatsArgs({ userId, level }), { after }),
    resolve: (event: FollowedEvent<readonly RollUpDocument[]>) => followedAs('stats', event),
  },
};
