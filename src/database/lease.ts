/**
 * Leases with fencing tokens: who holds one may do a piece of work until it runs out; each new holder gets a higher token.
 * A write on behalf of the work repeats the token in its filter, so a holder that slept through its lease changes nothing.
 *
 * The server's clock decides when a lease has run out, so the processes' clocks may say what they like. A holder measures by its
 * monotonic clock, from before it asked: it stops before the server gives the lease to somebody else.
 */
import type { Db, Document } from 'mongodb';
import { MongoServerError } from 'mongodb';
import { defineCollection } from './collection.js';

interface LeaseDocument {
  _id: string;
  holder: string;
  /** Rises by one with each new holder. */
  token: number;
  expires_at: Date;
  /** For how long it was taken. Leases from before this was noted lack it. */
  length_ms?: number;
}

const leases = defineCollection<LeaseDocument>('leases', [], { isBookkeeping: true });
const DUPLICATE_KEY = 11000;
/** Far longer than a command waits for others: its $$NOW is that of its arrival, so a lease that it waited for may lie ahead of it. */
const WAITED_MS_MAX = 60_000;
/** A renewal may fail twice before the lease runs out. */
const RENEWALS_PER_LENGTH = 3;

export interface Lease {
  readonly name: string;
  readonly holder: string;
  readonly token: number;
}

/** Somebody else may have taken the work over: stop, and change nothing. */
export class LeaseLostError extends Error {
  override name = 'LeaseLostError';
}

/**
 * Takes a lease that is free or has run out.
 * @returns null when somebody else holds it
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
  const options = { returnDocument: 'after', writeConcern: { w: 'majority' } } as const;
  // Guard: matches only a lease that has run out, or that lies further ahead than it was ever taken for. Then the server's own clock
  // was set back, and a dead holder's lease would last as long as that; a living one renews it within a third of its length.
  const latest = { $add: ['$$NOW', { $ifNull: ['$length_ms', leaseMs] }, WAITED_MS_MAX] };
  const expired = { $or: [{ $lte: ['$expires_at', '$$NOW'] }, { $gt: ['$expires_at', latest] }] };
  const taken =
    (await leases(db).findOneAndUpdate({ _id: name, $expr: expired }, taking, options)) ??
    (await createLease(db, name, taking, options));
  return taken && { name, holder, token: taken.token };
}

/** Guard: no stored lease has token 0, so this only ever inserts; when somebody else's is there, `_id` is taken. */
async function createLease(
  db: Db,
  name: string,
  taking: Document[],
  options: { returnDocument: 'after' },
): Promise<LeaseDocument | null> {
  try {
    return await leases(db).findOneAndUpdate({ _id: name, token: 0 }, taking, { ...options, upsert: true });
  } catch (error) {
    if (error instanceof MongoServerError && error.code === DUPLICATE_KEY) return null;
    throw error;
  }
}

/** Prolongs a lease. @returns false when it was lost: stop the work */
export async function renewLease(db: Db, lease: Lease, leaseMs: number): Promise<boolean> {
  const { matchedCount } = await leases(db).updateOne(
    { _id: lease.name, token: lease.token, holder: lease.holder }, // guard: nobody has taken it since
    [{ $set: { expires_at: { $add: ['$$NOW', leaseMs] }, length_ms: leaseMs } }],
    { writeConcern: { w: 'majority' } },
  );
  return matchedCount === 1;
}

/** Gives a lease back. The document stays, so that tokens keep rising. */
export async function releaseLease(db: Db, lease: Lease): Promise<void> {
  await leases(db).updateOne({ _id: lease.name, token: lease.token, holder: lease.holder }, [
    { $set: { expires_at: '$$NOW' } },
  ]);
}

/** A lease that is renewed for as long as its work goes on. So it may be short: what a dead process held rests for `leaseMs` only. */
export class KeptLease {
  readonly #timer: NodeJS.Timeout;
  readonly #lost = new AbortController();
  #renewing: Promise<void> = Promise.resolve();

  private constructor(
    private readonly db: Db,
    readonly lease: Lease,
    private readonly leaseMs: number,
    /** By the monotonic clock: from then on somebody else may hold it. */
    private keptUntilMs: number,
  ) {
    this.#timer = setInterval(() => {
      this.#renewing = this.#renew();
    }, leaseMs / RENEWALS_PER_LENGTH).unref();
  }

  /** @returns null when somebody else holds it */
  static async take(db: Db, name: string, holder: string, leaseMs: number): Promise<KeptLease | null> {
    const askedMs = performance.now(); // before the server can have counted from
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

  /** To be asked before each part of the work. @throws LeaseLostError */
  requireKept(): void {
    if (performance.now() >= this.keptUntilMs) this.#lose();
    this.#lost.signal.throwIfAborted();
  }

  /** Renews no more, and gives it back. Does not throw: when the database is away, the lease runs out by itself. */
  async release(): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewing; // a renewal that came later would prolong what was given back
    await releaseLease(this.db, this.lease).catch(() => undefined); // what the work returned or threw matters more
  }

  async #renew(): Promise<void> {
    const askedMs = performance.now();
    try {
      if (await renewLease(this.db, this.lease, this.leaseMs)) this.keptUntilMs = askedMs + this.leaseMs;
      else this.#lose();
    } catch {
      // The database is away, perhaps: asked again at the next turn. Until then the lease is kept by what is known of it.
    }
  }

  #lose(): void {
    clearInterval(this.#timer);
    this.#lost.abort(new LeaseLostError(`The lease ${this.lease.name} was lost`));
  }
}

export interface LeaseTerms {
  readonly name: string;
  /** For people who look at it. */
  readonly holder: string;
  /** How long the work of a process that died rests. */
  readonly leaseMs: number;
  /** How long to wait for somebody else. Longer than the lease: who still holds it then is alive. */
  readonly waitMs?: number;
}

const POLL_MS = 100;

/**
 * Does a piece of work under a lease that is kept meanwhile.
 * @returns what the work returns; null when somebody else holds the lease
 */
export async function withLease<T>(
  db: Db,
  { name, holder, leaseMs, waitMs = 0 }: LeaseTerms,
  work: (kept: KeptLease) => Promise<T>,
): Promise<T | null> {
  const begunMs = performance.now();
  let kept = await KeptLease.take(db, name, holder, leaseMs);
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
