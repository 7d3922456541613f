/** Sessions are recorded and rolled up while the process dies: each that was acknowledged counts once, in all levels. */
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import type { ProductClient } from '../../../harness/product.js';
import { sessionHorizons } from '../../../src/models/analytics/sessions/session-horizon.js';
import { removeOldSessions } from '../../../src/models/analytics/sessions/session-removal.js';
import { answerOrNull, type Scenario } from '../../crash/scenario.js';
import { callJobs } from '../../crash/workers.js';
import { type Figures, fromScratch, stored } from './roll-up-support.js';

const RECORD = 'mutation ($sessions: [SessionInput!]!) { recordSessions(sessions: $sessions) { recorded } }';
const ROLL_UP = 'mutation { rollUp(cutoff: "PT0S") { documentsWritten } }';
const DAY_MS = 86_400_000;
const KEEP_MS = 400 * DAY_MS;
const MANY = 20_500; // enough that all roll-ups are rebuilt

const sessionsOf = (userId: string) =>
  Array.from({ length: 20 }, (_, n) => ({ userId, at: new Date(Date.UTC(2025, 11, 25) + n * DAY_MS), length: n }));

async function record(product: ProductClient, userId: string): Promise<void> {
  const answer = await product.request(RECORD, { sessions: sessionsOf(userId) });
  expect(answer.data).toEqual({ recordSessions: { recorded: 20 } });
}

async function expectRolledUp(product: ProductClient, db: Db, count: number): Promise<void> {
  const { errors } = await product.request(ROLL_UP);
  expect(errors).toBeUndefined();
  expect(await db.collection('sessions').countDocuments()).toBe(count);
  expect(await db.collection('sessions').countDocuments({ pending: true })).toBe(0);
  expect(await stored(db)).toEqual(await fromScratch(db));
}

/** The numbers are lost, and the sessions were not acknowledged. */
export const sessionsRecorded: Scenario<null> = {
  failpoints: { 'session.numbers-taken': 1 },
  async act(product) {
    expect(await answerOrNull(product.request(RECORD, { sessions: sessionsOf('ann') }))).toBeNull();
    return null;
  },
  async judge(product, db) {
    expect(await db.collection('sessions').countDocuments()).toBe(0);
    await record(product, 'ann');
    await expectRolledUp(product, db, 20);
  },
};

/** Earlier roll-ups change again, and the run dies between two of its writes. */
export const sessionsRolledUp: Scenario<null> = {
  failpoints: {
    'roll-up.part-written': 7, // the second level of the second run
    'roll-up.hours-written': 2,
    'roll-up.days-written': 2,
    'roll-up.weeks-written': 2,
    'roll-up.months-written': 2,
    'roll-up.years-written': 2,
    'roll-up.unmarked': 2,
  },
  async act(product) {
    await record(product, 'ann');
    await product.request(ROLL_UP);
    await record(product, 'ann');
    await record(product, 'bob');
    expect(await answerOrNull(product.request(ROLL_UP))).toBeNull();
    return null;
  },
  judge: (product, db) => expectRolledUp(product, db, 60),
};

/** Old sessions are removed while the process dies: the roll-ups stay, and the next day removes the rest. */
export const sessionsRemoved: Scenario<Figures> = {
  failpoints: { 'session.removal.announced': 2, 'session.removal.sealed': 1, 'session.removal.removed': 1 },
  environment: { SESSIONS_DAYS: '400' },
  async act(product, db) {
    await record(product, 'ann');
    await product.request(ROLL_UP);
    const figures = await stored(db);
    // As two earlier runs would have left it, had the sessions been that old.
    const [announced_at, accepts_from] = [new Date(0), new Date(Date.UTC(2026, 0, 1))];
    await sessionHorizons(db).replaceOne({ _id: 'sessions' }, { announced_at, accepts_from }, { upsert: true });
    await callJobs(db, product);
    return figures;
  },
  async judge(_product, db, figures) {
    const announced_at = new Date(0);
    await sessionHorizons(db).updateOne({ _id: 'sessions' }, { $set: { announced_at } });
    await removeOldSessions(db, KEEP_MS, new Date());
    expect(await stored(db)).toEqual(figures);
    expect(await db.collection('sessions').countDocuments()).toBe(13); // since 1 January
  },
};

/** The first build of very many sessions, and sessions that arrive before it restarts. */
export const sessionsRebuilt: Scenario<null> = {
  failpoints: { 'roll-up.hours-rebuilt': 1, 'roll-up.all-rebuilt': 1, 'roll-up.some-unmarked': 2 },
  async act(product, db) {
    await db.collection<{ _id: number }>('sessions').insertMany(
      Array.from({ length: MANY }, (_, n) => ({
        _id: -n,
        userid: `user ${n % 50}`,
        ts: new Date(Date.UTC(2025, 11, 30) + (n % 7) * DAY_MS),
        length: n % 100,
        arrived_at: new Date(),
        pending: true,
      })),
    );
    expect(await answerOrNull(product.request(ROLL_UP))).toBeNull();
    return null;
  },
  async judge(product, db) {
    await record(product, 'user 1');
    await expectRolledUp(product, db, MANY + 20);
  },
};
