/** Reading across the collections of a log: each combination once. `log-growth-queries.test.ts` compares random ones. */
import { beforeEach, describe, expect, it } from 'vitest';
import { explainEvents, requestsByDayAndPage } from '../../../src/models/analytics/log/request-report.js';
import { findGrowth } from '../../../src/models/analytics/log-growth/log-growth.js';
import { keepLogGrowth } from '../../../src/models/analytics/log-growth/log-growth-upkeep.js';
import { DAY_MS } from '../../../src/shared/time.js';
import { useDatabase } from '../../support/database.js';
import { allPages, change, goals, record } from './log-growth-support.js';

const test = useDatabase();
let next = 2;
let site = '';
const now = new Date();
const later = (ms: number) => new Date(now.getTime() + ms);
const request = (time = now, more = {}) => ({ site, time, host: '192.0.2.1', path: '/', status: 200, ...more });

/**
 * Each test starts with only the first collection, and its own site. The collections and queries of earlier tests are kept, because the
 * query plans are checked at the end.
 */
beforeEach(async () => {
  await findGrowth(test.db);
  next += 10;
  site = `site${next}.example.org`;
  const segments = [{ number: 1, strategy: 'UNBOUNDED', since: now }];
  const initial = { strategy: 'UNBOUNDED', retention: {}, segments, next, change: null, retired: [] };
  await test.db.collection('log.growth').updateOne({}, { $set: initial, $inc: { version: 1 } });
});

describe('requests counted per day and page', () => {
  const day = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS);
  const counted = { from: later(-DAY_MS), to: later(DAY_MS) };
  const old = { from: new Date(0), to: later(-DAY_MS) };

  it.each<[string, (keyof typeof goals)[], (keyof typeof goals)[]]>([
    // The last list changes the strategy before there are any requests: the first collection is empty and dropped.
    ['a time series alone', [], ['TIME_SERIES']],
    ['a time series and a rotated database', ['ROTATED_DATABASES'], ['TIME_SERIES']],
    ['two collections', ['TTL'], []],
    ['a time series and a collection', ['TIME_SERIES'], []],
    ['two databases', ['ROTATED_DATABASES'], []],
    ['three collections in two databases', ['TTL', 'ROTATED_DATABASES'], []],
    ['a time series, a collection and a rotated database', ['ROTATED_DATABASES', 'TIME_SERIES'], []],
    ['three rotated databases', ['ROTATED_DATABASES', 'TTL', 'ROTATED_DATABASES', 'CAPPED', 'ROTATED_DATABASES'], []],
  ])('are summed across %s', async (_what, strategies, alone) => {
    for (const strategy of alone) await change(test.db, goals[strategy], now);
    if (alone.length > 0) await keepLogGrowth(test.db, now, now); // drops the empty previous collection
    const paths = ['/a', '/b', '/b', '/ü'];
    let times = 0;
    const fill = async () => {
      await record(
        test.db,
        paths.map((path) => request(day, { path })),
        now,
      );
      times += 1;
    };
    await fill();
    for (const strategy of strategies) {
      await change(test.db, goals[strategy], now);
      await fill();
    }
    const rows = [
      { day, page: '/b', requests: 2 * times },
      { day, page: '/a', requests: times },
      { day, page: '/ü', requests: times },
    ];
    expect(await requestsByDayAndPage(test.db, site, counted, 10, now)).toEqual(rows);
    expect(await requestsByDayAndPage(test.db, site, counted, 2, now)).toEqual(rows.slice(0, 2));
    expect(await requestsByDayAndPage(test.db, site, old, 10, now)).toEqual([]);
    const plan = await explainEvents(test.db, { site, range: counted }, 'REQUESTS_BY_DAY_AND_PAGE', now);
    expect(plan.stages).toContain('IXSCAN');
    expect(plan.stages).not.toContain('COLLSCAN');
  });
});

describe('a time series whose requests have the same time', () => {
  const fields = { path: '/', host: '192.0.2.1', status: 200 };
  const subsets = Array.from({ length: 8 }, (_, bits) =>
    Object.fromEntries(Object.entries(fields).filter((_entry, at) => bits & (1 << at))),
  );

  it.each(subsets)('returns them page by page, each once, for %j', async (filter) => {
    await change(test.db, goals.TIME_SERIES, now);
    await record(
      test.db,
      Array.from({ length: 7 }, () => request()),
      now,
    );
    await record(test.db, [request(later(-1000)), request(later(1000))], now);
    const found = await allPages(test.db, { site, ...filter }, 2, now);
    expect(found.map(({ time }) => time.getTime() - now.getTime())).toEqual([1000, 0, 0, 0, 0, 0, 0, 0, -1000]);
    expect(new Set(found.map(({ _id }) => _id)).size).toBe(9);
    const same = found.slice(1, -1).map(({ _id }) => _id);
    expect(same).toEqual(same.toSorted().reverse());
  });
});
