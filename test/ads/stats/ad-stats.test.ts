import { beforeAll, describe, expect, it } from 'vitest';
import { adUnits } from '../../../src/models/ads/campaigns/ad-unit.js';
import type { CampaignDocument } from '../../../src/models/ads/campaigns/campaign.js';
import {
  AdTally,
  changedHours,
  countsOf,
  dayOfId,
  findUnitCounts,
  pointsOf,
  requireStatsRange,
  subjectOfId,
} from '../../../src/models/ads/stats/ad-stats.js';
import { removeZone } from '../../../src/models/ads/zones/zone.js';
import { toGlobalId } from '../../../src/shared/global-id.js';
import { DAY_MS, HOUR_MS } from '../../../src/shared/time.js';
import { useDatabase } from '../../support/database.js';
import { useServer } from '../../support/server.js';
import { type Network, now, openNetwork, SITE } from '../network.js';

const database = useDatabase();
const server = useServer(database);
let network: Network;
let campaign: CampaignDocument;

beforeAll(async () => {
  network = await openNetwork(database.db, { now: new Date(), clock: () => new Date() });
  await network.zone('top');
  campaign = await network.run({ price: 1500, units: [{}, { headline: '=A1+"A2"' }] });
});

/** Shows ads and records them as seen; every third one as clicked. */
async function show(count: number): Promise<void> {
  const made = await Promise.all(Array.from({ length: count }, () => network.decide({}, new Date())));
  const receipts = made.flatMap(({ ads }) => ads.map(({ receipt }) => receipt));
  await network.record(receipts, 'IMPRESSION', new Date());
  await network.record(
    receipts.filter((_receipt, index) => index % 3 === 0),
    'CLICK',
    new Date(),
  );
}

const recentRange = () => ({
  from: new Date(Date.now() - DAY_MS).toISOString(),
  to: new Date(Date.now() + HOUR_MS).toISOString(),
});

interface Point {
  readonly at: string;
  readonly impressions: number;
  readonly clicks: number;
  readonly spent: number;
}
const POINT = 'at impressions clicks spent';

describe('statistics, followed live', () => {
  it('equal what a query returns, after any number of changes', async () => {
    const id = toGlobalId('Campaign', campaign._id);
    await show(3);
    const events = server.connect().iterate<{
      campaignStatsChanged: { stats?: { points: Point[] }; points?: Point[] };
    }>({
      query: `subscription ($id: ID!) { campaignStatsChanged(id: $id, last: "P1D") {
        ... on CampaignStatsSnapshot { stats { points { ${POINT} } } }
        ... on CampaignStatsChange { points { ${POINT} } }
      } }`,
      variables: { id },
    });
    const known = new Map<string, Point>();
    const take = async () => {
      const { value } = await events.next();
      const event = value?.data?.campaignStatsChanged;
      for (const point of event?.stats?.points ?? event?.points ?? []) known.set(point.at, point);
    };
    const sum = (points: Iterable<Point>) => {
      const all = [...points];
      const total = (counter: 'impressions' | 'clicks') => all.reduce((count, point) => count + point[counter], 0);
      return [total('impressions'), total('clicks')];
    };
    await take();
    expect(sum(known.values())).toEqual([3, 1]);
    for (let round = 1; round <= 5; round += 1) await show(3);
    while (String(sum(known.values())) !== '18,6') await take();
    await events.return?.();
    const { data } = await server.request<{ campaignStats: { points: Point[]; clicks: number } }>(
      `query ($id: ID!, $range: DateRange!) { campaignStats(id: $id, range: $range) { clicks clickThroughRate spent { amount } points { ${POINT} } } }`,
      { id, range: recentRange() },
    );
    expect(data?.campaignStats).toMatchObject({ clicks: 6, clickThroughRate: 1 / 3, spent: { amount: 27 } });
    for (const point of data?.campaignStats.points ?? [])
      if (point.impressions > 0) expect(known.get(point.at)).toEqual(point);
  });

  it('are told by ad unit, which together are those of the campaign', async () => {
    const range = { from: new Date(Date.now() - DAY_MS), to: new Date(Date.now() + DAY_MS) };
    const units = await findUnitCounts(database.db, campaign._id, range);
    expect(units.reduce((sum, { counts }) => sum + counts.impressions, 0)).toBe(18);
    expect(units.length).toBe(2);
  });
});

/** The file, line by line, of an export that is begun now. @param field with its arguments; `$range` is two days */
async function exported(field: string): Promise<{ readonly header: string; readonly rows: readonly string[][] }> {
  const range = { from: new Date(Date.now() - DAY_MS).toISOString(), to: new Date(Date.now() + DAY_MS).toISOString() };
  const started = await server.request<{ work: { id: string } }>(
    `mutation ($range: DateRange!) { work: ${field} { id } }`,
    { range },
  );
  const events = server.connect().iterate<{ workChanged: { work: { state: string; url: string | null } } }>({
    query: 'subscription ($id: ID!) { workChanged(id: $id) { work { state ... on DataExport { url } } } }',
    variables: { id: started.data?.work.id },
  });
  let work: { state: string; url: string | null } | undefined;
  do work = (await events.next()).value?.data?.workChanged.work;
  while (work?.state !== 'FINISHED');
  await events.return?.();
  const file = await fetch(new URL(work?.url ?? '', server.url));
  expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const [header = '', ...lines] = (await file.text()).trimEnd().split('\n');
  return { header, rows: lines.map((line) => line.split(',')) };
}

describe('the file of an export', () => {
  it('has a line for each unit and hour', async () => {
    const id = toGlobalId('Campaign', campaign._id);
    const { header, rows } = await exported(`exportCampaignStats(id: "${id}", range: $range)`);
    expect(header).toBe('hour,ad_unit,headline,impressions,clicks,conversions,conversion_value,spent_thousandths');
    expect(rows.reduce((sum, row) => sum + Number(row[3]), 0)).toBe(18);
    expect(rows.reduce((sum, row) => sum + Number(row[7]), 0)).toBe(27_000);
    const units = await adUnits(database.db).find({ campaign_id: campaign._id }).toArray();
    const ids = new Set(units.map(({ _id }) => toGlobalId('AdUnit', _id)));
    expect(rows.every(([, unit = '']) => ids.has(unit))).toBe(true);
    expect([...new Set(rows.map(([, , headline]) => headline))].sort()).toEqual(['"\'=A1+""A2"""', '"An ad"']);
  });
});

describe('the statistics of a zone', () => {
  const counts = 'decisions filled impressions clicks conversions';
  interface ZonePoint {
    readonly at: string;
    readonly impressions: number;
    readonly earned: number;
  }

  it('are followed live, and equal what a query and the file of an export have', async () => {
    const zone = `site: "${SITE}", zone: "top"`;
    const events = server.connect().iterate<{
      zoneStatsChanged: { stats?: { points: ZonePoint[] }; points?: ZonePoint[] };
    }>({
      query: `subscription { zoneStatsChanged(${zone}, last: "P1D") {
        ... on ZoneStatsSnapshot { stats { ${counts} points { at ${counts} earned } } }
        ... on ZoneStatsChange { points { at ${counts} earned } }
      } }`,
    });
    const known = new Map<string, ZonePoint>();
    const seen = () => [...known.values()].reduce((sum, { impressions }) => sum + impressions, 0);
    const take = async () => {
      const event = (await events.next()).value?.data?.zoneStatsChanged;
      for (const point of event?.stats?.points ?? event?.points ?? []) known.set(point.at, point);
    };
    await take();
    const before = seen();
    expect(before).toBeGreaterThan(0);
    await show(3);
    while (seen() < before + 3) await take();
    await events.return?.();
    await network.decider.tally.close(); // decisions are counted every few seconds
    const range = { from: new Date(Date.now() - DAY_MS), to: new Date(Date.now() + HOUR_MS) };
    const { data } = await server.request<{ zoneStats: { points: ZonePoint[]; earned: { amount: number } } }>(
      `query ($range: DateRange!) { zoneStats(${zone}, range: $range) { unit ${counts} earned { amount } points { at ${counts} earned } } }`,
      { range },
    );
    const stats = data?.zoneStats;
    const busy = stats?.points.filter(({ impressions }) => impressions > 0) ?? [];
    expect(stats).toMatchObject({ unit: 'HOUR', impressions: before + 3, conversions: 0 });
    for (const { at, impressions, earned } of busy) expect(known.get(at)).toMatchObject({ impressions, earned });
    const earned = busy.reduce((sum, point) => sum + point.earned, 0);
    expect(stats?.earned.amount).toBe(Math.floor(earned / 1000));
    const { header, rows } = await exported(`exportZoneStats(${zone}, range: $range)`);
    expect(header).toBe('hour,decisions,filled,impressions,clicks,conversions,conversion_value,earned_thousandths');
    expect(rows.map(([hour, , , seenThen, , , , paid]) => [hour, seenThen, paid])).toEqual(
      busy.map((point) => [new Date(point.at).toISOString(), `${point.impressions}`, `${point.earned}`]),
    );
  });

  it('stay when the zone is removed, and are not found where there was none', async () => {
    const range = `{ from: "${new Date(Date.now() - DAY_MS).toISOString()}", to: "${new Date(Date.now() + DAY_MS).toISOString()}" }`;
    await network.zone('margin');
    await show(1);
    const statsOf = async (zone: string) =>
      server.request<{ zoneStats: { impressions: number } }>(
        `{ zoneStats(site: "${SITE}", zone: "${zone}", range: ${range}) { impressions } }`,
      );
    const before = await statsOf('top');
    await removeZone(database.db, { site: SITE, zone: 'top' });
    expect(before.data?.zoneStats.impressions).toBeGreaterThan(0);
    expect((await statsOf('top')).data).toEqual(before.data);
    expect((await statsOf('margin')).data).toEqual({ zoneStats: { impressions: 0 } });
    expect((await statsOf('nowhere')).errors?.[0]?.extensions?.code).toBe('NOT_FOUND');
  });
});

describe('a tally', () => {
  it('is one update per subject and day', () => {
    const tally = new AdTally();
    tally.add('campaign:a', now, { impressions: 1, spent: 5 });
    tally.add('campaign:a', new Date(now.getTime() + HOUR_MS), { impressions: 2 });
    tally.add('unit:b', now, { clicks: 1 }, 'a');
    tally.add('unit:c', now, {}, 'a');
    expect(tally.statements()).toEqual([
      {
        q: { _id: '21260131/campaign:a' },
        u: {
          $inc: { 'hourly.12.i': 1, 'hourly.12.s': 5, 'hourly.13.i': 2 },
          $setOnInsert: { subject: 'campaign:a', date: new Date('2126-01-31T00:00:00Z') },
        },
        upsert: true,
      },
      {
        q: { _id: '21260131/unit:b' },
        u: {
          $inc: { 'hourly.12.c': 1 },
          $setOnInsert: { subject: 'unit:b', date: new Date('2126-01-31T00:00:00Z'), campaign_id: 'a' },
        },
        upsert: true,
      },
    ]);
  });
});

describe('the parts of statistics', () => {
  it('are read from ids and events', () => {
    expect([subjectOfId('21260131/zone:a/b'), dayOfId('21260131/zone:a/b')]).toEqual([
      'zone:a/b',
      Date.UTC(2126, 0, 31),
    ]);
    expect(changedHours({ updated: { 'hourly.13': { i: 1 }, 'hourly.14.c': 2, 'hourly.14.i': 9 } })).toEqual(
      new Map([
        [13, { i: 1 }],
        [14, { c: 2, i: 9 }],
      ]),
    );
    expect(changedHours({ updated: { hourly: { 3: { i: 7 } } } })).toEqual(new Map([[3, { i: 7 }]]));
  });

  it('are summed by day, week and month', () => {
    const day = Date.UTC(2126, 0, 31);
    const hours = new Map([
      [day, countsOf({ i: 1, s: 10 })],
      [day + 23 * HOUR_MS, countsOf({ i: 2 })],
      [day + DAY_MS, countsOf({ i: 4 })],
    ]);
    expect(pointsOf(hours, 'DAY', day, day + 2 * DAY_MS).map(({ impressions }) => impressions)).toEqual([3, 4, 0]);
    const months = pointsOf(hours, 'MONTH', Date.UTC(2126, 0, 1), Date.UTC(2126, 1, 1));
    expect(months.map(({ impressions, spent }) => [impressions, spent])).toEqual([
      [3, 10],
      [4, 0],
    ]);
  });

  it.each([
    ['MINUTE' as const, DAY_MS, 'BAD_USER_INPUT'],
    ['HOUR' as const, 401 * DAY_MS, 'LIMIT_EXCEEDED'],
    ['DAY' as const, 0, 'BAD_USER_INPUT'],
  ])('are refused for %s and %d ms', (unit, ms, code) => {
    const range = { from: now, to: new Date(now.getTime() + ms) };
    expect(() => requireStatsRange(range, unit)).toThrow(expect.objectContaining({ code }));
  });
});

/** Decides until the ad unit is chosen, and records that it was seen. */
async function showUnit(id: string): Promise<void> {
  for (;;) {
    const [ad] = (await network.decide({}, new Date())).ads;
    if (ad?.ad.ad_unit_id !== id) continue;
    await network.record([ad.receipt], 'IMPRESSION', new Date());
    return;
  }
}

describe('statistics of an ad unit', () => {
  it('are those of one ad unit where it is named, and follow that one', async () => {
    await network.zone('top'); // it was removed
    const id = toGlobalId('Campaign', campaign._id);
    const units = await adUnits(database.db).find({ campaign_id: campaign._id }).toArray();
    const byUnit: Point[] = [];
    for (const { _id } of units) {
      const events = server
        .connect()
        .iterate<{ campaignStatsChanged: { stats?: { points: Point[]; byAdUnit: Point[] } } }>({
          query: `subscription ($id: ID!, $unit: ID!) { campaignStatsChanged(id: $id, adUnitId: $unit, unit: DAY) {
          ... on CampaignStatsSnapshot { stats { points { ${POINT} } byAdUnit { adUnitId impressions clicks conversions spent } } }
          ... on CampaignStatsChange { points { ${POINT} } }
        } }`,
          variables: { id, unit: toGlobalId('AdUnit', _id) },
        });
      const stats = (await events.next()).value?.data?.campaignStatsChanged.stats;
      const before = stats?.points.at(-1);
      expect(stats?.byAdUnit).toMatchObject([
        { adUnitId: toGlobalId('AdUnit', _id), impressions: before?.impressions, conversions: 0 },
      ]);
      await showUnit(_id);
      const { points = [] } = (await events.next()).value?.data?.campaignStatsChanged ?? {};
      expect(points.at(-1)?.impressions).toBe((before?.impressions ?? 0) + 1);
      await events.return?.();
      const { data } = await server.request<{ campaignStats: { points: Point[] } }>(
        `query ($id: ID!, $unit: ID!, $range: DateRange!) { campaignStats(id: $id, adUnitId: $unit, range: $range, unit: DAY) { points { ${POINT} } } }`,
        { id, unit: toGlobalId('AdUnit', _id), range: recentRange() },
      );
      byUnit.push(...(data?.campaignStats.points ?? []));
    }
    const all = await server.request<{ campaignStats: { impressions: number } }>(
      'query ($id: ID!, $range: DateRange!) { campaignStats(id: $id, range: $range, unit: DAY) { impressions } }',
      { id, range: recentRange() },
    );
    expect(byUnit.reduce((sum, { impressions }) => sum + impressions, 0)).toBe(all.data?.campaignStats.impressions);
  });

  it('of an ad unit of another campaign are refused', async () => {
    const [other] = await adUnits(database.db)
      .find({ campaign_id: (await network.run())._id })
      .toArray();
    const { errors } = await server.request(
      `query ($id: ID!, $unit: ID!, $range: DateRange!) { campaignStats(id: $id, adUnitId: $unit, range: $range) { clicks } }`,
      { id: toGlobalId('Campaign', campaign._id), unit: toGlobalId('AdUnit', other?._id ?? ''), range: recentRange() },
    );
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'adUnitId' });
  });
});
