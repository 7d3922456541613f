/** The server process, from its start to its end. */
import { randomUUID } from 'node:crypto';
import { fail } from './cli/failure.js';
import { makeSteps } from './cli/steps.js';
import { type Config, readConfig, readEnvironment } from './config.js';
import { endAbandonedTransactions } from './database/abandoned-transactions.js';
import { buildIndexes } from './database/index.js';
import { type OpenDatabase, openDatabase } from './database/open-database.js';
import { startJobs } from './jobs/index.js';
import { ensureAdministrator } from './models/people/user.js';
import { startServer } from './server/index.js';
import { makeLog } from './server/log.js';
import { makeServices } from './services.js';
import { armFailpoint } from './shared/failpoint.js';
import { endOnSignal } from './shutdown.js';
import { startTracing } from './tracing.js';
import { describeWelcome } from './welcome.js';

async function main(): Promise<void> {
  const environment = readEnvironment();
  const config = readConfig(environment);
  const endTracing = await startTracing(environment);
  if (config.SEXTANT_FAILPOINT) armFailpoint(config.SEXTANT_FAILPOINT);
  const steps = makeSteps(process.stderr);

  const database = await openDatabase(config, steps.show);
  await endAbandonedTransactions(database.client); // of this process's last run, if it was killed: they would hold up what follows
  steps.show({ text: 'Building indexes' });
  await buildIndexes(database.db);
  const log = makeLog(config);
  const services = await makeServices(config, database, log);
  steps.end();

  const server = await startServer(services);
  const jobs = await startJobs({
    ...services,
    now: () => new Date(),
    onTrouble: (error) => log.warn({ err: error }, 'The scheduler of periodic work is in trouble'),
  });
  endOnSignal(config.SHUTDOWN_MS, [
    () => server.close(),
    () => jobs.close(),
    () => services.imports.close(),
    () => services.hub.close(),
    () => services.hits.close(),
    () => database.close(),
    async () => endTracing?.(),
  ]);
  const administrator = await createAdministrator(config, database);
  process.stdout.write(
    describeWelcome({
      address: config.PUBLIC_URL?.replace(/\/$/, '') ?? server.url,
      data: database.folder ?? `${database.deployment}, MongoDB ${database.version}`,
      graphiql: config.GRAPHIQL,
      administrator,
    }),
  );
}

/** Made only now that nothing can fail any more: its password is told once. */
async function createAdministrator({ ADMIN_EMAIL: email, ADMIN_PASSWORD }: Config, { db }: OpenDatabase) {
  const { created, password } = await ensureAdministrator(db, {
    email,
    password: ADMIN_PASSWORD,
    id: randomUUID(),
    now: new Date(),
  });
  return created ? { email, password: password ?? null } : undefined;
}

main().catch(fail);
