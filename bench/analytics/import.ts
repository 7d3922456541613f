/**
 * Importing a real access log: lines per second against the raw driver inserting the same documents, already parsed,
 * into a collection with the same indexes; the memory for a file of 1 GB; and an import next to live hits on the same
 * pages against an import alone.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { type Db, MongoClient } from 'mongodb';
import { spawnGuarded } from '../../harness/process.js';
import { residentBytes } from '../../harness/process-usage.js';
import { projectRoot } from '../../harness/project-root.js';
import { buildIndexes } from '../../src/database/index.js';
import { keptFields } from '../../src/models/analytics/log/log-fields.js';
import { findGrowth } from '../../src/models/analytics/log-growth/log-growth.js';
import { type LogEventDocument, logEvents } from '../../src/models/analytics/log-growth/log-segment.js';
import { contentOf } from '../../src/models/analytics/log-import/log-batch-content.js';
import { enlistFile } from '../../src/models/analytics/log-import/log-identity.js';
import type { LogImportDocument } from '../../src/models/analytics/log-import/log-import.js';
import { LogImporter } from '../../src/models/analytics/log-import/log-importer.js';
import { BEGINNING, readBatches } from '../../src/models/analytics/log-import/log-reader.js';
import type { LogSource } from '../../src/models/analytics/log-import/log-source.js';
import type { Benchmark, Findings, Surroundings } from '../benchmark.js';
import { Rounds } from '../measure.js';
import { format } from '../report.js';
import { measureBesideHits, withHits } from './import-beside-hits.js';

const LOG = join(projectRoot, '../shared/data/access-logs/blog-combined.log.gz');
const COPIES = 5; // 50,000 lines a round
const BIG_BYTES = 1e9;
const MEGABYTE = 1e6;
const SAMPLE_MS = 50;
const SITE = 'bench.example';
const options = { durability: 'MAJORITY', count_hits: true, leave_out_robots: false } as const;
const keep = keptFields([]);

export const importLog: Benchmark = {
  name: 'import',
  title: 'Import of an access log',
  async run(surroundings) {
    const beside = await measureBesideHits(surroundings);
    if (!existsSync(LOG)) {
      const none = findings(new Rounds(), new Rounds(), Number.NaN, 'the log is not available');
      return withHits(none, beside);
    }
    const log = gunzipSync(readFileSync(LOG));
    const [rates, cpu] = [new Rounds(), new Rounds()];
    await measureRates(log, surroundings, rates, cpu);
    const megabytes = await measureMemory(log, surroundings);
    return withHits(findings(rates, cpu, megabytes), beside);
  },
};

async function measureRates(log: Buffer, { mongodbUri, rounds, log: say }: Surroundings, rates: Rounds, cpu: Rounds) {
  const client = await MongoClient.connect(mongodbUri, { writeConcern: { w: 'majority' }, ignoreUndefined: true });
  const file = Buffer.concat(Array.from({ length: COPIES }, () => log));
  try {
    for (let round = 0; round <= rounds; round += 1) {
      for (const [name, contestant] of [
        ['floor', insertOnly],
        ['product', importWhole],
      ] as const) {
        const db = client.db(`sextant_bench_${randomBytes(4).toString('hex')}`);
        await buildIndexes(db);
        await findGrowth(db); // creates the log's collection
        const { lines, seconds, cpuMicros } = await contestant(db, file);
        await db.dropDatabase();
        if (round === 0) continue; // warm-up
        rates.add(name, lines / seconds);
        cpu.add(name, cpuMicros / lines);
      }
      say(`round ${round} of ${rounds} done`);
    }
  } finally {
    await client.close();
  }
}

interface Taken {
  readonly lines: number;
  readonly seconds: number;
  /** CPU time of this process, without the database. */
  readonly cpuMicros: number;
}

async function time(work: () => Promise<number>): Promise<Taken> {
  const [begin, before] = [performance.now(), process.cpuUsage()];
  const lines = await work();
  const { user, system } = process.cpuUsage(before);
  return { lines, seconds: (performance.now() - begin) / 1000, cpuMicros: user + system };
}

/** The floor: no transaction, no hits, and the documents are parsed before the clock starts. */
async function insertOnly(db: Db, file: Buffer): Promise<Taken> {
  const batches: (readonly LogEventDocument[])[] = [];
  const rules = { keep, latestMs: Date.now(), earliestMs: 0 };
  for await (const batch of readBatches(Readable.from([file]), BEGINNING)) {
    batches.push(contentOf({ _id: '0123456789abcdef01234567', site: SITE, options }, batch, rules).events);
  }
  return time(async () => {
    let lines = 0;
    for (const events of batches) lines += (await logEvents(db).insertMany(events, { ordered: false })).insertedCount;
    return lines;
  });
}

async function importWhole(db: Db, file: Buffer): Promise<Taken> {
  const source: LogSource = { name: 'bench.log', size: file.length, open: () => Readable.from(chunksOf(file)) };
  const importer = new LogImporter(db, {
    holder: 'bench',
    keep,
    now: () => new Date(),
    onFault: (error) => {
      throw error;
    },
  });
  return time(async () => {
    const enlisted = await enlistFile(db, source, { site: SITE, options, file: null }, new Date());
    if (!('document' in enlisted)) throw new Error(enlisted.message);
    const done = (await importer.run(enlisted.document._id, source)) as LogImportDocument;
    if (done.state !== 'FINISHED') throw new Error(`The import is ${done.state}: ${done.failure}`);
    return done.lines;
  });
}

function* chunksOf(file: Buffer): Generator<Buffer> {
  const CHUNK = 65_536; // as a file is read
  for (let at = 0; at < file.length; at += CHUNK) yield file.subarray(at, at + CHUNK);
}

/** @returns the peak memory of a large import minus the peak memory of an import of one line */
async function measureMemory(log: Buffer, { mongodbUri, scale, log: say }: Surroundings): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'sextant-bench-import-'));
  try {
    const [small, big] = [join(folder, 'small.log'), join(folder, 'big.log')];
    await writeCopies(small, log.subarray(0, log.indexOf(0x0a) + 1), 1);
    await writeCopies(big, log, BIG_BYTES * scale);
    const place = { mongodbUri, database: `sextant_bench_${randomBytes(4).toString('hex')}` };
    const idle = await peakOfImport(small, place);
    say(`one line: ${Math.round(idle / MEGABYTE)} MB`);
    const peak = await peakOfImport(big, place);
    say(`${BIG_BYTES * scale} bytes: ${Math.round(peak / MEGABYTE)} MB`);
    return (peak - idle) / MEGABYTE;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Repeats the log until the file has `bytes` bytes. */
async function writeCopies(path: string, log: Buffer, bytes: number): Promise<void> {
  const file = await open(path, 'w');
  for (let written = 0; written < bytes; written += log.length) await file.write(log);
  await file.close();
}

async function peakOfImport(path: string, place: { mongodbUri: string; database: string }): Promise<number> {
  const command = [join(projectRoot, 'dist/cli/main.js'), 'import-log', path, '--site', SITE];
  const { pid, ended } = await spawnGuarded(process.execPath, command, {
    env: { PATH: process.env.PATH, MONGODB_URI: place.mongodbUri, MONGODB_DATABASE: place.database },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, residentBytes(pid));
  }, SAMPLE_MS);
  const { code } = await ended;
  clearInterval(timer);
  if (code !== 0) throw new Error(`import-log exited with ${code}`);
  return peak;
}

function findings(rates: Rounds, cpu: Rounds, megabytes: number, remark?: string): Findings {
  const missing = remark === undefined ? {} : { remark };
  const orNull = (figure: number) => (Number.isNaN(figure) ? null : figure);
  return {
    verdicts: [
      {
        row: 'import of a combined log, lines per second',
        against: 'raw `insertMany` of the parsed documents',
        measured: orNull(rates.ratio('product', 'floor')),
        bound: 'at least',
        goal: 0.5,
        ...missing,
      },
      {
        row: 'memory for a log of 1 GB',
        against: 'a log of one line',
        measured: orNull(megabytes),
        bound: 'at most',
        goal: 150,
        unit: ' MB',
        ...missing,
      },
    ],
    tables: [
      {
        columns: ['', 'lines/s', '÷ floor', 'CPU µs per line, without the database', 'spread'],
        rows: ['product', 'floor'].map((name) => [
          name,
          format(rates.median(name)),
          format(rates.ratio(name, 'floor')),
          format(cpu.median(name)),
          format(rates.spread(name)),
        ]),
      },
    ],
    notes: [
      'The product reads and parses 50,000 lines of a real combined log and stores them in batches of 1,000 with their hits (about 620 counter documents each), the undo record and the progress. The floor inserts the same documents, already parsed, in unordered batches of 1,000 with the same indexes and write concern, and counts no hits.',
      'Memory is the peak resident memory of `sextant import-log`, sampled twenty times per second, minus the same for a file of one line.',
    ],
  };
}
