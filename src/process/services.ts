/** Services that live as long as the server process: created here, passed to resolvers and jobs, closed in reverse order. */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import type { Connection } from '../database/connection/client.js';
import { ensureIdentity, openClock } from '../database/index.js';
import { MaintenanceRunner } from '../jobs/maintenance-runner.js';
import { createHitRecorder } from '../models/analytics/hits/hit-recorder.js';
import { createPreAllocation } from '../models/analytics/hits/pre-allocation.js';
import { keptFields } from '../models/analytics/log/log-fields.js';
import { LogImporter } from '../models/analytics/log-import/log-importer.js';
import { openStore, type StoreRules } from '../models/commerce/store.js';
import { Hub } from '../realtime/index.js';
import type { Services } from '../server/index.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../shared/time.js';

export async function makeServices(
  config: Config,
  { client, db, uri }: Connection,
  log: Logger,
): Promise<Services & { readonly maintenance: MaintenanceRunner }> {
  const now = await openClock(client);
  const imports = new LogImporter(db, {
    holder: randomUUID(),
    keep: keptFields(config.LOG_FIELDS),
    now,
    onFault: (error, id) => log.error({ err: error, import: id }, 'An import has stopped; it resumes within a minute'),
  });
  const preAllocation = config.HITS_PREALLOCATE
    ? { preAllocation: createPreAllocation({ db, now, random: Math.random }) }
    : {};
  const hits = createHitRecorder({ client, db, waitingMax: config.HITS_WAITING_MAX, ...preAllocation });
  const hub = await Hub.create({
    db,
    ring: { events: config.RING_EVENTS, bytes: config.RING_BYTES },
    catchUpsMax: config.CATCH_UPS_MAX,
    states: { bytes: config.MAX_STATE_BYTES, bytesPerAccount: config.MAX_STATE_BYTES / 2 },
    now,
    onTrouble: (trouble, error) => log.warn({ err: error }, trouble),
  });
  const store = await openStore(db, storeRules(config), now());
  const maintenance = new MaintenanceRunner({ db, uri }, storeRules(config));
  return {
    config,
    client,
    db,
    databaseIdentity: await ensureIdentity(db),
    now,
    hits,
    imports,
    hub,
    store,
    maintenance,
  };
}

export const storeRules = (config: Config): StoreRules => ({
  currency: config.CURRENCY,
  cartIdleMs: config.CART_IDLE_MINUTES * MINUTE_MS,
  recoverAfterMs: config.RECOVER_AFTER_SECONDS * SECOND_MS,
  keepAnswersMs: config.IDEMPOTENCY_HOURS * HOUR_MS,
});
