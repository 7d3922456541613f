/** What lives as long as the server process: made here, handed to resolvers and jobs, closed in the reverse order. */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Config } from './config.js';
import type { Connection } from './database/connection.js';
import { createHitRecorder } from './models/analytics/hit-recorder.js';
import { keptFields } from './models/analytics/log-fields.js';
import { LogImporter } from './models/analytics/log-importer.js';
import { createPreAllocation } from './models/analytics/pre-allocation.js';
import { Hub } from './realtime/index.js';
import type { Services } from './server/index.js';

const now = () => new Date();

export async function makeServices(config: Config, { client, db }: Connection, log: Logger): Promise<Services> {
  const imports = new LogImporter(db, {
    holder: randomUUID(),
    keep: keptFields(config.LOG_FIELDS),
    now,
    onFault: (error, id) => log.error({ err: error, import: id }, 'An import has stopped; it goes on within a minute'),
  });
  const preAllocation = config.HITS_PREALLOCATE
    ? { preAllocation: createPreAllocation({ db, now, random: Math.random }) }
    : {};
  const hits = createHitRecorder({ client, db, waitingMax: config.HITS_WAITING_MAX, ...preAllocation });
  const hub = await Hub.create({
    db,
    ring: { events: config.RING_EVENTS, bytes: config.RING_BYTES },
    catchUpsMax: config.CATCH_UPS_MAX,
    onTrouble: (trouble, error) => log.warn({ err: error }, trouble),
  });
  return { config, client, db, hits, imports, hub };
}
