import type { Db } from 'mongodb';

/** Lets the time pass after which others may take over what a dead process held. */
export async function expireLeases(db: Db): Promise<void> {
  await db.collection('leases').updateMany({}, { $set: { expires_at: new Date(0) } });
}
