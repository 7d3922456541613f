/** Requests sent by programs, individually or in bulk, instead of lines of a log file. */
import { type Db, ObjectId } from 'mongodb';
import type { Durability } from '../../../database/index.js';
import { allRejected, checkEach, type RejectedItem } from '../../../shared/bulk-items.js';
import { InputError, LimitError } from '../../../shared/errors.js';
import { failpoint } from '../../../shared/failpoint.js';
import { DAY_MS } from '../../../shared/time.js';
import { keptFrom } from '../log-growth/log-growth.js';
import type { LogEventDocument, RequestFields } from '../log-growth/log-segment.js';
import { normalizeHost, noteSites } from '../sites/site.js';
import { type KeptFields, keepFields } from './log-fields.js';
import { CLIENT_HOST_LENGTH_MAX, PATH_BYTES_MAX, pageOf } from './log-line.js';
import { insertRequests, learnGrowth } from './log-write.js';

/** A request as sent by a client. Optional fields may also be null. */
export interface RequestInput {
  readonly site: string;
  readonly time: Date;
  readonly host: string;
  readonly status: number;
  readonly bytes?: number | null | undefined;
  readonly logname?: string | null | undefined;
  readonly user?: string | null | undefined;
  readonly method?: string | null | undefined;
  readonly path?: string | null | undefined;
  readonly protocol?: string | null | undefined;
  readonly referrer?: string | null | undefined;
  readonly user_agent?: string | null | undefined;
}

export interface RecordedEvents {
  /** For FIRE_AND_FORGET: the number sent. */
  readonly inserted: number;
  readonly rejected: readonly RejectedItem[];
}

const EVENTS_MAX = 1000;
const OUTSIDE = 'is older than what the log keeps';
const TEXT_BYTES_MAX = {
  logname: 1024,
  user: 1024,
  method: 64,
  protocol: 64,
  referrer: 8192,
  user_agent: 8192,
} as const;

/**
 * Stores requests with new ids, in one unordered bulk insert: a rejected request does not affect the others.
 * Not idempotent: a retry stores them again. FIRE_AND_FORGET does not wait for the database, so only invalid requests are reported.
 * @throws LimitError more than 1000 requests
 */
export async function recordEvents(
  db: Db,
  requests: readonly RequestInput[],
  durability: Durability,
  { now, keep }: { readonly now: Date; readonly keep: KeptFields },
): Promise<RecordedEvents> {
  if (requests.length > EVENTS_MAX)
    throw new LimitError(`At most ${EVENTS_MAX} requests are allowed per call`, EVENTS_MAX);
  const known = await learnGrowth(db);
  const kept = keptFrom(known.growth, now);
  const checked = checkEach(requests, (request, index): LogEventDocument => {
    const { site, ...fields } = requireRequest(`events.${index}`, request, now);
    if (kept && fields.time < kept) throw new InputError(`events.${index}.time`, OUTSIDE);
    return { _id: new ObjectId().toHexString(), site, ...keepFields(fields, keep) };
  });
  const { accepted: documents } = checked;
  if (documents.length === 0) return { inserted: 0, rejected: checked.rejected };
  await noteSites(db, new Set(documents.map(({ site }) => site)), now);
  failpoint('log.events.site-noted');
  const rejected = await insertRequests(db, known, documents, durability);
  return { inserted: documents.length - rejected.length, rejected: allRejected(checked, rejected) };
}

/** @throws InputError names the field and the rule */
function requireRequest(field: string, request: RequestInput, now: Date): RequestFields & { site: string } {
  const { time, host, status, bytes } = request;
  const ms = time.getTime();
  if (!(ms >= 0 && ms <= now.getTime() + DAY_MS)) {
    throw new InputError(`${field}.time`, 'must be between 1970 and one day from now');
  }
  if (host === '' || host.length > CLIENT_HOST_LENGTH_MAX || !host.isWellFormed()) {
    throw new InputError(`${field}.host`, `must be text of 1 to ${CLIENT_HOST_LENGTH_MAX} characters`);
  }
  if (!Number.isInteger(status) || status < 100 || status > 999) {
    throw new InputError(`${field}.status`, 'must be a whole number from 100 to 999');
  }
  if (bytes != null && !(Number.isSafeInteger(bytes) && bytes >= 0)) {
    throw new InputError(`${field}.bytes`, 'must be a whole number from 0 to 9007199254740991');
  }
  const path = optionalText(`${field}.path`, request.path, PATH_BYTES_MAX);
  const text = (name: keyof typeof TEXT_BYTES_MAX) =>
    optionalText(`${field}.${name}`, request[name], TEXT_BYTES_MAX[name]);
  return {
    site: normalizeHost(`${field}.site`, request.site),
    host,
    logname: text('logname'),
    user: text('user'),
    time,
    method: text('method'),
    path,
    page: path === undefined ? undefined : pageOf(path),
    protocol: text('protocol'),
    status,
    bytes: bytes ?? undefined,
    referrer: text('referrer'),
    user_agent: text('user_agent'),
  };
}

/** Text without lone surrogates, which cannot be encoded in UTF-8. @throws InputError */
function optionalText(field: string, text: string | null | undefined, bytesMax: number): string | undefined {
  if (text == null || text === '') return undefined;
  if (Buffer.byteLength(text, 'utf8') > bytesMax)
    throw new InputError(field, `must be at most ${bytesMax} bytes in UTF-8`);
  if (!text.isWellFormed()) throw new InputError(field, 'must be well-formed text without lone surrogates');
  return text;
}
