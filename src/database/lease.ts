/**
 * Leases with fencing tokens: who holds one may do a piece of work until it runs out; each new holder gets a higher token.
 * A write on behalf of the work repeats the token in its filter, so a holder that slept through its lease changes nothing.
 */
import type { Db } from 'mongodb';
import { MongoServerError } from 'mongodb';
import { defineCollection } from './collection.js';

interface LeaseDocument {
  _id: string;
  holder: string;
  /** Rises by one with each new holder. */
  token: number;
  expires_at: Date;
}

const leases = defineCollection<LeaseDocument>('leases');
const DUPLICATE_KEY = 11000;

export interface Lease {
  readonly name: string;
  readonly holder: string;
  readonly token: number;
}

/**
 * Takes a lease that is free or has run out. The server's clock decides, so processes need not agree on the time.
 * @returns null when somebody else holds it
 */
export async function takeLease(db: Db, name: string, holder: string, leaseMs: number): Promise<Lease | null> {
  try {
    const taken = await leases(db).findOneAndUpdate(
      // Guard: matches only a lease that has run out. One that is held matches nothing, and the upsert then fails on `_id`.
      { _id: name, $expr: { $lte: ['$expires_at', '$$NOW'] } },
      [
        {
          $set: {
            holder: { $literal: holder },
            token: { $add: [{ $ifNull: ['$token', 0] }, 1] },
            expires_at: { $add: ['$$NOW', leaseMs] },
          },
        },
      ],
      { upsert: true, returnDocument: 'after', writeConcern: { w: 'majority' } },
    );
    return taken && { name, holder, token: taken.token };
  } catch (error) {
    if (error instanceof MongoServerError && error.code === DUPLICATE_KEY) return null;
    throw error;
  }
}

/** Prolongs a lease. @returns false when it was lost: stop the work */
export async function renewLease(db: Db, lease: Lease, leaseMs: number): Promise<boolean> {
  const { matchedCount } = await leases(db).updateOne(
    { _id: lease.name, token: lease.token, holder: lease.holder }, // guard: nobody has taken it since
    [{ $set: { expires_at: { $add: ['$$NOW', leaseMs] } } }],
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
