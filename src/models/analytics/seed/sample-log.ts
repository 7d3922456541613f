/** The access log of an invented blog: 30 days of readers, robots and mistakes. The same start gives the same log. */
import { DAY_MS, MINUTE_MS } from '../../../shared/time.js';

export const SAMPLE_SITE = 'field-notes.example';
export const SAMPLE_ORIGIN = `https://${SAMPLE_SITE}`;

/** The log was rotated this often. Each file is one step. */
export const SAMPLE_FILES = 6;
const DAYS_PER_FILE = 5;

/** Pages by how often they are read. */
const pages: readonly (readonly [path: string, weight: number])[] = [
  ['/', 22],
  ['/notes/sextants-and-stars', 14],
  ['/notes/dead-reckoning', 10],
  ['/atlas/north-sea', 8],
  ['/notes/a-ship-that-kept-its-log', 7],
  ['/notes/the-tide-tables-nobody-printed', 5],
  ['/about', 4],
  ['/notes/tides', 4],
  ['/gallery', 3],
  ['/atlas', 2],
  ['/notes/knots-you-will-use', 2],
  ['/feed.xml', 2],
];

/** Where readers come from, by weight. */
const referrers: readonly (readonly [text: string, weight: number])[] = [
  ['-', 10],
  [`${SAMPLE_ORIGIN}/`, 6],
  ['https://search.example/?q=sextant', 4],
  ['https://boats.example/forum/navigation', 2],
  ['https://weekly.example/issues/41', 1],
];

const agents: readonly (readonly [text: string, weight: number])[] = [
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36', 8],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Safari/604.1', 6],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0', 3],
  ['Mozilla/5.0 (compatible; ExampleBot/2.1; +https://robots.example/bot)', 2],
];

/** Requests per minute at noon. */
const NOON_RATE = 1.1;
/** The end is busy, so that the chart by minute has something to show at any time of day. */
const BUSY_MINUTES = 60;
const BUSY_RATE = 9;
const MISSING_SHARE = 0.02;
const CLIENTS = 180;

export interface SampleFile {
  readonly name: string;
  readonly text: string;
}

/** @param index 0 to SAMPLE_FILES - 1, the oldest first @param end the time of the last request of the last file */
export function sampleFile(index: number, end: Date): SampleFile {
  const last = Math.floor(end.getTime() / MINUTE_MS) * MINUTE_MS;
  const to = last - (SAMPLE_FILES - 1 - index) * DAYS_PER_FILE * DAY_MS;
  const random = makeRandom(index + 1);
  const lines: string[] = [];
  for (let minute = to - DAYS_PER_FILE * DAY_MS; minute < to; minute += MINUTE_MS) {
    const rate = last - minute <= BUSY_MINUTES * MINUTE_MS ? BUSY_RATE : rateAt(new Date(minute), last);
    const count = Math.floor(rate * (0.5 + random()) + random());
    const offsets = Array.from({ length: count }, () => Math.floor(random() * 60) * 1000).sort((a, b) => a - b);
    for (const offset of offsets) lines.push(lineAt(new Date(minute + offset), random));
  }
  const firstDay = new Date(to - DAYS_PER_FILE * DAY_MS).toISOString().slice(0, 10);
  return { name: `${SAMPLE_SITE}-access-${firstDay}.log`, text: `${lines.join('\n')}\n` };
}

/** A day has a night, a week has a weekend, and the blog grows. */
function rateAt(at: Date, end: number): number {
  const hour = at.getUTCHours() + at.getUTCMinutes() / 60;
  const ofDay = 0.55 - 0.45 * Math.cos(((hour - 3) / 12) * Math.PI);
  const ofWeek = [0, 6].includes(at.getUTCDay()) ? 0.6 : 1;
  const age = (end - at.getTime()) / (SAMPLE_FILES * DAYS_PER_FILE * DAY_MS);
  return NOON_RATE * ofDay * ofWeek * (1 - 0.5 * age);
}

function lineAt(at: Date, random: () => number): string {
  const isMissing = random() < MISSING_SHARE;
  const path = isMissing ? '/notes/sextant-and-stars' : choose(pages, random);
  const size = isMissing ? 512 : 2000 + ((path.length * 977) % 9000);
  const client = `203.0.113.${1 + Math.floor(random() ** 2 * CLIENTS)}`; // some come back more often than others
  const request = `"GET ${path} HTTP/1.1" ${isMissing ? 404 : 200} ${size}`;
  return `${client} - - [${logTime(at)}] ${request} "${choose(referrers, random)}" "${choose(agents, random)}"`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function logTime(at: Date): string {
  const [year, month, rest] = at.toISOString().split('-') as [string, string, string];
  return `${rest.slice(0, 2)}/${MONTHS[Number(month) - 1]}/${year}:${rest.slice(3, 11)} +0000`;
}

function choose(weighted: readonly (readonly [text: string, weight: number])[], random: () => number): string {
  let left = random() * weighted.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [text, weight] of weighted) {
    left -= weight;
    if (left < 0) return text;
  }
  return weighted[0]?.[0] ?? '-';
}

/** A linear congruential generator. */
function makeRandom(seed: number): () => number {
  let state = (seed * 2_654_435_761) % 2 ** 32;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
