/** System: scheduled jobs, checks and recoveries, and the collections of the database layer. */
import { counters, idempotency, leases, settings } from '../../database/index.js';
import { MINUTE_MS } from '../../shared/time.js';
import type { Domain } from '../domain.js';
import { assetChunks, assetFiles } from './assets/asset.js';
import { jobs } from './job.js';
import { failAbandonedMaintenance, maintenance } from './maintenance.js';

export const system: Domain<object> = {
  name: 'system',
  collections: [jobs, maintenance, assetFiles, assetChunks, leases, settings, counters, idempotency],
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
  ],
  metrics: [],
  open: async () => ({}),
  close: async () => undefined,
};

declare module '../people/audit.js' {
  interface AuditActions {
    RECOVERY_STARTED: true;
  }
}

declare module '../people/api-key.js' {
  interface Scopes {
    SYSTEM_READ: true;
  }
}
