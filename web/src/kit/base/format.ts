/** Formats numbers, sizes and times for display. Times are in UTC, like the slots of the charts. */
const whole = new Intl.NumberFormat('en');
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

/** 1234567 as 1,234,567. */
export const formatCount = (count: number) => whole.format(count);

/** "1 line", "1,200 lines". */
export const formatCountOf = (count: number, noun: string) =>
  `${formatCount(count)} ${count === 1 ? noun : `${noun}s`}`;

/** 1234567 as 1.2M. */
export const formatCompact = (count: number) => compact.format(count);
/** 0.125 as 12.5%. */
export const formatShare = (share: number) => percent.format(share);

/** Bytes in the largest binary unit in which the value is at least 1. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${value >= 100 || power === 0 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
}

/** A duration in its two largest units: 3 d 4 h, 12 min, 8 s. */
export function formatSpan(seconds: number): string {
  const total = Math.max(0, Math.round(seconds));
  const parts: [number, string][] = [
    [Math.floor(total / 86_400), 'd'],
    [Math.floor(total / 3600) % 24, 'h'],
    [Math.floor(total / 60) % 60, 'min'],
    [total % 60, 's'],
  ];
  const first = parts.findIndex(([value]) => value > 0);
  if (first === -1) return '0 s';
  return parts
    .slice(first, first + 2)
    .filter(([value]) => value > 0)
    .map(([value, unit]) => `${value} ${unit}`)
    .join(' ');
}

/** How long ago a moment was. */
export function formatAgo(moment: number, now: number): string {
  const seconds = Math.round((now - moment) / 1000);
  return seconds < 2 ? 'just now' : `${formatSpan(seconds >= 60 ? seconds - (seconds % 60) : seconds)} ago`;
}

const formatter = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', hourCycle: 'h23', ...options });

const clock = formatter({ hour: '2-digit', minute: '2-digit' });
const day = formatter({ day: 'numeric', month: 'short' });
const dayOfYear = formatter({ day: 'numeric', month: 'short', year: 'numeric' });
const month = formatter({ month: 'short' });
const monthOfYear = formatter({ month: 'long', year: 'numeric' });
const weekday = formatter({ weekday: 'short' });
const moment = formatter({
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** 14:05 */
export const formatClock = (at: number) => clock.format(at);
/** 20 May */
export const formatDay = (at: number) => day.format(at);
/** 20 May 2026 */
export const formatDate = (at: number) => dayOfYear.format(at);
/** May */
export const formatMonth = (at: number) => month.format(at);
/** May 2026 */
export const formatMonthOfYear = (at: number) => monthOfYear.format(at);
/** Wed */
export const formatWeekday = (at: number) => weekday.format(at);
/** 20 May 2026, 14:05:09 */
export const formatMoment = (at: number) => moment.format(at);

/** The end of an id, enough to tell objects of one kind apart. */
export const shortId = (id: string): string => `…${id.replace(/=+$/, '').slice(-8)}`;
