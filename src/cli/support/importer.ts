/** Shared by the commands that import and undo: the database, an importer, its progress, and Ctrl-C. */
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Db } from 'mongodb';
import { readConfig, readEnvironment } from '../../config/config.js';
import { buildIndexes, type Clock, openClock } from '../../database/index.js';
import { keptFields } from '../../models/analytics/log/log-fields.js';
import type { LogImportDocument } from '../../models/analytics/log-import/log-import.js';
import { LogImporter } from '../../models/analytics/log-import/log-importer.js';
import { armFailpoint } from '../../shared/failpoint.js';
import { ProgressDisplay } from '../../terminal/import-progress.js';
import { tell } from '../../terminal/output.js';
import { whenToldToStop } from '../../terminal/signals.js';
import { makeSteps } from '../../terminal/steps.js';
import { openCommandDatabase } from './command-database.js';
import { requireDomain } from './domain.js';

export interface ImporterSession {
  readonly db: Db;
  readonly now: Clock;
  readonly importer: LogImporter;
  readonly display: ProgressDisplay;
  /** How long an entry is kept in the audit trail. */
  readonly auditDays: number;
  /** Whether a stop was requested. */
  readonly isStopping: () => boolean;
  /** Sets how the importer's progress is shown from now on. @param done from 0 to 1; null while it is unknown */
  follow(name: string, done: (held: LogImportDocument) => number | null): void;
}

/** @throws ConfigError, DatabaseError */
export async function withImporter<T>(work: (session: ImporterSession) => Promise<T>): Promise<T> {
  const config = readConfig(readEnvironment());
  requireDomain(config, 'analytics');
  if (config.SEXTANT_FAILPOINT) armFailpoint(config.SEXTANT_FAILPOINT);
  const keep = keptFields(config.LOG_FIELDS);
  const steps = makeSteps(process.stderr);
  const { client, db, close } = await openCommandDatabase(config, steps);
  try {
    steps.show({ text: 'Building indexes' });
    await buildIndexes(db);
    const now = await openClock(client);
    steps.end();
    const display = new ProgressDisplay(process.stderr, () => performance.now());
    let shown = { name: '', done: (_held: LogImportDocument): number | null => null };
    const importer = new LogImporter(db, {
      holder: randomUUID(),
      keep,
      now,
      onFault: (error) => tell((error as Error).message),
      onProgress: (held) => display.show({ name: shown.name, lines: held.lines, done: shown.done(held) }),
    });
    const isStopping = stopOnSignal(importer);
    const follow = (name: string, done: (held: LogImportDocument) => number | null) => {
      shown = { name, done };
    };
    return await work({
      db,
      now,
      importer,
      display,
      auditDays: config.AUDIT_DAYS,
      isStopping,
      follow,
    });
  } finally {
    steps.end();
    await close();
  }
}

/** The first Ctrl-C stops the work after the current batch; the second ends the process. */
function stopOnSignal(importer: LogImporter): () => boolean {
  let stopping = false;
  whenToldToStop(() => {
    stopping = true;
    importer.stop();
  });
  return () => stopping;
}
