/** The impressions and clicks of a real hour, recorded at full speed, and whether they were counted as the file has them. */
import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import type { Db } from 'mongodb';
import { projectRoot } from '../../harness/project-root.js';
import { buildIndexes } from '../../src/database/index.js';
import { adUnits } from '../../src/models/ads/campaigns/ad-unit.js';
import { MinuteCount } from '../../src/models/ads/decisions/minute-count.js';
import { AdRecorder } from '../../src/models/ads/recording/ad-recorder.js';
import type { ReceiptEvent } from '../../src/models/ads/recording/receipt-group.js';
import { adStats, countsOf, subjectOf, subjectOfId } from '../../src/models/ads/stats/ad-stats.js';
import type { Benchmark, Findings, Surroundings } from '../support/benchmark.js';
import { inOwnDatabase } from '../support/contest.js';
import { median } from '../support/measure.js';
import { format, roundsOf } from '../support/report.js';
import { ADVERTISER, makeCampaign, makeUnit, SITE, storeCampaigns, storeUnits } from './many-ads.js';

const SAMPLE = join(projectRoot, '../shared/data/ads-avazu/impressions.csv.gz');
const CALLERS = 512;
const PRICE = 100;
/** The device of most rows: it is not known. */
const UNKNOWN_DEVICE = 'a99f214a';

interface Row {
  readonly id: string;
  readonly isClicked: boolean;
  readonly zone: string;
  readonly unit: string;
  readonly campaign: string;
  readonly visitor: string;
}

export const replay: Benchmark = {
  name: 'ad-replay',
  title: 'A real hour of impressions and clicks at full speed',
  run: (surroundings) => inOwnDatabase(surroundings, (_client, db) => measure(db, surroundings)),
};

async function measure(db: Db, { rounds, log }: Surroundings): Promise<Findings> {
  const row = 'counters of a real hour that differ from its file';
  if (!existsSync(SAMPLE))
    return {
      verdicts: [{ row, against: '', measured: null, bound: 'at most', goal: 0, remark: 'the file is not there' }],
      tables: [],
      notes: [],
    };
  const rows = await readRows();
  const perSecond: number[] = [];
  const differences: number[] = [];
  let events = 0;
  for (let round = 1; round <= rounds; round += 1) {
    await db.dropDatabase();
    await buildIndexes(db);
    const now = new Date();
    await storeNetwork(db, rows, now);
    const all = eventsOf(rows, now);
    events = all.length;
    const seconds = await send(db, all);
    perSecond.push(events / seconds);
    differences.push(await countDifferences(db, rows));
    log(`round ${round} done: ${differences.at(-1)} differences`);
  }
  const zones = new Set(rows.map(({ zone }) => zone)).size;
  const units = new Set(rows.map(({ unit }) => unit)).size;
  return {
    verdicts: [{ row, against: '', measured: Math.max(...differences), bound: 'at most', goal: 0 }],
    tables: [
      {
        columns: ['impressions', 'clicks', 'zones', 'ad units', 'events/s'],
        rows: [
          [
            rows.length.toLocaleString('en'),
            rows.filter(({ isClicked }) => isClicked).length.toLocaleString('en'),
            String(zones),
            String(units),
            format(median(perSecond)),
          ],
        ],
      },
    ],
    notes: [
      `The first hour of the Avazu sample: a zone for each site and position, an ad unit for each creative, and a visitor for each known device. ${CALLERS} callers send one receipt each when their previous one is durable on a majority: impressions first, then clicks. ${roundsOf(rounds)}. Compared afterwards: impressions, clicks and spending of every campaign, unit and zone, and the totals of every unit.`,
    ],
  };
}

async function readRows(): Promise<Row[]> {
  const rows: Row[] = [];
  let columns: readonly string[] | null = null;
  for await (const line of createInterface({ input: createReadStream(SAMPLE).pipe(createGunzip()) })) {
    const values = line.split(',');
    if (!columns) {
      columns = values;
      continue;
    }
    const field = Object.fromEntries(columns.map((name, at) => [name, values[at] ?? '']));
    rows.push({
      id: field.id ?? '',
      isClicked: field.click === '1',
      zone: `${SITE}/${field.site_id}-${field.banner_pos}`,
      unit: `unit-${field.C14}`,
      campaign: `campaign-${field.C17}`,
      visitor: field.device_id === UNKNOWN_DEVICE ? '' : (field.device_id ?? ''),
    });
  }
  return rows;
}

async function storeNetwork(db: Db, rows: readonly Row[], now: Date): Promise<void> {
  const campaigns = [...new Set(rows.map(({ campaign }) => campaign))];
  await storeCampaigns(
    db,
    campaigns.map((id) => makeCampaign({ id, price: PRICE }, now)),
  );
  const owners = new Map(rows.map(({ unit, campaign }) => [unit, campaign]));
  await storeUnits(
    db,
    [...owners].map(([id, campaign]) => makeUnit(id, campaign, now)),
  );
}

/** Impressions, then clicks. */
function eventsOf(rows: readonly Row[], at: Date): ReceiptEvent[] {
  const event = (kind: ReceiptEvent['kind'], row: Row): ReceiptEvent => {
    const { id, unit, campaign, zone, visitor } = row;
    const prices = { impression: PRICE, click: 0 };
    return { kind, receipt: { id, unit, campaign, advertiser: ADVERTISER, zone, visitor, prices, at } };
  };
  const clicked = rows.filter(({ isClicked }) => isClicked);
  return [...rows.map((row) => event('IMPRESSION', row)), ...clicked.map((row) => event('CLICK', row))];
}

/** @returns how many seconds it took */
async function send(db: Db, events: readonly ReceiptEvent[]): Promise<number> {
  const recorder = new AdRecorder({
    db,
    now: () => new Date(),
    waitingMax: 20_000,
    shown: new MinuteCount(),
    onUsedUp: async () => undefined,
    onBidUsedUp: async () => undefined,
  });
  const begin = performance.now();
  let next = 0;
  const call = async () => {
    for (let event = events[next++]; event; event = events[next++]) await recorder.record([event], 'MAJORITY');
  };
  await Promise.all(Array.from({ length: CALLERS }, call));
  const seconds = (performance.now() - begin) / 1000;
  await recorder.close();
  return seconds;
}

/** Counters that are not what the file says. */
async function countDifferences(db: Db, rows: readonly Row[]): Promise<number> {
  const expected = new Map<string, number>();
  const add = (key: string, count: number) => expected.set(key, (expected.get(key) ?? 0) + count);
  for (const { isClicked, zone, unit, campaign } of rows) {
    for (const subject of [subjectOf('campaign', campaign), subjectOf('unit', unit), subjectOf('zone', zone)]) {
      add(`${subject} impressions`, 1);
      add(`${subject} clicks`, isClicked ? 1 : 0);
      add(`${subject} spent`, PRICE);
    }
    add(`${unit} total impressions`, 1);
    add(`${unit} total clicks`, isClicked ? 1 : 0);
  }
  const found = new Map<string, number>();
  const count = (key: string, value: number) => found.set(key, (found.get(key) ?? 0) + value);
  for await (const { _id, hourly = {} } of adStats(db).find()) {
    for (const hour of Object.values(hourly)) {
      const counts = countsOf(hour);
      for (const name of ['impressions', 'clicks', 'spent'] as const)
        count(`${subjectOfId(_id)} ${name}`, counts[name]);
    }
  }
  for await (const { _id, impressions, clicks } of adUnits(db).find()) {
    count(`${_id} total impressions`, impressions);
    count(`${_id} total clicks`, clicks);
  }
  return [...new Set([...expected.keys(), ...found.keys()])].filter(
    (key) => (expected.get(key) ?? 0) !== (found.get(key) ?? 0),
  ).length;
}
