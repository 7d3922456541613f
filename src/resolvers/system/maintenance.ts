/** Checks and recoveries started by users. They run in the background. */
import type {
  InvariantCheckResolvers,
  MutationResolvers,
  QueryResolvers,
  RecoveryResolvers,
  SubscriptionResolvers,
} from '../../generated/resolvers.js';
import { inOrderOfRuns } from '../../models/domain.js';
import { intendAct, recordIntended } from '../../models/people/audit.js';
import { findJobs } from '../../models/system/job.js';
import { findMaintenance, type MaintenanceDocument, maintenanceFeed } from '../../models/system/maintenance.js';
import { failpoint } from '../../shared/failpoint.js';
import { actOfViewer } from '../people/act.js';
import { type FollowedEvent, followedAs } from '../support/followed-event.js';

export const InvariantCheck: Pick<InvariantCheckResolvers, 'startedAt' | 'finishedAt'> = {
  startedAt: ({ started_at }) => started_at,
  finishedAt: ({ finished_at }) => finished_at,
};

export const Recovery: Pick<RecoveryResolvers, 'startedAt' | 'finishedAt' | 'runs'> = {
  startedAt: ({ started_at }) => started_at,
  finishedAt: ({ finished_at }) => finished_at,
  runs: ({ worked }) => worked,
};

export const Query: Pick<QueryResolvers, 'invariantCheck' | 'recovery' | 'recoveryJobs'> = {
  invariantCheck: (_root, _args, { db }) => findMaintenance(db, 'CHECK'),
  recovery: (_root, _args, { db }) => findMaintenance(db, 'RECOVERY'),
  recoveryJobs: async (_root, _args, { db, domains }) => {
    const jobs = new Map((await findJobs(db)).map((job) => [job.name, job]));
    return inOrderOfRuns(domains).map(({ name }) => jobs.get(name) ?? { name }); // not scheduled yet: all other fields are null
  },
};

export const Mutation: Pick<MutationResolvers, 'checkInvariants' | 'recover'> = {
  checkInvariants: (_root, _args, { db, maintenance }) => maintenance.start(db, 'CHECK'),
  recover: async (_root, _args, context) => {
    const { db, maintenance } = context;
    const act = await actOfViewer(context);
    return maintenance.start(db, 'RECOVERY', async () => {
      failpoint('recovery.begun');
      // Operations that a worker finishes or rolls back stay attributed to the users who started them. This entry is for the recovery.
      await recordIntended(db, intendAct(act, { action: 'RECOVERY_STARTED', subject: 'all workers' }));
      failpoint('recovery.recorded');
    });
  },
};

export const Subscription: Pick<SubscriptionResolvers, 'invariantCheckChanged' | 'recoveryChanged'> = {
  invariantCheckChanged: {
    subscribe: (_root, { after }, { hub }) => hub.follow(maintenanceFeed, { kind: 'CHECK' }, { after }),
    resolve: (event: FollowedEvent<MaintenanceDocument>) => followedAs('check', event),
  },
  recoveryChanged: {
    subscribe: (_root, { after }, { hub }) => hub.follow(maintenanceFeed, { kind: 'RECOVERY' }, { after }),
    resolve: (event: FollowedEvent<MaintenanceDocument>) => followedAs('recovery', event),
  },
};
