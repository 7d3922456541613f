/** Analytics: sites and their hits, the request log, and sessions. */
import { randomUUID } from 'node:crypto';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/time.js';
import type { Domain } from '../domain.js';
import { dailyHits, monthlyHits } from './hits/hit.js';
import { findHitViolations } from './hits/hit-invariants.js';
import { createHitRecorder, type HitRecorder } from './hits/hit-recorder.js';
import { createPreAllocation } from './hits/pre-allocation.js';
import { keptFields } from './log/log-fields.js';
import { GRACE_MS, logGrowth } from './log-growth/log-growth.js';
import { findLogGrowthViolations } from './log-growth/log-growth-invariants.js';
import { completeLog, keepLogGrowth } from './log-growth/log-growth-upkeep.js';
import { logEvents } from './log-growth/log-segment.js';
import { logBatches } from './log-import/log-batch.js';
import { deleteOldFiles, logFileChunks, logFiles } from './log-import/log-file.js';
import { logImports, logRejects } from './log-import/log-import.js';
import { findLogImportViolations } from './log-import/log-import-invariants.js';
import { LogImporter } from './log-import/log-importer.js';
import { personalData } from './personal-data.js';
import { isTrafficEmpty, trafficSteps } from './seed/traffic-seed.js';
import { childrenOf, rollUps } from './sessions/roll-up.js';
import { findRollUpViolations } from './sessions/roll-up-invariants.js';
import { rollUpLevels } from './sessions/roll-up-level.js';
import { ROLL_UP_CUTOFF_MS, rollUpSessions } from './sessions/roll-up-run.js';
import { sessions } from './sessions/session.js';
import { sessionHorizons } from './sessions/session-horizon.js';
import { removeOldSessions } from './sessions/session-removal.js';
import { siteOfPage, sites } from './sites/site.js';

export interface AnalyticsSettings {
  readonly LOG_FIELDS: readonly string[];
  readonly HITS_PREALLOCATE: boolean;
  readonly HITS_WAITING_MAX: number;
  readonly SESSIONS_DAYS: number;
}

export interface AnalyticsServices {
  /** The group commit of hits. */
  readonly hits: HitRecorder;
  /** Runs imports in the background. */
  readonly imports: LogImporter;
  /** How long sessions are kept. 0: forever. */
  readonly keepSessionsMs: number;
}

export const analytics: Domain<AnalyticsSettings, AnalyticsServices> = {
  name: 'analytics',
  collections: [
    sites,
    dailyHits,
    monthlyHits,
    logEvents,
    logGrowth,
    logImports,
    logRejects,
    logBatches,
    logFiles,
    logFileChunks,
    sessions,
    sessionHorizons,
    ...rollUpLevels.map((level) => rollUps[level]),
  ],
  invariantChecks: [
    {
      name: 'Hits',
      collections: [dailyHits, monthlyHits],
      find: async function* (db, visited) {
        for await (const { invariant, document, counter, expected, found } of findHitViolations(db, visited))
          yield { invariant, subject: `${document} ${counter}`, expected, found };
      },
    },
    {
      name: 'Imports',
      collections: [logImports],
      find: async function* (db, visited) {
        for await (const { invariant, import: subject, expected, found } of findLogImportViolations(db, visited))
          yield { invariant, subject, expected, found };
      },
    },
    { name: 'Growth of the log', collections: [], find: findLogGrowthViolations },
    {
      name: 'Roll-ups',
      collections: rollUpLevels.flatMap((level) => [rollUps[level], childrenOf[level]]),
      find: async function* (db, visited) {
        for await (const { level, user, begin, figure, expected, found } of findRollUpViolations(db, visited)) {
          const subject = `${figure} of ${user}, ${level} ${begin.toISOString()}`;
          yield { invariant: 'roll-up-is-sum-of-children', subject, expected, found };
        }
      },
    },
  ],
  recoveryWorkers: [
    {
      name: 'Maintain the collections of the request log',
      formerNames: ['Keep the log in the collections that its growth asks for'],
      work: (_services, { db, now, before }) => keepLogGrowth(db, now, before(GRACE_MS)),
    },
    {
      name: 'Roll up new sessions',
      formerNames: ['Roll up the sessions that have arrived'],
      work: async (_services, { db, now, before }) => {
        const levels = await rollUpSessions(db, { before: before(ROLL_UP_CUTOFF_MS), now });
        return levels.reduce((sum, { documentsWritten }) => sum + documentsWritten, 0);
      },
    },
  ],
  jobs: [
    {
      name: 'Resume interrupted imports',
      formerNames: ['Go on with imports that were left behind'],
      everyMs: MINUTE_MS,
      atStart: true,
      run: ({ imports }) => imports.recover(), // in the background, so that a long import does not block the job
    },
    {
      name: 'Delete uploaded logs a day after their import',
      formerNames: ['Delete uploaded logs that were read a day ago'],
      everyMs: HOUR_MS,
      atStart: false,
      run: async (_services, { db, now }) => {
        while ((await deleteOldFiles(db, now())) > 0);
      },
    },
    {
      name: 'Delete expired sessions',
      formerNames: ['Remove sessions that are older than they are kept'],
      everyMs: DAY_MS,
      atStart: false,
      run: async ({ keepSessionsMs }, { db, now }) => {
        if (keepSessionsMs > 0) await removeOldSessions(db, keepSessionsMs, now());
      },
    },
  ],
  metrics: [
    {
      kind: 'gauge',
      name: 'sextant_hits_waiting',
      help: 'Hits waiting to be written',
      read: ({ hits }) => hits.health.waiting,
    },
    { kind: 'counter', name: 'sextant_hits_total', help: 'Hits written', read: ({ hits }) => hits.health.hits },
    {
      kind: 'counter',
      name: 'sextant_hit_groups_total',
      help: 'Groups of hits written',
      read: ({ hits }) => hits.health.groups,
    },
  ],
  prepare: completeLog,
  countsHits: async (db, origin) => (await siteOfPage(db, origin)) !== null,
  personalData,
  seed: { isEmpty: isTrafficEmpty, steps: ({ imports }) => trafficSteps(imports) },
  open: async ({ client, db, now, onFault }, settings) => {
    const preAllocation = settings.HITS_PREALLOCATE
      ? { preAllocation: createPreAllocation({ db, now, random: Math.random }) }
      : {};
    return {
      hits: createHitRecorder({ client, db, waitingMax: settings.HITS_WAITING_MAX, ...preAllocation }),
      imports: new LogImporter(db, {
        holder: randomUUID(),
        keep: keptFields(settings.LOG_FIELDS),
        now,
        onFault: (error, id) => onFault('An import has stopped; it resumes within a minute', error, { import: id }),
      }),
      keepSessionsMs: settings.SESSIONS_DAYS * DAY_MS,
    };
  },
  close: async ({ hits, imports }) => {
    await imports.close(); // first: its parts and the groups of hits take turns (`turns.ts`)
    await hits.close();
  },
};

declare module '../people/audit.js' {
  interface AuditActions {
    SITE_REGISTERED: true;
    SITE_ORIGINS_CHANGED: true;
    LOG_IMPORT_UNDONE: true;
    LOG_GROWTH_CHANGED: true;
  }
}

declare module '../people/api-key.js' {
  interface Scopes {
    HITS_READ: true;
    HITS_WRITE: true;
    LOGS_READ: true;
    LOGS_WRITE: true;
    SESSIONS_READ: true;
    SESSIONS_WRITE: true;
  }
}
