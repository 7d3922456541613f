import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Hit } from '../../../src/models/analytics/hits/hit.js';
import { findHitChart, type HitChart } from '../../../src/models/analytics/hits/hit-chart.js';
import { createHitRecorder, type HitRecorder } from '../../../src/models/analytics/hits/hit-recorder.js';
import { countSlots, nextSlot, slotOf, type TimeUnit } from '../../../src/models/analytics/hits/hit-slot.js';
import { findTopPages } from '../../../src/models/analytics/hits/top-pages.js';
import { useDatabase } from '../../support/database.js';

const database = useDatabase();
let recorder: HitRecorder;
beforeAll(() => {
  recorder = createHitRecorder({ client: database.client, db: database.db, waitingMax: 100_000 });
});
afterAll(() => recorder.close());

const units = ['MINUTE', 'HOUR', 'DAY', 'WEEK', 'MONTH'] as const satisfies TimeUnit[];
const range = (from: string, to: string) => ({ from: new Date(from), to: new Date(to) });
const hits = (site: string, page: string, ...moments: string[]): Hit[] =>
  moments.map((at) => ({ site, page, at: new Date(at) }));
const record = (list: readonly Hit[]) => recorder.record(list, 'ACKNOWLEDGED');
const sparse = ({ points }: HitChart) =>
  points.filter(({ count }) => count > 0).map(({ at, count }) => [at.toISOString(), count]);

describe('the slots of a unit', () => {
  it('start ISO weeks on Monday', () => {
    expect(new Date(slotOf('WEEK', Date.UTC(2026, 0, 1)))).toEqual(new Date('2025-12-29'));
    expect(new Date(slotOf('WEEK', Date.UTC(1970, 0, 1)))).toEqual(new Date('1969-12-29'));
    expect(new Date(slotOf('WEEK', Date.UTC(1970, 0, 5)))).toEqual(new Date('1970-01-05'));
  });

  it('follow each other without gaps, and are counted correctly', () => {
    const moment = fc.integer({ min: 0, max: Date.UTC(2100) });
    fc.assert(
      fc.property(fc.constantFrom(...units), moment, fc.integer({ min: 1, max: 40 }), (unit, ms, many) => {
        const from = slotOf(unit, ms);
        expect(from).toBeLessThanOrEqual(ms);
        expect(nextSlot(unit, from)).toBeGreaterThan(ms);
        let to = from;
        for (let step = 0; step < many; step += 1) to = nextSlot(unit, to);
        expect(slotOf(unit, to - 1)).toBeLessThan(to);
        expect(countSlots(unit, from, to)).toBe(many);
        expect(countSlots(unit, from, to + 1)).toBe(many + 1);
      }),
    );
  });
});

describe('a chart', () => {
  it('of an hour across midnight reads two documents, and shows missing slots as 0', async () => {
    await record(hits('a.org', '/', '2026-01-31T23:40:00Z', '2026-01-31T23:40:59Z', '2026-02-01T00:10:00Z'));
    const chart = await findHitChart(
      database.db,
      { site: 'a.org', page: '/' },
      range('2026-01-31T23:30:20Z', '2026-02-01T00:30:00Z'),
      'MINUTE',
    );
    expect(chart).toMatchObject({ unit: 'MINUTE', total: 3, documentsRead: 2 });
    expect(chart.points).toHaveLength(60);
    expect(chart.points[0]).toEqual({ at: new Date('2026-01-31T23:30:00Z'), count: 0 });
    expect(sparse(chart)).toEqual([
      ['2026-01-31T23:40:00.000Z', 2],
      ['2026-02-01T00:10:00.000Z', 1],
    ]);
  });

  it('by hours reads one document per day, and by days or months one per month', async () => {
    const days = Array.from({ length: 40 }, (_, day) => new Date(Date.UTC(2026, 2, 1 + day, day % 24)).toISOString());
    await record(hits('n.org', '/', ...days));
    const page = { site: 'n.org', page: '/' };
    const week = range('2026-03-02T00:00:00Z', '2026-03-09T00:00:00Z');
    expect(await findHitChart(database.db, page, week, 'HOUR')).toMatchObject({ total: 7, documentsRead: 7 });
    const months = range('2026-03-01T00:00:00Z', '2026-05-01T00:00:00Z');
    expect(await findHitChart(database.db, page, months, 'DAY')).toMatchObject({ total: 40, documentsRead: 2 });
    expect(await findHitChart(database.db, page, months, 'MONTH')).toMatchObject({
      documentsRead: 2,
      points: [{ count: 31 }, { count: 9 }],
    });
  });

  it('of weeks counts whole weeks, even if the range begins or ends inside one', async () => {
    await record(hits('w.org', '/', '2025-12-29T00:00:00Z', '2026-01-04T23:59:59Z', '2026-01-05T00:00:00Z'));
    const chart = await findHitChart(
      database.db,
      { site: 'w.org', page: '/' },
      range('2026-01-01T12:00:00Z', '2026-01-05T00:00:01Z'),
      'WEEK',
    );
    expect(chart.points).toEqual([
      { at: new Date('2025-12-29'), count: 2 },
      { at: new Date('2026-01-05'), count: 1 },
    ]);
  });

  it('of an unknown page has all its points, with the value 0', async () => {
    const day = range('2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z');
    const chart = await findHitChart(database.db, { site: 'a.org', page: '/none' }, day, 'HOUR');
    expect(chart).toMatchObject({ total: 0, documentsRead: 0 });
    expect(chart.points).toHaveLength(24);
  });

  it('is limited to 50,000 points', async () => {
    const from = Date.UTC(2026, 0, 1);
    const page = { site: 'a.org', page: '/' };
    const minutes = (many: number) => ({ from: new Date(from), to: new Date(from + many * 60_000) });
    expect((await findHitChart(database.db, page, minutes(50_000), 'MINUTE')).points).toHaveLength(50_000);
    await expect(findHitChart(database.db, page, minutes(50_001), 'MINUTE')).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      details: { limit: 50_000 },
    });
  });

  it('of an empty range is refused', async () => {
    const nothing = range('2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z');
    await expect(findHitChart(database.db, { site: 'a.org', page: '/' }, nothing, 'DAY')).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      details: { field: 'range.to' },
    });
  });
});

const base = Date.UTC(2026, 0, 20);
const spanMs = 75 * 86_400_000; // includes three ends of months
const moments = fc.integer({ min: 0, max: spanMs }).map((ms) => new Date(base + ms));
const ranges = fc
  .tuple(fc.integer({ min: 0, max: spanMs }), fc.integer({ min: 1, max: spanMs }))
  .map(([start, length]) => ({ from: new Date(base + start), to: new Date(base + start + length) }));

describe('for any hits and any range', () => {
  let runs = 0;
  const site = () => {
    runs += 1;
    return `run-${runs}.example`;
  };

  it('a chart counts exactly the hits in each of its slots', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(moments, { maxLength: 30 }),
        fc.constantFrom(...units),
        ranges,
        async (times, unit, wanted) => {
          const page = { site: site(), page: '/' };
          if (times.length > 0) await record(times.map((at) => ({ ...page, at })));
          const to = new Date(Math.min(+wanted.to, +wanted.from + (unit === 'MINUTE' ? 50_000 * 59_000 : spanMs)));
          const chart = await findHitChart(database.db, page, { from: wanted.from, to }, unit);
          const counted = new Map<number, number>();
          for (const at of times) counted.set(slotOf(unit, +at), (counted.get(slotOf(unit, +at)) ?? 0) + 1);
          const begins = [slotOf(unit, +wanted.from)];
          for (let slot = nextSlot(unit, begins[0] ?? 0); slot < +to; slot = nextSlot(unit, slot)) begins.push(slot);
          expect(chart.points.map(({ at, count }) => [+at, count])).toEqual(
            begins.map((slot) => [slot, counted.get(slot) ?? 0]),
          );
          expect(chart.total).toBe(chart.points.reduce((sum, { count }) => sum + count, 0));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('the top pages match a count of the individual hits', async () => {
    const visit = fc.record({ page: fc.constantFrom('/', '/a', '/b', '/é', '/😀', '/\uffee'), at: moments });
    await fc.assert(
      fc.asyncProperty(
        fc.array(visit, { minLength: 1, maxLength: 60 }),
        ranges,
        fc.integer({ min: 1, max: 7 }),
        async (visits, wanted, first) => {
          const host = site();
          await record(visits.map((each) => ({ site: host, ...each })));
          const from = slotOf('MINUTE', +wanted.from);
          const counted = new Map<string, number>();
          for (const { page, at } of visits) {
            const minute = slotOf('MINUTE', +at);
            if (minute >= from && minute < +wanted.to) counted.set(page, (counted.get(page) ?? 0) + 1);
          }
          const expected = [...counted]
            .map(([page, count]) => ({ page, count }))
            .sort((a, b) => b.count - a.count || Buffer.compare(Buffer.from(a.page), Buffer.from(b.page)));
          expect(await findTopPages(database.db, host, wanted, first)).toEqual(expected.slice(0, first));
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('the top pages', () => {
  it('of a whole month are read from one document per page', async () => {
    await record(hits('m.org', '/a', '2026-01-01T00:00:00Z', '2026-01-31T23:59:59Z'));
    await record(hits('m.org', '/b', '2026-01-15T00:00:00Z', '2026-02-01T00:00:00Z'));
    const january = range('2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z');
    expect(await findTopPages(database.db, 'm.org', january, 10)).toEqual([
      { page: '/a', count: 2 },
      { page: '/b', count: 1 },
    ]);
  });

  it.each([0, 1001])('are refused for a `first` of %i', async (first) => {
    const day = range('2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z');
    await expect(findTopPages(database.db, 'm.org', day, first)).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      details: { field: 'first' },
    });
  });
});
