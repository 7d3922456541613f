/**
 * Hits, counted beforehand: one document for each site, page and day (`hits.daily`) with a counter for every hour and minute, and one
 * for each site, page and month (`hits.monthly`) with a counter for every day. A slot without hits has no field, or the value 0.
 * Source pattern: pre-aggregated reports, hierarchical documents, separated by granularity (operational intelligence, chapter 4).
 * Invariants: an hour's counter is the sum of its minutes, a day's counter the sum of that day's hours (`invariants.ts`).
 */
import { defineCollection } from '../../database/index.js';
import { InputError } from '../../shared/errors.js';
import { DAY_MS, MINUTE_MS } from '../../shared/time.js';
import { slotOf } from './hit-slot.js';
import { normaliseHost } from './site.js';

/** One visit to one page. */
export interface Hit {
  /** The site's host name in its normal form. It holds no slash, so that the parts of an `_id` are told apart. */
  readonly site: string;
  /** Any text, also one that looks like an operator: it is stored as a value only, never as a field's name. */
  readonly page: string;
  readonly at: Date;
}

/** Hits of one page that fell into the same minute. A negative count takes hits back. */
export interface CountedHit extends Hit {
  readonly count: number;
}

export interface HitMetadata {
  /** The begin of the day or the month. */
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
  /** Hours, and in each its minutes 0 to 59: the server skips whole hours instead of scanning 1,440 fields. */
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

export const PAGE_BYTES_MAX = 8192; // what web servers commonly take as a request line
const AHEAD_MS_MAX = DAY_MS; // clocks that run fast, and time zones taken for UTC

/**
 * Checks a hit that came from outside.
 * @param field the hit's path in the input, for example `hits.3`
 * @param now the moment of a hit without one
 * @returns the hit with its site in normal form
 * @throws InputError the site is no host name; the page is empty, over PAGE_BYTES_MAX, or holds half a surrogate pair (it has no UTF-8,
 *   so two such pages would be stored as one); the moment is before 1970 or more than a day ahead
 */
export function requireHit(
  field: string,
  hit: { readonly site: string; readonly page: string; readonly at?: Date | null | undefined },
  now: Date,
): Hit {
  const site = normaliseHost(`${field}.site`, hit.site);
  const page = requirePage(`${field}.page`, hit.page);
  const at = hit.at ?? now;
  const ms = at.getTime();
  if (!(ms >= 0 && ms <= now.getTime() + AHEAD_MS_MAX)) {
    throw new InputError(`${field}.at`, 'must be from 1970 to one day ahead of now');
  }
  return { site, page, at };
}

/** @throws InputError see `requireHit` */
export function requirePage(field: string, page: string): string {
  // No text has more bytes than three for each UTF-16 unit, so most need not be measured.
  const tooLong = page.length * 3 > PAGE_BYTES_MAX && Buffer.byteLength(page, 'utf8') > PAGE_BYTES_MAX;
  if (page === '' || tooLong) throw new InputError(field, `must be text of 1 to ${PAGE_BYTES_MAX} bytes as UTF-8`);
  if (!page.isWellFormed()) throw new InputError(field, 'must be well-formed text: it holds half a surrogate pair');
  return page;
}

export const dailyIdOf = ({ site, page, at }: Hit): string => `${dayText(at)}/${site}/${page}`;
export const monthlyIdOf = ({ site, page, at }: Hit): string => `${dayText(at).slice(0, 6)}/${site}/${page}`;

/** What an `_id` begins with, up to the first slash. */
export const DAILY_DATE_LENGTH = 8;
export const MONTHLY_DATE_LENGTH = 6;

/** The begin of the day or month that an `_id` names. Milliseconds since 1970. */
export function dateOfId(id: string): number {
  const [year, month] = [Number(id.slice(0, 4)), Number(id.slice(4, 6))];
  const day = id[MONTHLY_DATE_LENGTH] === '/' ? 1 : Number(id.slice(6, 8));
  return Date.UTC(year, month - 1, day);
}

let latestDay = { day: -1, text: '' }; // hits come in by the thousand for the same day

/** `YYYYMMDD` in UTC. Years 1970 to 9998. */
function dayText(at: Date): string {
  const day = Math.floor(at.getTime() / DAY_MS);
  if (latestDay.day !== day) latestDay = { day, text: at.toISOString().slice(0, 10).replaceAll('-', '') };
  return latestDay.text;
}

/** The hits of one page on one day, summed for each minute. */
export class DayTally {
  /** Counts by minute of the day, 0 to 1439. */
  private readonly minutes = new Map<number, number>();
  total = 0;

  constructor(
    readonly id: string,
    readonly first: Hit,
  ) {}

  add(at: Date, count: number): void {
    const minute = Math.floor((at.getTime() % DAY_MS) / MINUTE_MS);
    this.minutes.set(minute, (this.minutes.get(minute) ?? 0) + count);
    this.total += count;
  }

  /** What the day's document gains, by field. */
  increments(): Record<string, number> {
    const increments: Record<string, number> = {};
    for (const [minuteOfDay, count] of this.minutes) {
      const [hour, minute] = [Math.floor(minuteOfDay / 60), minuteOfDay % 60];
      increments[`hourly.${hour}`] = (increments[`hourly.${hour}`] ?? 0) + count;
      increments[`minute.${hour}.${minute}`] = count;
    }
    return increments;
  }
}

/** Sums hits for each document that they fall into, so that each is written once. */
export class HitTally {
  private readonly byId = new Map<string, DayTally>();

  add(hit: Hit, count = 1): DayTally {
    const id = dailyIdOf(hit);
    let day = this.byId.get(id);
    if (!day) {
      day = new DayTally(id, hit);
      this.byId.set(id, day);
    }
    day.add(hit.at, count);
    return day;
  }

  /** How many daily documents the hits fall into. */
  get size(): number {
    return this.byId.size;
  }

  get days(): DayTally[] {
    return [...this.byId.values()];
  }
}

/** Names a document by `_id` and by the whole shard key; a document that is made takes both from here. */
export interface HitFilter {
  readonly _id: string;
  readonly 'metadata.date': Date;
  readonly 'metadata.site': string;
  readonly 'metadata.page': string;
}

/** The document of the day or the month that a hit falls into. */
export function hitFilter(unit: 'DAY' | 'MONTH', hit: Hit): HitFilter {
  return {
    _id: unit === 'DAY' ? dailyIdOf(hit) : monthlyIdOf(hit),
    'metadata.date': new Date(slotOf(unit, hit.at.getTime())),
    'metadata.site': hit.site,
    'metadata.page': hit.page,
  };
}
