/**
 * Idempotency keys: a client that does not know whether its call was carried out repeats it with the same key, and gets the first answer.
 *
 * A key's record is made before the work and holds the id of the call; every step of the work is guarded by that id. So whoever repeats
 * a call that died half-way carries it on, and never does twice what was done. Pattern: Stripe's idempotency, second version.
 */
import { createHash, randomUUID } from 'node:crypto';
import { type Db, MongoServerError, type Timestamp } from 'mongodb';
import { defineCollection, lastWriteOf, noteWrite } from '../../database/index.js';
import { BusyError, InputError, SextantError, TransientError } from '../../shared/errors.js';
import { failpoint } from '../../shared/failpoint.js';

interface IdempotencyDocument {
  /** A hash of who, what and the key. */
  _id: string;
  input_hash: string;
  call: string;
  /** Who works on it; another one after `locked_until`. */
  worker: string;
  locked_until: Date;
  /** The first answer. Absent while it is being worked on. */
  answer?: unknown;
  /** When the first call last wrote: told again with its answer. */
  written_at?: Timestamp;
  expires_at: Date;
}

const idempotency = defineCollection<IdempotencyDocument>(
  'idempotency',
  [{ key: { expires_at: 1 }, expireAfterSeconds: 0 }], // MongoDB forgets keys
  { isBookkeeping: true },
);

const MAJORITY = { writeConcern: { w: 'majority' } } as const;
const DUPLICATE_KEY = 11000;
const KEY_LENGTH_MAX = 255;
const LOCK_MS = 10_000; // whoever has not answered by then is taken for dead; if not, the call's guards keep the two apart
const WAIT_MS = 5000;
const POLL_MS = 50;

/** What is to be done once. */
export interface OnceOnly {
  /** Whose key it is: a viewer's id, or a cart's. */
  readonly scope: string;
  readonly operation: string;
  /** Null or left out: nothing is remembered. */
  readonly key: string | null | undefined;
  /** All that the caller asks for. The same key with another input is refused. */
  readonly input: unknown;
  /** How long the answer is remembered. */
  readonly keepMs: number;
  /** Called before a key is kept for the first time; what it throws refuses the call. Of several at once, each calls it. */
  readonly beforeKept?: (keptUntil: Date) => Promise<void>;
}

/**
 * For answers that are large and can be made again: what is kept in their place. The call names its record then, so that a document which
 * remembers the latest calls can settle those that it forgets (`settleCalls`).
 */
export interface Brief<T> {
  readonly keep: (answer: T) => unknown;
  /** @param kept what `keep` gave, or a whole answer from before it was used */
  readonly recall: (kept: unknown) => Promise<T>;
}

/** @throws SextantError IDEMPOTENCY_KEY_REUSED @throws InputError the key is empty or too long @throws BusyError another one is still at it */
export async function performOnce<T>(
  db: Db,
  once: OnceOnly,
  now: Date,
  work: (call: string) => Promise<T>,
  brief?: Brief<T>,
): Promise<T> {
  const { key } = once;
  if (key === null || key === undefined) return work(randomUUID());
  if (key.length < 1 || key.length > KEY_LENGTH_MAX)
    throw new InputError('idempotencyKey', `must have 1 to ${KEY_LENGTH_MAX} characters`);
  const claimed = await claim(db, { ...once, key, namesRecord: brief !== undefined }, now);
  failpoint('idempotency.claimed');
  return 'call' in claimed ? carryOut(db, claimed, work, brief) : recallAnswer(claimed.answer, brief);
}

const recallAnswer = async <T>(answer: unknown, brief: Brief<T> | undefined): Promise<T> =>
  brief ? brief.recall(answer) : (answer as T);

const SEPARATOR = '.'; // a hash in base64url has none

/** @returns null for a call without a key, or one that does not name its record */
function recordOf(call: string): string | null {
  const at = call.indexOf(SEPARATOR);
  return at === -1 ? null : call.slice(0, at);
}

/** Whether the call has a key, and names its record: somebody else may carry it on. */
export const isKeyed = (call: string): boolean => recordOf(call) !== null;

/**
 * Answers calls whose process died before it said what came of them: a repeat must not depend on their traces any more.
 * @param answers `kept` as `Brief.keep` gives it
 */
export async function settleCalls(
  db: Db,
  answers: readonly { readonly call: string; readonly kept: unknown }[],
): Promise<void> {
  const updates = answers.flatMap(({ call, kept }) => {
    const _id = recordOf(call);
    if (_id === null) return [];
    const unanswered = { _id, call, answer: { $exists: false } }; // guard: the first answer stands
    return [{ updateOne: { filter: unanswered, update: { $set: { answer: kept } } } }];
  });
  if (updates.length > 0) await idempotency(db).bulkWrite(updates, { ordered: false, ...MAJORITY });
}

/** Whether a call has been answered: by whoever carried it on, or by `settleCalls`. */
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
}

/** @returns the first answer, or the right to work on it */
async function claim(
  db: Db,
  once: OnceOnly & { readonly key: string; readonly namesRecord: boolean },
  now: Date,
): Promise<Claim | { answer: unknown }> {
  const _id = hash([once.scope, once.operation, once.key]);
  const input_hash = hash(once.input);
  const worker = randomUUID();
  const begun = performance.now();
  const locked = () => ({ worker, locked_until: new Date(now.getTime() + performance.now() - begun + LOCK_MS) });
  for (;;) {
    const record = await idempotency(db).findOne({ _id });
    if (record && record.input_hash !== input_hash)
      throw new SextantError('IDEMPOTENCY_KEY_REUSED', 'This idempotency key was used with another input');
    if (record && 'answer' in record) {
      noteWrite(db, record.written_at);
      return { answer: record.answer };
    }
    if (!record) {
      const expires_at = new Date(now.getTime() + once.keepMs);
      const made = {
        _id,
        input_hash,
        call: once.namesRecord ? `${_id}${SEPARATOR}${randomUUID()}` : randomUUID(),
        ...locked(),
        expires_at,
      };
      await once.beforeKept?.(expires_at);
      failpoint('idempotency.admitted');
      if (await insertIfNew(db, made)) return made;
    } else if (record.locked_until.getTime() <= now.getTime() + performance.now() - begun) {
      const taken = await idempotency(db).findOneAndUpdate(
        // Guard: nobody else has taken it over, and it has not been answered meanwhile.
        { _id, worker: record.worker, locked_until: record.locked_until, answer: { $exists: false } },
        { $set: locked() },
        { returnDocument: 'after', ...MAJORITY },
      );
      if (taken) return { _id, call: taken.call, worker };
    }
    if (performance.now() - begun > WAIT_MS)
      throw new BusyError('The first call with this idempotency key is still under way');
    await pause(POLL_MS);
  }
}

/** @returns false when another one was quicker */
async function insertIfNew(db: Db, record: IdempotencyDocument): Promise<boolean> {
  try {
    await idempotency(db).insertOne(record, MAJORITY);
    return true;
  } catch (error) {
    if (error instanceof MongoServerError && error.code === DUPLICATE_KEY) return false;
    throw error;
  }
}

async function carryOut<T>(
  db: Db,
  { _id, call, worker }: Claim,
  work: (call: string) => Promise<T>,
  brief?: Brief<T>,
): Promise<T> {
  let answer: T;
  try {
    answer = await work(call);
  } catch (error) {
    failpoint('idempotency.failed');
    await giveUp(db, { _id, call, worker }, error);
    throw error;
  }
  failpoint('idempotency.worked');
  // Guard: the first answer stands. A refusal needs the lock as well: who took over from a slow worker may be about to do what it was refused.
  const written_at = lastWriteOf(db);
  const done = { answer: brief ? brief.keep(answer) : answer, ...(written_at && { written_at }) };
  const unanswered = { _id, call, answer: { $exists: false }, ...(isRefusal(answer) && { worker }) };
  const { matchedCount } = await idempotency(db).updateOne(unanswered, { $set: done }, MAJORITY);
  if (matchedCount === 1) return answer;
  const record = await idempotency(db).findOne({ _id, call });
  if (!record) return answer; // forgotten, since its time was over
  if (!('answer' in record)) throw new BusyError('Another process carries out the call with this idempotency key');
  noteWrite(db, record.written_at);
  return recallAnswer(record.answer, brief);
}

/** An error of the caller's has changed nothing, so the key is free again. After any other one a repeat carries the call on, at once. */
async function giveUp(db: Db, { _id, worker }: Claim, error: unknown): Promise<void> {
  const own = { _id, worker, answer: { $exists: false } }; // guard: nobody has taken it over
  const changedNothing = error instanceof SextantError && !(error instanceof TransientError);
  const freed = changedNothing
    ? idempotency(db).deleteOne(own)
    : idempotency(db).updateOne(own, { $set: { locked_until: new Date(0) } });
  await freed.catch(() => undefined); // the database is away, perhaps: the lock runs out
}

const isRefusal = (answer: unknown): boolean => typeof answer === 'object' && answer !== null && '__typename' in answer;
const hash = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('base64url');
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
