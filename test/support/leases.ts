import type { Db } from 'mongodb';

/** Takes its leases from a holder that lives and sleeps. What a dead one held is waited for: recovery gets no help. */
export async function expireLeases(db: Db): Promise<void> {
  await db.collection('leases').updateMany({}, { $set: { expires_at: new Date(0) } });
}
