/** Makes the embedded server a replica set of one: change streams and transactions need one. */
import { MongoClient, MongoServerError } from 'mongodb';
import { REPLICA_SET } from './mongod.js';
import { LOOPBACK } from './record.js';

const ALREADY_INITIALIZED = 23;
const IN_PROGRESS = 117; // another process is at it

export function uriOf(port: number): string {
  return `mongodb://${LOOPBACK}:${port}/?replicaSet=${REPLICA_SET}`;
}

/** Initiates a new server's set, and moves a set whose port has changed. Safe to repeat, and in several processes at once. */
export async function ensureReplicaSet(port: number): Promise<void> {
  const client = new MongoClient(`mongodb://${LOOPBACK}:${port}/?directConnection=true`);
  const admin = client.db('admin');
  const host = `${LOOPBACK}:${port}`;
  try {
    const { setName, hosts = [] } = await admin.command({ hello: 1 });
    if (hosts.includes(host)) return;
    if (!setName) {
      await admin.command({ replSetInitiate: { _id: REPLICA_SET, members: [{ _id: 0, host }] } });
      return;
    }
    const { config } = await admin.command({ replSetGetConfig: 1 });
    // Forced, because a member that does not find itself in the set cannot be elected and has nobody else to ask.
    const moved = { ...config, version: config.version + 1, members: [{ ...config.members[0], host }] };
    await admin.command({ replSetReconfig: moved, force: true });
  } catch (error) {
    const others = error instanceof MongoServerError && [ALREADY_INITIALIZED, IN_PROGRESS].includes(Number(error.code));
    if (!others) throw error;
  } finally {
    await client.close();
  }
}
