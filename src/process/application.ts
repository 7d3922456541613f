/** Everything that runs on an open database: the services, the server and the jobs. */
import { randomUUID } from 'node:crypto';
import type { Config } from '../config/config.js';
import { endAbandonedTransactions } from '../database/connection/abandoned-transactions.js';
import type { OnStep } from '../database/embedded/index.js';
import { buildIndexes, openClock } from '../database/index.js';
import type { OpenDatabase } from '../database/open-database.js';
import { allDomains, collectionsOf, domainsOf } from '../domains.js';
import { startJobs } from '../jobs/index.js';
import { ensureAdministrator, withdrawAdministrator } from '../models/people/administrator.js';
import { removeFormerJobs } from '../models/system/job.js';
import { startServer } from '../server/index.js';
import { makeLog } from '../server/observe/log.js';
import { makeServices } from './services.js';

export interface Application {
  /** The URL on which it listens. */
  readonly url: string;
  /** The administrator created on the first start. The password is null when ADMIN_PASSWORD set it. */
  readonly administrator: { readonly email: string; readonly password: string | null } | null;
  /** Accepts no new work, finishes running work, and flushes pending writes. */
  close(): Promise<void>;
}

export async function startApplication(config: Config, database: OpenDatabase, onStep: OnStep): Promise<Application> {
  await endAbandonedTransactions(database.client); // left by a killed run of this process: they would block what follows
  onStep({ text: 'Building indexes' });
  const domains = domainsOf(config);
  await buildIndexes(database.db, collectionsOf(domains));
  for (const domain of domains) await domain.prepare?.(database.db);
  await removeFormerJobs(database.db, formerNames());

  const administrator = await makeAdministrator(config, database);
  try {
    const { url, close } = await startServices(config, database);
    return {
      url,
      administrator: administrator && { email: administrator.email, password: administrator.password },
      close,
    };
  } catch (error) {
    // The password was never shown: the next start creates another administrator.
    if (administrator) await withdrawAdministrator(database.db, administrator.id);
    throw error;
  }
}

async function startServices(config: Config, database: OpenDatabase): Promise<Pick<Application, 'url' | 'close'>> {
  const log = makeLog(config);
  const { services, close: closeServices } = await makeServices(config, database, log);
  const server = await startServer(services);
  const jobs = await startJobs({ ...services, onTrouble: (trouble, error) => log.warn({ err: error }, trouble) });
  const close = async () => {
    await server.close();
    await jobs.close();
    await closeServices();
  };
  return { url: server.url, close };
}

/** Of all domains: a job may have been renamed while its domain was off. */
const formerNames = (): string[] =>
  allDomains
    .flatMap(({ jobs, recoveryWorkers }) => [...jobs, ...recoveryWorkers])
    .flatMap((renamed) => renamed.formerNames ?? []);

async function makeAdministrator({ ADMIN_EMAIL: email, ADMIN_PASSWORD }: Config, { client, db }: OpenDatabase) {
  const now = await openClock(client);
  const id = randomUUID();
  const { created, password } = await ensureAdministrator(db, {
    email,
    password: ADMIN_PASSWORD,
    id,
    now: now(),
  });
  return created ? { id, email, password: password ?? null } : null;
}
