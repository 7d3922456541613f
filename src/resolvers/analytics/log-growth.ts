/** The growth settings of the request log. */
import type {
  ChangeLogGrowthResultResolvers,
  LogGrowthResolvers,
  LogRetentionResolvers,
  MutationResolvers,
  QueryResolvers,
  SubscriptionResolvers,
} from '../../generated/resolvers.js';
import { findLogCollections } from '../../models/analytics/log-growth/log-collections.js';
import { findGrowth, type LogGrowthDocument, logGrowthFeed } from '../../models/analytics/log-growth/log-growth.js';
import { changeLogGrowth } from '../../models/analytics/log-growth/log-growth-change.js';
import { planLogGrowth } from '../../models/analytics/log-growth/log-growth-plan.js';
import { actOfViewer } from '../people/act.js';
import { type FollowedEvent, followedAs } from '../support/followed-event.js';
import { resultType } from '../support/result-type.js';

export const LogGrowth: Pick<LogGrowthResolvers, 'collections' | 'changingTo'> = {
  collections: (growth, _args, { db }) => findLogCollections(db, growth),
  changingTo: ({ change }) => (change && !change.is_rotation ? change.strategy : null),
};

export const LogRetention: LogRetentionResolvers = {
  maxBytes: ({ max_bytes }) => max_bytes ?? null,
  maxAge: ({ max_age_ms: ms }) => (ms === undefined ? null : { ms }),
};

export const ChangeLogGrowthResult: ChangeLogGrowthResultResolvers = { __resolveType: resultType('LogGrowth') };

export const Query: Pick<QueryResolvers, 'logGrowth' | 'logGrowthPlan'> = {
  logGrowth: (_root, _args, { db }) => findGrowth(db),
  logGrowthPlan: (_root, { input }, { db, now }) => planLogGrowth(db, input, now()),
};

export const Mutation: Pick<MutationResolvers, 'changeLogGrowth'> = {
  changeLogGrowth: async (_root, { input }, context) =>
    changeLogGrowth(context.db, await actOfViewer(context), input, context.now()),
};

export const Subscription: Pick<SubscriptionResolvers, 'logGrowthChanged'> = {
  logGrowthChanged: {
    subscribe: async (_root, { after }, { db, hub }) => {
      const { _id: id } = await findGrowth(db);
      return hub.follow(logGrowthFeed, { id }, { after });
    },
    resolve: (event: FollowedEvent<LogGrowthDocument>) => followedAs('growth', event),
  },
};
