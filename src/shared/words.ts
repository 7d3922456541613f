/** Durations, times and sizes in human-readable form. Machine-readable values stay ISO 8601 and bytes. */
import { DAY_MS, type Duration, HOUR_MS, MINUTE_MS, SECOND_MS } from './time.js';

const units = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
  ['second', SECOND_MS],
] as const;

const list = new Intl.ListFormat('en-GB');

/** "30 days", "4 days, 6 hours and 51 minutes". Fractions of a second are dropped. */
export function describeDuration({ ms }: Duration): string {
  const parts: string[] = [];
  let left = ms;
  for (const [unit, unitMs] of units) {
    const count = Math.floor(left / unitMs);
    left -= count * unitMs;
    if (count > 0) parts.push(`${count} ${unit}${count === 1 ? '' : 's'}`);
  }
  return parts.length > 0 ? list.format(parts) : '0 seconds';
}

const moment = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  timeZoneName: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

/** "22 Nov 2026, 13:00 UTC": precise to the minute. */
export const describeMoment = (at: Date): string => moment.format(at);

const sizes = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
const size = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 2 });

/** "1.5 GiB": in the largest binary unit in which the value is at least 1. */
export function describeBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(sizes.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${size.format(bytes / 1024 ** power)} ${sizes[power]}`;
}
