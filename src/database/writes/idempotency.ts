/**
 * Idempotency keys: a client that does not know whether its call was executed retries it with the same key and gets the first answer.
 *
 * A key's record is created before the work and holds the id of the call. Every step of the work is guarded by that id, which it leaves
 * where it writes, or stores its result in the record with the same transaction (`stepOnce`, `answerCall`). So a retry of a call that
 * died halfway continues it and never repeats what was done. A worker that stood still until another one took over writes nothing in a
 * transaction that asks for its key (`holdCall`). Pattern: Stripe's idempotency, second version.
 */

import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ClientSession, Db, Timestamp, UpdateFilter } from 'mongodb';
import { BusyError, InputError, NothingWrittenError, SextantError, TransientError } from '../../shared/errors.js';
import { failpoint } from '../../shared/failpoint.js';
import { clockFrom } from '../../shared/time.js';
import { defineCollection } from '../collections/collection.js';
import { lastWriteOf, noteWrite } from '../collections/write-clock.js';
import { endAbandonedTransactions } from '../connection/abandoned-transactions.js';
import { isDuplicateKey, isMaxTimeExpired } from '../connection/server-errors.js';

interface IdempotencyDocument {
  /** A hash of the scope, the operation and the key. */
  _id: string;
  input_hash: string;
  call: string;
  /** The worker that executes it. Another one may take over after `locked_until`. */
  worker: string;
  locked_until: Date;
  /** Rises with each transaction of the call (`holdCall`). */
  held?: number;
  /** The results of the steps that have been done (`stepOnce`). */
  steps?: unknown[];
  /** When the first worker claimed it that may have written something, by its clock. Earlier releases did not note it. */
  begun_at?: Date;
  /** A worker was taken over that had not given it up, and may be alive. */
  may_be_at_work?: true;
  /** No worker has changed anything so far: each has refused it for now. */
  is_untouched?: true;
  /** The first answer. Absent while the call is being executed. */
  answer?: unknown;
  /** When the first call last wrote. Returned again with its answer. */
  written_at?: Timestamp;
  expires_at: Date;
}

export const idempotency = defineCollection<IdempotencyDocument>(
  'idempotency',
  [{ key: { expires_at: 1 }, expireAfterSeconds: 0 }], // MongoDB removes expired keys
  { isBookkeeping: true },
);

const KEY_LENGTH_MAX = 255;
const LOCK_MS = 10_000; // a worker without an answer by then is considered dead; if it is not, the call's guards keep the two apart
const WAIT_MS = 5000;
const POLL_MS = 50;
const HELD_MS = 1000; // a transaction of a live worker takes milliseconds
const ANSWER_ATTEMPTS = 3;
/** A retry may continue the call at once. */
const UNLOCKED = { locked_until: new Date(0) } as const;
/** The same after a worker that has written nothing. */
const unlocked = ({ begunAt }: Claim) => ({ ...UNLOCKED, ...(begunAt === null && { is_untouched: true as const }) });

/** A call to execute once. */
export interface OnceOnly {
  /** The owner of the key: the id of a viewer or a cart. */
  readonly scope: string;
  readonly operation: string;
  /** If null or omitted, nothing is remembered. */
  readonly key: string | null | undefined;
  /** The complete input. The same key with a different input is refused. */
  readonly input: unknown;
  /** How long the answer is kept. */
  readonly keepMs: number;
  /** The types of refusals that time alone lifts. They are no answer to keep: a retry continues the call. */
  readonly passing?: readonly string[] | undefined;
  /** Called before a key is stored for the first time, by each of several concurrent calls. An error refuses the call. */
  readonly beforeKept?: (keptUntil: Date) => Promise<void>;
}

/**
 * A compact form to store instead of large answers that can be rebuilt. The call's id then contains its record, so that a document that
 * remembers the latest calls can settle those that it forgets (`settleCalls`).
 */
export interface Brief<T> {
  readonly keep: (answer: T) => unknown;
  /** @param kept the result of `keep`, or a complete answer stored by an earlier version */
  readonly recall: (kept: unknown) => Promise<T>;
}

/** Who executes a call. */
export interface Attempt {
  readonly call: string;
  /** The record of its key, and the worker that holds it. Null for a call without a key. */
  readonly key: { readonly record: string; readonly worker: string } | null;
  /** When it claimed the key: another one may take over LOCK_MS later. */
  readonly at: Date;
}

/** Of a call without a key. */
export const unkeyed = (call: string, at: Date): Attempt => ({ call, key: null, at });

/** Executes a call. `begunAt`: when another worker began it, which may have done a part. Null for a new call. */
export type Work<T> = (call: string, begunAt: Date | null, attempt: Attempt) => Promise<T>;

/**
 * @throws SextantError IDEMPOTENCY_KEY_REUSED @throws InputError the key is empty or too long
 * @throws BusyError the first call is still running
 */
export async function performOnce<T>(db: Db, once: OnceOnly, now: Date, work: Work<T>, brief?: Brief<T>): Promise<T> {
  const { key } = once;
  if (key === null || key === undefined) {
    const call = randomUUID();
    return work(call, null, unkeyed(call, now));
  }
  if (key.length < 1 || key.length > KEY_LENGTH_MAX)
    throw new InputError('idempotencyKey', `must have 1 to ${KEY_LENGTH_MAX} characters`);
  const claimed = await claim(db, { ...once, key, namesRecord: brief !== undefined }, now);
  failpoint('idempotency.claimed');
  return 'call' in claimed ? carryOut(db, once, claimed, work, brief) : recallAnswer(claimed.answer, brief);
}

const recallAnswer = async <T>(answer: unknown, brief: Brief<T> | undefined): Promise<T> =>
  brief ? brief.recall(answer) : (answer as T);

const SEPARATOR = '.'; // a hash in base64url has none

/** @returns null for a call without a key, or one whose id does not contain its record */
function recordOf(call: string): string | null {
  const at = call.indexOf(SEPARATOR);
  return at === -1 ? null : call.slice(0, at);
}

/** Whether the call has a key and its id contains its record, so that another process may continue it. */
export const isKeyed = (call: string): boolean => recordOf(call) !== null;

/**
 * Stores answers for calls whose process died before it answered, so that retries no longer depend on their traces.
 * @param answers `kept` as returned by `Brief.keep`
 */
export async function settleCalls(
  db: Db,
  answers: readonly { readonly call: string; readonly kept: unknown }[],
): Promise<void> {
  const updates = answers.flatMap(({ call, kept }) => {
    const _id = recordOf(call);
    if (_id === null) return [];
    const unanswered = { _id, call, answer: { $exists: false } }; // guard: the first answer wins
    return [{ updateOne: { filter: unanswered, update: { $set: { answer: kept } } } }];
  });
  if (updates.length > 0) await idempotency(db).bulkWrite(updates, { ordered: false });
}

/**
 * Keeps the workers of a call apart: one that was slow writes nothing in its transaction after another one has taken over, which may have
 * refused the call; and while it writes, nobody takes over. For a call whose documents have ids that differ each time: what an earlier
 * worker has written is looked for first.
 * @throws BusyError another worker was faster
 */
export function holdCall(db: Db, session: ClientSession, attempt: Attempt): Promise<void> {
  return writeRecord(db, session, attempt, { $inc: { held: 1 } });
}

/**
 * Stores the answer in the transaction that has the effect, so that both are there or neither: for an effect that leaves no trace of its
 * call, and that a retry would repeat, over what somebody else has written since. It keeps workers apart as `holdCall` does. Not for
 * calls with a `Brief`.
 * @throws BusyError another worker was faster
 */
export function answerCall(db: Db, session: ClientSession, attempt: Attempt, answer: unknown): Promise<void> {
  return writeRecord(db, session, attempt, { $set: { answer } });
}

/**
 * Runs one of several steps of a call, in its transaction: a retry gets the result and does not repeat the step.
 * @param index from 0, one after the other
 * @throws BusyError another worker was faster
 */
export async function stepOnce<T>(
  db: Db,
  session: ClientSession,
  { attempt, index }: { readonly attempt: Attempt; readonly index: number },
  work: () => Promise<T>,
): Promise<T> {
  if (!attempt.key) return work();
  await holdCall(db, session, attempt);
  const known = await idempotency(db).findOne({ _id: attempt.key.record }, { session, projection: { steps: 1 } });
  const steps = known?.steps ?? [];
  if (index < steps.length) return steps[index] as T;
  const result = await work();
  await writeRecord(db, session, attempt, { $push: { steps: result } });
  return result;
}

async function writeRecord(
  db: Db,
  session: ClientSession,
  { call, key }: Attempt,
  change: UpdateFilter<IdempotencyDocument>,
): Promise<void> {
  if (!key) return;
  const own = { _id: key.record, call, worker: key.worker, answer: { $exists: false } }; // guard: nobody has taken over, or answered
  const { matchedCount } = await idempotency(db).updateOne(own, change, { session });
  if (matchedCount === 0) throw new BusyError('Another process has executed the call with this idempotency key');
}

/** Whether a call has been answered, by the process that continued it or by `settleCalls`. */
export async function isAnswered(db: Db, call: string): Promise<boolean> {
  const _id = recordOf(call);
  if (_id === null) return false;
  const answered = { _id, call, answer: { $exists: true } };
  return (await idempotency(db).findOne(answered, { projection: { _id: 1 } })) !== null;
}

interface Claim {
  readonly _id: string;
  readonly call: string;
  readonly worker: string;
  readonly at: Date;
  /** When the worker began from which it was taken over, by that worker's clock. Null if there was none. */
  readonly begunAt: Date | null;
  /** No earlier worker may be at work. */
  readonly isAlone: boolean;
}

/** @returns the first answer, or the right to execute the call */
async function claim(
  db: Db,
  once: OnceOnly & { readonly key: string; readonly namesRecord: boolean },
  now: Date,
): Promise<Claim | { answer: unknown }> {
  const _id = hash([once.scope, once.operation, once.key]);
  const input_hash = hash(once.input);
  const worker = randomUUID();
  const begun = performance.now();
  const clock = clockFrom(now);
  const locked = (at: Date) => ({ worker, locked_until: new Date(at.getTime() + LOCK_MS) });
  let taking: Pick<Claim, 'at' | 'begunAt' | 'isAlone'> | null = null;
  for (;;) {
    const record = await idempotency(db).findOne({ _id });
    if (record && taking && record.worker === worker) return { _id, call: record.call, worker, ...taking };
    if (record && record.input_hash !== input_hash)
      throw new SextantError('IDEMPOTENCY_KEY_REUSED', 'This idempotency key was already used with a different input');
    if (record && 'answer' in record) {
      noteWrite(db, record.written_at);
      return { answer: record.answer };
    }
    const at = clock();
    if (!record) {
      const expires_at = new Date(now.getTime() + once.keepMs);
      const made = {
        _id,
        input_hash,
        call: once.namesRecord ? `${_id}${SEPARATOR}${randomUUID()}` : randomUUID(),
        ...locked(at),
        begun_at: now,
        expires_at,
      };
      await once.beforeKept?.(expires_at);
      failpoint('idempotency.admitted');
      if (await insertIfNew(db, made)) return { _id, call: made.call, worker, at, begunAt: null, isAlone: true };
    } else if (record.locked_until <= at) {
      const firstAt = record.begun_at ?? new Date(record.expires_at.getTime() - once.keepMs);
      taking = {
        at,
        begunAt: record.is_untouched ? null : firstAt,
        isAlone: isGivenUp(record) && !record.may_be_at_work,
      };
      if (await takeOver(db, record, locked(at), now)) return { _id, call: record.call, worker, ...taking };
    }
    if (performance.now() - begun > WAIT_MS)
      throw new BusyError('The first call with this idempotency key is still in progress');
    await pause(POLL_MS);
  }
}

/** The last worker has said that it does nothing more. */
const isGivenUp = ({ locked_until }: IdempotencyDocument): boolean => locked_until.getTime() === 0;

/** @returns false when another call was faster, or the record is held; or it was written too late, which the next look finds */
async function takeOver(
  db: Db,
  record: IdempotencyDocument,
  locked: Pick<IdempotencyDocument, 'worker' | 'locked_until'>,
  now: Date,
): Promise<boolean> {
  const { _id, worker, locked_until } = record;
  // Guard: no other worker has taken it over, and it has not been answered meanwhile.
  const unchanged = { _id, worker, locked_until, answer: { $exists: false } };
  const change = {
    $set: {
      ...locked,
      ...(record.is_untouched && { begun_at: now }),
      ...(!isGivenUp(record) && { may_be_at_work: true as const }),
    },
    $unset: { is_untouched: '' as const },
  };
  const written = await unlessHeld(db, 1, (options) => idempotency(db).updateOne(unchanged, change, options));
  return written?.matchedCount === 1;
}

/**
 * Writes a record, unless a transaction holds it: that of a process that stands still, or has died, is ended, so that the caller does not
 * wait for the time that MongoDB gives it.
 * @returns null if it was held each time
 */
async function unlessHeld<T>(
  db: Db,
  attempts: number,
  write: (options: { readonly maxTimeMS: number }) => Promise<T>,
): Promise<T | null> {
  for (let attempt = 1; attempt <= attempts; attempt += 1)
    try {
      return await write({ maxTimeMS: HELD_MS });
    } catch (error) {
      if (!isMaxTimeExpired(error)) throw error;
      await endAbandonedTransactions(db.client);
    }
  return null;
}

/** @returns false when another call was faster */
async function insertIfNew(db: Db, record: IdempotencyDocument): Promise<boolean> {
  try {
    await idempotency(db).insertOne(record);
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

async function carryOut<T>(
  db: Db,
  { passing = [] }: OnceOnly,
  claimed: Claim,
  work: Work<T>,
  brief?: Brief<T>,
): Promise<T> {
  const { _id, call, worker, at, begunAt } = claimed;
  let answer: T;
  try {
    answer = await work(call, begunAt, { call, key: { record: _id, worker }, at });
  } catch (error) {
    failpoint('idempotency.failed');
    await giveUp(db, claimed, error);
    throw error;
  }
  failpoint('idempotency.worked');
  // Guard: the first answer wins. A refusal also needs the lock: a worker that took over from a slow one may be about to succeed.
  const written_at = lastWriteOf(db);
  const answered = { answer: brief ? brief.keep(answer) : answer, ...(written_at && { written_at }) };
  const done = isRefusal(answer) && passing.includes(answer.__typename) ? unlocked(claimed) : answered;
  const unanswered = { _id, call, answer: { $exists: false }, ...(isRefusal(answer) && { worker }) };
  const written = await unlessHeld(db, ANSWER_ATTEMPTS, (options) =>
    idempotency(db).updateOne(unanswered, { $set: done }, options),
  );
  if (!written) throw new BusyError('The answer of the call could not be stored yet');
  if (written.matchedCount === 1) return answer;
  const record = await idempotency(db).findOne({ _id, call });
  if (!record) return answer; // expired and removed
  if (!('answer' in record)) throw new BusyError('Another process is executing the call with this idempotency key');
  // With a brief, who has continued the call may have settled it under this worker: then that answer was first.
  if (!brief && record.worker === worker) return noteAnswer(db, claimed, answer, written_at);
  noteWrite(db, record.written_at);
  return recallAnswer(record.answer, brief);
}

/** The transaction of the work has stored the answer (`answerCall`), but could not know when it was committed. */
async function noteAnswer<T>(db: Db, { _id, call }: Claim, answer: T, writtenAt: Timestamp | undefined): Promise<T> {
  if (writtenAt) await idempotency(db).updateOne({ _id, call }, { $set: { written_at: writtenAt } });
  return answer;
}

/**
 * After a caller's error nothing has changed, so the key is released, unless an earlier worker may be at work, or may have written
 * something: a new call with the key would not know of it. After any other error a retry may continue the call immediately.
 */
async function giveUp(db: Db, claimed: Claim, error: unknown): Promise<void> {
  const { _id, worker, begunAt, isAlone } = claimed;
  const own = { _id, worker, answer: { $exists: false } }; // guard: no other worker has taken it over
  const isCallersError = error instanceof SextantError && !(error instanceof TransientError);
  const change = { $set: error instanceof NothingWrittenError ? unlocked(claimed) : UNLOCKED };
  const freed = unlessHeld<unknown>(db, 1, (options) =>
    isCallersError && isAlone && begunAt === null
      ? idempotency(db).deleteOne(own, options)
      : idempotency(db).updateOne(own, change, options),
  );
  await freed.catch(() => undefined); // if the database is unreachable, or the record held, the lock expires
}

const isRefusal = (answer: unknown): answer is { readonly __typename: string } =>
  typeof answer === 'object' && answer !== null && '__typename' in answer;
const hash = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('base64url');
