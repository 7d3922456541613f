/** What brings a database back in order, for whoever runs the shop. */
import type { MutationResolvers, QueryResolvers } from '../../generated/resolvers.js';
import { allRecoveryWorkers, recover as letWork } from '../../models/recovery.js';
import { findJobs } from '../../models/system/job.js';

export const Query: Pick<QueryResolvers, 'recoveryJobs'> = {
  recoveryJobs: async (_root, _args, { db }) => {
    const jobs = new Map((await findJobs(db)).map((job) => [job.name, job]));
    return allRecoveryWorkers.map(({ name }) => jobs.get(name) ?? { name }); // not planned yet: all else is null
  },
};

export const Mutation: Pick<MutationResolvers, 'recover'> = {
  recover: async (_root, _args, { db, store, now }) => {
    const runs: { readonly worker: string; readonly found: number | null }[] = [];
    for (const worker of allRecoveryWorkers)
      runs.push({ worker: worker.name, found: await letWork(db, store, worker, { now: now() }) });
    return runs;
  },
};
