/** The live feeds against the database: after any changes, the state of a subscriber equals a fresh snapshot. */
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { StateFeed } from '../../../src/database/index.js';
import { commitConcernOf, inTransaction, updateInTransaction } from '../../../src/database/index.js';
import { type CountedHit, dailyHits, monthlyHits } from '../../../src/models/analytics/hits/hit.js';
import type { HitChart, HitPoint } from '../../../src/models/analytics/hits/hit-chart.js';
import {
  type HitChartArgs,
  hitChartFeed,
  requireHitChartArgs,
} from '../../../src/models/analytics/hits/hit-chart-feed.js';
import { statementsOf } from '../../../src/models/analytics/hits/hit-statements.js';
import { preAllocate } from '../../../src/models/analytics/hits/pre-allocation.js';
import { findTopPages, type PageHits } from '../../../src/models/analytics/hits/top-pages.js';
import {
  requireTopPagesArgs,
  type TopPagesArgs,
  topPagesFeed,
} from '../../../src/models/analytics/hits/top-pages-feed.js';
import { ChangeStream } from '../../../src/realtime/stream/change-stream.js';
import { formatClusterTime } from '../../../src/shared/cluster-time.js';
import { useDatabase } from '../../support/database.js';

const database = useDatabase();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const RUNS = 50;
const PROPERTY_MS = 120_000; // on a busy machine

/** Streams opened by a test. */
const streams: ChangeStream[] = [];
afterEach(async () => {
  for (const stream of streams.splice(0)) await stream.close();
});

/** Writes hits like a group. @returns the commit's cluster time */
async function write(hits: readonly CountedHit[]): Promise<string> {
  const { daily, monthly } = statementsOf(hits, false);
  const { writtenAt } = await inTransaction(database.db, commitConcernOf.MAJORITY, async (session) => {
    await updateInTransaction(database.db, dailyHits.collectionName, daily, session);
    await updateInTransaction(database.db, monthlyHits.collectionName, monthly, session);
  });
  if (!writtenAt) throw new Error('The commit has no cluster time');
  return formatClusterTime(writtenAt);
}

async function snapshot<Args, State, View, Change>(feed: StateFeed<Args, State, View, Change>, args: Args, now: Date) {
  const session = database.client.startSession({ snapshot: true });
  try {
    return await feed.snapshot(database.db, args, session, now);
  } finally {
    await session.endSession();
  }
}

/** A process that follows a feed, and a client that keeps the received state. */
class Follower<Args, State, View, Change> {
  told = 0;

  private constructor(
    readonly feed: StateFeed<Args, State, View, Change>,
    readonly args: Args,
    readonly state: State,
    private readonly stream: ChangeStream,
    private readonly tell: (change: Change) => void,
  ) {}

  /** The stream is open before the snapshot is read, as in the hub. */
  static async start<Args, State, View, Change>(
    feed: StateFeed<Args, State, View, Change>,
    args: Args,
    now: Date,
    tell: (change: Change) => void,
  ): Promise<Follower<Args, State, View, Change>> {
    const stream = await ChangeStream.open(database.db, ['hits.daily', 'hits.monthly'], 'now');
    streams.push(stream);
    return new Follower(feed, args, await snapshot(feed, args, now), stream, tell);
  }

  /** Applies all changes up to a cluster time, like the hub. */
  async readThrough(time: string, now: Date): Promise<void> {
    for (let through = ''; through < time; ) {
      const batch = await this.stream.read(1000);
      const keys = new Set<string>();
      for (const { event } of batch.events) {
        if (!this.feed.topics(event).includes(this.feed.topic(this.args))) continue;
        for (const key of this.feed.apply(this.state, event, this.args, now)) {
          expect(this.feed.touched(event, this.args, this.state)).toContain(key);
          keys.add(key);
        }
      }
      this.send(keys, now);
      through = batch.events.at(-1)?.time ?? '';
    }
  }

  async stop(): Promise<void> {
    streams.splice(streams.indexOf(this.stream), 1);
    await this.stream.close();
  }

  tick(now: Date): void {
    this.send(new Set(this.feed.tick?.(this.state, this.args, now) ?? []), now);
  }

  private send(keys: ReadonlySet<string>, now: Date): void {
    if (keys.size === 0) return;
    this.told += 1;
    this.tell(this.feed.change(this.state, keys, this.args, now));
  }
}

const site = (run: number) => `run-${run}.example`;
let runs = 0;
const nextSite = () => {
  runs += 1;
  return site(runs);
};

interface Step {
  readonly wait: number;
  readonly hits: readonly { readonly page: string; readonly ago: number; readonly count: number }[];
  /** Undoes the hits of the n-th step before this one; of the oldest one for 0 or if there are fewer. */
  readonly takeBack: number;
  readonly preAllocate: boolean;
}

/** Mostly within the window and at its edges; some a day ahead, some long ago; some are undone later. */
const steps = (spanMs: number) =>
  fc.array(
    fc.record<Step>({
      wait: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: Math.floor(spanMs / 2) })),
      hits: fc.array(
        fc.record({
          page: fc.constantFrom('/', '/a', '/b/c', '/😀', '/\uffee'),
          ago: fc.oneof(
            { weight: 6, arbitrary: fc.integer({ min: 0, max: spanMs }) },
            { weight: 2, arbitrary: fc.integer({ min: -DAY, max: 2 * spanMs }) },
          ),
          count: fc.integer({ min: 1, max: 3 }),
        }),
        { minLength: 1, maxLength: 6 },
      ),
      takeBack: fc.integer({ min: 0, max: 8 }),
      preAllocate: fc.boolean(),
    }),
    { minLength: 1, maxLength: 6 },
  );

/** A time close to midnight and the end of a month, or any time. */
const starts = fc
  .tuple(
    fc.constantFrom(Date.UTC(2026, 1, 1), Date.UTC(2026, 0, 15, 12), Date.UTC(2026, 2, 2)),
    fc.integer({ min: -HOUR, max: HOUR }),
  )
  .map(([at, offset]) => new Date(at + offset));

async function play(
  host: string,
  start: Date,
  list: readonly Step[],
  after: (now: Date, time: string) => Promise<void>,
) {
  const written: CountedHit[][] = [];
  let now = start;
  for (const { wait, hits, takeBack, preAllocate: ahead } of list) {
    now = new Date(+now + wait);
    if (ahead) await preAllocate(database.db, { site: host, page: '/a', at: new Date(+now + DAY) });
    const counted = hits.map(({ page, ago, count }) => ({ site: host, page, at: new Date(+now - ago), count }));
    await after(now, await write(counted));
    const back = written.splice(-takeBack, 1)[0];
    if (back) await after(now, await write(back.map((hit) => ({ ...hit, count: -hit.count }))));
    written.push(counted);
  }
}

describe('a live chart', () => {
  const sparse = (points: Iterable<HitPoint>, from: number) =>
    [...points]
      .filter(({ at, count }) => count !== 0 && +at >= from)
      .map(({ at, count }): [number, number] => [+at, count]);
  const windows = fc.constantFrom<Pick<HitChartArgs, 'unit' | 'lastMs'>>(
    { unit: 'MINUTE', lastMs: HOUR },
    { unit: 'HOUR', lastMs: DAY },
    { unit: 'DAY', lastMs: 20 * DAY },
    { unit: 'WEEK', lastMs: 30 * DAY },
    { unit: 'MONTH', lastMs: 70 * DAY },
  );

  it(
    'equals a fresh chart after any hits, undone or dated ahead, while the window slides',
    async () => {
      let changes = 0;
      await fc.assert(
        fc.asyncProperty(
          windows.chain((w) => fc.tuple(fc.constant(w), steps(w.lastMs))),
          starts,
          async ([window, list], start) => {
            const args: HitChartArgs = { site: nextSite(), page: '/a', ...window };
            const held = new Map<number, number>();
            const follower = await Follower.start(hitChartFeed, args, start, (points: readonly HitPoint[]) => {
              for (const { at, count } of points) held.set(+at, count);
            });
            await play(args.site, start, list, async (now, time) => {
              await follower.readThrough(time, now);
              const fresh: HitChart = hitChartFeed.view(await snapshot(hitChartFeed, args, now), args, now);
              const from = +(fresh.points[0]?.at ?? 0);
              expect(sparse(hitChartFeed.view(follower.state, args, now).points, 0)).toEqual(sparse(fresh.points, 0));
              const shown = [...held].map(([at, count]) => ({ at: new Date(at), count }));
              expect(new Map(sparse(shown, from))).toEqual(new Map(sparse(fresh.points, from)));
            });
            changes += follower.told;
            await follower.stop();
          },
        ),
        { numRuns: RUNS },
      );
      expect(changes).toBeGreaterThan(RUNS);
    },
    PROPERTY_MS,
  );

  it('sends only the slots that changed, with their new counts', async () => {
    const now = new Date('2026-06-01T12:30:30Z');
    const args: HitChartArgs = { site: nextSite(), page: '/', unit: 'MINUTE', lastMs: HOUR };
    const at = new Date('2026-06-01T12:07:10Z');
    const sent: unknown[] = [];
    const follower = await Follower.start(hitChartFeed, args, now, (change) => sent.push(change));
    const hit = { site: args.site, page: '/', at, count: 1 };
    await follower.readThrough(await write([hit]), now); // the document is new
    await follower.readThrough(await write([{ ...hit, at: new Date('2026-06-01T11:40:00Z') }]), now); // its hour is new
    await follower.readThrough(await write([hit, hit]), now);
    await follower.readThrough(await write([{ ...hit, page: '/other' }]), now);
    await follower.readThrough(await write([{ ...hit, at: new Date('2026-06-01T11:30:00Z') }]), now);
    await follower.readThrough(await write([{ ...hit, at: new Date('2026-06-01T11:29:59Z') }]), now); // just outside
    expect(sent).toEqual([
      [{ at: new Date('2026-06-01T12:07:00Z'), count: 1 }],
      [{ at: new Date('2026-06-01T11:40:00Z'), count: 1 }],
      [{ at: new Date('2026-06-01T12:07:00Z'), count: 3 }],
      [{ at: new Date('2026-06-01T11:30:00Z'), count: 1 }],
    ]);
  });

  it('clears the counts of a deleted document', async () => {
    const now = new Date('2026-06-02T12:30:30Z');
    const args: HitChartArgs = { site: nextSite(), page: '/', unit: 'HOUR', lastMs: DAY };
    const hit = { site: args.site, page: '/', at: new Date('2026-06-02T03:00:00Z'), count: 2 };
    await write([hit]);
    const sent: unknown[] = [];
    const follower = await Follower.start(hitChartFeed, args, now, (change) => sent.push(change));
    await dailyHits(database.db).deleteOne({
      _id: `20260602/${args.site}//`,
      'metadata.date': new Date('2026-06-02'),
      'metadata.site': args.site,
      'metadata.page': '/',
    });
    await follower.readThrough(await write([{ ...hit, site: nextSite() }]), now);
    expect(sent).toEqual([[{ at: new Date('2026-06-02T03:00:00Z'), count: 0 }]]);
  });

  it.each([
    ['of no length', { unit: 'MINUTE', lastMs: 0 }, 'BAD_USER_INPUT'],
    ['of more than 50,000 slots', { unit: 'MINUTE', lastMs: 50_001 * MINUTE }, 'LIMIT_EXCEEDED'],
  ] as const)('is refused %s', (_case, window, code) => {
    expect(() => requireHitChartArgs({ site: 'a', page: '/', ...window }, new Date())).toThrow(
      expect.objectContaining({ code }),
    );
  });
});

describe('the live top pages', () => {
  const windows = fc.constantFrom(MINUTE, HOUR, 3 * HOUR, 5 * HOUR, 7 * DAY, 31 * DAY);

  it(
    'equal a fresh ranking after any hits, undone or dated ahead, while the window slides',
    async () => {
      let changes = 0;
      await fc.assert(
        fc.asyncProperty(
          windows.chain((lastMs) => fc.tuple(fc.constant(lastMs), steps(lastMs))),
          fc.integer({ min: 1, max: 6 }),
          starts,
          async ([lastMs, list], first, start) => {
            const args: TopPagesArgs = { site: nextSite(), lastMs, first };
            let held: readonly PageHits[] = [];
            const follower = await Follower.start(topPagesFeed, args, start, (pages) => {
              held = pages;
            });
            await play(args.site, start, list, async (now, time) => {
              await follower.readThrough(time, now);
              follower.tick(now);
              const fresh = topPagesFeed.view(await snapshot(topPagesFeed, args, now), args, now);
              expect(held).toEqual(fresh);
            });
            changes += follower.told;
            await follower.stop();
          },
        ),
        { numRuns: RUNS },
      );
      expect(changes).toBeGreaterThan(RUNS);
    },
    PROPERTY_MS,
  );

  it('match the query for the same range', async () => {
    const now = new Date('2026-07-01T00:30:30Z');
    const args: TopPagesArgs = { site: nextSite(), lastMs: HOUR, first: 2 };
    const visits = [
      ['/a', '2026-06-30T23:30:00Z'],
      ['/a', '2026-06-30T23:29:59Z'],
      ['/b', '2026-07-01T00:30:00Z'],
      ['/b', '2026-07-01T00:10:00Z'],
      ['/c', '2026-07-01T00:00:00Z'],
    ] as const;
    await write(visits.map(([page, at]) => ({ site: args.site, page, at: new Date(at), count: 1 })));
    const live = topPagesFeed.view(await snapshot(topPagesFeed, args, now), args, now);
    expect(live).toEqual([
      { page: '/b', count: 2 },
      { page: '/a', count: 1 },
    ]);
    const range = { from: new Date('2026-06-30T23:30:00Z'), to: now };
    expect(await findTopPages(database.db, args.site, range, 2)).toEqual(live);
  });

  it('stay limited when a site has 5,000 pages, and keep the busiest', async () => {
    const now = new Date('2026-08-01T12:00:00Z');
    const args: TopPagesArgs = { site: nextSite(), lastMs: HOUR, first: 3 };
    const follower = await Follower.start(topPagesFeed, args, now, () => undefined);
    const visit = (page: string, count: number): CountedHit => ({ site: args.site, page, at: now, count });
    let time = await write([visit('/first', 9), visit('/second', 8), visit('/third', 7)]);
    for (let part = 0; part < 5; part += 1) {
      time = await write(Array.from({ length: 1000 }, (_, page) => visit(`/${part}/${page}`, 1)));
    }
    await follower.readThrough(time, now);
    expect(follower.state.pages.size).toBeLessThanOrEqual(2000);
    expect(topPagesFeed.view(follower.state, args, now)).toEqual([
      { page: '/first', count: 9 },
      { page: '/second', count: 8 },
      { page: '/third', count: 7 },
    ]);
  });

  it.each([
    ['a window of 59 seconds', { lastMs: 59_000, first: 10 }, 'last'],
    ['a window of 32 days', { lastMs: 32 * DAY, first: 10 }, 'last'],
    ['a `first` of 0', { lastMs: HOUR, first: 0 }, 'first'],
    ['a `first` of 101', { lastMs: HOUR, first: 101 }, 'first'],
  ])('are refused for %s', (_case, window, field) => {
    expect(() => requireTopPagesArgs({ site: 'a', ...window })).toThrow(
      expect.objectContaining({ code: 'BAD_USER_INPUT', details: expect.objectContaining({ field }) }),
    );
  });
});
