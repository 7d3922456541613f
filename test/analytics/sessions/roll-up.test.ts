/** Roll-ups are correct, no matter in which order sessions arrive and whether runs overlap, repeat or die. */
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { rollUps } from '../../../src/models/analytics/sessions/roll-up.js';
import { findRollUpViolations } from '../../../src/models/analytics/sessions/roll-up-invariants.js';
import { rollUpSessions } from '../../../src/models/analytics/sessions/roll-up-run.js';
import { recordSessions, type SessionInput, sessions } from '../../../src/models/analytics/sessions/session.js';
import { useDatabase } from '../../support/database.js';
import { emptyRollUps, fromScratch, HaltedRun, stored } from './roll-up-support.js';

const database = useDatabase({ checked: false }); // halted and killed workers are not user operations
const RUNS = Number(process.env.SCHEDULES ?? 30);
const PROPERTY_MS = 600_000;

const at = (text: string) => new Date(`${text}Z`);
const record = (inputs: readonly SessionInput[]) => recordSessions(database.db, inputs, 'MAJORITY', new Date());
const run = (batchMax = 1000) => rollUpSessions(database.db, { before: new Date(), now: new Date(), batchMax });

/** Times at the boundaries of all levels. */
const moments = [
  '2025-12-28T23:59:59.999', // a Sunday
  '2025-12-29T00:00',
  '2025-12-31T23:30',
  '2026-01-01T00:00',
  '2026-01-01T00:59:59.999',
  '2026-01-31T23:30',
  '2026-02-01T00:00',
].map(at);

async function violations() {
  const found = [];
  for await (const violation of findRollUpViolations(database.db)) found.push(violation);
  return found;
}

async function expectAllRolledUp(): Promise<void> {
  expect(await stored(database.db)).toEqual(await fromScratch(database.db));
  expect(await sessions(database.db).countDocuments({ pending: true })).toBe(0);
  expect(await violations()).toEqual([]);
}

beforeEach(() => emptyRollUps(database.db));

describe('a run', () => {
  it('sums hours, days, ISO weeks, months and years', async () => {
    await record([
      { userId: 'rick', at: at('2025-12-31T23:10'), length: 95 },
      { userId: 'rick', at: at('2025-12-31T23:59:59.999'), length: 5 },
      { userId: 'rick', at: at('2026-01-01T00:00'), length: 20 },
      { userId: 'ann', at: at('2026-01-01T00:00'), length: 7 },
    ]);
    const progress = await run();
    expect(progress.map(({ level, documentsWritten }) => [level, documentsWritten])).toEqual([
      ['HOUR', 3],
      ['DAY', 3],
      ['WEEK', 2],
      ['MONTH', 3],
      ['YEAR', 3],
    ]);
    expect(await stored(database.db)).toMatchObject({
      'HOUR rick 2025-12-31T23:00:00.000Z': [100, 2, 50],
      'HOUR rick 2026-01-01T00:00:00.000Z': [20, 1, 20],
      'DAY rick 2025-12-31T00:00:00.000Z': [100, 2, 50],
      'WEEK rick 2025-12-29T00:00:00.000Z': [120, 3, 40],
      'WEEK ann 2025-12-29T00:00:00.000Z': [7, 1, 7],
      'MONTH rick 2025-12-01T00:00:00.000Z': [100, 2, 50],
      'YEAR rick 2025-01-01T00:00:00.000Z': [100, 2, 50],
      'YEAR rick 2026-01-01T00:00:00.000Z': [20, 1, 20],
    });
    await expectAllRolledUp();
  });

  it('writes nothing when nothing has arrived', async () => {
    await record([{ userId: 'rick', at: at('2026-01-01T00:00'), length: 1 }]);
    await run();
    const written = await rollUps.YEAR(database.db).find().toArray();
    expect((await run()).every(({ documentsWritten }) => documentsWritten === 0)).toBe(true);
    expect(await rollUps.YEAR(database.db).find().toArray()).toEqual(written);
  });

  it('counts a session that arrives after its year was rolled up, and none twice', async () => {
    await record([{ userId: 'rick', at: at('2020-06-01T10:00'), length: 10 }]);
    await run();
    await record([{ userId: 'rick', at: at('2020-06-01T10:30'), length: 20 }]);
    await run();
    expect(await stored(database.db)).toMatchObject({ 'YEAR rick 2020-01-01T00:00:00.000Z': [30, 2, 15] });
    await expectAllRolledUp();
  });

  it('skips sessions that arrived after the cutoff, unless an older one affects their hour', async () => {
    const early = new Date(Date.now() - 60_000);
    await recordSessions(database.db, [{ userId: 'rick', at: at('2026-01-01T00:00'), length: 1 }], 'MAJORITY', early);
    await record([
      { userId: 'rick', at: at('2026-01-01T00:30'), length: 2 },
      { userId: 'rick', at: at('2026-01-01T01:00'), length: 4 },
    ]);
    await rollUpSessions(database.db, { before: early, now: new Date() });
    expect(await stored(database.db)).toMatchObject({ 'DAY rick 2026-01-01T00:00:00.000Z': [3, 2, 1.5] });
    expect(await sessions(database.db).countDocuments({ pending: true })).toBe(2);
    await run();
    await expectAllRolledUp();
  });

  it('continues until the last of many batches', async () => {
    await record(
      Array.from({ length: 50 }, (_, n) => ({
        userId: `${n % 3}`,
        at: at(`2026-0${1 + (n % 9)}-01T00:00`),
        length: n,
      })),
    );
    await run(7);
    await expectAllRolledUp();
  });
});

describe('a rebuild when more is pending than was ever rolled up', () => {
  const rebuild = () => rollUpSessions(database.db, { before: new Date(0), now: new Date(), rebuildMin: 4 });
  const arrivals = (count: number): SessionInput[] =>
    Array.from({ length: count }, (_, n) => ({
      userId: `${n % 3}`,
      at: moments[n % moments.length] as Date,
      length: n,
    }));

  it('replaces all roll-ups, whatever the cutoff', async () => {
    await record(arrivals(30));
    const progress = await rebuild();
    expect(progress.map(({ documentsWritten }) => documentsWritten)).toEqual([18, 18, 9, 9, 6]);
    await expectAllRolledUp();
    await record(arrivals(40));
    await rebuild();
    await expectAllRolledUp();
  });

  it.each([
    ['few sessions', 3, 0],
    ['less than half of all', 9, 10],
  ])('does not happen for %s', async (_case, arrived, before) => {
    await record(arrivals(before));
    await rebuild();
    await record(arrivals(arrived));
    await rebuild();
    expect(await sessions(database.db).countDocuments({ pending: true })).toBe(arrived);
  });
});

describe('the invariants', () => {
  it('report wrong, missing and superfluous roll-ups', async () => {
    await record([{ userId: 'rick', at: at('2026-01-01T00:00'), length: 10 }]);
    await run();
    const { db } = database;
    await rollUps.DAY(db).updateOne({}, { $set: { 'value.total': 11 } });
    await rollUps.WEEK(db).deleteOne({});
    const [year] = await rollUps.YEAR(db).find().toArray();
    const other = { ...year, _id: { u: 'nobody', d: at('2026-01-01T00:00') } } as never;
    await rollUps.YEAR(db).insertOne(other);
    const subject = (user: string, text: string) => ({ user, begin: at(text) });
    const told = (await violations()).map(({ level, figure, expected, found, ...where }) => [
      { level, figure, expected, found },
      where,
    ]);
    expect(told).toContainEqual([
      { level: 'DAY', figure: 'total', expected: 10, found: 11 },
      subject('rick', '2026-01-01T00:00'),
    ]);
    expect(told).toContainEqual([
      { level: 'WEEK', figure: 'count', expected: 1, found: 0 },
      subject('rick', '2025-12-29T00:00'),
    ]);
    expect(told).toContainEqual([
      { level: 'YEAR', figure: 'count', expected: 0, found: 1 },
      subject('nobody', '2026-01-01T00:00'),
    ]);
  });
});

const session = fc.record({
  userId: fc.constantFrom('ann', '$bob'),
  at: fc.constantFrom(...moments),
  length: fc.nat(5),
});
const WORKERS = 3;
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('arrive'), sessions: fc.array(session, { minLength: 1, maxLength: 4 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('advance'),
      worker: fc.nat(WORKERS - 1),
      writes: fc.integer({ min: 1, max: 5 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('kill'), worker: fc.nat(WORKERS - 1) }) },
);
type Step =
  | { readonly kind: 'arrive'; readonly sessions: readonly SessionInput[] }
  | { readonly kind: 'advance'; readonly worker: number; readonly writes: number }
  | { readonly kind: 'kill'; readonly worker: number };

const reached = { refused: 0, killed: 0, ended: 0, late: 0 };

const small = { batchMax: 1000, rebuildMin: 1_000_000 };
const alwaysRebuild = { batchMax: 1000, rebuildMin: 1 };

describe('a run that dies', () => {
  const early: readonly SessionInput[] = [{ userId: 'ann', at: at('2026-01-05T10:00'), length: 1 }];
  const late: readonly SessionInput[] = [{ userId: 'ann', at: at('2026-01-05T10:30'), length: 2 }];

  it.each(
    [0, 1, 2, 3, 4, 5, 6].flatMap((writes) => [
      [writes, 'batch', small] as const,
      [writes, 'rebuild', alwaysRebuild] as const,
    ]),
  )('after %i writes of a %s is completed by the next one', async (writes, _what, size) => {
    await record(early);
    await run();
    await record(late);
    const worker = new HaltedRun(database.db, size);
    await worker.advance(writes);
    await worker.kill();
    expect(await violations()).toEqual([]); // unfinished periods have their marks
    await run();
    await expectAllRolledUp();
  });
});

describe('two concurrent runs', () => {
  const ann = (minute: string): readonly SessionInput[] => [
    { userId: 'ann', at: at(`2026-01-05T10:${minute}`), length: 1 },
  ];

  it.each([0, 1, 2, 3, 4])('keep newer values when one was paused after its read, before write %i', async (writes) => {
    await record(ann('00'));
    const sleeper = new HaltedRun(database.db, small);
    await sleeper.advance(writes);
    await record(ann('30'));
    await run();
    await sleeper.finish();
    expect(sleeper.refused).toBeGreaterThanOrEqual(1);
    await expectAllRolledUp();
  });

  it('keep newer values even if everything is rebuilt meanwhile as of an older time', async () => {
    await record(ann('00'));
    const rebuild = new HaltedRun(database.db, alwaysRebuild);
    await rebuild.reading();
    await record([{ userId: 'bob', at: at('2026-01-05T10:00'), length: 1 }]); // the paused run reads later than the rebuild's time
    const sleeper = new HaltedRun(database.db, small);
    await sleeper.reading();
    await record(ann('30'));
    await run();
    await rebuild.finish();
    await sleeper.finish();
    await expectAllRolledUp();
  });
});

/** Each worker's next write may happen at any time after its read. A worker that has ended or died starts again. */
async function play(steps: readonly Step[], batchMax: number, rebuildMin: number): Promise<void> {
  await emptyRollUps(database.db);
  const workers = new Map<number, HaltedRun>();
  for (const each of steps) {
    if (each.kind === 'arrive') {
      if (workers.size > 0) reached.late += 1;
      await record(each.sessions);
      continue;
    }
    const worker = workers.get(each.worker) ?? new HaltedRun(database.db, { batchMax, rebuildMin });
    workers.set(each.worker, worker);
    if (each.kind === 'kill') {
      reached.killed += 1;
      await worker.kill();
    } else if (await worker.advance(each.writes)) continue;
    else reached.ended += 1;
    reached.refused += worker.refused;
    workers.delete(each.worker);
  }
  await Promise.all([...workers.values()].map((worker) => worker.finish()));
  await run();
  await expectAllRolledUp();
}

describe('any interleaving of arrivals, runs and deaths', () => {
  it('ends with the result of one aggregation from scratch', { timeout: PROPERTY_MS }, async () => {
    const schedule = fc.array(step, { minLength: 5, maxLength: 60, size: 'max' }) as fc.Arbitrary<Step[]>;
    await fc.assert(fc.asyncProperty(schedule, fc.constantFrom(1, 2, 1000), fc.constantFrom(1, 4, 1_000_000), play), {
      numRuns: RUNS,
    });
  });

  it('ends in the same way with unrestricted workers and arrivals', { timeout: PROPERTY_MS }, async () => {
    const arrive = async (seed: number) => {
      for (let call = 0; call < 10; call += 1)
        await record(fc.sample(session, { seed: seed * 10 + call, numRuns: 20 }));
    };
    const work = async () => {
      for (let turn = 0; turn < 10; turn += 1) await run(15);
    };
    await Promise.all([arrive(1), arrive(2), work(), work(), work()]);
    await run();
    expect(await sessions(database.db).countDocuments()).toBe(400);
    await expectAllRolledUp();
  });

  afterAll(() => {
    process.stderr.write(`roll-up schedules reached: ${JSON.stringify(reached)}\n`);
    for (const count of Object.values(reached)) expect(count).toBeGreaterThanOrEqual(RUNS / 10);
  });
});
