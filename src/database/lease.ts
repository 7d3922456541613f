/**
 * Leases with fencing tokens: who holds one may do a piece of work until it runs out; each new holder gets a higher token.
 * A write on behalf of the work repeats the token in its filter, so a holder that slept through its lease changes nothing.
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
}

const leases = defineCollection<LeaseDocument>('leases', [], { isBookkeeping: true });
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
  const taking = [
    {
      $set: {
        holder: { $literal: holder },
        token: { $add: ['$token', 1] },
        expires_at: { $add: ['$$NOW', leaseMs] },
      },
    },
  ];
  const options = { returnDocument: 'after', writeConcern: { w: 'majority' } } as const;
  // Guard: matches only a lease that has run out.
  const expired = { _id: name, $expr: { $lte: ['$expires_at', '$$NOW'] } };
  const taken =
    (await leases(db).findOneAndUpdate(expired, taking, options)) ?? (await createLease(db, name, taking, options));
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
