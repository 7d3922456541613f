/** The server process, from its start to its end. */

import { hasGraphiQL, readConfig, readEnvironment } from '../config/config.js';
import { startTracing } from '../config/open-telemetry.js';
import { openDatabase } from '../database/open-database.js';
import { armFailpoint } from '../shared/failpoint.js';
import { fail } from '../terminal/failure.js';
import { makeSteps } from '../terminal/steps.js';
import { endOnSignal } from './shutdown.js';
import { describeWelcome } from './welcome.js';

async function main(): Promise<void> {
  const environment = readEnvironment();
  const config = readConfig(environment);
  const endTracing = await startTracing(environment);
  if (config.SEXTANT_FAILPOINT) armFailpoint(config.SEXTANT_FAILPOINT);

  const steps = makeSteps(process.stderr);
  // The application's modules load while the database starts: each takes most of a second.
  const [database, { startApplication }] = await Promise.all([
    openDatabase(config, steps.show),
    import('./application.js'),
  ]);
  const application = await startApplication(config, database, steps.show);
  steps.end();

  endOnSignal(config.SHUTDOWN_MS, [application.close, database.close, async () => endTracing?.()]);
  process.stdout.write(
    describeWelcome({
      address: config.PUBLIC_URL?.replace(/\/$/, '') ?? application.url,
      data: database.folder ?? `${database.deployment}, MongoDB ${database.version}`,
      graphiql: hasGraphiQL(config),
      administrator: application.administrator,
    }),
  );
}

main().catch(fail);
