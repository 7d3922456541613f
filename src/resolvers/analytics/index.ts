/** Analytics' part of the API. */
import type { AnalyticsServices } from '../../models/analytics/domain.js';
import { findEvent } from '../../models/analytics/log/request-log.js';
import { findLogImport } from '../../models/analytics/log-import/log-import.js';
import { findSite } from '../../models/analytics/sites/site.js';
import { editors, readersOf } from '../support/access.js';
import type { DomainResolvers } from '../support/domain-resolvers.js';
import { beaconRoutes } from './beacon.js';
import * as groupCommit from './group-commit.js';
import * as hitChart from './hit-chart.js';
import * as logGrowth from './log-growth.js';
import * as logImport from './log-import.js';
import * as requestLog from './request-log.js';
import * as session from './session.js';
import * as site from './site.js';

export const resolvers: DomainResolvers = {
  modules: [hitChart, groupCommit, logGrowth, logImport, requestLog, session, site],
  nodes: {
    LogEvent: { mayAsk: readersOf('LOGS_READ'), find: ({ db, now }, id) => findEvent(db, id, now()) },
    LogImport: { mayAsk: readersOf('LOGS_READ'), find: ({ db }, id) => findLogImport(db, id) },
    Site: { mayAsk: editors, find: ({ db }, id) => findSite(db, id) },
  },
  routes: beaconRoutes,
};

declare module '../../server/context/context.js' {
  interface Services extends AnalyticsServices {}
}
