/** System: assets, scheduled jobs, checks and recoveries, and the collections of the database layer. */
import { counters, idempotency, leases, settings } from '../../database/index.js';
import { HOUR_MS, MINUTE_MS } from '../../shared/time.js';
import type { Domain } from '../domain.js';
import type { PersonalDataOfDomain } from '../personal-data.js';
import { assetChunks, assetFiles } from './assets/asset.js';
import { STORING_ABANDONED_MS } from './assets/asset-file.js';
import { findAssetViolations } from './assets/asset-invariants.js';
import { recoverAssets, removeLooseChunks, removeUnused } from './assets/asset-removal.js';
import type { PictureBounds } from './assets/asset-storing.js';
import { Assets } from './assets/assets.js';
import { jobs } from './job.js';
import { failAbandonedMaintenance, maintenance } from './maintenance.js';
import { personalData } from './personal-data/own-data.js';
import { personalDataExport } from './personal-data/personal-data.js';
import { backgroundWork } from './work/background-work.js';
import { workRejects } from './work/data-import.js';
import { removeOldFiles, workParts } from './work/work-file.js';
import { removeOldWork } from './work/work-removal.js';

export interface SystemSettings extends PictureBounds {}

export interface SystemServices {
  /** Stores, scales and serves pictures. */
  readonly assets: Assets;
  /** What all domains store about accounts. */
  readonly personalData: readonly PersonalDataOfDomain[];
}

export const system: Domain<SystemSettings, SystemServices> = {
  name: 'system',
  collections: [
    jobs,
    maintenance,
    backgroundWork,
    workRejects,
    workParts,
    assetFiles,
    assetChunks,
    leases,
    settings,
    counters,
    idempotency,
  ],
  invariantChecks: [{ name: 'Assets', collections: [assetFiles], find: findAssetViolations }],
  recoveryWorkers: [
    {
      name: 'Remove interrupted uploads of pictures',
      work: (_services, { db, now, before }) => recoverAssets(db, before(STORING_ABANDONED_MS), now),
    },
    {
      name: 'Remove parts of pictures that do not exist',
      isDaily: true,
      work: (_services, { db }) => removeLooseChunks(db),
    },
  ],
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
    {
      name: 'Remove unused pictures',
      everyMs: HOUR_MS,
      atStart: false,
      run: async ({ assets }, { db, now }) => {
        while ((await removeUnused(db, assets.uses.all, now())) > 0);
      },
    },
  ],
  metrics: [
    {
      kind: 'gauge',
      name: 'sextant_pictures_processing',
      help: 'Pictures being decoded or scaled, or waiting for it',
      read: ({ assets }) => assets.turns.count,
    },
  ],
  workKinds: [personalDataExport],
  personalData,
  open: async ({ db, now, assetUses, personalData }, bounds) => ({
    assets: await Assets.open(db, now, bounds, assetUses),
    personalData,
  }),
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
