/** System: scheduled jobs, checks and recoveries, and the collections of the database layer. */
import { counters, idempotency, leases, settings } from '../../database/index.js';
import { HOUR_MS, MINUTE_MS } from '../../shared/time.js';
import type { Domain } from '../domain.js';
import { jobs } from './job.js';
import { failAbandonedMaintenance, maintenance } from './maintenance.js';
import { backgroundWork } from './work/background-work.js';
import { workRejects } from './work/data-import.js';
import { removeOldFiles, workParts } from './work/work-file.js';
import { removeOldWork } from './work/work-removal.js';

export const system: Domain<object> = {
  name: 'system',
  collections: [jobs, maintenance, backgroundWork, workRejects, workParts, leases, settings, counters, idempotency],
  invariantChecks: [],
  recoveryWorkers: [],
  jobs: [
    {
      name: 'Mark abandoned checks and recoveries as failed',
      formerNames: ['Tell of checks and recoveries whose server has ended'],
      everyMs: MINUTE_MS,
      atStart: true,
      run: (_services, { db }) => failAbandonedMaintenance(db),
    },
    {
      name: 'Delete background work 30 days after its end, and its files after a day',
      everyMs: HOUR_MS,
      atStart: false,
      run: async (_services, { db, now }) => {
        await removeOldFiles(db, now());
        await removeOldWork(db, now());
      },
    },
  ],
  metrics: [],
  open: async () => ({}),
  close: async () => undefined,
};

declare module '../people/audit.js' {
  interface AuditActions {
    RECOVERY_STARTED: true;
    IMPORT_UNDONE: true;
    DOMAIN_SEEDED: true;
    SEED_UNDONE: true;
  }
}

declare module '../people/api-key.js' {
  interface Scopes {
    SYSTEM_READ: true;
  }
}
