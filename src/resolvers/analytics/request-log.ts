/** The request log: recording, finding, counting and explaining requests. */
import type { LogEventResolvers, MutationResolvers, QueryResolvers } from '../../generated/resolvers.js';
import { keptFields } from '../../models/analytics/log/log-fields.js';
import { findEvents } from '../../models/analytics/log/request-log.js';
import { recordEvents } from '../../models/analytics/log/request-record.js';
import { explainEvents, requestsByDayAndPage } from '../../models/analytics/log/request-report.js';
import { toGlobalId } from '../../shared/global-id.js';

export const LogEvent: Pick<LogEventResolvers, 'id' | 'userAgent'> = {
  id: ({ _id }) => toGlobalId('LogEvent', _id),
  userAgent: ({ user_agent }) => user_agent ?? null,
};

export const Query: Pick<QueryResolvers, 'events' | 'requestsByDayAndPage' | 'explainEvents'> = {
  events: (_root, { filter, first, after }, { db, now }) => findEvents(db, filter, { first, after }, now()),
  requestsByDayAndPage: (_root, { site, range, first }, { db, now }) =>
    requestsByDayAndPage(db, site, range, first, now()),
  explainEvents: (_root, { filter, query }, { db, now }) => explainEvents(db, filter, query, now()),
};

export const Mutation: Pick<MutationResolvers, 'recordEvents'> = {
  recordEvents: async (_root, { events, durability }, { db, config, now }) => {
    const requests = events.map(({ userAgent, ...request }) => ({ ...request, user_agent: userAgent }));
    const keep = keptFields(config.LOG_FIELDS);
    return recordEvents(db, requests, durability, { now: now(), keep });
  },
};
