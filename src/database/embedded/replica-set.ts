/** Makes the embedded server a replica set of one member: change streams and transactions require it. */
import { setTimeout as delay } from 'node:timers/promises';
import { type Db, type Document, MongoClient, MongoServerError } from 'mongodb';
import { REPLICA_SET } from './mongod.js';
import { LOOPBACK } from './record.js';

const ALREADY_INITIALIZED = 23;
const NOT_YET_INITIALIZED = 94;
const IN_PROGRESS = 117;
const RETRY_MS = 100;
/** A server first looks for itself at its old address, and waits 30 s if a program there does not respond. */
const MOVE_TIMEOUT_MS = 60_000;

export function uriOf(port: number): string {
  return `mongodb://${LOOPBACK}:${port}/?replicaSet=${REPLICA_SET}`;
}

/** Initiates a new server's set, and moves a set whose port has changed. Safe to repeat, and to run in several processes concurrently. */
export async function ensureReplicaSet(port: number): Promise<void> {
  const client = new MongoClient(`mongodb://${LOOPBACK}:${port}/?directConnection=true`);
  const host = `${LOOPBACK}:${port}`;
  try {
    // The stored configuration, because a server that has not found itself reports none.
    const stored = await client.db('local').collection('system.replset').findOne();
    if (!stored) await initiate(client.db('admin'), host);
    else if (stored.members[0].host !== host) await move(client.db('admin'), stored, host);
  } finally {
    await client.close();
  }
}

async function initiate(admin: Db, host: string): Promise<void> {
  try {
    await admin.command({ replSetInitiate: { _id: REPLICA_SET, members: [{ _id: 0, host }] } });
  } catch (error) {
    if (!isCode(error, ALREADY_INITIALIZED, IN_PROGRESS)) throw error; // another process was faster
  }
}

/** Forced, because a server that does not find itself in the set cannot be elected, and the set has no other member. */
async function move(admin: Db, stored: Document, host: string): Promise<void> {
  const moved = { ...stored, version: stored.version + 1, members: [{ ...stored.members[0], host }] };
  for (const deadline = performance.now() + MOVE_TIMEOUT_MS; ; await delay(RETRY_MS)) {
    try {
      await admin.command({ replSetReconfig: moved, force: true });
      return;
    } catch (error) {
      if (!isCode(error, NOT_YET_INITIALIZED) || performance.now() > deadline) throw error;
    }
  }
}

const isCode = (error: unknown, ...codes: number[]): boolean =>
  error instanceof MongoServerError && codes.includes(Number(error.code));
