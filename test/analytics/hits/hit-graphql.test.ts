import { describe, expect, it } from 'vitest';
import { dailyHits } from '../../../src/models/analytics/hits/hit.js';
import { useDatabase } from '../../support/database.js';
import { startTestServer, useServer } from '../../support/server.js';

const database = useDatabase();
const server = useServer(database);

const RECORD = `mutation ($hits: [HitInput!]!, $durability: Durability! = MAJORITY) {
  recordHits(hits: $hits, durability: $durability) { recorded documentsTouched rejected { index code message } }
}`;
const CHART = `query ($site: String!, $page: String!, $range: DateRange!, $unit: TimeUnit!) {
  hitChart(site: $site, page: $page, range: $range, unit: $unit) { unit total points { at count } documentsRead }
}`;
const january = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' };

describe('hits that a server cannot accept', () => {
  it('leave no site behind', async () => {
    const busy = await startTestServer(database);
    await busy.services.hits.close();
    const { errors } = await busy.request(RECORD, { hits: [{ site: 'refused.example', page: '/' }] });
    expect(errors).toMatchObject([{ extensions: { code: 'SERVER_BUSY' } }]);
    expect(await database.db.collection<{ _id: string }>('sites').findOne({ _id: 'refused.example' })).toBeNull();
    await busy.close();
  });
});

describe('recording hits by GraphQL', () => {
  it('reports each invalid hit by its index and stores the others', async () => {
    const hits = [
      { site: 'bulk.example', page: '/a', at: '2026-01-05T00:00:00Z' },
      { site: 'bulk.example', page: '', at: '2026-01-05T00:00:00Z' },
      { site: 'bulk.example', page: '/a', at: '2026-01-06T00:00:00Z' },
      { site: 'not a host', page: '/a' },
      { site: 'bulk.example', page: '/a', at: '9000-01-01T00:00:00Z' },
    ];
    const { data, extensions } = await server.request<{ recordHits: object }>(RECORD, { hits });
    expect(data?.recordHits).toEqual({
      recorded: 2,
      documentsTouched: 3,
      rejected: [
        { index: 1, code: 'BAD_USER_INPUT', message: 'hits.1.page must be text of 1 to 8192 bytes in UTF-8' },
        { index: 3, code: 'BAD_USER_INPUT', message: expect.stringContaining('hits.3.site must be a hostname') },
        { index: 4, code: 'BAD_USER_INPUT', message: 'hits.4.at must be between 1970 and one day from now' },
      ],
    });
    expect(extensions?.writtenAt).toMatch(/^[0-9a-f]{16}$/);
    const answer = await server.request<{ hitChart: object }>(CHART, {
      site: 'BULK.example',
      page: '/a',
      range: january,
      unit: 'MONTH',
    });
    expect(answer.data?.hitChart).toEqual({
      unit: 'MONTH',
      total: 2,
      points: [{ at: '2026-01-01T00:00:00.000Z', count: 2 }],
      documentsRead: 1,
    });
  });

  it('lists the site from then on, with the beacon closed', async () => {
    await server.request(RECORD, { hits: [{ site: 'noted.example', page: '/' }] });
    const { data } = await server.request<{ sites: { host: string; allowedOrigins: string[] }[] }>(
      '{ sites { host allowedOrigins } }',
    );
    expect(data?.sites).toContainEqual({ host: 'noted.example', allowedOrigins: [] });
  });

  it('lists it once per process: the next mutation writes only hits', async () => {
    const hits = [{ site: 'known.example', page: '/' }];
    const sites = database.db.collection<{ _id: string }>('sites');
    await server.request(RECORD, { hits });
    await sites.deleteOne({ _id: 'known.example' });
    await server.request(RECORD, { hits });
    expect(await sites.findOne({ _id: 'known.example' })).toBeNull();
  });

  it('records a single hit, and rejects an invalid one with its field', async () => {
    const single =
      'mutation ($hit: HitInput!) { recordHit(hit: $hit) { recorded documentsTouched rejected { index } } }';
    expect(await server.request(single, { hit: { site: 'one.example', page: '/' } })).toMatchObject({
      data: { recordHit: { recorded: 1, documentsTouched: 2, rejected: [] } },
    });
    expect(await server.request(single, { hit: { site: 'one.example', page: '\ud800' } })).toMatchObject({
      errors: [{ extensions: { code: 'BAD_USER_INPUT' } }],
    });
  });

  it('accepts an empty list, and refuses more than 10,000', async () => {
    expect(await server.request(RECORD, { hits: [] })).toMatchObject({
      data: { recordHits: { recorded: 0, documentsTouched: 0, rejected: [] } },
    });
    const before = await dailyHits(database.db).countDocuments();
    const hits = Array.from({ length: 10_001 }, () => ({ site: 'many.example', page: '/' }));
    expect(await server.request(RECORD, { hits })).toMatchObject({
      errors: [{ extensions: { code: 'LIMIT_EXCEEDED', limit: 10_000 } }],
    });
    expect(await dailyHits(database.db).countDocuments()).toBe(before);
  });

  it('is refused to visitors', async () => {
    expect(await server.request(RECORD, { hits: [{ site: 'v.example', page: '/' }] }, null)).toMatchObject({
      errors: [{ extensions: { code: 'UNAUTHENTICATED' } }],
    });
    expect(await dailyHits(database.db).countDocuments({ 'metadata.site': 'v.example' })).toBe(0);
  });
});

describe('the top pages by GraphQL', () => {
  it('are ranked and limited', async () => {
    const hits = ['/b', '/a', '/b', '/c'].map((page) => ({ site: 'top.example', page, at: '2026-01-05T00:00:00Z' }));
    await server.request(RECORD, { hits });
    const query = `query ($range: DateRange!, $first: Int!) {
      topPages(site: "top.example", range: $range, first: $first) { page count }
    }`;
    expect(await server.request(query, { range: january, first: 2 })).toEqual({
      data: {
        topPages: [
          { page: '/b', count: 2 },
          { page: '/a', count: 1 },
        ],
      },
    });
    expect(await server.request(query, { range: january, first: 1001 })).toMatchObject({
      errors: [{ extensions: { code: expect.stringMatching(/LIMIT_EXCEEDED|BAD_USER_INPUT/) } }],
    });
  });
});

describe('the live chart by GraphQL', () => {
  it('sends the chart, then the changed slot with a cursor that includes the write', async () => {
    const page = { site: 'live.example', page: '/$where' };
    const client = server.connect();
    const events = client.iterate<{ hitChartChanged: Record<string, unknown> & { cursor: string } }>({
      query: `subscription ($site: String!, $page: String!) {
        hitChartChanged(site: $site, page: $page, last: "PT5M", unit: MINUTE) {
          __typename cursor reset
          ... on HitChartSnapshot { chart { unit total points { count } } }
          ... on HitChartChange { points { at count } }
        }
      }`,
      variables: page,
    });
    const first = (await events.next()).value?.data?.hitChartChanged;
    expect(first).toMatchObject({ __typename: 'HitChartSnapshot', reset: false, chart: { unit: 'MINUTE', total: 0 } });
    const at = new Date().toISOString();
    const { extensions } = await server.request(RECORD, {
      hits: [
        { ...page, at },
        { ...page, at },
      ],
    });
    const second = (await events.next()).value?.data?.hitChartChanged;
    expect(second).toMatchObject({
      __typename: 'HitChartChange',
      reset: false,
      points: [{ at: `${at.slice(0, 17)}00.000Z`, count: 2 }],
    });
    expect(String(second?.cursor).slice(0, 16) >= String(extensions?.writtenAt)).toBe(true);
    await events.return?.();
  });

  it('sends the top pages, then again when they change', async () => {
    const client = server.connect();
    const events = client.iterate<{ topPagesChanged: { pages: unknown } }>({
      query:
        'subscription { topPagesChanged(site: "ranks.example", last: "PT1H", first: 1) { cursor reset pages { page count } } }',
    });
    expect((await events.next()).value?.data?.topPagesChanged).toMatchObject({ pages: [] });
    await server.request(RECORD, { hits: [{ site: 'ranks.example', page: '/a' }] });
    expect((await events.next()).value?.data?.topPagesChanged).toMatchObject({ pages: [{ page: '/a', count: 1 }] });
    await events.return?.();
  });

  it.each([
    ['PT0S', 'BAD_USER_INPUT'],
    ['P400D', 'LIMIT_EXCEEDED'],
  ])('is refused for the last %s', async (last, code) => {
    const events = server.connect().iterate({
      query: `subscription { hitChartChanged(site: "a.example", page: "/", last: "${last}") { cursor } }`,
    });
    expect((await events.next()).value).toMatchObject({ errors: [{ extensions: { code } }] });
  });
});
