/**
 * Leases with fencing tokens: the holder may do a piece of work until the lease expires; each new holder gets a higher token.
 * Writes on behalf of the work repeat the token in their filter, so a holder that slept through its lease changes nothing.
 *
 * The server's clock decides when a lease has expired, so the clocks of processes do not matter. A holder measures with its
 * monotonic clock, starting before it asked: it stops before the server can give the lease to another process.
 */
import type { Db, Document } from 'mongodb';
import { isDuplicateKey } from '../connection/server-errors.js';
import { defineCollection } from './collection.js';

interface LeaseDocument {
  _id: string;
  holder: string;
  /** Rises by one with each new holder. */
  token: number;
  expires_at: Date;
  /** The length for which it was taken. Missing on leases of earlier releases. */
  length_ms?: number;
}

export const leases = defineCollection<LeaseDocument>('leases', [], { isBookkeeping: true });
/**
 * Far longer than a command waits for another one. `$$NOW` is the time at which a command arrived, so a command that had to wait may
 * find a lease that was renewed after its `$$NOW`.
 */
const WAITED_MS_MAX = 60_000;
/** A renewal may fail twice before the lease expires. */
const RENEWALS_PER_LENGTH = 3;

export interface Lease {
  readonly name: string;
  readonly holder: string;
  readonly token: number;
}

/** Another process may have taken over the work: stop, and change nothing. */
export class LeaseLostError extends Error {
  override name = 'LeaseLostError';
}

/**
 * Takes a lease that is free or has expired.
 * @returns null when another process holds it
 */
export async function takeLease(db: Db, name: string, holder: string, leaseMs: number): Promise<Lease | null> {
  const taking = [
    {
      $set: {
        holder: { $literal: holder },
        token: { $add: ['$token', 1] },
        expires_at: { $add: ['$$NOW', leaseMs] },
        length_ms: leaseMs,
      },
    },
  ];
  const options = { returnDocument: 'after' } as const;
  // Guard: matches only a lease that has expired, or one that expires later than any lease of its length can. In the latter case the
  // server's clock was set back: a dead holder's lease would last that much longer; a live holder renews it within a third of its length.
  const latest = { $add: ['$$NOW', { $ifNull: ['$length_ms', leaseMs] }, WAITED_MS_MAX] };
  const expired = { $or: [{ $lte: ['$expires_at', '$$NOW'] }, { $gt: ['$expires_at', latest] }] };
  const taken =
    (await leases(db).findOneAndUpdate({ _id: name, $expr: expired }, taking, options)) ??
    (await createLease(db, name, taking, options));
  return taken && { name, holder, token: taken.token };
}

/** Guard: no stored lease has token 0, so this only ever inserts; when a lease already exists, `_id` is taken. */
async function createLease(
  db: Db,
  name: string,
  taking: Document[],
  options: { returnDocument: 'after' },
): Promise<LeaseDocument | null> {
  try {
    return await leases(db).findOneAndUpdate({ _id: name, token: 0 }, taking, { ...options, upsert: true });
  } catch (error) {
    if (isDuplicateKey(error)) return null;
    throw error;
  }
}

/** Extends a lease. @returns false when it was lost: stop the work */
export async function renewLease(db: Db, lease: Lease, leaseMs: number): Promise<boolean> {
  const { matchedCount } = await leases(db).updateOne(
    { _id: lease.name, token: lease.token, holder: lease.holder }, // guard: no other process has taken it since
    [{ $set: { expires_at: { $add: ['$$NOW', leaseMs] }, length_ms: leaseMs } }],
  );
  return matchedCount === 1;
}

/** Releases a lease. The document stays, so that tokens keep increasing. */
export async function releaseLease(db: Db, lease: Lease): Promise<void> {
  await leases(db).updateOne({ _id: lease.name, token: lease.token, holder: lease.holder }, [
    { $set: { expires_at: '$$NOW' } },
  ]);
}

/** The leases among these that a process holds now. */
export async function findHeldLeases(db: Db, names: readonly string[]): Promise<ReadonlySet<string>> {
  const held = await leases(db)
    .find({ _id: { $in: [...names] }, $expr: { $gt: ['$expires_at', '$$NOW'] } }, { projection: { _id: 1 } })
    .toArray();
  return new Set(held.map(({ _id }) => _id));
}

/** Removes a lease whose work is never done again: a later lease of this name would start with low tokens. */
export async function removeLease(db: Db, name: string): Promise<void> {
  await leases(db).deleteOne({ _id: name });
}

/** A lease that is renewed while its work runs, so it can be short: the work of a dead process pauses only for `leaseMs`. */
export class KeptLease {
  readonly #timer: NodeJS.Timeout;
  readonly #lost = new AbortController();
  #renewing: Promise<void> = Promise.resolve();

  readonly #db: Db;
  readonly #leaseMs: number;
  /** On the monotonic clock: from then on another process may hold it. */
  #keptUntilMs: number;

  private constructor(
    db: Db,
    readonly lease: Lease,
    leaseMs: number,
    keptUntilMs: number,
  ) {
    this.#db = db;
    this.#leaseMs = leaseMs;
    this.#keptUntilMs = keptUntilMs;
    this.#timer = setInterval(() => {
      this.#renewing = this.#renew();
    }, leaseMs / RENEWALS_PER_LENGTH).unref();
  }

  /** @returns null when another process holds it */
  static async take(db: Db, name: string, holder: string, leaseMs: number): Promise<KeptLease | null> {
    const askedMs = performance.now(); // before the server started counting
    const lease = await takeLease(db, name, holder, leaseMs);
    return lease && new KeptLease(db, lease, leaseMs, askedMs + leaseMs);
  }

  get token(): number {
    return this.lease.token;
  }

  /** Aborts when the lease is known to be lost, with the error that `requireKept` throws. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Call before each part of the work. @throws LeaseLostError */
  requireKept(): void {
    if (performance.now() >= this.#keptUntilMs) this.#lose();
    this.#lost.signal.throwIfAborted();
  }

  /** Stops renewing and releases the lease. Does not throw: if the database is unreachable, the lease expires by itself. */
  async release(): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewing; // a later renewal would extend the released lease
    await releaseLease(this.#db, this.lease).catch(() => undefined); // the outcome of the work matters more
  }

  async #renew(): Promise<void> {
    const askedMs = performance.now();
    try {
      if (await renewLease(this.#db, this.lease, this.#leaseMs)) this.#keptUntilMs = askedMs + this.#leaseMs;
      else this.#lose();
    } catch {
      // The database may be unreachable: retried at the next interval. Until then the known expiry counts.
    }
  }

  #lose(): void {
    clearInterval(this.#timer);
    this.#lost.abort(new LeaseLostError(`The lease ${this.lease.name} was lost`));
  }
}

export interface LeaseTerms {
  readonly name: string;
  /** Shown to people only. */
  readonly holder: string;
  /** How long the work of a dead process pauses. */
  readonly leaseMs: number;
  /** How long to wait for another holder. Choose it longer than the lease: a holder that still has the lease then is alive. */
  readonly waitMs?: number;
  /** Called once if it waits. */
  readonly onWait?: () => void;
}

const POLL_MS = 100;

/**
 * Runs a piece of work under a lease, and renews the lease while the work runs.
 * @returns what the work returns; null when another process holds the lease
 */
export async function withLease<T>(
  db: Db,
  { name, holder, leaseMs, waitMs = 0, onWait }: LeaseTerms,
  work: (kept: KeptLease) => Promise<T>,
): Promise<T | null> {
  const begunMs = performance.now();
  let kept = await KeptLease.take(db, name, holder, leaseMs);
  if (!kept && waitMs > 0) onWait?.();
  while (!kept && performance.now() - begunMs < waitMs) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    kept = await KeptLease.take(db, name, holder, leaseMs);
  }
  if (!kept) return null;
  try {
    return await work(kept);
  } finally {
    await kept.release();
  }
}
