/** The server and its database, for operators. */
import { readFileSync } from 'node:fs';
import type { QueryResolvers, SystemResolvers } from '../../generated/resolvers.js';
import { namesOfJobs } from '../../models/domain.js';
import { describeDatabase } from '../../models/system/database.js';
import { findJobs } from '../../models/system/job.js';
import { findAllStorage } from '../../models/system/storage.js';

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export const System: SystemResolvers = {
  version: () => version,
  startedAt: (_system, _args, { startedAt }) => startedAt,
  database: async (_system, _args, { client, config }) => ({
    ...(await describeDatabase(client)),
    embedded: config.MONGODB_URI === undefined,
  }),
  realtime: (_system, _args, { hub }) => hub.health,
  collections: (_system, _args, { db }) => findAllStorage(db),
  // Jobs of a domain that is off are not listed. Their documents are kept for when it is on again.
  jobs: (_system, _args, { db, domains }) => findJobs(db, namesOfJobs(domains)),
};

export const Query: Pick<QueryResolvers, 'domains' | 'system'> = {
  domains: (_root, _args, { config }) => config.DOMAINS,
  system: () => ({}), // each part is read only when it is selected
};
