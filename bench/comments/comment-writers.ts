/** 64 writers post at the same time, to one discussion or each to another one, against the same transactions sent with the driver alone. */
import type { Db } from 'mongodb';
import { buildIndexes, commitConcernOf } from '../../src/database/index.js';
import type { CommentDesign } from '../../src/models/comments/discussion/comment.js';
import { DiscussionWriter } from '../../src/models/comments/discussion-write.js';
import { postComment } from '../../src/models/comments/posting.js';
import type { Benchmark, Findings, Surroundings } from '../support/benchmark.js';
import { inOwnDatabase } from '../support/contest.js';
import { percentile, Rounds } from '../support/measure.js';
import { format, roundsOf } from '../support/report.js';
import { makeComments, subjectOf } from './many-comments.js';
import { postRaw } from './raw-posts.js';

const WRITERS = 64;
/** Each writer's posts: together fewer than EMBEDDED takes. */
const TURNS = 24;
const RATIO_MIN = 0.5;
const TEXT = 'The tide went out at noon, and the instruments stayed where they were. '.repeat(5).trim();

const designs = ['EMBEDDED', 'HYBRID', 'ONE_EACH'] as const;
const places = ['one discussion', '64 discussions'] as const;
type Place = (typeof places)[number];

const ways = {
  product: 'the model',
  keyed: 'the model, with idempotency keys',
  raw: 'the driver, the same transactions',
  alone: 'the driver, a transaction for each post',
} as const;
type Way = keyof typeof ways;

/** @returns milliseconds that each post took */
type Run = (db: Db, design: CommentDesign, place: Place, name: string) => Promise<number[]>;

const cell = (way: Way, place: Place, design: CommentDesign): string => `${way}, ${place}, ${design}`;

export const commentWriters: Benchmark = {
  name: 'comment-writers',
  title: 'Comments by 64 writers at once',
  async run(surroundings) {
    const { rounds, log } = surroundings;
    const [perSecond, p50] = [new Rounds(), new Rounds()];
    await inOwnDatabase(surroundings, async (_, db) => {
      await buildIndexes(db);
      for (let round = 0; round <= rounds; round += 1) {
        for (const { way, place, design } of cells()) {
          const begin = performance.now();
          const taken = await runs[way](db, design, place, `Test:${way}-${design}-${round}`);
          const seconds = (performance.now() - begin) / 1000;
          if (round === 0) continue; // warm-up
          perSecond.add(cell(way, place, design), taken.length / seconds);
          p50.add(cell(way, place, design), percentile(taken, 0.5));
        }
        log(`round ${round} of ${rounds} done`);
      }
    });
    return findings(perSecond, p50, surroundings);
  },
};

/** To 64 discussions, the driver sends the same transactions and one for each post alike. */
const cells = () =>
  places.flatMap((place) =>
    designs.flatMap((design) =>
      (Object.keys(ways) as Way[])
        .filter((way) => way !== 'alone' || place === 'one discussion')
        .map((way) => ({ way, place, design })),
    ),
  );

const runs: Readonly<Record<Way, Run>> = {
  product: (db, design, place, name) => postAll(db, design, place, name, false),
  keyed: (db, design, place, name) => postAll(db, design, place, name, true),
  raw: (db, design, place, name) => (place === 'one discussion' ? sendTogether : sendEach)(db, design, name),
  alone: (db, design, _, name) => sendCompeting(db, design, name),
};

const discussionOf = (name: string, place: Place, writer: number): string =>
  place === 'one discussion' ? name : `${name}-${writer}`;

/** Each writer posts again when its post is stored. */
async function callAll(turns: number, call: (writer: number, turn: number) => Promise<unknown>): Promise<number[]> {
  const taken: number[] = [];
  const write = async (_: unknown, writer: number) => {
    for (let turn = 0; turn < turns; turn += 1) {
      const sent = performance.now();
      await call(writer, turn);
      taken.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  return taken;
}

function postAll(db: Db, design: CommentDesign, place: Place, name: string, isKeyed: boolean): Promise<number[]> {
  const discussionWriter = new DiscussionWriter();
  return callAll(TURNS, async (writer, turn) => {
    const discussion = discussionOf(name, place, writer);
    const outcome = await postComment(db, discussionWriter, subjectOf(discussion, design), {
      author: { _id: `author-${writer}`, name: '' },
      isMember: true,
      text: TEXT,
      replyTo: null,
      call: isKeyed ? `${name} ${place} ${writer} ${turn}` : undefined,
      now: new Date(),
    });
    if (!('number' in outcome)) throw new Error(outcome.message);
  });
}

/** The comments of one discussion, made before they are measured. */
const made = (discussion: string, count: number) =>
  makeComments(discussion, count).map((one) => ({ ...one, text: TEXT }));

const options = { readConcern: { level: 'snapshot' as const }, writeConcern: commitConcernOf.MAJORITY };

const send = (db: Db, design: CommentDesign, some: Parameters<typeof postRaw>[3]): Promise<void> =>
  db.client.withSession((session) => session.withTransaction(() => postRaw(db, session, design, some), options));

/** One transaction after the other, with one comment of each writer: as the model does, without a gap. */
async function sendTogether(db: Db, design: CommentDesign, name: string): Promise<number[]> {
  const all = made(`${name}-together`, WRITERS * TURNS);
  const taken: number[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const sent = performance.now();
    const some = all.slice(turn * WRITERS, (turn + 1) * WRITERS);
    await send(db, design, some);
    taken.push(...some.map(() => performance.now() - sent));
  }
  return taken;
}

function sendEach(db: Db, design: CommentDesign, name: string): Promise<number[]> {
  const all = Array.from({ length: WRITERS }, (_, writer) => made(`${name}-each-${writer}`, TURNS));
  return callAll(TURNS, (writer, turn) => send(db, design, all[writer]?.slice(turn, turn + 1) ?? []));
}

/** Fewer posts: the transactions conflict, and the driver tries again. */
async function sendCompeting(db: Db, design: CommentDesign, name: string): Promise<number[]> {
  const all = made(`${name}-competing`, WRITERS);
  return callAll(1, (writer) => send(db, design, all.slice(writer, writer + 1)));
}

function findings(perSecond: Rounds, p50: Rounds, { rounds }: Surroundings): Findings {
  return {
    verdicts: places.flatMap((place) =>
      designs.map((design) => ({
        row: `posts per second by ${WRITERS} writers to ${place}, ${design}`,
        against: 'the same transactions sent with the driver alone',
        measured: perSecond.ratio(cell('product', place, design), cell('raw', place, design)),
        bound: 'at least' as const,
        goal: RATIO_MIN,
        unit: ' times',
      })),
    ),
    tables: [
      {
        columns: ['to', 'design', 'by', 'posts/s', '÷ driver, the same transactions', 'p50, ms', 'spread'],
        rows: cells().map(({ way, place, design }) => [
          place,
          design,
          ways[way],
          format(perSecond.median(cell(way, place, design))),
          format(perSecond.ratio(cell(way, place, design), cell('raw', place, design))),
          format(p50.median(cell(way, place, design))),
          format(perSecond.spread(cell(way, place, design))),
        ]),
      },
    ],
    notes: [
      `${WRITERS} callers of the model in this process; each posts ${TURNS} comments of ${TEXT.length} characters, the next when the one before is stored. ${roundsOf(rounds)}, each in new discussions.`,
      'The model stores the posts that wait for one discussion in one transaction, then pauses for 5 ms, so that other processes take their turns. The driver alone sends the same transactions, 64 comments in each, one after the other without a pause; their documents are made beforehand. With a transaction for each post (64 posts), they conflict, and the driver repeats them.',
    ],
  };
}
