/** Shared by the commands that do background work: the database, the domains with their kinds of work, and its end. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { type Config, readConfig, readEnvironment } from '../../config/config.js';
import { buildIndexes, type Clock, openClock } from '../../database/index.js';
import { acrossDomains, collectionsOf, domainsOf } from '../../domains.js';
import { closeDomains, type OpenDomain, openDomains } from '../../models/domain.js';
import { backgroundWork } from '../../models/system/work/background-work.js';
import type { WorkLoop } from '../../models/system/work/work-loop.js';
import type { WorkDocument } from '../../models/work.js';
import { armFailpoint } from '../../shared/failpoint.js';
import { tell } from '../../terminal/output.js';
import { makeSteps } from '../../terminal/steps.js';
import { openCommandDatabase } from './command-database.js';

export interface DomainSession {
  readonly db: Db;
  readonly now: Clock;
  readonly config: Config;
  readonly domains: readonly OpenDomain[];
  readonly steps: ReturnType<typeof makeSteps>;
}

/** @param check of the settings, before anything is opened @throws ConfigError, DatabaseError */
export async function withDomains<T>(
  check: (config: Config) => void,
  work: (session: DomainSession) => Promise<T>,
): Promise<T> {
  const config = readConfig(readEnvironment());
  check(config);
  if (config.SEXTANT_FAILPOINT) armFailpoint(config.SEXTANT_FAILPOINT);
  const steps = makeSteps(process.stderr);
  const { client, db, close } = await openCommandDatabase(config, steps);
  try {
    steps.show({ text: 'Building indexes' });
    const listed = domainsOf(config);
    await buildIndexes(db, collectionsOf(listed));
    for (const domain of listed) await domain.prepare?.(db);
    const now = await openClock(client);
    const onFault = (fault: string, error: unknown) => tell(`${fault}: ${(error as Error).message}`);
    const runtime = { client, db, now, onFault, ...acrossDomains(config) };
    const domains = await openDomains(listed, runtime, { ...config, HITS_PREALLOCATE: false });
    steps.end();
    try {
      return await work({ db, now, config, domains, steps });
    } finally {
      await closeDomains(domains);
    }
  } finally {
    steps.end();
    await close();
  }
}

const POLL_MS = 500;

/**
 * Works on it until it has ended, or waits for the process that is already working on it.
 * @param isStopping whether a stop was requested @param onWait called while another process does it
 */
export async function finishWork(
  db: Db,
  asked: WorkDocument,
  loop: WorkLoop,
  isStopping: () => boolean,
  onWait: (work: WorkDocument) => void = () => undefined,
): Promise<WorkDocument> {
  for (;;) {
    const outcome = await loop.run(asked._id);
    const current =
      outcome !== 'BUSY' && outcome ? outcome : ((await backgroundWork(db).findOne({ _id: asked._id })) ?? asked);
    if (!current.open || isStopping()) return current;
    onWait(current);
    await pause(POLL_MS);
  }
}
