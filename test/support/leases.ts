import type { Db } from 'mongodb';

/** Expires all leases, as if their live holders had slept past the expiry. For dead holders, tests wait: recovery gets no help. */
export async function expireLeases(db: Db): Promise<void> {
  await db.collection('leases').updateMany({}, { $set: { expires_at: new Date(0) } });
}
