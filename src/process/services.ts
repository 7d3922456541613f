/** Services that live as long as the server process: created here, passed to resolvers and jobs, closed in reverse order. */
import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import type { Connection } from '../database/connection/client.js';
import { ensureIdentity, openClock } from '../database/index.js';
import { acrossDomains, domainsOf } from '../domains.js';
import { MaintenanceRunner } from '../jobs/maintenance-runner.js';
import { WorkRunner } from '../jobs/work-runner.js';
import { closeDomains, openDomains, workKindsOf } from '../models/domain.js';
import { Hub } from '../realtime/index.js';
import type { Services } from '../server/index.js';

export interface RunningServices {
  readonly services: Services;
  close(): Promise<void>;
}

export async function makeServices(
  config: Config,
  { client, db, uri }: Connection,
  log: Logger,
): Promise<RunningServices> {
  const now = await openClock(client);
  const hub = await Hub.create({
    db,
    ring: { events: config.RING_EVENTS, bytes: config.RING_BYTES },
    catchUpsMax: config.CATCH_UPS_MAX,
    states: { bytes: config.MAX_STATE_BYTES, bytesPerAccount: config.MAX_STATE_BYTES / 2 },
    now,
    onTrouble: (trouble, error) => log.warn({ err: error }, trouble),
  });
  const onFault = (fault: string, error: unknown, subject?: object) => log.error({ err: error, ...subject }, fault);
  const domains = await openDomains(domainsOf(config), { client, db, now, onFault, ...acrossDomains(config) }, config);
  const maintenance = new MaintenanceRunner({ db, uri }, config);
  const work = new WorkRunner({ db, uri }, { settings: config, kinds: workKindsOf(domains), onFault });
  const own = {
    config,
    client,
    db,
    databaseIdentity: await ensureIdentity(db),
    now,
    hub,
    domains,
    maintenance,
    work,
  };
  const services: Services = Object.assign(own, ...domains.map((domain) => domain.services));
  work.start();
  const close = async () => {
    await work.close();
    await maintenance.close();
    await closeDomains(domains);
    await hub.close();
  };
  return { services, close };
}
