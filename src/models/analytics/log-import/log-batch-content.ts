/** Turns a batch of lines into requests, hits and rejected lines. Pure. */
import { isUtf8 } from 'node:buffer';
import { isbot } from 'isbot';
import { MINUTE_MS } from '../../../shared/time.js';
import type { CountedHit } from '../hits/hit.js';
import { type KeptFields, keepFields } from '../log/log-fields.js';
import { LINE_BYTES_MAX, parseLogLine, type RejectReason } from '../log/log-line.js';
import type { LogEventDocument, RequestFields } from '../log-growth/log-segment.js';
import { type LogImportDocument, lineId, type RejectedLineDocument } from './log-import.js';
import type { LineBatch } from './log-reader.js';

export interface BatchContent {
  readonly batch: LineBatch;
  readonly events: readonly LogEventDocument[];
  readonly rejects: readonly RejectedLineDocument[];
  /** Summed per page and minute, sorted by page. */
  readonly hits: readonly CountedHit[];
  /** The expected uncompressed size of the file, estimated when the batch was read. */
  readonly expectedBytes?: number | null;
}

export interface ContentRules {
  readonly keep: KeptFields;
  /** Lines with a later time are rejected. Milliseconds since 1970. */
  readonly latestMs: number;
  /** Lines with an earlier time are outside of the retention window and are rejected. Milliseconds since 1970. */
  readonly earliestMs: number;
}

const RAW_BYTES_MAX = 4096;

export function contentOf(
  { _id: importId, site, options }: Pick<LogImportDocument, '_id' | 'site' | 'options'>,
  batch: LineBatch,
  { keep, latestMs, earliestMs }: ContentRules,
): BatchContent {
  const rules = { format: options.format, latestMs };
  const events: LogEventDocument[] = [];
  const rejects: RejectedLineDocument[] = [];
  const tally = new MinuteTally(site);
  for (const [index, bytes] of batch.lines.entries()) {
    const line = batch.firstLine + index;
    const read = readLine(bytes, rules);
    const isOutside = typeof read !== 'string' && read.time.getTime() < earliestMs;
    const fields = isOutside ? 'OUTSIDE_WINDOW' : read;
    if (typeof fields === 'string') {
      rejects.push({ _id: lineId(importId, line), import: importId, line, reason: fields, raw: rawOf(bytes) });
    } else {
      events.push(eventOf(importId, line, site, keepFields(fields, keep)));
      if (options.count_hits && isHit(fields, options.leave_out_robots)) tally.add(fields.page ?? '', fields.time);
    }
  }
  return { batch, events, rejects, hits: tally.hits };
}

function readLine(bytes: Buffer, rules: Parameters<typeof parseLogLine>[1]): RequestFields | RejectReason {
  if (bytes.length > LINE_BYTES_MAX) return 'TOO_LONG';
  if (bytes.includes(0)) return 'NUL';
  if (!isUtf8(bytes)) return 'NOT_UTF8';
  return parseLogLine(bytes.toString('utf8'), rules);
}

/** The line for display: invalid UTF-8 is replaced by U+FFFD, and a character cut by the limit is omitted. */
function rawOf(bytes: Buffer): string {
  const text = bytes.subarray(0, RAW_BYTES_MAX).toString('utf8');
  if (bytes.length <= RAW_BYTES_MAX && Buffer.byteLength(text) <= RAW_BYTES_MAX) return text;
  let end = text.length;
  while (Buffer.byteLength(text.slice(0, end)) > RAW_BYTES_MAX) end = Math.floor(end * 0.9); // U+FFFD takes three bytes for one byte
  return text.slice(0, end).replace(/[\uD800-\uDBFF]$/, '');
}

/** One literal: objects of the same shape are created and stored several times faster than copies with added fields. */
const eventOf = (importId: string, line: number, site: string, fields: RequestFields): LogEventDocument => ({
  _id: lineId(importId, line),
  site,
  time: fields.time,
  host: fields.host,
  logname: fields.logname,
  user: fields.user,
  method: fields.method,
  path: fields.path,
  page: fields.page,
  protocol: fields.protocol,
  status: fields.status,
  bytes: fields.bytes,
  referrer: fields.referrer,
  user_agent: fields.user_agent,
  import: importId,
});

/** A hit is a GET request answered with the page, or with "not modified". */
function isHit({ method, status, page, user_agent }: RequestFields, leaveOutRobots: boolean): boolean {
  if (method !== 'GET' || page === undefined || !((status >= 200 && status < 300) || status === 304)) return false;
  return !(leaveOutRobots && isbot(user_agent));
}

class MinuteTally {
  readonly #byPage = new Map<string, Map<number, number>>();

  constructor(readonly site: string) {}

  add(page: string, at: Date): void {
    let minutes = this.#byPage.get(page);
    if (!minutes) {
      minutes = new Map();
      this.#byPage.set(page, minutes);
    }
    const minute = Math.floor(at.getTime() / MINUTE_MS);
    minutes.set(minute, (minutes.get(minute) ?? 0) + 1);
  }

  get hits(): CountedHit[] {
    const hits: CountedHit[] = [];
    for (const [page, minutes] of [...this.#byPage].sort(([left], [right]) => (left < right ? -1 : 1))) {
      for (const [minute, count] of minutes) {
        hits.push({ site: this.site, page, at: new Date(minute * MINUTE_MS), count });
      }
    }
    return hits;
  }
}
