/** An import of a log of the current month, alone and next to callers that record hits on the same pages. */
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { type Db, MongoClient } from 'mongodb';
import { buildIndexes } from '../../src/database/index.js';
import { dailyHits, monthlyHits } from '../../src/models/analytics/hits/hit.js';
import { keptFields } from '../../src/models/analytics/log/log-fields.js';
import { findGrowth } from '../../src/models/analytics/log-growth/log-growth.js';
import { enlistFile } from '../../src/models/analytics/log-import/log-identity.js';
import type { LogImportDocument } from '../../src/models/analytics/log-import/log-import.js';
import { LogImporter } from '../../src/models/analytics/log-import/log-importer.js';
import type { LogSource } from '../../src/models/analytics/log-import/log-source.js';
import { HOUR_MS } from '../../src/shared/time.js';
import { startSteadyHits } from '../load/steady-hits.js';
import { startSteadyHitsElsewhere } from '../load/steady-hits-process.js';
import type { Findings, Surroundings, Verdict } from '../support/benchmark.js';
import { percentile, Rounds } from '../support/measure.js';
import { format } from '../support/report.js';

const SITE = 'beside.example';
const LINES = 60_000;
const PAGES = 200;
const HITS_PER_SECOND = 1000;
const LIMIT_MS = 90_000;
const contestants = ['alone', 'next to hits of the same process', 'next to hits of another process'] as const;
type Contestant = (typeof contestants)[number];

export interface BesideHits {
  readonly rates: Rounds;
  /** The p99 wait of a hit, in milliseconds. */
  readonly waits: Rounds;
}

export async function measureBesideHits({ mongodbUri, rounds, scale, log }: Surroundings): Promise<BesideHits> {
  const figures = { rates: new Rounds(), waits: new Rounds() };
  const client = await MongoClient.connect(mongodbUri, { writeConcern: { w: 'majority' }, ignoreUndefined: true });
  try {
    for (let round = 1; round <= rounds; round += 1) {
      for (const contestant of contestants) await importOnce(client, mongodbUri, LINES * scale, contestant, figures);
      log(`next to hits: round ${round} of ${rounds} done`);
    }
  } finally {
    await client.close();
  }
  return figures;
}

/** Adds the verdicts and the table to those of the import alone. */
export function withHits(findings: Findings, { rates, waits }: BesideHits): Findings {
  const [alone, here, there] = contestants;
  const verdict = (contestant: Contestant): Verdict => ({
    row: `import ${contestant}`,
    against: 'the same import alone',
    measured: rates.ratio(contestant, alone),
    bound: 'at least',
    goal: 0.5,
  });
  return {
    verdicts: [...findings.verdicts, verdict(here), verdict(there)],
    tables: [
      ...findings.tables,
      {
        columns: ['', 'lines/s', '÷ alone', 'p99 of a hit, ms', 'spread'],
        rows: contestants.map((name) => [
          name,
          format(rates.median(name)),
          format(rates.ratio(name, alone)),
          name === alone ? '' : format(waits.median(name)),
          format(rates.spread(name)),
        ]),
      },
    ],
    notes: [
      ...findings.notes,
      `Next to hits: ${LINES.toLocaleString('en')} lines of the current month on ${PAGES} pages, while ${HITS_PER_SECOND.toLocaleString('en')} calls per second record one hit each on the same pages. Afterwards every counter is checked against the number of imported and recorded hits.`,
    ],
  };
}

/** @throws Error the import did not finish in time, or the counters do not add up to the imported and recorded hits */
async function importOnce(
  client: MongoClient,
  mongodbUri: string,
  lines: number,
  contestant: Contestant,
  { rates, waits }: BesideHits,
): Promise<void> {
  const database = `sextant_bench_${randomBytes(4).toString('hex')}`;
  const db = client.db(database);
  await buildIndexes(db);
  await findGrowth(db);
  const pages = Array.from({ length: PAGES }, (_, page) => `/page/${page}`);
  const traffic = { site: SITE, pages, perSecond: HITS_PER_SECOND };
  const hits =
    contestant === 'alone'
      ? null
      : contestant === 'next to hits of another process'
        ? await startSteadyHitsElsewhere({ mongodbUri, database, ...traffic })
        : startSteadyHits(client, db, traffic);
  const begin = performance.now();
  const [imported] = await Promise.allSettled([importFile(db, logOf(lines, pages))]);
  const seconds = (performance.now() - begin) / 1000;
  const { recorded, refused, waited } = (await hits?.stop()) ?? { recorded: 0, refused: 0, waited: [] };
  if (imported.status === 'rejected') throw imported.reason;
  if (imported.value.lines < lines || refused > 0)
    throw new Error(`${imported.value.lines} of ${lines} lines in time, ${refused} hits refused`);
  await requireExact(db, imported.value.hits + recorded);
  await db.dropDatabase();
  rates.add(contestant, lines / seconds);
  waits.add(contestant, percentile(waited, 0.99));
}

/** As a web server writes it: in order of time, over the current month up to now. */
function logOf(lines: number, pages: readonly string[]): Buffer {
  const now = Date.now();
  const begin = Math.min(new Date(now).setUTCDate(1), now - HOUR_MS);
  const text = Array.from({ length: lines }, (_, line) => {
    const [day, month, year, clock] = partsOf(new Date(begin + ((now - begin) * line) / lines));
    const page = pages[(line * 7919) % pages.length];
    return `192.0.2.${line % 250} - - [${day}/${month}/${year}:${clock} +0000] "GET ${page} HTTP/1.1" 200 2326 "-" "Mozilla/5.0"\n`;
  });
  return Buffer.from(text.join(''));
}

/** Day, month, year and time of day, from a text such as `Sun, 22 Nov 2026 09:31:50 GMT`. */
function partsOf(time: Date): string[] {
  return time.toUTCString().split(' ').slice(1, 5);
}

async function importFile(db: Db, file: Buffer): Promise<LogImportDocument> {
  const source: LogSource = { name: 'beside.log', size: file.length, open: () => Readable.from([file]) };
  const options = { durability: 'MAJORITY', count_hits: true, leave_out_robots: false } as const;
  const faults: unknown[] = [];
  const importer = new LogImporter(db, {
    holder: 'bench',
    keep: keptFields([]),
    now: () => new Date(),
    onFault: (error) => faults.push(error),
  });
  const enlisted = await enlistFile(db, source, { site: SITE, options, file: null }, new Date());
  if (!('document' in enlisted)) throw new Error(enlisted.message);
  const timer = setTimeout(() => importer.stop(), LIMIT_MS);
  const done = await importer.run(enlisted.document._id, source).finally(() => clearTimeout(timer));
  if (done === null || done === 'BUSY')
    throw new Error('The import was skipped, although no other process is working on it');
  return done;
}

async function requireExact(db: Db, expected: number): Promise<void> {
  const sum = (counts: Record<string, number>[]) =>
    counts.flatMap((each) => Object.values(each)).reduce((total, count) => total + count, 0);
  const days = await dailyHits(db).find({ 'metadata.site': SITE }).toArray();
  const months = await monthlyHits(db).find({ 'metadata.site': SITE }).toArray();
  const found = [sum(days.map(({ hourly }) => hourly ?? {})), sum(months.map(({ daily }) => daily ?? {}))];
  if (found.some((count) => count !== expected)) throw new Error(`Counted ${found}, expected ${expected}`);
}
