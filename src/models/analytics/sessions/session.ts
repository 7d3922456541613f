/**
 * Sessions of users, one document each, from which roll-ups (`roll-up.ts`) are summed.
 * Source pattern: hierarchical aggregation (operational intelligence, chapter 4). Its window over the sessions' own time loses late
 * arrivals. Here each session has a mark until it is in all roll-ups, no matter when it happened or arrived.
 * Only sessions before the removal horizon (`session-removal.ts`) are too late.
 */
import type { Db } from 'mongodb';
import { type Durability, defineCollection, takeNumbers, writeConcernOf } from '../../../database/index.js';
import { insertEach } from '../../../database/writes/bulk-insert.js';
import { allRejected, checkEach, type RejectedItem } from '../../../shared/bulk-items.js';
import { InputError, LimitError } from '../../../shared/errors.js';
import { failpoint } from '../../../shared/failpoint.js';
import { DAY_MS, SECOND_MS } from '../../../shared/time.js';
import { sessionsAcceptedFrom } from './session-horizon.js';

export interface SessionDocument {
  /** From the counter `sessions`. */
  _id: number;
  userid: string;
  /** When it started. */
  ts: Date;
  /** Whole seconds. */
  length: number;
  /** When it was recorded, by the clock of the recording process. Used only for the cutoff of a run. */
  arrived_at: Date;
  /** Present until the session is in the roll-ups of all levels. */
  pending?: true;
}

export const sessions = defineCollection<SessionDocument>(
  'sessions',
  [
    { key: { userid: 1, ts: 1 } }, // roll-up-sum.ts: the sessions of a user's hours
    { key: { pending: 1, ts: 1, arrived_at: 1 }, partialFilterExpression: { pending: true } }, // roll-up-run.ts: pending sessions, by hour
  ],
  { shardKey: { userid: 1, ts: 1 } }, // the user first: by time, all current inserts would go to one shard
);

export interface SessionInput {
  readonly userId: string;
  readonly at: Date;
  /** Seconds. */
  readonly length: number;
}

export interface RecordedSessions {
  /** For FIRE_AND_FORGET: the number sent. */
  readonly recorded: number;
  readonly rejected: readonly RejectedItem[];
}

const SESSIONS_MAX = 1000;
const USER_ID_BYTES_MAX = 256; // it is part of every roll-up's `_id`
const LENGTH_MAX = (366 * DAY_MS) / SECOND_MS; // so that the sum over 285 million sessions stays below 2^53

/**
 * Stores sessions, with numbers from a single counter update, in one unordered insert: an invalid or rejected session does not affect
 * the others. Not idempotent: a retry stores them again. The next run adds them to the roll-ups.
 * @throws LimitError more than 1000 sessions
 */
export async function recordSessions(
  db: Db,
  inputs: readonly SessionInput[],
  durability: Durability,
  now: Date,
): Promise<RecordedSessions> {
  if (inputs.length > SESSIONS_MAX)
    throw new LimitError(`At most ${SESSIONS_MAX} sessions are allowed per call`, SESSIONS_MAX);
  const from = await sessionsAcceptedFrom(db);
  const checked = checkEach(inputs, (input, index) => requireSession(`sessions.${index}`, input, { from, now }));
  const { accepted } = checked;
  if (accepted.length === 0) return { recorded: 0, rejected: checked.rejected };
  const first = await takeNumbers(db, sessions.collectionName, accepted.length);
  failpoint('session.numbers-taken');
  const documents = accepted.map(
    ({ userId, at, length }, offset): SessionDocument => ({
      _id: first + offset,
      userid: userId,
      ts: at,
      length,
      arrived_at: now,
      pending: true,
    }),
  );
  const rejected = await insertEach(sessions(db), documents, durability);
  return { recorded: accepted.length - rejected.length, rejected: allRejected(checked, rejected) };
}

/**
 * Removes the marks of sessions that are in all roll-ups, with majority.
 * Guard: lists exactly the sessions that were read. Later arrivals keep their marks, and a removed mark never comes back.
 */
export async function unmarkSessions(db: Db, numbers: readonly number[]): Promise<void> {
  await sessions(db).updateMany(
    { _id: { $in: [...numbers] } },
    { $unset: { pending: true } },
    { writeConcern: writeConcernOf.MAJORITY },
  );
}

/** @throws InputError names the field and the rule */
function requireSession(
  field: string,
  input: SessionInput,
  { from, now }: { readonly from: Date | null; readonly now: Date },
): SessionInput {
  requireUserId(`${field}.userId`, input.userId);
  const ms = input.at.getTime();
  if (!(ms >= 0 && ms <= now.getTime() + DAY_MS)) {
    throw new InputError(`${field}.at`, 'must be between 1970 and one day from now');
  }
  if (from && input.at < from) {
    throw new InputError(`${field}.at`, `must not be before ${from.toISOString()}: older sessions are removed`);
  }
  if (!Number.isInteger(input.length) || input.length < 0 || input.length > LENGTH_MAX) {
    throw new InputError(`${field}.length`, `must be whole seconds from 0 to ${LENGTH_MAX}`);
  }
  return input;
}

/** @throws InputError it is empty, exceeds 256 bytes in UTF-8, or contains a lone surrogate (not encodable in UTF-8) */
export function requireUserId(field: string, userId: string): string {
  if (userId === '' || Buffer.byteLength(userId, 'utf8') > USER_ID_BYTES_MAX) {
    throw new InputError(field, `must be text of 1 to ${USER_ID_BYTES_MAX} bytes in UTF-8`);
  }
  if (!userId.isWellFormed()) throw new InputError(field, 'must be well-formed text without lone surrogates');
  return userId;
}
