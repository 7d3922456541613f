/** The rows of sites and hits. */
import { expect } from 'vitest';
import type { Row } from '../../contract/row.js';

const site = 'example.org';
const page = '/index.html';
const text = expect.any(String);
const day = { from: '2026-01-05T00:00:00.000Z', to: '2026-01-06T00:00:00.000Z' };
const hit = (at: string, of = page) => ({ site, page: of, at: `2026-01-05T${at}.000Z` });

/** The hours of the day with these counts. */
function hours(counts: Readonly<Record<number, number>>): object[] {
  return Array.from({ length: 24 }, (_, hour) => ({
    at: `2026-01-05T${String(hour).padStart(2, '0')}:00:00.000Z`,
    count: counts[hour] ?? 0,
  }));
}

export const hitRows: readonly Row[] = [
  {
    operation: 'RegisterSite',
    variables: { input: { host: site, allowedOrigins: [`https://${site}`] } },
    expected: {
      registerSite: { __typename: 'Site', id: text, host: site, snippet: expect.stringContaining('<script') },
    },
  },
  { operation: 'RecordHit', variables: { hit: hit('10:00:00') }, expected: { recordHit: { recorded: 1 } } },
  {
    operation: 'RecordHits',
    variables: { hits: [hit('10:00:30'), hit('10:59:59'), hit('23:59:59', '/other'), hit('10:00:00', '')] },
    expected: {
      recordHits: {
        recorded: 3,
        documentsTouched: 4,
        rejected: [{ index: 3, code: 'BAD_USER_INPUT', message: expect.stringContaining('page') }],
      },
    },
  },
  {
    operation: 'HitChart',
    variables: { site, page, range: day, unit: 'HOUR' },
    expected: { hitChart: { unit: 'HOUR', total: 3, points: hours({ 10: 3 }), documentsRead: 1 } },
  },
  {
    operation: 'TopPages',
    variables: { site, range: day },
    expected: {
      topPages: [
        { page, count: 3 },
        { page: '/other', count: 1 },
      ],
    },
  },
  {
    operation: 'LiveHitChart',
    variables: { site, page: '/live', last: 'PT2H', unit: 'HOUR' },
    expected: {
      hitChartChanged: {
        __typename: 'HitChartSnapshot',
        cursor: text,
        reset: false,
        chart: { unit: 'HOUR', total: 0, points: expect.arrayContaining([{ at: text, count: 0 }]) },
      },
    },
    afterwards: {
      operation: 'RecordHit',
      variables: { hit: { site, page: '/live' } },
      expected: { hitChartChanged: { __typename: 'HitChartChange', cursor: text, points: [{ at: text, count: 1 }] } },
    },
  },
  {
    operation: 'LiveTopPages',
    variables: { site },
    expected: { topPagesChanged: { cursor: text, pages: [{ page: '/live', count: 1 }] } },
    afterwards: {
      operation: 'RecordHit',
      variables: { hit: { site, page: '/live' } },
      expected: { topPagesChanged: { cursor: text, pages: [{ page: '/live', count: 2 }] } },
    },
  },
];
