/** The live list of the busiest pages through the hub: every event equals the result of the query at the time of its cursor. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { type ClientSession, type Db, Timestamp } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildIndexes, commitConcernOf, inTransaction, updateInTransaction } from '../../../src/database/index.js';
import { type CountedHit, dailyHits, monthlyHits } from '../../../src/models/analytics/hits/hit.js';
import { statementsOf } from '../../../src/models/analytics/hits/hit-statements.js';
import { findTopPages, type PageHits, rankPages } from '../../../src/models/analytics/hits/top-pages.js';
import {
  defineTopPagesFeed,
  type TopPagesArgs,
  topPagesFeed,
} from '../../../src/models/analytics/hits/top-pages-feed.js';
import { Hub } from '../../../src/realtime/index.js';
import { useDatabase } from '../../support/database.js';

const database = useDatabase();
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Reads four of the twelve pages, so most changes affect pages that it does not hold. */
const narrowFeed = defineTopPagesFeed('test-top-pages', 4);
const NOW = new Date('2026-06-15T12:30:00Z');
const RUNS = 25;

let hub: Hub;
beforeAll(async () => {
  await buildIndexes(database.db);
  await dailyHits(database.db).insertOne({ _id: '20260101/none//', metadata: { date: NOW, site: 'none', page: '/' } });
  const ring = { events: 1000, bytes: 10_000_000 };
  hub = await Hub.create({ db: database.db, ring, catchUpsMax: 2, now: () => NOW });
});
afterAll(() => hub.close());

async function write(hits: readonly CountedHit[]): Promise<void> {
  const { daily, monthly } = statementsOf(hits, false);
  await inTransaction(database.db, commitConcernOf.MAJORITY, async (session) => {
    await updateInTransaction(database.db, dailyHits.collectionName, daily, session);
    await updateInTransaction(database.db, monthlyHits.collectionName, monthly, session);
  });
}

const rangeOf = ({ lastMs }: TopPagesArgs) => {
  const from = Math.floor((+NOW - lastMs) / HOUR_MS) * HOUR_MS;
  return { from, to: Math.floor(+NOW / HOUR_MS) * HOUR_MS + HOUR_MS };
};

/** The result of the query at a cursor. */
async function listAt(args: TopPagesArgs, cursor: string): Promise<PageHits[]> {
  const session = database.client.startSession({ snapshot: true }) as ClientSession & { snapshotTime?: Timestamp };
  session.snapshotTime = new Timestamp({
    t: Number.parseInt(cursor.slice(0, 8), 16),
    i: Number.parseInt(cursor.slice(8, 16), 16),
  });
  try {
    const { from, to } = rangeOf(args);
    return await rankPages(database.db, args.site, from, to, args.first, session);
  } finally {
    await session.endSession();
  }
}

const listNow = (db: Db, args: TopPagesArgs) => {
  const { from, to } = rangeOf(args);
  return findTopPages(db, args.site, { from: new Date(from), to: new Date(to) }, args.first);
};

let sites = 0;
const nextSite = () => {
  sites += 1;
  return `site-${sites}.example`;
};

const hits = fc.array(
  fc.record({
    page: fc.integer({ min: 0, max: 11 }).map((number) => `/${number}`),
    ago: fc.constantFrom(0, 5, 30, 47, 60).map((hours) => hours * HOUR_MS),
    count: fc.constantFrom(1, 1, 1, 2, 5),
  }),
  { minLength: 1, maxLength: 8 },
);

describe('the live top pages', () => {
  it('equal the result of the query at every cursor, even for pages that are not held', {
    timeout: 240_000,
  }, async () => {
    let told = 0;
    await fc.assert(
      fc.asyncProperty(
        hits,
        fc.array(fc.tuple(hits, fc.boolean()), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 3 }),
        async (before, steps, first) => {
          const args: TopPagesArgs = { site: nextSite(), lastMs: 2 * DAY_MS, first };
          const counted = (list: typeof before, sign: 1 | -1): CountedHit[] =>
            list.map(({ page, ago, count }) => ({
              site: args.site,
              page,
              at: new Date(+NOW - ago),
              count: sign * count,
            }));
          await write(counted(before, 1));
          const follow = await hub.follow(narrowFeed, args);
          let held: readonly PageHits[] = [];
          const faults: unknown[] = [];
          const reading = (async () => {
            for await (const event of follow) {
              held = event.kind === 'snapshot' ? event.view : event.change;
              told += 1;
              const answer = await listAt(args, event.cursor);
              if (!isDeepStrictEqual(held, answer)) faults.push({ held, answer, at: event.cursor });
            }
          })();
          for (const [list, takeBack] of steps) {
            await write(counted(list, 1));
            if (takeBack) await write(counted(list, -1));
          }
          const answer = await listNow(database.db, args);
          await expect.poll(() => held, { timeout: 20_000 }).toEqual(answer);
          await follow.return();
          await reading;
          expect(faults).toEqual([]);
        },
      ),
      { numRuns: RUNS },
    );
    expect(told).toBeGreaterThan(RUNS);
  });

  it('include a page that rises from behind a thousand others', async () => {
    const args: TopPagesArgs = { site: nextSite(), lastMs: 2 * DAY_MS, first: 10 };
    const at = (page: string, count: number, ago = 0): CountedHit => ({
      site: args.site,
      page,
      at: new Date(+NOW - ago),
      count,
    });
    await write(Array.from({ length: 1000 }, (_, page) => at(`/busy/${page}`, 5)));
    await write([at('/late', 4, 40 * HOUR_MS)]);
    const follow = await hub.follow(topPagesFeed, args);
    await follow.next();
    await write(Array.from({ length: 1100 }, (_, page) => at(`/new/${page}`, 1)));
    for (let time = 1; time < 10; time += 1) await write([at('/late', 4, 40 * HOUR_MS - time * HOUR_MS)]);
    let first: PageHits | undefined;
    while (first?.count !== 40) first = (await follow.next()).value.change[0];
    expect(first).toEqual({ page: '/late', count: 40 });
    await follow.return();
  });

  it('are not sent again to a reconnecting client that has seen them, unless they have changed', async () => {
    const args: TopPagesArgs = { site: nextSite(), lastMs: 2 * DAY_MS, first: 1 };
    const hit = (page: string): CountedHit => ({ site: args.site, page, at: NOW, count: 1 });
    await write([hit('/a'), { ...hit('/a'), count: 5 }]);
    const first = await hub.follow(topPagesFeed, args);
    const { cursor } = (await first.next()).value;
    await first.return();
    await write([hit('/b')]); // the site has changed, but not the list
    const second = await hub.follow(topPagesFeed, args, { after: cursor });
    const next = second.next();
    await write([hit('/a')]);
    expect((await next).value).toMatchObject({ kind: 'change', reset: false, change: [{ page: '/a', count: 7 }] });
    await second.return();
    const third = await hub.follow(topPagesFeed, args, { after: cursor });
    expect((await third.next()).value).toMatchObject({ kind: 'change', change: [{ page: '/a', count: 7 }] });
    await third.return();
  });
});
