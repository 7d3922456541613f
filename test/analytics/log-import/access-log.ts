/** Access logs of any length, and the expected database content when each line is counted once. */
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import { makeRandom } from '../../../harness/random.js';
import { findGrowth } from '../../../src/models/analytics/log-growth/log-growth.js';
import { segmentCollection } from '../../../src/models/analytics/log-growth/log-segment.js';

const USUAL: AccessLogShape = { pages: ['/', '/about', '/products?id=7', '/gone', '/deep/er'], month: 'Jan/2026' };
const ITEMS = 40; // enough pages that the hits of a log are counted in several parts
const STATUSES = [200, 200, 200, 304, 404, 500] as const;

export interface AccessLogShape {
  readonly pages: readonly [string, ...string[]];
  /** The lines are from its first five days. */
  readonly month: string;
}

export interface AccessLog {
  readonly file: File;
  readonly lines: number;
  readonly imported: number;
  readonly rejected: number;
  /** Hits by page without the query string: GETs with status 2xx or 304. */
  readonly hits: ReadonlyMap<string, number>;
}

/** @param seed determines all lines except the first one, by which files are identified */
export function makeAccessLog(seed: number, lines: number, { pages, month } = USUAL): AccessLog {
  const random = makeRandom(seed);
  const text = [`192.0.2.1 - - [05/${month}:00:00:00 +0000] "GET /first HTTP/1.1" 200 1 "-" "-"`];
  const hits = new Map([['/first', 1]]);
  let rejected = 0;
  for (let number = 1; number < lines; number += 1) {
    if (random.below(50) === 0) {
      text.push(`line ${number} is none of a log`);
      rejected += 1;
      continue;
    }
    const page = random.below(3) === 0 ? `/item/${random.below(ITEMS)}` : random.pick(pages);
    const [status, method] = [random.pick(STATUSES), random.pick(['GET', 'GET', 'POST'])];
    const time = `0${1 + random.below(5)}/${month}:${String(random.below(24)).padStart(2, '0')}:00:00 +0000`;
    text.push(`192.0.2.${random.below(9)} - - [${time}] "${method} ${page} HTTP/1.1" ${status} ${number} "-" "-"`);
    const path = page.replace(/\?.*/, '');
    if (method === 'GET' && (status === 200 || status === 304)) hits.set(path, (hits.get(path) ?? 0) + 1);
  }
  const file = new File([`${text.join('\n')}\n`], `access-${seed}.log`);
  return { file, lines, imported: lines - rejected, rejected, hits };
}

/** Expects that every line of these logs is counted once: in the request log, among the rejects, and in the hits of days and months. */
export async function expectCountedOnce(db: Db, logs: readonly AccessLog[]): Promise<void> {
  const sum = (of: (log: AccessLog) => number) => logs.reduce((total, log) => total + of(log), 0);
  expect(await storedRequests(db)).toBe(sum(({ imported }) => imported));
  expect(await db.collection('log.rejects').countDocuments()).toBe(sum(({ rejected }) => rejected));
  const hits = new Map<string, number>();
  for (const log of logs) for (const [page, count] of log.hits) hits.set(page, (hits.get(page) ?? 0) + count);
  expect(await storedHits(db, 'hits.daily', 'hourly')).toEqual(hits);
  expect(await storedHits(db, 'hits.monthly', 'daily')).toEqual(hits);
}

/** Counts in all collections of the log. */
async function storedRequests(db: Db): Promise<number> {
  const { segments } = await findGrowth(db);
  const counts = await Promise.all(segments.map((segment) => segmentCollection(db, segment).countDocuments()));
  return counts.reduce((total, count) => total + count, 0);
}

/** By page; pages without hits are omitted. */
async function storedHits(db: Db, collection: string, field: string): Promise<Map<string, number>> {
  const hits = new Map<string, number>();
  for await (const { metadata, [field]: counters } of db.collection(collection).find()) {
    const count = Object.values<number>(counters ?? {}).reduce((total, each) => total + each, 0);
    if (count > 0) hits.set(metadata.page, (hits.get(metadata.page) ?? 0) + count);
  }
  return hits;
}
