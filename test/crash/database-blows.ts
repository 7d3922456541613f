/** What may happen to a database under load. */
import type { ReplicaSet } from '../../harness/replica-set.js';

/** Of one member: nothing answers meanwhile. */
export async function restartDatabase(set: ReplicaSet): Promise<void> {
  const primary = await set.primary();
  await primary.kill();
  await primary.start();
}

/** Of three members: another one takes over, and the killed one comes back. */
export async function killPrimary(set: ReplicaSet): Promise<void> {
  const primary = await set.primary();
  await primary.kill();
  await set.primary();
  await primary.start();
}
