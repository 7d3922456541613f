/** The domains of the product, for tests that need all of them. */
import type { Db } from 'mongodb';
import { readConfig } from '../../../src/config/config.js';
import { acrossDomains, allDomains } from '../../../src/domains.js';
import { recoveryPlan } from '../../../src/jobs/index.js';
import { inOrderOfRuns, type JobPlan, type OpenDomain, openDomains } from '../../../src/models/domain.js';

/** The names of all recovery workers, in the order in which they run. */
export const workerNames: readonly string[] = inOrderOfRuns(allDomains).map(({ name }) => name);

/** The schedule of a server that runs every domain. */
export const schedule: readonly JobPlan[] = [
  ...allDomains.flatMap(({ jobs }) => jobs),
  ...inOrderOfRuns(allDomains).map(recoveryPlan),
];

/** All domains, with the default settings. */
export function openAllDomains(db: Db): Promise<OpenDomain[]> {
  const onFault = (_fault: string, error: unknown) => {
    throw error;
  };
  const config = readConfig({ NODE_ENV: 'test' });
  const runtime = { client: db.client, db, now: () => new Date(), onFault, ...acrossDomains(config) };
  return openDomains(allDomains, runtime, config);
}
