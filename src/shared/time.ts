/** Time in UTC: units, durations, ranges. Pure; what is "now" comes from the caller. */
import { InputError } from './errors.js';

export const SECOND_MS = 1000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
export const WEEK_MS = 7 * DAY_MS;

/** The latest accepted time: year 9998, so that adding a unit never exceeds what a Date can represent as RFC 3339. */
export const LATEST_MS = Date.UTC(9998, 11, 31, 23, 59, 59, 999);

/** A clock for work that takes long: it shows a time now, and goes on from there. */
export function clockFrom(time: Date): () => Date {
  const begun = performance.now();
  return () => new Date(time.getTime() + performance.now() - begun);
}

/** A length of time in milliseconds, from ISO 8601 text. */
export interface Duration {
  readonly ms: number;
}

/** Half open: `from` belongs to it, `to` does not. */
export interface DateRange {
  readonly from: Date;
  readonly to: Date;
}

/** @throws InputError `to` is not later than `from` */
export function requireRange(field: string, range: DateRange): DateRange {
  if (range.to <= range.from) throw new InputError(`${field}.to`, 'must be later than `from`');
  return range;
}

const DURATION =
  /^P(?:(\d{1,6})W|(?=\d|T\d)(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})(?:\.(\d{1,3}))?S)?)?)$/;

/** @returns null when the text is not an ISO 8601 duration of weeks, days, hours, minutes and seconds */
export function parseDuration(text: string): Duration | null {
  const match = DURATION.exec(text);
  if (!match) return null;
  const [weeks, days, hours, minutes, seconds] = match.slice(1, 6).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const fraction = Number((match[6] ?? '').padEnd(3, '0'));
  return {
    ms: weeks * WEEK_MS + days * DAY_MS + hours * HOUR_MS + minutes * MINUTE_MS + seconds * SECOND_MS + fraction,
  };
}

/** The duration as ISO 8601 text, in days, hours, minutes and seconds. */
export function formatDuration({ ms }: Duration): string {
  const parts: [number, string][] = [
    [Math.floor(ms / DAY_MS), 'D'],
    [Math.floor(ms / HOUR_MS) % 24, 'H'],
    [Math.floor(ms / MINUTE_MS) % 60, 'M'],
    [(ms % MINUTE_MS) / SECOND_MS, 'S'],
  ];
  const [days, ...clock] = parts.map(([value, unit]) => (value ? `${value}${unit}` : ''));
  const time = clock.join('');
  return ms === 0 ? 'PT0S' : `P${days}${time ? `T${time}` : ''}`;
}

const RFC3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:[Zz]|[+-]\d{2}:\d{2})$/;

/** @returns null when the text is not RFC 3339, names a day that does not exist, or lies outside the years 1970 to 9998 */
export function parseDateTime(text: string): Date | null {
  const match = RFC3339.exec(text);
  if (!match) return null;
  const [year, month, day, hour] = match.slice(1, 5).map(Number) as [number, number, number, number];
  if (hour > 23 || day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return null; // Date.parse rolls 30 February over
  const ms = Date.parse(text.toUpperCase());
  return Number.isNaN(ms) || ms < 0 || ms > LATEST_MS ? null : new Date(ms);
}

/** @returns 00:00 in UTC; null when the text is not a day, or lies outside the years 0001 to 9998 */
export function parseDay(text: string): Date | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const day = new Date(`${text}T00:00:00.000Z`);
  const exists = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text); // 30 February rolls over
  return exists && text >= '0001' && day.getTime() <= LATEST_MS ? day : null;
}
