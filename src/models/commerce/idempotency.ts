/**
 * Idempotency keys: a client that does not know whether its call was carried out repeats it with the same key, and gets the first answer.
 *
 * A key's record is made before the work and holds the id of the call; every step of the work is guarded by that id. So whoever repeats
 * a call that died half-way carries it on, and never does twice what was done. Pattern: Stripe's idempotency, second version.
 */
import { createHash, randomUUID } from 'node:crypto';
import { type Db, MongoServerError, type Timestamp } from 'mongodb';
import { defineCollection, lastWriteOf, noteWrite } from '../../database/index.js';
import { BusyError, InputError, SextantError } from '../../shared/errors.js';
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
}

/** @throws SextantError IDEMPOTENCY_KEY_REUSED @throws InputError the key is empty or too long @throws BusyError another one is still at it */
export async function performOnce<T>(
  db: Db,
  once: OnceOnly,
  now: Date,
  work: (call: string) => Promise<T>,
): Promise<T> {
  const { key } = once;
  if (key === null || key === undefined) return work(randomUUID());
  if (key.length < 1 || key.length > KEY_LENGTH_MAX)
    throw new InputError('idempotencyKey', `must have 1 to ${KEY_LENGTH_MAX} characters`);
  const claimed = await claim(db, { ...once, key }, now);
  failpoint('idempotency.claimed');
  return 'call' in claimed ? carryOut(db, claimed, work) : (claimed.answer as T);
}

interface Claim {
  readonly _id: string;
  readonly call: string;
  readonly worker: string;
}

/** @returns the first answer, or the right to work on it */
async function claim(
  db: Db,
  once: OnceOnly & { readonly key: string },
  now: Date,
): Promise<Claim | { answer: unknown }> {
  const _id = hash([once.scope, once.operation, once.key]);
  const input_hash = hash(once.input);
  const worker = randomUUID();
  const begun = Date.now();
  const locked = () => ({ worker, locked_until: new Date(now.getTime() + Date.now() - begun + LOCK_MS) });
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
      const made = { _id, input_hash, call: randomUUID(), ...locked(), expires_at };
      if (await insertIfNew(db, made)) return made;
    } else if (record.locked_until.getTime() <= now.getTime() + Date.now() - begun) {
      const taken = await idempotency(db).findOneAndUpdate(
        { _id, worker: record.worker, locked_until: record.locked_until }, // guard: nobody else has taken it over
        { $set: locked() },
        { returnDocument: 'after', ...MAJORITY },
      );
      if (taken) return { _id, call: taken.call, worker };
    }
    if (Date.now() - begun > WAIT_MS)
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

async function carryOut<T>(db: Db, { _id, call, worker }: Claim, work: (call: string) => Promise<T>): Promise<T> {
  let answer: T;
  try {
    answer = await work(call);
  } catch (error) {
    failpoint('idempotency.failed');
    await giveUp(db, { _id, call, worker }, error);
    throw error;
  }
  failpoint('idempotency.worked');
  // Guard: the first answer stands; whoever took over from this one and was quicker did the same work.
  const written_at = lastWriteOf(db);
  const done = { answer, ...(written_at && { written_at }) };
  await idempotency(db).updateOne({ _id, call, answer: { $exists: false } }, { $set: done }, MAJORITY);
  return answer;
}

/** An error of the caller's has changed nothing, so the key is free again. After any other one a repeat carries the call on, at once. */
async function giveUp(db: Db, { _id, worker }: Claim, error: unknown): Promise<void> {
  const own = { _id, worker, answer: { $exists: false } }; // guard: nobody has taken it over
  const changedNothing = error instanceof SextantError && error.code !== 'SERVER_BUSY';
  const freed = changedNothing
    ? idempotency(db).deleteOne(own)
    : idempotency(db).updateOne(own, { $set: { locked_until: new Date(0) } });
  await freed.catch(() => undefined); // the database is away, perhaps: the lock runs out
}

const hash = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('base64url');
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
