/**
 * Pre-aggregated hits: one document per site, page and day (`hits.daily`) with a counter for every hour and minute, and one per site,
 * page and month (`hits.monthly`) with a counter for every day. A slot without hits has no field, or the value 0.
 * Source pattern: pre-aggregated reports, hierarchical documents, separated by granularity (operational intelligence, chapter 4).
 * Invariants: an hour's counter is the sum of its minutes, a day's counter the sum of that day's hours (`hit-invariants.ts`).
 */
import { defineCollection } from '../../../database/index.js';
import { InputError } from '../../../shared/errors.js';
import { DAY_MS, MINUTE_MS } from '../../../shared/time.js';
import { normalizeHost } from '../sites/site.js';
import { slotOf } from './hit-slot.js';

/** One visit to one page. */
export interface Hit {
  /** The site's normalized hostname. It contains no slash, so that the parts of an `_id` are unambiguous. */
  readonly site: string;
  /** Any text, even if it looks like an operator. It is stored only as a value, never as a field name. */
  readonly page: string;
  readonly at: Date;
}

/** A hit as a client sends it. */
export interface HitInput {
  readonly site: string;
  readonly page: string;
  /** Default: now. */
  readonly at?: Date | null | undefined;
}

/** Hits of one page in the same minute. A negative count undoes hits. */
export interface CountedHit extends Hit {
  readonly count: number;
}

export interface HitMetadata {
  /** The start of the day or month. */
  date: Date;
  site: string;
  page: string;
}

export interface DailyHits {
  /** `YYYYMMDD/site/page` */
  _id: string;
  metadata: HitMetadata;
  /** Hours 0 to 23. */
  hourly?: Record<string, number>;
  /** Hours, each with its minutes 0 to 59, so that the server skips whole hours instead of scanning 1,440 fields. */
  minute?: Record<string, Record<string, number>>;
}

export interface MonthlyHits {
  /** `YYYYMM/site/page` */
  _id: string;
  metadata: HitMetadata;
  /** Days of the month, 1 to 31. */
  daily?: Record<string, number>;
}

const indexes = [
  { key: { 'metadata.site': 1, 'metadata.page': 1, 'metadata.date': 1 } }, // a page's chart over a range, oldest first
  { key: { 'metadata.site': 1, 'metadata.date': 1 } }, // all pages of a site in a range: the top pages
] as const;
const shardKey = { 'metadata.site': 1, 'metadata.page': 1, 'metadata.date': 1 } as const;

export const dailyHits = defineCollection<DailyHits>('hits.daily', indexes, { shardKey });
export const monthlyHits = defineCollection<MonthlyHits>('hits.monthly', indexes, { shardKey });

export const PAGE_BYTES_MAX = 8192; // the usual limit of web servers for a request line
const AHEAD_MS_MAX = DAY_MS; // allows for fast clocks and for local times sent as UTC

/**
 * Validates a hit from a client.
 * @param field the hit's path in the input, for example `hits.3`
 * @param now the time of a hit without one
 * @returns the hit with its site normalized
 * @throws InputError the site is not a hostname; the page is empty, exceeds PAGE_BYTES_MAX, or contains a lone surrogate (not encodable
 *   in UTF-8, so two such pages would be stored as one); the time is before 1970 or more than a day in the future
 */
export function requireHit(field: string, hit: HitInput, now: Date): Hit {
  const site = normalizeHost(`${field}.site`, hit.site);
  const page = requirePage(`${field}.page`, hit.page);
  const at = hit.at ?? now;
  const ms = at.getTime();
  if (!(ms >= 0 && ms <= now.getTime() + AHEAD_MS_MAX)) {
    throw new InputError(`${field}.at`, 'must be between 1970 and one day from now');
  }
  return { site, page, at };
}

/** @throws InputError see `requireHit` */
export function requirePage(field: string, page: string): string {
  // A UTF-16 unit takes at most three bytes, so most texts need not be measured.
  const tooLong = page.length * 3 > PAGE_BYTES_MAX && Buffer.byteLength(page, 'utf8') > PAGE_BYTES_MAX;
  if (page === '' || tooLong) throw new InputError(field, `must be text of 1 to ${PAGE_BYTES_MAX} bytes in UTF-8`);
  if (!page.isWellFormed()) throw new InputError(field, 'must be well-formed text without lone surrogates');
  return page;
}

export const dailyIdOf = ({ site, page, at }: Hit): string => `${dayText(at)}/${site}/${page}`;
export const monthlyIdOf = ({ site, page, at }: Hit): string => `${dayText(at).slice(0, 6)}/${site}/${page}`;

/** The length of the date at the start of a daily `_id`. */
export const DAILY_DATE_LENGTH = 8;
export const MONTHLY_DATE_LENGTH = 6;

/** The start of the day or month in an `_id`, in milliseconds since 1970. */
export function dateOfId(id: string): number {
  const [year, month] = [Number(id.slice(0, 4)), Number(id.slice(4, 6))];
  const day = id[MONTHLY_DATE_LENGTH] === '/' ? 1 : Number(id.slice(6, 8));
  return Date.UTC(year, month - 1, day);
}

let latestDay = { day: -1, text: '' }; // thousands of hits arrive for the same day

/** `YYYYMMDD` in UTC. Years 1970 to 9998. */
function dayText(at: Date): string {
  const day = Math.floor(at.getTime() / DAY_MS);
  if (latestDay.day !== day) latestDay = { day, text: at.toISOString().slice(0, 10).replaceAll('-', '') };
  return latestDay.text;
}

/** The hits of one page on one day, summed per minute. */
export class DayTally {
  /** Counts by minute of the day, 0 to 1439. */
  readonly #minutes = new Map<number, number>();
  total = 0;

  constructor(
    readonly id: string,
    readonly first: Hit,
  ) {}

  add(at: Date, count: number): void {
    const minute = Math.floor((at.getTime() % DAY_MS) / MINUTE_MS);
    this.#minutes.set(minute, (this.#minutes.get(minute) ?? 0) + count);
    this.total += count;
  }

  /** The increments of the day's document, by field. */
  increments(): Record<string, number> {
    const increments: Record<string, number> = {};
    for (const [minuteOfDay, count] of this.#minutes) {
      const [hour, minute] = [Math.floor(minuteOfDay / 60), minuteOfDay % 60];
      increments[`hourly.${hour}`] = (increments[`hourly.${hour}`] ?? 0) + count;
      increments[`minute.${hour}.${minute}`] = count;
    }
    return increments;
  }
}

/** Sums hits per document, so that each document is written once. */
export class HitTally {
  readonly #byId = new Map<string, DayTally>();

  add(hit: Hit, count = 1): DayTally {
    const id = dailyIdOf(hit);
    let day = this.#byId.get(id);
    if (!day) {
      day = new DayTally(id, hit);
      this.#byId.set(id, day);
    }
    day.add(hit.at, count);
    return day;
  }

  /** The number of daily documents affected. */
  get size(): number {
    return this.#byId.size;
  }

  get days(): DayTally[] {
    return [...this.#byId.values()];
  }
}

/** Identifies a document by `_id` and the complete shard key. A new document takes both from here. */
export interface HitFilter {
  readonly _id: string;
  readonly 'metadata.date': Date;
  readonly 'metadata.site': string;
  readonly 'metadata.page': string;
}

/** The document for the day or month of a hit. */
export function hitFilter(unit: 'DAY' | 'MONTH', hit: Hit): HitFilter {
  return {
    _id: unit === 'DAY' ? dailyIdOf(hit) : monthlyIdOf(hit),
    'metadata.date': new Date(slotOf(unit, hit.at.getTime())),
    'metadata.site': hit.site,
    'metadata.page': hit.page,
  };
}
