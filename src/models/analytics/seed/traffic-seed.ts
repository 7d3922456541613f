/** The traffic of one site, as sample data: the site, then its request log, a file per step. */
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from 'mongodb';
import type { SeedStep } from '../../seed.js';
import { actOfSeed } from '../../system/work/seed.js';
import { type HeldWork, WorkFailure } from '../../work.js';
import { dailyHits } from '../hits/hit.js';
import { findEvents } from '../log/request-log.js';
import { enlistFile } from '../log-import/log-identity.js';
import { type LogImportDocument, logImports, requestUndo } from '../log-import/log-import.js';
import type { LogImporter } from '../log-import/log-importer.js';
import { identifyFirstLine, type LogSource } from '../log-import/log-source.js';
import { sessions } from '../sessions/session.js';
import { sites } from '../sites/site.js';
import { SAMPLE_FILES, SAMPLE_SITE, sampleFile } from './sample-log.js';
import { addSampleSite, removeUnusedSite, SAMPLE_AD_SITE } from './sample-site.js';

/** A site that another domain's sample data has registered counts once it has hits. */
export async function isTrafficEmpty(db: Db): Promise<boolean> {
  const first = { projection: { _id: 1 }, sort: { _id: 1 } } as const;
  const [own] = await sites(db)
    .find({ _id: { $ne: SAMPLE_AD_SITE } }, first)
    .limit(1)
    .toArray();
  const isUsed = own ?? (await dailyHits(db).findOne({}, first)) ?? (await sessions(db).findOne({}, first));
  return !isUsed;
}

export const trafficSteps = (imports: Pick<LogImporter, 'run'>): readonly SeedStep[] => [
  siteStep,
  ...Array.from({ length: SAMPLE_FILES }, (_, index) => fileStep(index, imports)),
];

const siteStep: SeedStep = {
  fill: async (held) => {
    await addSampleSite(held, SAMPLE_SITE);
    return undefined;
  },
  takeBack: async ({ db, now }) => {
    // Requests are read before: the log may be of a kind that transactions cannot read.
    const filter = { site: SAMPLE_SITE };
    const { edges } = await findEvents(db, filter, { first: 1 }, now());
    if (edges.length > 0) return { kept: 1 };
    return { write: (session) => removeUnusedSite(db, session, SAMPLE_SITE) };
  },
};

const BUSY_PAUSE_MS = 500;
const ATTEMPTS_MAX = 5;

const fileStep = (index: number, imports: Pick<LogImporter, 'run'>): SeedStep => ({
  fill: async (held) => {
    await importFile(held, sourceOf(index, held), imports);
    return undefined;
  },
  takeBack: async (held) => {
    for (const found of await findImports(held.db, sourceOf(index, held))) await undoImport(held, found, imports);
    return {};
  },
});

function sourceOf(index: number, { work }: Pick<HeldWork, 'work'>): LogSource {
  const { name, text } = sampleFile(index, work.created_at);
  const bytes = Buffer.from(text);
  return { name, size: bytes.length, open: () => Readable.from([bytes]) };
}

/** Repeatable: a file finds its own import by its content, and continues it. */
async function importFile(held: HeldWork, source: LogSource, imports: Pick<LogImporter, 'run'>): Promise<void> {
  const options = { durability: 'ACKNOWLEDGED', count_hits: true, leave_out_robots: true, format: 'COMBINED' } as const;
  for (let attempt = 1; ; attempt += 1) {
    const enlisted = await enlistFile(held.db, source, { site: SAMPLE_SITE, options, file: null }, held.now());
    if ('message' in enlisted) throw new WorkFailure(enlisted.message);
    if (!enlisted.unread && enlisted.document.state === 'FINISHED') return;
    const outcome = await runWhenFree(held, enlisted.document, (id) => imports.run(id, source));
    if (outcome.state === 'FINISHED') return;
    // A recovering server may have taken it up in between. It has no file to read, so it gives up at once.
    if (attempt === ATTEMPTS_MAX) throw new WorkFailure(outcome.failure ?? 'The sample log could not be imported');
  }
}

async function runWhenFree(
  held: HeldWork,
  document: LogImportDocument,
  run: (id: string) => ReturnType<LogImporter['run']>,
): Promise<LogImportDocument> {
  for (;;) {
    const outcome = await run(document._id);
    if (outcome !== 'BUSY') return outcome ?? (await logImports(held.db).findOne({ _id: document._id })) ?? document;
    await pause(BUSY_PAUSE_MS, undefined, { signal: held.signal });
  }
}

async function findImports(db: Db, source: LogSource): Promise<LogImportDocument[]> {
  const firstLine = await identifyFirstLine(source);
  if ('message' in firstLine) return [];
  return logImports(db).find({ site: SAMPLE_SITE, first_line: firstLine.sha256 }).toArray();
}

/** Repeatable. In the end the import itself is removed. */
async function undoImport(held: HeldWork, found: LogImportDocument, imports: Pick<LogImporter, 'run'>): Promise<void> {
  let current = found;
  for (let attempt = 1; current.state !== 'UNDONE'; attempt += 1) {
    if (attempt > ATTEMPTS_MAX) throw new WorkFailure(`The import of ${found.file_name} could not be undone`);
    const marked = await requestUndo(held.db, actOfSeed(held), found._id);
    if ('__typename' in marked && marked.__typename === 'LogImportNotFound') return;
    current = await runWhenFree(held, current, (id) => imports.run(id)); // one that was not read to its end first ends
  }
  await logImports(held.db).deleteOne({ _id: found._id, state: 'UNDONE' }); // guard: it has nothing left, and stays so
}
