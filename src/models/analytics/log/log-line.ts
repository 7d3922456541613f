/**
 * One line of an access log: Apache's common and combined formats, and what real servers add to them.
 * Pure, and written as a scanner: each character is read once or twice, for any line.
 *
 * Fields are kept as logged: `\"` and `\xNN` are not decoded, so a stored path can be found in the file.
 * Also accepted: IPv6; a list of forwarded addresses, quoted or not, with or without the peer after it (the first address is the
 * client); a leading virtual host; a missing identd or user; a user with spaces; a request that is `-`, empty or malformed; additional
 * fields at the end; an extra pair of quotes around the line; a line cut off inside the referrer or user agent.
 */
import { LATEST_MS } from '../../../shared/time.js';
import type { RequestFields } from '../log-growth/log-segment.js';

export const CLIENT_HOST_LENGTH_MAX = 1024;
export const PATH_BYTES_MAX = 8192; // Apache accepts request lines of 8190 bytes, nginx of 8192
export const LINE_BYTES_MAX = 65_536;

/** Why a line is rejected. The keys are stored, the sentences are shown. */
export const rejectReasons = {
  EMPTY: 'The line is empty',
  TOO_LONG: 'The line is longer than 65,536 bytes',
  NUL: 'The line contains a NUL byte',
  NOT_UTF8: 'The line is not UTF-8',
  NO_TIME: 'The line has no time in brackets, in the form [day/month/year:hour:minute:second zone]',
  NO_SUCH_TIME: 'The time does not exist, for example 30 February or 25 hours',
  TIME_TOO_EARLY: 'The time is before 1970',
  TIME_AHEAD: 'The time is more than a day in the future',
  OUTSIDE_WINDOW: 'The request is older than what the log keeps',
  NO_HOST: 'There is no client address before the time',
  HOST_TOO_LONG: "The client's name is longer than 1024 characters",
  NO_REQUEST: 'There is no quoted request after the time',
  REQUEST_CUT_OFF: 'The line ends inside the request',
  PATH_TOO_LONG: 'The path is longer than 8192 bytes',
  BAD_STATUS: 'The status after the request is not a number from 100 to 999',
  BAD_SIZE: 'The size after the status is neither a whole number nor "-"',
  NOT_COMMON: 'The line has more fields than the common format',
  NOT_COMBINED: 'The line lacks the referrer and the user agent of the combined format',
} as const;

export type RejectReason = keyof typeof rejectReasons;
export type LogFormat = 'COMMON' | 'COMBINED';

export interface LineRules {
  /** If omitted, each line may have either format. */
  readonly format?: LogFormat | undefined;
  /** Later times are rejected. Milliseconds since 1970. */
  readonly latestMs: number;
}

/** Parses one line without its line feed. Ignores a trailing carriage return. Never throws. */
export function parseLogLine(line: string, rules: LineRules): RequestFields | RejectReason {
  const text = unwrap(line);
  if (text.length === 0) return 'EMPTY';
  const bracket = findTime(text);
  if (bracket === -1) return 'NO_TIME';
  const time = parseTime(text, bracket + 1);
  if (Number.isNaN(time)) return 'NO_SUCH_TIME';
  if (time < 0) return 'TIME_TOO_EARLY';
  if (time > rules.latestMs || time > LATEST_MS) return 'TIME_AHEAD';

  const who = parseWho(text.slice(0, bracket));
  if (who === null) return 'NO_HOST';
  if (who.host.length > CLIENT_HOST_LENGTH_MAX) return 'HOST_TOO_LONG';

  const open = skipBlanks(text, bracket + TIME_LENGTH);
  if (text.charCodeAt(open) !== QUOTE) return 'NO_REQUEST';
  const close = closingQuote(text, open + 1);
  if (close === -1) return 'REQUEST_CUT_OFF';

  const request = parseRequest(text.slice(open + 1, close));
  if (Buffer.byteLength(request.path ?? '') > PATH_BYTES_MAX) return 'PATH_TOO_LONG';

  const statusAt = skipBlanks(text, close + 1);
  const statusEnd = wordEnd(text, statusAt);
  const status = wholeNumber(text, statusAt, statusEnd);
  if (!(status >= 100 && status <= 999)) return 'BAD_STATUS';
  const sizeAt = skipBlanks(text, statusEnd);
  const sizeEnd = wordEnd(text, sizeAt);
  const hasSize = sizeEnd - sizeAt !== 1 || text.charCodeAt(sizeAt) !== DASH;
  const bytes = hasSize ? wholeNumber(text, sizeAt, sizeEnd) : undefined;
  if (hasSize && !Number.isSafeInteger(bytes)) return 'BAD_SIZE';

  const restAt = skipBlanks(text, sizeEnd);
  if (rules.format === 'COMMON' && restAt < text.length) return 'NOT_COMMON';
  const referrer = parseQuoted(text, restAt);
  const agent = referrer && parseQuoted(text, skipBlanks(text, referrer.end));
  if (rules.format === 'COMBINED' && !agent) return 'NOT_COMBINED';
  // One literal with every field, even absent ones: objects of the same shape are created and stored several times faster.
  return {
    host: who.host,
    logname: who.logname,
    user: who.user,
    time: new Date(time),
    method: request.method,
    path: request.path,
    page: request.page,
    protocol: request.protocol,
    status,
    bytes,
    referrer: referrer?.value,
    user_agent: agent?.value,
  };
}

const QUOTE = 0x22;
const DASH = 0x2d;
const BLANK = 0x20;
const BACKSLASH = 0x5c;
const ZERO = 0x30;

/**
 * Removes a byte order mark, a carriage return, and an extra pair of quotes around the whole line. In that case there is no other quote
 * before the time.
 */
function unwrap(line: string): string {
  let end = line.length;
  if (line.endsWith('\r')) end -= 1;
  let start = skipBlanks(line, line.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0);
  if (line.charCodeAt(start) === QUOTE) {
    const bracket = findTime(line);
    const next = line.indexOf('"', start + 1);
    if (bracket !== -1 && (next === -1 || next > bracket)) {
      start += 1;
      if (end > start && line.charCodeAt(end - 1) === QUOTE) end -= 1;
    }
  }
  return start === 0 && end === line.length ? line : line.slice(start, end);
}

const BYTE_ORDER_MARK = 0xfeff;
const TIME_LENGTH = '[17/May/2015:10:05:03 +0000]'.length;

/** The index of the bracket that opens the time, or -1. Other brackets may precede it, as in `[::1]`. */
function findTime(text: string): number {
  for (let at = text.indexOf('['); at !== -1; at = text.indexOf('[', at + 1)) {
    if (text[at + 3] === '/' && text[at + 7] === '/' && text[at + 12] === ':' && text[at + 27] === ']') return at;
  }
  return -1;
}

const MONTHS = new Map(
  ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'].map((name, index) => [
    name,
    index,
  ]),
);

/**
 * Milliseconds since 1970 of `17/May/2015:10:05:03 +0000`, or NaN when there is no such time. A leap second, at the end of June or
 * December in UTC, counts as the next second.
 */
function parseTime(text: string, at: number): number {
  const day = wholeNumber(text, at, at + 2);
  const month = MONTHS.get(text.slice(at + 3, at + 6)) ?? Number.NaN;
  const hour = wholeNumber(text, at + 12, at + 14);
  const minute = wholeNumber(text, at + 15, at + 17);
  const second = wholeNumber(text, at + 18, at + 20);
  const zoneHour = wholeNumber(text, at + 22, at + 24);
  const zoneMinute = wholeNumber(text, at + 24, at + 26);
  const colons = text[at + 14] === ':' && text[at + 17] === ':' && text[at + 20] === ' ';
  const sign = text[at + 21] === '+' ? 1 : text[at + 21] === '-' ? -1 : Number.NaN;
  if (!colons || hour > 23 || minute > 59 || second > 60 || zoneHour > 14 || zoneMinute > 59) return Number.NaN;
  const isLeap = second === 60;
  const local = new Date(0);
  local.setUTCFullYear(wholeNumber(text, at + 7, at + 11), month, day); // unlike Date.UTC, does not change the year 99
  local.setUTCHours(hour, minute, isLeap ? 59 : second);
  if (local.getUTCDate() !== day) return Number.NaN; // 30 February would roll over
  const time = local.getTime() - sign * (zoneHour * 60 + zoneMinute) * 60_000;
  if (!isLeap) return time;
  return LEAP_SECONDS.test(new Date(time).toISOString()) ? time + 1000 : Number.NaN;
}

const LEAP_SECONDS = /-(?:06-30|12-31)T23:59:59/;

interface Who {
  readonly host: string;
  readonly logname: string | undefined;
  readonly user: string | undefined;
}

/** Comma-separated addresses, or anything in quotes. The parts cannot overlap, so matching takes linear time. */
const FORWARDED = /^(?:"([^"]*)"|((?:[^\s,]+,\s*)+[^\s,]+))(?:\s+|$)/;
const ADDRESS = /^(?:\d+\.\d+\.\d+\.\d+|[\dA-Fa-f.]*:[\dA-Fa-f:.%]*)$/;

/** Parses the part before the time: host, identd and user, and prefixes added by servers. Null when there is no host. */
function parseWho(prefix: string): Who | null {
  const list = findForwarded(prefix);
  const words = (list ? list.rest : prefix).split(' ').filter((word) => word !== '');
  let host: string | undefined;
  if (list) {
    host = list.client;
    if (words.length > 2) words.shift(); // the peer that forwarded the list
  } else {
    if (hasVirtualHost(words)) words.shift();
    host = words.shift();
  }
  if (host === undefined || host === '' || host === '-') return null;
  return {
    host,
    logname: words.length > 1 ? present(words[0]) : undefined,
    user: present(words.length > 1 ? words.slice(1).join(' ') : words[0]),
  };
}

interface Forwarded {
  readonly client: string;
  /** The text after the list. */
  readonly rest: string;
}

/** A list of forwarded addresses at the start, or after the virtual host, where only addresses are recognized. */
function findForwarded(prefix: string): Forwarded | null {
  if (!prefix.includes('"') && !prefix.includes(',')) return null;
  const atBegin = forwardedAt(prefix);
  if (atBegin) return atBegin;
  const afterHost = forwardedAt(prefix.slice(skipBlanks(prefix, wordEnd(prefix, 0))));
  return afterHost && (ADDRESS.test(afterHost.client) || afterHost.client === 'unknown') ? afterHost : null;
}

function forwardedAt(text: string): Forwarded | null {
  const list = FORWARDED.exec(text);
  if (!list) return null;
  const [client = ''] = (list[1] ?? list[2] ?? '').split(',', 1);
  return { client: client.trim(), rest: text.slice(list[0].length) };
}

/** The text, or undefined for the placeholders that logs write for a missing value. */
function present(text: string | undefined): string | undefined {
  return text === '-' || text === '' || text === '""' ? undefined : text;
}

/** Whether the first word is the virtual host and the second the client: an address, or a name followed by a missing identd. */
function hasVirtualHost([, second, third, ...others]: readonly string[]): boolean {
  if (second === undefined || third === undefined) return false;
  return ADDRESS.test(second) || (others.length > 0 && second !== '-' && third === '-');
}

const METHOD = /^[!#$%&'*+.^`|~\w-]+$/; // RFC 9110: token
const PROTOCOL = /^[A-Z]+\/\d(?:\.\d)?$/;

interface RequestLine {
  readonly method?: string;
  readonly path?: string;
  readonly page?: string | undefined;
  readonly protocol?: string | undefined;
}
const UNREADABLE: RequestLine = {};

/** Parses the request line. All parts are absent if it is malformed, as when TLS reaches a plain port. */
function parseRequest(request: string): RequestLine {
  const methodEnd = request.indexOf(' ');
  if (methodEnd <= 0) return UNREADABLE;
  const lastBlank = request.lastIndexOf(' ');
  const protocol = request.slice(lastBlank + 1);
  const hasProtocol = lastBlank > methodEnd && PROTOCOL.test(protocol);
  const path = hasProtocol ? request.slice(methodEnd + 1, lastBlank) : request.slice(methodEnd + 1);
  const method = request.slice(0, methodEnd);
  // Without a protocol (HTTP/0.9), only a leading slash in the path distinguishes a request from other text.
  if (path === '' || !(hasProtocol || path.startsWith('/')) || !METHOD.test(method)) return UNREADABLE;
  return { method, path, page: pageOf(path), protocol: hasProtocol ? protocol : undefined };
}

/** The path without its query string. Undefined if empty, because a page without a name can be neither counted nor queried. */
export function pageOf(path: string): string | undefined {
  const question = path.indexOf('?');
  return question === -1 ? path : path.slice(0, question) || undefined;
}

/** A quoted field and where it ends. A field cut off by the end of the line is kept so far. Null when none starts here. */
function parseQuoted(text: string, at: number): { value: string | undefined; end: number } | null {
  if (text.charCodeAt(at) !== QUOTE) return null;
  const close = closingQuote(text, at + 1);
  const end = close === -1 ? text.length : close;
  return { value: present(text.slice(at + 1, end)), end: end + 1 };
}

/**
 * The index of the quote that ends a field, or -1. A quote after an odd number of backslashes belongs to the field. So does one directly
 * followed by text, because some servers do not escape quotes.
 */
function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 1)) {
    let first = at;
    while (first > from && text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    if ((at - first) % 2 === 0 && (at + 1 === text.length || text.charCodeAt(at + 1) === BLANK)) return at;
  }
  return -1;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === BLANK) at += 1;
  return at;
}

function wordEnd(text: string, from: number): number {
  const blank = text.indexOf(' ', from);
  return blank === -1 ? text.length : blank;
}

/** The digits of a substring as a number; NaN if it is empty, truncated, or contains anything else. */
function wholeNumber(text: string, from: number, to: number): number {
  if (to <= from) return Number.NaN;
  let value = 0;
  for (let at = from; at < to; at += 1) {
    const digit = text.charCodeAt(at) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}
