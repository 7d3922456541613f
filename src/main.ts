/** The server process, from its start to its end. */
import { randomUUID } from 'node:crypto';
import { fail } from './cli/failure.js';
import { makeSteps } from './cli/steps.js';
import { type Config, readConfig, readEnvironment } from './config.js';
import { endAbandonedTransactions } from './database/abandoned-transactions.js';
import { buildIndexes } from './database/index.js';
import { type OpenDatabase, openDatabase } from './database/open-database.js';
import { createHitRecorder } from './models/analytics/hit-recorder.js';
import { createPreAllocation } from './models/analytics/pre-allocation.js';
import { ensureAdministrator } from './models/people/user.js';
import { Hub } from './realtime/index.js';
import { type Services, startServer } from './server/index.js';
import { makeLog } from './server/log.js';
import { armFailpoint } from './shared/failpoint.js';
import { endOnSignal } from './shutdown.js';
import { describeWelcome } from './welcome.js';

async function main(): Promise<void> {
  const config = readConfig(readEnvironment());
  if (config.SEXTANT_FAILPOINT) armFailpoint(config.SEXTANT_FAILPOINT);
  const steps = makeSteps(process.stderr);

  const database = await openDatabase(config, steps.show);
  await endAbandonedTransactions(database.client); // of this process's last run, if it was killed: they would hold up what follows
  steps.show({ text: 'Building indexes' });
  await buildIndexes(database.db);
  const services = await makeServices(config, database);
  steps.end();

  const server = await startServer(services);
  endOnSignal(config.SHUTDOWN_MS, [
    () => server.close(),
    () => services.hub.close(),
    () => services.hits.close(),
    () => database.close(),
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

async function makeServices(config: Config, { client, db }: OpenDatabase): Promise<Services> {
  const log = makeLog(config);
  const hub = await Hub.create({
    db,
    ring: { events: config.RING_EVENTS, bytes: config.RING_BYTES },
    catchUpsMax: config.CATCH_UPS_MAX,
    onTrouble: (trouble, error) => log.warn({ err: error }, trouble),
  });
  const preAllocation = config.HITS_PREALLOCATE
    ? { preAllocation: createPreAllocation({ db, now: () => new Date(), random: Math.random }) }
    : {};
  const hits = createHitRecorder({ client, db, waitingMax: config.HITS_WAITING_MAX, ...preAllocation });
  return { config, client, db, hub, hits };
}

main().catch(fail);
