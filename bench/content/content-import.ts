/** An import of posts and its undoing, alone and beside readers: its pace, and what readers notice. */
import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { type Db, MongoClient } from 'mongodb';
import { makeRandom } from '../../harness/random.js';
import { contentImport } from '../../src/models/content/import/content-import.js';
import { startContentImport } from '../../src/models/content/import/content-upload.js';
import { backgroundWork } from '../../src/models/system/work/background-work.js';
import { requestUndo } from '../../src/models/system/work/work-start.js';
import type { WorkDocument, WorkKind } from '../../src/models/work.js';
import type { ArrivalsAnswer } from '../load/arrivals.js';
import type { Benchmark, Findings, Surroundings } from '../support/benchmark.js';
import { type Contestant, productContestant } from '../support/contestants.js';
import { Rounds } from '../support/measure.js';
import { format, roundsOf } from '../support/report.js';
import { fillNodes } from './many-nodes.js';
import { noteReads, READS_PER_SECOND, type ReadTimes, readNodes, USEFUL_MS } from './node-readers.js';

/** So many that their import takes twice as long as the readers, at 300 rows a second. */
const ROWS = 9000;
const NODES = 20_000;
/** Of the readers. */
const SECONDS = 15;
/** Fewer requests have no p99. */
const SECONDS_MIN = 5;
const POLL_MS = 50;
const RATE_MIN = 200;
const SLOWER_MAX = 2;
const WORDS = 'the tide went out at noon and instruments stayed where they were until somebody read them'.split(
  ' ',
) as [string, ...string[]];

const NOTHING = 'nothing';
const IMPORT = 'the import';
const UNDO = 'its undoing';

interface Figures extends ReadTimes {
  /** Rows per second, alone. */
  readonly alone: Rounds;
  /** Rows per second, beside readers. */
  readonly beside: Rounds;
}

export const importOfContent: Benchmark = {
  name: 'content-import',
  title: 'An import of content beside readers',
  async run(surroundings) {
    const { mongodbUri, scale, nodeOptions } = surroundings;
    const place = { mongodbUri, database: `sextant_bench_${randomBytes(4).toString('hex')}` };
    const client = await MongoClient.connect(mongodbUri, { ignoreUndefined: true });
    const db = client.db(place.database);
    try {
      await fillNodes(db, NODES);
      const product = await productContestant(place, nodeOptions);
      const rows = Math.round(ROWS * scale);
      const seconds = Math.max(SECONDS_MIN, SECONDS * scale);
      const figures = await measure(db, product, { rows, seconds }, surroundings).finally(() => product.stop());
      return findings(figures, { rows, seconds }, surroundings.rounds);
    } finally {
      await db.dropDatabase();
      await client.close();
    }
  },
};

interface Amount {
  readonly rows: number;
  /** Of the readers. */
  readonly seconds: number;
}

async function measure(
  db: Db,
  product: Contestant,
  { rows, seconds }: Amount,
  { rounds, log }: Surroundings,
): Promise<Figures> {
  const empty = () => new Rounds();
  const figures: Figures = { alone: empty(), beside: empty(), p50: empty(), p99: empty(), lost: 0 };
  await readNodes(product, { size: NODES, seconds, round: 0 }); // warm-up
  for (let round = 1; round <= rounds; round += 1) {
    noteReads(figures, NOTHING, await readNodes(product, { size: NODES, seconds, round }));
    const id = await beginImport(db, rows, round);
    figures.alone.add(IMPORT, await pace(db, id, rows, 'FINISHED'));
    await beginUndo(db, id);
    figures.alone.add(UNDO, await pace(db, id, rows, 'UNDONE'));
    const other = await beginImport(db, rows, round);
    await besideReaders(db, product, figures, { id: other, rows, seconds, round, name: IMPORT, end: 'FINISHED' });
    await beginUndo(db, other);
    await besideReaders(db, product, figures, { id: other, rows, seconds, round, name: UNDO, end: 'UNDONE' });
    log(`round ${round} of ${rounds} done`);
  }
  return figures;
}

interface Run extends Amount {
  readonly id: string;
  readonly round: number;
  readonly name: string;
  readonly end: 'FINISHED' | 'UNDONE';
}

/** @throws Error the work ended before the readers, which were then beside nothing */
async function besideReaders(db: Db, product: Contestant, figures: Figures, run: Run): Promise<void> {
  const { seconds, round } = run;
  const readers = { answer: null as Promise<ArrivalsAnswer> | null, haveEnded: false };
  const begin = () => {
    readers.answer = readNodes(product, { size: NODES, seconds, round }).finally(() => {
      readers.haveEnded = true;
    });
  };
  figures.beside.add(run.name, await pace(db, run.id, run.rows, run.end, begin));
  const { haveEnded } = readers;
  if (readers.answer) noteReads(figures, run.name, await readers.answer);
  if (!haveEnded) throw new Error(`Of ${run.rows} rows, ${run.name} ended before the readers: it needs more rows`);
}

async function beginImport(db: Db, rows: number, round: number): Promise<string> {
  const started = await startContentImport(
    db,
    {
      id: randomUUID(),
      fileName: 'posts.jsonl',
      bytes: () => Readable.from(fileOf(rows, round)),
      parentId: 'blog-0',
      format: 'JSON_LINES',
      asDrafts: false,
      owner: null,
      author: { name: 'Bench' },
    },
    new Date(),
  );
  if (!('_id' in started)) throw new Error(started.message);
  return started._id;
}

function* fileOf(rows: number, round: number): Generator<Buffer> {
  const random = makeRandom(round);
  for (let row = 0; row < rows; row += 1) {
    const text = Array.from({ length: 300 }, () => random.pick(WORDS)).join(' ');
    const tags = [`tag ${random.below(30)}`, `tag ${random.below(30)}`];
    const path = `import-${round}-${row}`;
    yield Buffer.from(`${JSON.stringify({ path, title: path, text, tags, publishedAt: '2025-01-01T00:00:00Z' })}\n`);
  }
}

async function beginUndo(db: Db, id: string): Promise<void> {
  const act = { actor: 'bench', address: '::1', at: new Date(), keptUntil: new Date() };
  const kinds = [contentImport as unknown as WorkKind]; // only its name and that it can be undone are read
  await requestUndo(db, act, { id, type: 'DataImport', owner: null, kinds });
}

/** @param onBegin called when the first step has been recorded @returns rows per second from then on, without those of that step */
async function pace(
  db: Db,
  id: string,
  rows: number,
  end: 'FINISHED' | 'UNDONE',
  onBegin?: () => void,
): Promise<number> {
  const stored = async (): Promise<WorkDocument> => {
    const work = await backgroundWork(db).findOne({ _id: id });
    if (!work || work.state === 'FAILED') throw new Error(`The work failed: ${work?.failure}`);
    return work;
  };
  const { steps } = await stored();
  let first = await stored();
  for (; first.steps === steps; first = await stored()) await pause(POLL_MS);
  const begun = performance.now();
  onBegin?.();
  if (first.state === end) throw new Error(`${rows} rows are too few: they took one step`);
  while ((await stored()).state !== end) await pause(POLL_MS);
  const left = end === 'UNDONE' ? first.done : rows - first.done; // an undo counts down
  return (left * 1000) / (performance.now() - begun);
}

function findings({ alone, beside, p50, p99, lost }: Figures, { rows, seconds }: Amount, rounds: number): Findings {
  const verdict = (name: string) => [
    {
      row: `rows per second of ${name}, alone`,
      against: '',
      measured: alone.median(name),
      bound: 'at least' as const,
      goal: RATE_MIN,
    },
    {
      row: `p99 of ${READS_PER_SECOND} reads a second beside ${name}`,
      against: 'the same without it',
      measured: p99.ratio(name, NOTHING),
      bound: 'at most' as const,
      goal: SLOWER_MAX,
    },
  ];
  return {
    verdicts: [IMPORT, UNDO].flatMap(verdict),
    tables: [
      {
        columns: ['Beside', 'rows/s, alone', 'rows/s, with readers', 'p50 of a read, ms', 'p99, ms', 'spread of p99'],
        rows: [NOTHING, IMPORT, UNDO].map((name) => [
          name,
          name === NOTHING ? '' : format(alone.median(name)),
          name === NOTHING ? '' : format(beside.median(name)),
          format(p50.median(name)),
          format(p99.median(name)),
          format(p99.spread(name)),
        ]),
      },
    ],
    notes: [
      `${rows.toLocaleString('en')} posts of 300 words with two tags each are imported into a blog among ${NODES.toLocaleString('en')} nodes, by the thread of the server that answers the readers, then undone. Half of the requests read a list of 20 posts, half a post with its HTML, for ${seconds} s from the first step on; the work takes longer. Its pace is that of the rows after the first step. ${roundsOf(rounds)}. ${lost} requests were refused or took longer than ${USEFUL_MS / 1000} s.`,
    ],
  };
}
