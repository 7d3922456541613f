/** The growth of the log changes while the process dies: no request is lost, and the next process finishes the change. */
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import { findGrowth, GRACE_MS } from '../../../src/models/analytics/log-growth/log-growth.js';
import { keepLogGrowth } from '../../../src/models/analytics/log-growth/log-growth-upkeep.js';
import { DAY_MS, HOUR_MS } from '../../../src/shared/time.js';
import { answerOrNull, type Scenario } from '../../crash/scenario.js';
import { letWorkersRun } from '../../crash/workers.js';
import { allPages, change, goals, record, strategiesOf } from './log-growth-support.js';

const SITE = 'growth.example';
const some = (now: Date, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    site: SITE,
    time: new Date(now.getTime() - index * 1000),
    host: '192.0.2.1',
    path: `/${index}`,
    status: 200,
  }));
const shown = async (db: Db) => (await allPages(db, { site: SITE }, 500, new Date())).length;

const changeTo = (strategy: string) => `mutation {
  changeLogGrowth(input: { strategy: ${strategy}, maxAge: "P3650D", collections: 4 }) {
    __typename ... on LogGrowth { strategy changingTo collections { name strategy isActive events } }
  }
}`;
const CHANGE = changeTo('ROTATED_DATABASES');
const CHANGE_HERE = changeTo('ROTATED_COLLECTIONS');

/** The window grows: the previous collection must no longer remove requests that the new window keeps. */
export const growthChanged: Scenario<void> = {
  failpoints: {
    'log.growth.noted': 1,
    'log.growth.widened': 1,
    'log.growth.segment-created': 1,
    'log.growth.activated': 1,
  },
  async act(product, db) {
    const now = new Date();
    await change(db, { strategy: 'TTL', maxAge: { ms: 100 * DAY_MS } }, now);
    await record(db, some(now, 20), now);
    expect(await answerOrNull(product.request(CHANGE))).toBeNull();
  },
  async judge(product, db) {
    expect(await shown(db)).toBe(20);
    const now = new Date();
    await record(db, some(now, 5), now); // before any process has resumed the change
    const collections = [
      { name: 'log.events_3', strategy: 'ROTATED_DATABASES', isActive: true },
      { name: 'log.events_2', strategy: 'TTL', isActive: false },
      { name: 'log.events', strategy: 'UNBOUNDED', isActive: false, events: 0 },
    ];
    const changed = { __typename: 'LogGrowth', strategy: 'ROTATED_DATABASES', changingTo: null, collections };
    expect(await product.request(CHANGE)).toMatchObject({ data: { changeLogGrowth: changed } });
    await record(db, some(now, 5), now);
    expect(await shown(db)).toBe(30);
    const indexes = await db.collection('log.events_2').listIndexes().toArray();
    expect(indexes.filter(({ expireAfterSeconds }) => expireAfterSeconds !== undefined)).toEqual([]);
    expect(await db.collection('audit').countDocuments({ action: 'LOG_GROWTH_CHANGED' })).toBe(2); // the change before it, and this one
  },
};

/** A view has the name of the new collection: the change is rolled back, and the next one uses another name. */
export const growthImpossible: Scenario<void> = {
  failpoints: { 'log.growth.given-up': 1 },
  async act(product, db) {
    await findGrowth(db);
    await db.createCollection('log.events_2', { viewOn: 'log.events', pipeline: [] });
    expect(await answerOrNull(product.request(CHANGE_HERE))).toBeNull();
  },
  async judge(product, db) {
    expect(await findGrowth(db)).toMatchObject({ strategy: 'UNBOUNDED', change: null });
    expect(await product.request(CHANGE_HERE)).toMatchObject({
      data: { changeLogGrowth: { collections: [{ name: 'log.events_3', isActive: true }, { name: 'log.events' }] } },
    });
    await letWorkersRun(db);
    expect(await db.listCollections({ name: 'log.events_2' }).toArray()).toEqual([]);
  },
};

/** The worker dies while it switches to the next period's segment and removes those outside the window. */
export const growthKept: Scenario<void> = {
  failpoints: {
    'log.growth.rotation-noted': 1,
    'log.growth.segment-closed': 1,
    'log.growth.segment-retired': 1,
  },
  leave: leaveOld,
  judge: (_product, db) => expectKept(db),
};

/** The worker dies while it drops segments that were retired long enough ago. */
export const growthDropped: Scenario<void> = {
  failpoints: { 'log.growth.segment-dropped': 1, 'log.growth.drop-noted': 1 },
  async leave(db) {
    await leaveOld(db);
    const before = Date.now() - 2 * GRACE_MS;
    await keepLogGrowth(db, new Date(before), new Date(before - 1));
  },
  judge: (_product, db) => expectKept(db),
};

/** Ten requests in the first collection outside the window, and seven in the second inside it. */
async function leaveOld(db: Db): Promise<void> {
  const long = new Date(Date.now() - 10 * HOUR_MS);
  await record(db, some(long, 10), long);
  await change(db, { strategy: 'ROTATED_COLLECTIONS', maxAge: { ms: 4 * HOUR_MS }, collections: 3 }, long);
  await record(db, some(long, 10), long);
  const now = new Date();
  await record(db, some(now, 7), now);
}

async function expectKept(db: Db): Promise<void> {
  expect(await shown(db)).toBe(7);
  await letWorkersRun(db);
  expect(await shown(db)).toBe(7);
  expect(await strategiesOf(db)).toEqual(['ROTATED_COLLECTIONS', 'ROTATED_COLLECTIONS']);
  expect(await db.listCollections({ name: 'log.events' }).toArray()).toEqual([]);
}

export const growthBegun: Scenario<void> = {
  failpoints: { 'log.growth.begun': 1 },
  async leave() {},
  async judge(_product, db) {
    const now = new Date();
    await record(db, some(now, 3), now);
    expect(await shown(db)).toBe(3);
    expect(await findGrowth(db)).toMatchObject({ ...goals.UNBOUNDED, version: 1, next: 2 });
  },
};
