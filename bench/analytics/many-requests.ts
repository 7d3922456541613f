/**
 * A request log of any size in the stored form of an import, written with the raw driver. Deterministic for a given
 * size.
 */
import type { Db } from 'mongodb';
import { makeRandom, type Random } from '../../harness/random.js';
import { buildIndexes } from '../../src/database/index.js';
import { pageOf } from '../../src/models/analytics/log/log-line.js';
import { findGrowth } from '../../src/models/analytics/log-growth/log-growth.js';
import { type LogEventDocument, logEvents } from '../../src/models/analytics/log-growth/log-segment.js';

export const SITE = 'log.example.org';
export const DAYS = 60;
export const DAY_MS = 86_400_000;
export const FIRST_DAY = Date.UTC(2026, 2, 1);
const PATHS = 20_000;
const HOSTS = 50_000;
const PROGRAMS = 300;
const BATCH = 5000;
/** The statuses of a hundred responses. */
const STATUSES = [...Array(82).fill(200), ...Array(8).fill(304), ...Array(6).fill(404), 301, 301, 302, 500] as number[];
const SECTIONS = ['blog', 'docs', 'images', 'articles', 'style', 'projects', 'files', 'feeds'] as const;

/**
 * Chooses numbers as readers choose pages: the first is requested twice as often as the second, three times as often as
 * the third, and so on (Zipf's law).
 */
export class Popularity {
  readonly #upTo: Float64Array;

  constructor(count: number) {
    this.#upTo = new Float64Array(count);
    let sum = 0;
    for (let rank = 0; rank < count; rank += 1) {
      sum += 1 / (rank + 1);
      this.#upTo[rank] = sum;
    }
  }

  choose(random: Random): number {
    const at = (random.below(2 ** 32) / 2 ** 32) * (this.#upTo.at(-1) ?? 0);
    let [low, high] = [0, this.#upTo.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#upTo[middle] ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export function pathOf(rank: number): string {
  const path = `/${SECTIONS[rank % SECTIONS.length]}/${2010 + (rank % 14)}/an-article-with-the-number-${rank}.html`;
  return rank % 10 === 9 ? `${path}?page=${rank % 7}` : path;
}

export const hostOf = (rank: number): string => `${11 + (rank % 180)}.${(rank >> 8) % 256}.${rank % 256}.${rank % 251}`;

/**
 * Stores `size` requests, oldest first, over DAYS days that are busy by day and quiet at night. Builds the indexes
 * last, which is faster.
 */
export async function fillLog(db: Db, size: number): Promise<void> {
  const random = makeRandom(size);
  const [paths, hosts, programs] = [new Popularity(PATHS), new Popularity(HOSTS), new Popularity(PROGRAMS)];
  const make = (line: number): LogEventDocument => {
    const path = pathOf(paths.choose(random));
    const program = programs.choose(random);
    return {
      _id: `bench-import/${String(line).padStart(10, '0')}`,
      import: 'bench-import',
      site: SITE,
      time: timeOf(line / size),
      host: hostOf(hosts.choose(random)),
      method: 'GET',
      path,
      page: pageOf(path),
      protocol: 'HTTP/1.1',
      status: STATUSES[random.below(STATUSES.length)] ?? 200,
      bytes: 200 + random.below(60_000),
      referrer: program % 3 === 0 ? undefined : `http://www.example.com/search?q=number+${program}`,
      user_agent: `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/1${program}.0 Safari/537.36`,
    };
  };
  for (let start = 0; start < size; start += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, size - start) }, (_, at) => make(start + at));
    await logEvents(db).insertMany(batch, { ordered: false, writeConcern: { w: 1 }, ignoreUndefined: true });
  }
  await buildIndexes(db);
  await findGrowth(db); // creates the log's indexes
}

/** In whole seconds, as in logs. @param part the share of all requests that came before */
function timeOf(part: number): Date {
  const day = Math.floor(part * DAYS);
  const within = part * DAYS - day;
  // Half of the requests fall into the six hours around noon.
  const hours = within < 0.25 ? within * 36 : within < 0.75 ? 9 + (within - 0.25) * 12 : 15 + (within - 0.75) * 36;
  return new Date(FIRST_DAY + day * DAY_MS + Math.floor(hours * 3600) * 1000);
}
