/**
 * What each design of comments costs: the documents and bytes that the database reads and writes for a query or a post, the indexes it
 * uses, and the time, in discussions of three lengths.
 */
import type { Db } from 'mongodb';
import { startReplicaSet } from '../../harness/replica-set.js';
import { visitOnly } from '../../src/database/collections/snapshot-batches.js';
import { buildIndexes } from '../../src/database/index.js';
import type { CommentDesign } from '../../src/models/comments/discussion/comment.js';
import { DiscussionWriter } from '../../src/models/comments/discussion-write.js';
import { findDiscussionViolations } from '../../src/models/comments/invariants.js';
import { postComment } from '../../src/models/comments/posting.js';
import type { Benchmark, Findings, Surroundings, Table, Verdict } from '../support/benchmark.js';
import { inOwnDatabase } from '../support/contest.js';
import { type Counts, countCommands, countingParameters } from '../support/counted-commands.js';
import { percentile, Rounds } from '../support/measure.js';
import { format, roundsOf } from '../support/report.js';
import { type CommentQuery, commentQueries, type Filled } from './comment-queries.js';
import { fillDiscussion, requireAsPosted, subjectOf } from './many-comments.js';

const SHORT = 100;
const MEDIUM = 2000;
const LONG = 100_000;
const POSTS = 20;
const TURNS = 40;
const WARM_UPS = 3;
const RATIO_MAX = 1.5;
const POST = 'a post';
const NEW_TEXT = 'The tide went out at noon, and the instruments stayed where they were. '.repeat(5);

const filled = (design: CommentDesign, size: number): Filled => ({
  design,
  size,
  discussion: `Test:${design}-${size}`,
});

/** EMBEDDED holds at most 2,000. */
const all: readonly Filled[] = [SHORT, MEDIUM, LONG].flatMap((size) =>
  (['EMBEDDED', 'HYBRID', 'ONE_EACH'] as const)
    .filter((design) => design !== 'EMBEDDED' || size < LONG)
    .map((design) => filled(design, size)),
);

const cell = (name: string, { design, size }: Filled): string => `${name}, ${design}, ${size}`;

export const comments: Benchmark = {
  name: 'comments',
  title: 'Comments in three designs',
  async run(surroundings) {
    const counts = await count(surroundings);
    surroundings.log('documents and bytes are counted');
    const times = await inOwnDatabase(surroundings, (_, db) => time(db, surroundings));
    return findings(counts, times, surroundings);
  },
};

type AllCounts = ReadonlyMap<string, Counts>;

/** On a server of its own, whose profiler counts bytes: that costs time. */
async function count(surroundings: Surroundings): Promise<AllCounts> {
  const set = await startReplicaSet({
    cacheGb: 1,
    syncDelay: 60,
    oplogMb: 1000,
    logFileMb: 100,
    parameters: countingParameters,
  });
  try {
    return await inOwnDatabase({ ...surroundings, mongodbUri: set.uri }, async (_, db) => {
      await fill(db, surroundings);
      const counts = new Map<string, Counts>();
      for (const one of all) {
        for (const query of commentQueries) {
          const ask = await query.prepare(db, one);
          if (ask) counts.set(cell(query.name, one), await countWarm(db, ask));
        }
        const room = await fillWithRoom(db, one, 'count');
        counts.set(cell(POST, one), await countCommands(db, () => post(db, room)));
      }
      return counts;
    });
  } finally {
    await set.stop();
  }
}

async function fill(db: Db, { log }: Surroundings): Promise<void> {
  await buildIndexes(db);
  for (const design of ['EMBEDDED', 'HYBRID', 'ONE_EACH'] as const) await requireAsPosted(db, design, SHORT + POSTS);
  for (const { discussion, design, size } of all) {
    await fillDiscussion(db, discussion, design, size);
    log(`${size.toLocaleString('en')} comments are stored in ${design}`);
  }
  for await (const violation of findDiscussionViolations(db, visitOnly))
    throw new Error(`${violation.invariant}: ${violation.subject}`);
}

/** Only then has the database chosen a plan: the first times it tries several. */
async function countWarm(db: Db, ask: () => Promise<unknown>): Promise<Counts> {
  for (let time = 0; time < WARM_UPS; time += 1) await ask();
  return countCommands(db, ask);
}

/** A discussion for new comments, which has its full length after the last of them. A long one may just grow. */
async function fillWithRoom(db: Db, one: Filled, name: string): Promise<Filled> {
  if (one.size === LONG) return one;
  const room = { ...one, discussion: `${one.discussion}-${name}` };
  await fillDiscussion(db, room.discussion, one.design, one.size - POSTS);
  return room;
}

/** By a writer of its own, so that it does not wait for the gap after the post before. */
async function post(db: Db, { discussion, design }: Filled): Promise<void> {
  const outcome = await postComment(db, new DiscussionWriter(), subjectOf(discussion, design), {
    author: { _id: 'author-0', name: '' },
    isMember: true,
    text: NEW_TEXT,
    replyTo: null,
    now: new Date(),
  });
  if (!('number' in outcome)) throw new Error(outcome.message);
}

/** The discussions alternate, query by query. */
async function time(db: Db, surroundings: Surroundings): Promise<Rounds> {
  const { rounds, scale, log } = surroundings;
  await fill(db, surroundings);
  const times = new Rounds();
  const note = (name: string, round: number, taken: ReadonlyMap<Filled, number[]>) => {
    if (round > 0) for (const [one, ms] of taken) times.add(cell(name, one), percentile(ms, 0.5));
  };
  for (const query of commentQueries) {
    const asks = await prepareAll(db, query);
    const turns = Math.ceil(TURNS * scale);
    for (let round = 0; round <= rounds; round += 1) note(query.name, round, await alternate(asks, turns));
    log(`${query.name} done`);
  }
  for (let round = 0; round <= rounds; round += 1) {
    const asks = new Map<Filled, () => Promise<unknown>>();
    for (const one of all) {
      const room = await fillWithRoom(db, one, String(round));
      asks.set(one, () => post(db, room));
    }
    note(POST, round, await alternate(asks, POSTS));
  }
  return times;
}

async function prepareAll(db: Db, query: CommentQuery): Promise<Map<Filled, () => Promise<unknown>>> {
  const asks = new Map<Filled, () => Promise<unknown>>();
  for (const one of all) {
    const ask = await query.prepare(db, one);
    if (ask) asks.set(one, ask);
  }
  return asks;
}

/** @returns milliseconds */
async function alternate(
  asks: ReadonlyMap<Filled, () => Promise<unknown>>,
  turns: number,
): Promise<ReadonlyMap<Filled, number[]>> {
  const taken = new Map([...asks.keys()].map((one) => [one, [] as number[]]));
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [one, ask] of asks) {
      const sent = performance.now();
      await ask();
      taken.get(one)?.push(performance.now() - sent);
    }
  }
  return taken;
}

function findings(counts: AllCounts, times: Rounds, { rounds }: Surroundings): Findings {
  const names = [...commentQueries.map(({ name }) => name), POST];
  const columns = all.map(({ design, size }) => `${design}, ${size.toLocaleString('en')}`);
  const tableOf = (what: string, rows: readonly string[], show: (name: string, one: Filled) => string): Table => ({
    columns: [what, ...columns],
    rows: rows.map((name) => [name, ...all.map((one) => show(name, one))]),
  });
  const counted = (show: (counts: Counts) => string) => (name: string, one: Filled) => {
    const found = counts.get(cell(name, one));
    return found ? show(found) : 'refused';
  };
  return {
    verdicts: (['HYBRID', 'ONE_EACH'] as const).flatMap((design) =>
      [commentQueries[0], commentQueries[1]].flatMap((query) => (query ? [verdict(times, query.name, design)] : [])),
    ),
    tables: [
      tableOf('p50, ms', names, (name, one) =>
        counts.has(cell(name, one)) ? format(times.median(cell(name, one))) : 'refused',
      ),
      tableOf(
        'documents read, KB read',
        names,
        counted(({ documentsRead, bytesRead }) => `${documentsRead}, ${format(bytesRead / 1000)}`),
      ),
      tableOf(
        'documents written, bytes written',
        [POST],
        counted(({ documentsWritten, bytesWritten }) => `${documentsWritten}, ${format(bytesWritten)}`),
      ),
      indexTable(counts, names),
    ],
    notes: [
      `Pages of 50 unless it says otherwise. One caller in this process uses the functions of the model; the discussions alternate, query by query. Medians of ${TURNS} queries, ${POSTS} posts, in each round, over ${roundsOf(rounds)}.`,
      'Texts of 50 to 1,500 characters, 410 on average, in threads of up to 20 levels; a quarter of the comments are below the first one, and a quarter are by one author. Documents and bytes, with those of index keys, are counted by the profiler of a separate server, once. For an update of a long document, MongoDB writes the difference to its log; the bytes written are that, without the log of operations.',
      'A discussion is filled by the functions that write a design; that this equals posting one comment after the other is checked with the shortest one.',
    ],
  };
}

function verdict(times: Rounds, name: string, design: CommentDesign): Verdict {
  return {
    row: `${name}, of ${LONG.toLocaleString('en')} comments in ${design}`,
    against: `the same of ${MEDIUM.toLocaleString('en')}`,
    measured: times.ratio(cell(name, filled(design, LONG)), cell(name, filled(design, MEDIUM))),
    bound: 'at most',
    goal: RATIO_MAX,
    unit: ' times',
  };
}

/** Of the medium length: the others use the same ones. */
function indexTable(counts: AllCounts, names: readonly string[]): Table {
  const shown = all.filter(({ size }) => size === MEDIUM);
  return {
    columns: ['indexes', ...shown.map(({ design }) => design)],
    rows: names.map((name) => [name, ...shown.map((one) => counts.get(cell(name, one))?.indexes.join('; ') ?? '–')]),
  };
}
