import type { Db } from 'mongodb';

/** Takes the leases of a live but sleeping holder. Leases of a dead one are waited out: recovery gets no help. */
export async function expireLeases(db: Db): Promise<void> {
  await db.collection('leases').updateMany({}, { $set: { expires_at: new Date(0) } });
}
