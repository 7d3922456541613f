/** Whatever the strategy of the log, and however often it changes, queries return the same as from one array. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EventFilter, findEvent } from '../../../src/models/analytics/log/request-log.js';
import type { RequestInput } from '../../../src/models/analytics/log/request-record.js';
import { requestsByDayAndPage } from '../../../src/models/analytics/log/request-report.js';
import { findGrowth } from '../../../src/models/analytics/log-growth/log-growth.js';
import { keepLogGrowth } from '../../../src/models/analytics/log-growth/log-growth-upkeep.js';
import type { LogEventDocument } from '../../../src/models/analytics/log-growth/log-segment.js';
import { DAY_MS, LATEST_MS } from '../../../src/shared/time.js';
import { useDatabase } from '../../support/database.js';
import { allPages, change, goals, record, strategiesOf } from './log-growth-support.js';

const test = useDatabase();
const now = new Date();
const BEGIN = Math.floor((now.getTime() - 10 * DAY_MS) / DAY_MS) * DAY_MS;
const DAYS = 8;
const strategies = Object.keys(goals) as (keyof typeof goals)[];

/** Few values, so that queries find several requests and times coincide. */
const requests = (site: string) =>
  fc.record({
    site: fc.constant(site),
    time: fc.tuple(fc.nat(DAYS - 1), fc.nat(3)).map(([day, second]) => new Date(BEGIN + day * DAY_MS + second * 1000)),
    host: fc.constantFrom('192.0.2.1', '192.0.2.2', '2001:db8::1'),
    status: fc.constantFrom(200, 304, 404),
    method: fc.constant('GET'),
    path: fc.constantFrom('/', '/a', '/a?x=1', '/ü', '/b'),
  });

const ranges = fc
  .tuple(fc.nat(DAYS), fc.integer({ min: 1, max: DAYS }))
  .map(([day, days]) => ({ from: new Date(BEGIN + day * DAY_MS), to: new Date(BEGIN + (day + days) * DAY_MS) }));

const filters = fc.record({
  path: fc.option(fc.constantFrom('/', '/a?x=1', '/none')),
  host: fc.option(fc.constantFrom('192.0.2.1', '2001:db8::1')),
  status: fc.option(fc.constantFrom(200, 404)),
  range: fc.option(ranges),
});

interface Sent extends RequestInput {
  readonly path: string;
}

const newestFirst = (left: LogEventDocument, right: LogEventDocument) =>
  right.time.getTime() - left.time.getTime() || (left._id < right._id ? 1 : -1);

function expected(all: readonly LogEventDocument[], { path, host, status, range }: Omit<EventFilter, 'site'>) {
  return all
    .filter((event) => (path ?? event.path) === event.path && (host ?? event.host) === event.host)
    .filter((event) => (status ?? event.status) === event.status)
    .filter(({ time }) => !range || (time >= range.from && time < range.to))
    .sort(newestFirst);
}

function expectedReport(all: readonly Sent[], { from, to }: { from: Date; to: Date }) {
  const counts = new Map<string, { day: Date; page: string; requests: number }>();
  for (const { time, path } of all) {
    if (time < from || time >= to) continue;
    const day = new Date(Math.floor(time.getTime() / DAY_MS) * DAY_MS);
    const page = path.replace(/\?.*/, '');
    const row = counts.get(`${day.getTime()} ${page}`) ?? { day, page, requests: 0 };
    counts.set(`${day.getTime()} ${page}`, { ...row, requests: row.requests + 1 });
  }
  return [...counts.values()].sort(
    (a, b) => a.day.getTime() - b.day.getTime() || b.requests - a.requests || (a.page < b.page ? -1 : 1),
  );
}

/**
 * Compares each query with an array of the site's requests. A query without other filters fills the array. `request-log.test.ts` verifies
 * such queries on one collection.
 */
async function compare(
  site: string,
  sent: readonly Sent[],
  queries: readonly [Omit<EventFilter, 'site'>, number, { from: Date; to: Date }][],
): Promise<void> {
  const all = await allPages(test.db, { site }, 500, now);
  expect(all.map(({ _id: _, page: __, ...fields }) => fields).sort(byText)).toEqual([...sent].sort(byText));
  for (const [filter, first, range] of queries) {
    expect(await allPages(test.db, { site, ...filter }, first, now)).toEqual(expected(all, filter));
    const rows = expectedReport(sent, range);
    expect(await requestsByDayAndPage(test.db, site, range, 1000, now)).toEqual(rows);
    expect(await requestsByDayAndPage(test.db, site, range, first, now)).toEqual(rows.slice(0, first));
  }
  for (const event of all.slice(0, 5)) expect(await findEvent(test.db, event._id, now)).toEqual(event);
}

const byText = (left: object, right: object) => (JSON.stringify(sorted(left)) < JSON.stringify(sorted(right)) ? -1 : 1);
const sorted = (value: object) => Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));

describe.each(strategies)('a log with the strategy %s', (strategy) => {
  it('returns the same as one array for every query', async () => {
    await change(test.db, goals[strategy], now);
    let sites = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(requests('site'), { maxLength: 60 }),
        fc.array(fc.tuple(filters, fc.integer({ min: 1, max: 20 }), ranges), { minLength: 1, maxLength: 4 }),
        async (events, queries) => {
          sites += 1;
          const site = `${strategy.toLowerCase().replaceAll('_', '-')}-${sites}.example.org`;
          const sent = events.map((event) => ({ ...event, site }));
          await record(test.db, sent, now);
          await compare(site, sent, queries);
        },
      ),
      { numRuns: 8 },
    );
  });
});

describe('a log whose strategy changes repeatedly', () => {
  it('returns the same as one array for every query', async () => {
    let sites = 0;
    const seen = new Set<string>();
    const steps = fc.array(
      fc.tuple(fc.constantFrom(...strategies), fc.array(requests('site'), { maxLength: 20 }), fc.boolean()),
      {
        minLength: 2,
        maxLength: 4,
      },
    );
    await fc.assert(
      fc.asyncProperty(
        steps,
        fc.array(fc.tuple(filters, fc.integer({ min: 1, max: 20 }), ranges), { minLength: 1, maxLength: 3 }),
        async (changes, queries) => {
          sites += 1;
          const site = `mixed-${sites}.example.org`;
          const sent: Sent[] = [];
          for (const [strategy, events, isSettled] of changes) {
            await change(test.db, goals[strategy], now);
            const some = events.map((event) => ({ ...event, site }));
            await record(test.db, some, now);
            sent.push(...some);
            if (isSettled) await keepLogGrowth(test.db, now, new Date(LATEST_MS));
          }
          for (const strategy of await strategiesOf(test.db)) seen.add(strategy);
          await compare(site, sent, queries);
        },
      ),
      { numRuns: 10 },
    );
    expect([...seen].sort()).toEqual([...strategies].sort());
    const growth = await findGrowth(test.db);
    expect(growth.segments.length).toBeGreaterThan(6);
  });
});
